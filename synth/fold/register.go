package fold

// register is a flip-flop that a block could take in.
type register struct {
	name string
	d, q bit
	control
}

// control holds the control signals that the bits of a block's register share.
type control struct {
	clock  bit // rising edge
	enable bit // one: none
}

// plain are the parameters of a flip-flop on the rising edge that starts as 0 and whose reset, if there is one, is not
// inverted.
var plain = map[string]string{"CLKMUX": "CLK", "LSRMUX": "LSR", "REGSET": "RESET"}

// register is the flip-flop of a name, if a block's register can do the same: no set, no reset, no inverted clock or
// enable.
func (x *index) register(name string) (register, bool) {
	c := x.module.Cells[name]
	if c == nil || c.Type != "TRELLIS_FF" {
		return register{}, false
	}
	for parameter, value := range plain {
		if c.Parameters[parameter] != value {
			return register{}, false
		}
	}
	r := register{name, c.pin("DI"), c.pin("Q"), control{c.pin("CLK"), one}}
	switch c.Parameters["CEMUX"] {
	case "1", "1 ": // as Yosys writes text that looks like a number
	case "CE":
		r.enable = c.pin("CE")
	default:
		return register{}, false
	}
	ok := c.pin("LSR") == zero && c.Parameters["LSRMODE"] == "" && !r.clock.constant() && !r.q.constant() &&
		(r.enable == one || !r.enable.constant())
	return r, ok
}

// behind returns the register that is the only reader of a wire.
func (x *index) behind(b bit) (register, bool) {
	if b.constant() || len(x.readers[b]) != 1 || x.readers[b][0].pin != "DI" {
		return register{}, false
	}
	return x.register(x.readers[b][0].cell)
}

// before is the register that drives a wire.
func (x *index) before(b bit) (register, bool) {
	if b.constant() || len(x.drivers[b]) != 1 {
		return register{}, false
	}
	return x.register(x.drivers[b][0].cell)
}

// word returns the registers that the pins of a word drive, by pin. All that are read must go to one register each,
// with the same control; some must be read.
func (x *index) word(c *cell, pins []string) (behind map[string]register, common control, ok bool) {
	behind = map[string]register{}
	for _, pin := range pins {
		b := c.pin(pin)
		if b.constant() || !x.used(b) {
			continue
		}
		r, fits := x.behind(b)
		if !fits || len(behind) > 0 && r.control != common {
			return nil, control{}, false
		}
		behind[pin], common = r, r.control
	}
	return behind, common, len(behind) > 0
}

// take removes the registers after a word: its pins drive the loads of the registers.
func (x *index) take(c *cell, behind map[string]register) {
	for pin, r := range behind {
		c.Connections[pin] = []bit{r.q}
		delete(x.module.Cells, r.name)
	}
}
