package fold

import "fmt"

// memories folds registers after block memories into them, and returns the number of flip-flops.
func (x *index) memories(names []string) int {
	folded := 0
	for _, name := range names {
		folded += x.memory(x.module.Cells[name])
	}
	return folded
}

// memory folds the registers after the read ports of one memory.
//
// An output register takes the word that the port has read, at the clock of the port, when OCE is high, whatever the
// port's own enable CE. RST resets both, so a port with a reset stays as it is. With 36 bits both halves of a word
// belong to port B: its clock, its enable, its reset.
func (x *index) memory(c *cell) int {
	writes36, reads36 := c.Parameters["DATA_WIDTH_A"] == width36, c.Parameters["DATA_WIDTH_B"] == width36
	if reads36 && !writes36 {
		return 0 // nextpnr takes port A's half for a word of its own
	}
	if writes36 {
		if c.pin("RSTA") != zero {
			return 0
		}
		return x.port(c, "B", append(pins("DOA", 18), pins("DOB", 18)...), "A", "B")
	}
	return x.port(c, "A", pins("DOA", 18), "A") + x.port(c, "B", pins("DOB", 18), "B")
}

// width36 is 36 as Yosys writes it.
var width36 = fmt.Sprintf("%032b", 36)

// port folds the registers after one port: its word, and the sides of the block that the word comes from.
func (x *index) port(c *cell, side string, word []string, sides ...string) int {
	behind, common, ok := x.word(c, word)
	if !ok || common.clock != c.pin("CLK"+side) || c.Parameters["CLK"+side+"MUX"] != "CLK"+side ||
		c.pin("RST"+side) != zero {
		return 0
	}
	for _, s := range sides {
		if c.Parameters["REGMODE_"+s] != "NOREG" {
			return 0
		}
	}
	x.take(c, behind)
	for _, s := range sides {
		c.Parameters["REGMODE_"+s] = "OUTREG"
		c.connect("OCE"+s, common.enable)
	}
	return len(behind)
}

// pins are the names of the pins of a vector.
func pins(name string, width int) []string {
	var list []string
	for i := range width {
		list = append(list, fmt.Sprint(name, i))
	}
	return list
}
