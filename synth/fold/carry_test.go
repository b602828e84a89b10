package fold

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
)

// half computes the first half of a carry cell by Lattice's equations: its sum without the carry in, and what it
// carries when that is 0.
func (c *cell) half(value map[bit]int) (sum, generated int) {
	entry := 0
	for i, pin := range []string{"A0", "B0", "C0", "D0"} {
		switch w := c.pin(pin); {
		case w == one:
			entry |= 1 << i
		case !w.constant():
			entry |= value[w] << i
		}
	}
	init := c.Parameters["INIT0"]
	return int(init[15-entry] - '0'), int(init[15-entry&3] - '0')
}

// adder builds a carry cell that adds a wire and a function of two others, or subtracts it.
func adder(init int, invert bit) (b *bench, a, x, y bit) {
	b = newBench()
	in := b.wires("in", 3)
	b.Ports["operands"] = &port{Direction: "input", Bits: in}
	made := b.wires("made", 1)[0]
	b.cell("table", "LUT4", "Z", map[string]string{"INIT": fmt.Sprintf("%016b", init)},
		map[string]bit{"A": in[1], "B": zero, "C": in[2], "D": one, "Z": made})
	out := b.wires("out", 1)
	b.cell("sum", "CCU2C", "S", map[string]string{"INIT0": carrySum, "INIT1": carrySum, "INJECT1_0": "NO",
		"INJECT1_1": "NO"},
		map[string]bit{"A0": in[0], "B0": made, "C0": invert, "D0": one, "A1": zero, "B1": zero, "C1": zero, "D1": one,
			"CIN": zero, "S0": out[0]})
	b.output("out", out)
	return b, in[0], in[1], in[2]
}

// Every table of two inputs, with constants at the other two, in a sum and in a difference; in a sum at either operand.
func TestCarry(t *testing.T) {
	for function := range 16 {
		for _, at := range []struct {
			invert bit
			pin    string
		}{{zero, "B0"}, {one, "B0"}, {zero, "A0"}} {
			init := 0
			for entry := range 16 { // inputs A and C, D at 1
				if entry&8 != 0 && function>>(entry&1|entry>>1&2)&1 == 1 {
					init |= 1 << entry
				}
			}
			b, a, x, y := adder(init, at.invert)
			if c := b.Cells["sum"].Connections; at.pin == "A0" {
				c["A0"], c["B0"] = c["B0"], c["A0"]
			}
			m, f := b.fold(t)
			assert.Equal(t, Folded{Carries: 1, Cells: map[string]map[string]int{"top": {"CCU2C": 1}}}, f)
			for v := range 8 {
				value := map[bit]int{a: v & 1, x: v >> 1 & 1, y: v >> 2}
				operand := function >> (value[x] | value[y]<<1) & 1
				if at.invert == one {
					operand ^= 1
				}
				sum, generated := m.Cells["sum"].half(value)
				assert.Equal(t, value[a]^operand, sum, "function %04b, %v, inputs %v", function, at, value)
				if sum == 0 {
					assert.Equal(t, value[a]&operand, generated)
				}
			}
			assert.Equal(t, carrySum, m.Cells["sum"].Parameters["INIT1"])
		}
	}
}

// A table of one input is passed by, though another reads it; with its last reader it goes.
func TestCarryOfInverter(t *testing.T) {
	const invert = 0b0101010101010101
	build := func(others int) (*module, Folded, bit) {
		b, _, x, _ := adder(invert, zero)
		b.Cells["table"].Connections["C"] = []bit{zero}
		sum := b.Cells["sum"].Connections
		sum["A1"], sum["C1"] = sum["B0"], []bit{one} // the other half adds something inverted to it: it is no B, and stays
		if others == 0 {
			sum["A1"], sum["B1"], sum["C1"] = sum["A0"], sum["B0"], []bit{one}
		}
		m, f := b.fold(t)
		return m, f, x
	}
	m, f, x := build(1)
	assert.Zero(t, f.Carries)
	assert.Contains(t, m.Cells, "table")
	assert.Equal(t, x, m.Cells["sum"].pin("B0"))
	m, f, x = build(0)
	assert.Equal(t, 1, f.Carries)
	assert.NotContains(t, m.Cells, "table")
	assert.Equal(t, x, m.Cells["sum"].pin("B0"))
	assert.Equal(t, x, m.Cells["sum"].pin("B1"))
	assert.NotEqual(t, m.Cells["sum"].Parameters["INIT0"], m.Cells["sum"].Parameters["INIT1"])
}

func TestCarryLeftAlone(t *testing.T) {
	const xor = 0b0101101000000000 // A ^ C where D is 1
	for name, change := range map[string]func(*bench){
		"another reads the table": func(b *bench) { b.output("raw", b.Cells["table"].Connections["Z"]) },
		"a table of three inputs": func(b *bench) { b.Cells["table"].Connections["D"] = []bit{enable} },
		"a table of constants": func(b *bench) {
			b.Cells["table"].Connections["A"], b.Cells["table"].Connections["C"] = []bit{zero}, []bit{one}
		},
		"an input that is unknown": func(b *bench) { b.Cells["table"].Connections["B"] = []bit{undefined} },
		"no table":                 func(b *bench) { b.Cells["table"].Type = "PFUMX" },
		"no sum":                   func(b *bench) { b.Cells["sum"].Parameters["INIT0"] = "0110011010101010" },
		"a third operand":          func(b *bench) { b.Cells["sum"].Connections["C0"] = []bit{enable} },
		"a fourth":                 func(b *bench) { b.Cells["sum"].Connections["D0"] = []bit{enable} },
		"the table at the other operand of a difference": func(b *bench) {
			c := b.Cells["sum"].Connections
			c["A0"], c["B0"], c["C0"] = c["B0"], c["A0"], []bit{one}
		},
	} {
		t.Run(name, func(t *testing.T) {
			b, _, _, _ := adder(xor, zero)
			change(b)
			m, f := b.fold(t)
			assert.Zero(t, f.Carries)
			assert.Len(t, m.Cells, 2)
		})
	}
}
