package fold

import (
	"fmt"
	"maps"
	"slices"
)

var (
	operandA = pins("A", 18)
	operandB = pins("B", 18)
	product  = pins("P", 36)
)

// multipliers folds the registers around the multipliers into them, and gives the number of flip-flops.
//
// Both operands or neither: nextpnr-ecp5 (0.7) knows the timing of a multiplier with both input registers, with the
// output register, and with all three, and treats one with a register at one operand as one with none. The register
// between input and output is never used: it would be a cycle more. Two multipliers share the wires of their clocks,
// enables and resets, which nextpnr does not look at when it places them; so only registers without enable move, and
// only those of one clock.
func (x *index) multipliers(names []string) int {
	clock, ok := x.multiplierClock(names)
	if !ok {
		return 0
	}
	always := control{clock, one}
	folded := 0
	for _, name := range names {
		c := x.module.Cells[name]
		behind, common, ok := x.word(c, product)
		if !ok || common != always || c.registered("REG_OUTPUT") {
			continue
		}
		x.take(c, behind)
		c.clockBy(clock, "REG_OUTPUT")
		folded += len(behind)
	}
	return folded + x.operands(names, always)
}

// multiplierClock is the clock of the registers around the multipliers; none if there are several.
func (x *index) multiplierClock(names []string) (bit, bool) {
	clocks := map[bit]bool{}
	for _, name := range names {
		c := x.module.Cells[name]
		if _, common, ok := x.word(c, product); ok {
			clocks[common.clock] = true
		}
		for _, pin := range append(slices.Clone(operandA), operandB...) {
			if r, ok := x.before(c.pin(pin)); ok {
				clocks[r.clock] = true
			}
		}
	}
	for clock := range clocks {
		return clock, len(clocks) == 1
	}
	return undefined, false
}

// operands folds registers before multipliers. A wide product has the same operand at several multipliers, so a
// register may go into all of them: it goes if every one that reads it takes it.
func (x *index) operands(names []string, always control) int {
	takers := map[string]map[string]register{} // by multiplier, by pin
	for _, name := range names {
		if before, ok := x.operandsOf(x.module.Cells[name], always); ok {
			takers[name] = before
		}
	}
	for refused := true; refused; {
		refused = false
		for name, before := range takers {
			if !x.onlyInto(takers, before) {
				delete(takers, name)
				refused = true
			}
		}
	}
	folded := map[string]bool{}
	for name, before := range takers {
		c := x.module.Cells[name]
		for pin, r := range before {
			c.Connections[pin] = []bit{r.d}
			folded[r.name] = true
		}
		c.clockBy(always.clock, "REG_INPUTA", "REG_INPUTB")
	}
	for name := range folded {
		delete(x.module.Cells, name)
	}
	return len(folded)
}

// operandsOf is the registers before the operands of a multiplier, by pin. Other bits must be constants: these are in
// the registers of the block too, so that they count from the first clock edge on.
//
// The wire to the multiplier is then before the register instead of after it. With an output register there is time
// for it after, so logic that ends in the register is not burdened with it.
func (x *index) operandsOf(c *cell, always control) (map[string]register, bool) {
	before := map[string]register{}
	for _, operand := range [][]string{operandA, operandB} {
		for _, pin := range operand {
			b := c.pin(pin)
			if b == zero || b == one {
				continue
			}
			r, ok := x.before(b)
			if !ok || r.control != always || c.registered("REG_OUTPUT") && x.fromLogic(r.d) {
				return nil, false
			}
			before[pin] = r
		}
	}
	static := c.pin("SIGNEDA").constant() && c.pin("SIGNEDB").constant() && c.pin("SOURCEA") == zero &&
		c.pin("SOURCEB") == zero
	return before, static && len(before) > 0 && !c.registered("REG_INPUTA") && !c.registered("REG_INPUTB")
}

// fromLogic reports whether a wire comes from logic, and not straight from a register, a memory or outside.
func (x *index) fromLogic(b bit) bool {
	for _, driver := range x.drivers[b] {
		if c := x.module.Cells[driver.cell]; c != nil && c.Type != "TRELLIS_FF" && c.Type != "DP16KD" {
			return true
		}
	}
	return false
}

// onlyInto reports whether all readers of these registers are operands of the takers.
func (x *index) onlyInto(takers map[string]map[string]register, before map[string]register) bool {
	for _, r := range before {
		for _, reader := range x.readers[r.q] {
			if _, taken := takers[reader.cell][reader.pin]; !taken {
				return false
			}
		}
	}
	return true
}

// registered reports whether a register of a multiplier is in use.
func (c *cell) registered(register string) bool {
	clock := c.Parameters[register+"_CLK"]
	return clock != "" && clock != "NONE"
}

// clockBy turns registers of a multiplier on. All enables are high and all resets low, as some cannot be chosen in
// nextpnr: the output register's.
func (c *cell) clockBy(clock bit, registers ...string) {
	for _, r := range registers {
		c.Parameters[r+"_CLK"] = "CLK0"
	}
	c.connect("CLK0", clock)
	for i := range 4 {
		c.connect(fmt.Sprint("CE", i), one)
		c.connect(fmt.Sprint("RST", i), zero)
	}
}

// ofType lists the cells of a type, in order.
func (m *module) ofType(name string) []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(m.Cells)), func(c string) bool { return m.Cells[c].Type != name })
}
