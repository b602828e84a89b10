package fold

import "slices"

// carrySum is the truth table of one half of a carry cell as Yosys maps sums and differences: with D at 1 it adds A to
// B, or with C at 1 to B inverted. The lowest four bits are the carry where the sum of the operands without a
// carry is 0: A.
const carrySum = "1001011010101010"

var lutPins = []string{"A", "B", "C", "D"}

// carries moves lookup tables of one or two inputs that are in front of carry cells into them, and gives how many are
// gone.
//
// Half a carry cell has a lookup table of four inputs, of which a sum needs two; what decides on the carry is A alone.
// So B can be any function of two wires, and so can A where the two can be exchanged. A table of two inputs moves if
// it has no other reader; one of a single input is bypassed, as its input can be read here as well.
func (x *index) carries(names []string) int {
	gone := 0
	for _, name := range names {
		for _, half := range []string{"0", "1"} {
			c := x.module.Cells[name]
			invert := c.pin("C" + half)
			if c.Parameters["INIT"+half] != carrySum || c.pin("D"+half) != one || invert != zero && invert != one {
				continue
			}
			if x.table(c.pin("B"+half)) == "" && invert == zero { // the operands of a sum can be exchanged
				a, b := c.pin("A"+half), c.pin("B"+half)
				if x.table(a) == "" {
					continue
				}
				c.connect("A"+half, b)
				c.connect("B"+half, a)
				x.exchange(a, place{name, "A" + half}, place{name, "B" + half})
				x.exchange(b, place{name, "B" + half}, place{name, "A" + half})
			}
			gone += x.carry(name, half)
		}
	}
	return gone
}

// table is the lookup table that drives a wire, if it can move into the reader of that wire.
func (x *index) table(b bit) string {
	if b.constant() || len(x.drivers[b]) != 1 {
		return ""
	}
	name := x.drivers[b][0].cell
	c := x.module.Cells[name]
	if c == nil || c.Type != "LUT4" || len(c.Parameters["INIT"]) != len(carrySum) {
		return ""
	}
	inputs, known := c.inputs()
	if !known || len(inputs) == 0 || len(inputs) > 2 || len(inputs) == 2 && len(x.readers[b]) != 1 {
		return ""
	}
	return name
}

// carry moves the table in front of pin B of one half of a cell, and gives the number of tables that are gone then.
func (x *index) carry(name, half string) int {
	c, b := x.module.Cells[name], x.module.Cells[name].pin("B"+half)
	source := x.table(b)
	if source == "" {
		return 0
	}
	table, invert := x.module.Cells[source], c.pin("C"+half) == one
	inputs, _ := table.inputs()
	init := []byte(carrySum)
	for i := range 8 { // the entries with D at 1; A, B and C from the lowest bit of i
		sum := i & 1
		if table.lookup(inputs, i>>1) != invert {
			sum ^= 1
		}
		init[len(init)-1-(8+i)] = byte('0' + sum)
	}
	c.Parameters["INIT"+half] = string(init)
	x.exchange(b, place{name, "B" + half}, place{})
	for i, pin := range []string{"B" + half, "C" + half} {
		w := zero
		if i < len(inputs) {
			w = inputs[i]
			x.add(w, place{name, pin}, false, true)
		}
		c.connect(pin, w)
	}
	if x.used(b) {
		return 0
	}
	for _, pin := range lutPins {
		x.exchange(table.pin(pin), place{source, pin}, place{})
	}
	delete(x.module.Cells, source)
	return 1
}

// exchange replaces one reader of a wire by another; the zero place: none.
func (x *index) exchange(b bit, old, reader place) {
	if b.constant() {
		return
	}
	readers := slices.Clone(x.readers[b])
	i := slices.Index(readers, old)
	if reader == (place{}) {
		readers = slices.Delete(readers, i, i+1)
	} else {
		readers[i] = reader
	}
	x.readers[b] = readers
}

// inputs are the wires that a lookup table reads, each once; not known if one is undefined.
func (c *cell) inputs() (list []bit, known bool) {
	for _, pin := range lutPins {
		switch w := c.pin(pin); {
		case w == undefined || w == floating:
			return nil, false
		case !w.constant() && !slices.Contains(list, w):
			list = append(list, w)
		}
	}
	return list, true
}

// lookup returns the output of a table whose inputs have the bits of values.
func (c *cell) lookup(inputs []bit, values int) bool {
	entry := 0
	for i, pin := range lutPins {
		w := c.pin(pin)
		if w == one || !w.constant() && values>>slices.Index(inputs, w)&1 == 1 {
			entry |= 1 << i
		}
	}
	init := c.Parameters["INIT"]
	return init[len(init)-1-entry] == '1'
}
