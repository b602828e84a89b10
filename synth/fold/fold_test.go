package fold

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// bench builds a small netlist: wire 2 is the clock, 3 an enable, 4 another clock, 5 another enable; all are inputs, as
// is every wire that nothing drives.
type bench struct {
	*module
	next bit
}

const (
	clock bit = 2 + iota
	enable
	otherClock
	otherEnable
	first
)

func newBench() *bench {
	return &bench{&module{
		Ports: map[string]*port{"in": {Direction: "input", Bits: []bit{clock, enable, otherClock, otherEnable}}},
		Cells: map[string]*cell{}, Names: map[string]*netname{},
	}, first}
}

// wires gives new wires, with a name.
func (b *bench) wires(name string, n int) []bit {
	var list []bit
	for range n {
		list = append(list, b.next)
		b.next++
	}
	b.Names[name] = &netname{HideName: json.RawMessage("0"), Bits: append([]bit{}, list...),
		Attributes: json.RawMessage("{}")}
	return list
}

// cell adds a cell, whose outputs have a name that begins with one of some letters.
func (b *bench) cell(name, kind, outputs string, parameters map[string]string, connections map[string]bit) *cell {
	c := &cell{HideName: json.RawMessage("0"), Type: kind, Parameters: parameters, Attributes: json.RawMessage("{}"),
		Directions: map[string]string{}, Connections: map[string][]bit{}}
	for pin, w := range connections {
		c.Connections[pin] = []bit{w}
		c.Directions[pin] = "input"
		if pin == outputs || len(pin) > len(outputs) && pin[:len(outputs)] == outputs && pin[len(outputs)] <= 'Z' {
			c.Directions[pin] = "output"
		}
	}
	b.Cells[name] = c
	return c
}

// flipflop adds a flip-flop as Yosys makes it, with an enable unless that is one.
func (b *bench) flipflop(name string, d, q, enable bit) *cell {
	parameters := map[string]string{"CEMUX": "1 ", "CLKMUX": "CLK", "GSR": "DISABLED", "LSRMUX": "LSR", "REGSET": "RESET"}
	connections := map[string]bit{"CLK": clock, "LSR": zero, "DI": d, "Q": q}
	if enable != one {
		parameters["CEMUX"], connections["CE"] = "CE", enable
	}
	return b.cell(name, "TRELLIS_FF", "Q", parameters, connections)
}

// register adds flip-flops and returns the wires that they drive.
func (b *bench) register(name string, d []bit, enable bit) []bit {
	q := b.wires(name, len(d))
	for i := range d {
		b.flipflop(fmt.Sprint(name, i), d[i], q[i], enable)
	}
	return q
}

// output makes wires an output.
func (b *bench) output(name string, bits []bit) {
	b.Ports[name] = &port{Direction: "output", Bits: bits}
}

// memory adds a DP16KD with words of 9 bits, read at port B; with 36 bits, the words of 18 of both halves.
func (b *bench) memory(name string, wide bool) (c *cell, word []bit) {
	parameters := map[string]string{"DATA_WIDTH_A": fmt.Sprintf("%032b", 9), "DATA_WIDTH_B": fmt.Sprintf("%032b", 9),
		"REGMODE_A": "NOREG", "REGMODE_B": "NOREG", "CLKAMUX": "CLKA", "CLKBMUX": "CLKB"}
	word = b.wires(name, 9)
	connections := map[string]bit{"CLKA": clock, "CLKB": clock, "CEA": one, "CEB": otherEnable, "OCEA": zero,
		"OCEB": one, "RSTA": zero, "RSTB": zero}
	for i, w := range word {
		connections[fmt.Sprint("DOB", i)] = w
	}
	for i, w := range b.wires(name+"_unused", 9) {
		connections[fmt.Sprint("DOB", 9+i)] = w
	}
	if wide {
		parameters["DATA_WIDTH_A"], parameters["DATA_WIDTH_B"] = width36, width36
		for i, w := range b.wires(name+"_low", 18) {
			connections[fmt.Sprint("DOA", i)] = w
			word = append(word, w)
		}
	}
	return b.cell(name, "DP16KD", "DO", parameters, connections), word
}

// multiplier adds a MULT18X18D. Operands are filled up with zeros.
func (b *bench) multiplier(name string, a, x []bit) (c *cell, p []bit) {
	connections := map[string]bit{"SIGNEDA": zero, "SIGNEDB": zero, "SOURCEA": zero, "SOURCEB": zero}
	for i := range 18 {
		connections[fmt.Sprint("A", i)], connections[fmt.Sprint("B", i)] = zero, zero
		if i < len(a) {
			connections[fmt.Sprint("A", i)] = a[i]
		}
		if i < len(x) {
			connections[fmt.Sprint("B", i)] = x[i]
		}
	}
	p = b.wires(name, 36)
	for i, w := range p {
		connections[fmt.Sprint("P", i)] = w
	}
	return b.cell(name, "MULT18X18D", "P", map[string]string{}, connections), p
}

// fold gives the netlist after the pass; a second pass finds nothing more.
func (b *bench) fold(t *testing.T) (*module, Folded) {
	t.Helper()
	text, err := json.Marshal(netlist{"test", map[string]*module{"top": b.module}})
	require.NoError(t, err)
	text, f, err := Netlist(text)
	require.NoError(t, err)
	again, g, err := Netlist(text)
	require.NoError(t, err)
	assert.Zero(t, g.Memories+g.Multipliers)
	assert.Equal(t, string(text), string(again))
	var n netlist
	require.NoError(t, json.Unmarshal(text, &n))
	return n.Modules["top"], f
}

// wires of pins of a cell, in order.
func (c *cell) wires(names []string) []bit {
	var list []bit
	for _, n := range names {
		list = append(list, c.pin(n))
	}
	return list
}

func TestMemory(t *testing.T) {
	b := newBench()
	_, word := b.memory("ram", false)
	q := b.register("word_q", word, enable)
	b.output("out", q)
	m, f := b.fold(t)
	assert.Equal(t, Folded{Memories: 9, Cells: map[string]map[string]int{"top": {"DP16KD": 1}}}, f)
	ram := m.Cells["ram"]
	assert.Equal(t, "OUTREG", ram.Parameters["REGMODE_B"])
	assert.Equal(t, "NOREG", ram.Parameters["REGMODE_A"])
	assert.Equal(t, enable, ram.pin("OCEB"))
	assert.Equal(t, otherEnable, ram.pin("CEB"), "the enable of the port itself")
	assert.Equal(t, q, ram.wires(pins("DOB", 9)))
	assert.Equal(t, q, m.Names["word_q"].Bits)
	for _, w := range m.Names["ram"].Bits {
		assert.Equal(t, undefined, w, "a wire that is gone has no name")
	}
}

// A word of 36 bits goes into the registers of both ports, with the enable of port B, at the same time or not at all.
func TestWideMemory(t *testing.T) {
	build := func(change func(*bench, *cell)) (*module, Folded) {
		b := newBench()
		c, word := b.memory("ram", true)
		b.output("out", b.register("word_q", word, one))
		change(b, c)
		return b.fold(t)
	}
	m, f := build(func(*bench, *cell) {})
	assert.Equal(t, 27, f.Memories)
	assert.Equal(t, "OUTREG", m.Cells["ram"].Parameters["REGMODE_A"])
	assert.Equal(t, "OUTREG", m.Cells["ram"].Parameters["REGMODE_B"])
	assert.Equal(t, one, m.Cells["ram"].pin("OCEA"))
	assert.Equal(t, one, m.Cells["ram"].pin("OCEB"))

	for name, change := range map[string]func(*bench, *cell){
		"one half has another enable": func(b *bench, _ *cell) {
			for i := 9; i < 27; i++ {
				b.flipflop(fmt.Sprint("word_q", i), b.Cells[fmt.Sprint("word_q", i)].pin("DI"),
					b.Cells[fmt.Sprint("word_q", i)].pin("Q"), enable)
			}
		},
		"the reset of the other half":    func(_ *bench, c *cell) { c.Connections["RSTA"] = []bit{enable} },
		"written with 18 bits at a time": func(_ *bench, c *cell) { c.Parameters["DATA_WIDTH_A"] = fmt.Sprintf("%032b", 18) },
	} {
		m, f := build(change)
		assert.Zero(t, f.Memories, name)
		assert.Equal(t, "NOREG", m.Cells["ram"].Parameters["REGMODE_A"], name)
		assert.Equal(t, "NOREG", m.Cells["ram"].Parameters["REGMODE_B"], name)
	}
}

// Both ports have registers of their own.
func TestTwoPorts(t *testing.T) {
	b := newBench()
	c, word := b.memory("ram", false)
	other := b.wires("other", 9)
	for i, w := range other {
		c.Connections[fmt.Sprint("DOA", i)] = []bit{w}
		c.Directions[fmt.Sprint("DOA", i)] = "output"
	}
	b.output("out", append(b.register("word_q", word, enable), b.register("other_q", other, otherEnable)...))
	m, f := b.fold(t)
	assert.Equal(t, 18, f.Memories)
	assert.Equal(t, otherEnable, m.Cells["ram"].pin("OCEA"))
	assert.Equal(t, enable, m.Cells["ram"].pin("OCEB"))
}

// left are the reasons not to fold the registers after a word: changes of the fourth flip-flop, or around it.
var left = map[string]func(*bench, *cell){
	"a second reader": func(b *bench, c *cell) { b.flipflop("second", c.pin("DI"), b.wires("second", 1)[0], one) },
	"a LUT reads too": func(b *bench, c *cell) {
		b.cell("lut", "LUT4", "Z", map[string]string{}, map[string]bit{"A": c.pin("DI")})
	},
	"an output of the module": func(b *bench, c *cell) { b.output("raw", []bit{c.pin("DI")}) },
	"an instance of a module": func(b *bench, c *cell) {
		b.cell("u", "m", "Z", map[string]string{}, map[string]bit{"s": c.pin("DI")}).Directions = nil
	},
	"read by something else": func(b *bench, c *cell) { c.Type = "LUT4" },
	"read as another pin": func(b *bench, c *cell) {
		c.Connections["M"], c.Connections["DI"] = c.Connections["DI"],
			[]bit{zero}
	},
	"a reset":           func(b *bench, c *cell) { c.Connections["LSR"] = []bit{otherEnable} },
	"an inverted reset": func(b *bench, c *cell) { c.Parameters["LSRMUX"] = "INV" },
	"set at first":      func(b *bench, c *cell) { c.Parameters["REGSET"] = "SET" },
	"another clock":     func(b *bench, c *cell) { c.Connections["CLK"] = []bit{otherClock} },
	"the falling edge":  func(b *bench, c *cell) { c.Parameters["CLKMUX"] = "INV" },
	"another enable": func(b *bench, c *cell) {
		c.Connections["CE"], c.Parameters["CEMUX"] = []bit{otherEnable},
			"CE"
	},
	"an inverted enable": func(b *bench, c *cell) {
		c.Connections["CE"], c.Parameters["CEMUX"] = []bit{enable},
			"INV"
	},
	"loads what M says": func(b *bench, c *cell) { c.Parameters["LSRMODE"] = "PRLD" },
}

func TestMemoryLeftAlone(t *testing.T) {
	build := func(change func(*bench, *cell)) {
		b := newBench()
		_, word := b.memory("ram", false)
		q := b.register("word_q", word, enable)
		b.output("out", q)
		change(b, b.Cells["word_q3"])
		cells, mode := len(b.Cells), b.Cells["ram"].Parameters["REGMODE_B"]
		m, f := b.fold(t)
		assert.Zero(t, f.Memories)
		assert.Len(t, m.Cells, cells)
		assert.Equal(t, mode, m.Cells["ram"].Parameters["REGMODE_B"])
		assert.Equal(t, word, m.Cells["ram"].wires(pins("DOB", 9)))
	}
	reasons := map[string]func(*bench, *cell){
		"a register that is there already": func(b *bench, _ *cell) { b.Cells["ram"].Parameters["REGMODE_B"] = "OUTREG" },
		"no enable at one bit":             func(_ *bench, c *cell) { c.Parameters["CEMUX"] = "1 " },
		"a reset of the port": func(b *bench,
			_ *cell) {
			b.Cells["ram"].Connections["RSTB"] = []bit{otherEnable}
		},
		"another clock at the port": func(b *bench,
			_ *cell) {
			b.Cells["ram"].Connections["CLKB"] = []bit{otherClock}
		},
		"the falling edge at the port": func(b *bench, _ *cell) { b.Cells["ram"].Parameters["CLKBMUX"] = "INV" },
	}
	for name, change := range left {
		reasons[name] = change
	}
	for name, change := range reasons {
		t.Run(name, func(t *testing.T) { build(change) })
	}
}

// between builds a multiplier between registers: operands of 18 and 10 bits.
func between() (b *bench, out []bit) {
	b = newBench()
	in := b.wires("in", 28)
	b.Ports["operands"] = &port{Direction: "input", Bits: in}
	_, p := b.multiplier("mul", b.register("a_q", in[:18], one), b.register("b_q", in[18:], one))
	out = b.register("p_q", p[:28], one)
	b.output("out", out)
	return b, out
}

func TestMultiplier(t *testing.T) {
	b, out := between()
	in := b.Ports["operands"].Bits
	m, f := b.fold(t)
	assert.Equal(t, Folded{Multipliers: 56, Cells: map[string]map[string]int{"top": {"MULT18X18D": 1}}}, f)
	mul := m.Cells["mul"]
	assert.Equal(t, map[string]string{"REG_INPUTA_CLK": "CLK0", "REG_INPUTB_CLK": "CLK0", "REG_OUTPUT_CLK": "CLK0"},
		mul.Parameters)
	assert.Equal(t, in, append(mul.wires(operandA), mul.wires(operandB)[:10]...))
	assert.Equal(t, out, mul.wires(product[:28]))
	assert.Equal(t, clock, mul.pin("CLK0"))
	for i := range 4 {
		assert.Equal(t, one, mul.pin(fmt.Sprint("CE", i)))
		assert.Equal(t, zero, mul.pin(fmt.Sprint("RST", i)))
		assert.Equal(t, "input", mul.Directions[fmt.Sprint("CE", i)])
	}
}

func TestMultiplierLeftAlone(t *testing.T) {
	reasons := map[string]func(*bench, *cell){
		"an enable": func(b *bench, c *cell) { c.Connections["CE"], c.Parameters["CEMUX"] = []bit{enable}, "CE" },
	}
	for name, change := range left {
		reasons[name] = change
	}
	for name, change := range reasons {
		t.Run(name+", product", func(t *testing.T) {
			b, _ := between()
			change(b, b.Cells["p_q3"])
			m, f := b.fold(t)
			assert.Contains(t, m.Cells, "p_q0")
			assert.NotContains(t, m.Cells["mul"].Parameters, "REG_OUTPUT_CLK")
			assert.Equal(t, 28, f.Multipliers, "the operands")
		})
	}
	for _, name := range []string{"a reset", "an inverted reset", "set at first", "another clock", "the falling edge",
		"an enable", "an inverted enable", "loads what M says"} {
		t.Run(name+", operand", func(t *testing.T) {
			b, _ := between()
			reasons[name](b, b.Cells["a_q3"])
			m, f := b.fold(t)
			assert.NotContains(t, m.Cells["mul"].Parameters, "REG_INPUTA_CLK")
			assert.NotContains(t, m.Cells["mul"].Parameters, "REG_INPUTB_CLK", "one alone is of no use")
			assert.Contains(t, m.Cells, "b_q0")
			if name == "another clock" { // all multipliers have one
				assert.Zero(t, f.Multipliers)
			} else {
				assert.Equal(t, 28, f.Multipliers)
			}
		})
	}
	for name, change := range map[string]func(*bench){
		"another reads an operand":          func(b *bench) { b.output("raw", b.Cells["a_q3"].Connections["Q"]) },
		"an operand comes from no register": func(b *bench) { b.Cells["mul"].Connections["A3"] = []bit{enable} },
		"a sign is no constant":             func(b *bench) { b.Cells["mul"].Connections["SIGNEDA"] = []bit{enable} },
		"an operand is a neighbour's":       func(b *bench) { b.Cells["mul"].Connections["SOURCEA"] = []bit{one} },
		"a register there already":          func(b *bench) { b.Cells["mul"].Parameters["REG_INPUTB_CLK"] = "CLK1" },
		"a register at the other operand":   func(b *bench) { b.Cells["mul"].Parameters["REG_INPUTA_CLK"] = "CLK1" },
	} {
		t.Run(name, func(t *testing.T) {
			b, _ := between()
			change(b)
			m, f := b.fold(t)
			assert.Equal(t, 28, f.Multipliers)
			assert.NotEqual(t, "CLK0", m.Cells["mul"].Parameters["REG_INPUTA_CLK"])
			assert.Contains(t, m.Cells, "a_q0")
		})
	}
	b := newBench()
	_, p := b.multiplier("mul", nil, nil)
	b.output("out", b.register("p_q", p, enable))
	m, f := b.fold(t)
	assert.Zero(t, f.Multipliers, "an enable that all have")
	assert.Contains(t, m.Cells, "p_q0")

	b, _ = between()
	b.Cells["mul"].Parameters["REG_OUTPUT_CLK"] = "CLK1"
	m, f = b.fold(t)
	assert.Equal(t, 28, f.Multipliers)
	assert.Contains(t, m.Cells, "p_q0")
}

// An operand that is computed keeps its register where the wire after it has slack: before a product that is registered
// too.
func TestComputedOperand(t *testing.T) {
	build := func(driver string, registered bool) Folded {
		b, _ := between()
		computed := b.wires("computed", 1)[0]
		b.cell("source", driver, "Z", map[string]string{}, map[string]bit{"Z": computed})
		b.Cells["a_q3"].Connections["DI"] = []bit{computed}
		if !registered {
			b.output("raw", b.Cells["mul"].wires(product[:28]))
		}
		_, f := b.fold(t)
		return f
	}
	assert.Equal(t, 28, build("LUT4", true).Multipliers)
	assert.Equal(t, 28, build("LUT4", false).Multipliers, "the operands")
	assert.Equal(t, 56, build("DP16KD", true).Multipliers)
	assert.Equal(t, 56, build("TRELLIS_FF", true).Multipliers)
}

// A wide product: four multipliers, every half of an operand at two of them. If one of the four cannot take its
// registers, none can, as each shares one with it.
func TestSharedOperands(t *testing.T) {
	build := func(second ...bit) (*module, Folded) {
		b := newBench()
		in := b.wires("in", 72)
		b.Ports["operands"] = &port{Direction: "input", Bits: in}
		q := b.register("q", in, one)
		for i, halves := range [][2][]bit{{q[:18], q[36:54]}, {q[18:36], q[36:54]}, {q[:18], q[54:]}, {q[18:36], q[54:]}} {
			_, p := b.multiplier(fmt.Sprint("mul", i), halves[0], halves[1])
			b.output(fmt.Sprint("out", i), p)
		}
		if len(second) > 0 {
			b.output("raw", []bit{q[0]})
		}
		return b.fold(t)
	}
	m, f := build()
	assert.Equal(t, 72, f.Multipliers)
	assert.Len(t, m.Cells, 4)
	m, f = build(one)
	assert.Zero(t, f.Multipliers)
	assert.Len(t, m.Cells, 76)
}

// A register between two blocks goes to one of them: the memory, whose word would be late.
func TestBetweenBlocks(t *testing.T) {
	b := newBench()
	_, word := b.memory("ram", false)
	q := b.register("word_q", word, one)
	_, p := b.multiplier("mul", q, []bit{one})
	b.output("out", b.register("p_q", p, one))
	_, f := b.fold(t)
	assert.Equal(t, 9, f.Memories)
	assert.Equal(t, 36, f.Multipliers)

	b = newBench()
	in := b.wires("in", 18)
	b.Ports["operands"] = &port{Direction: "input", Bits: in}
	_, p = b.multiplier("mul", in, in)
	_, p = b.multiplier("next", b.register("p_q", p[:18], one), []bit{one})
	b.output("out", p)
	m, f := b.fold(t)
	assert.Equal(t, 18, f.Multipliers, "once, though the next multiplier could have it too")
	assert.Equal(t, "CLK0", m.Cells["mul"].Parameters["REG_OUTPUT_CLK"])
}

// What the pass knows nothing of stays as it is.
func TestUnchanged(t *testing.T) {
	const text = `{"creator":"y","modules":{"m":{"attributes":{"top":"1"},"parameter_default_values":{"W":"01"},"ports":{"a":{"direction":"input","offset":3,"upto":1,"signed":1,"bits":[2]},` +
		`"z":{"direction":"inout","bits":["0","1","x","z",2]}},"cells":{"u":{"hide_name":1,"type":"LUT4","parameters":{"INIT":"0101"},"attributes":{"src":"f.v:1"},` +
		`"port_directions":{"A":"input"},"connections":{"A":[2]}}},"memories":{"mem":{"width":3}},"netnames":{"a":{"hide_name":0,"offset":1,"upto":1,"signed":1,"bits":[2,"x"],"attributes":{}}}}}}`
	out, f, err := Netlist([]byte(text))
	require.NoError(t, err)
	assert.Equal(t, text, string(out))
	assert.Equal(t, Folded{Cells: map[string]map[string]int{"m": {"LUT4": 1}}}, f)
}

func TestBadNetlist(t *testing.T) {
	for text, want := range map[string]string{
		"": "the netlist that Yosys made",
		`{"modules":{"m":{"ports":{"a":{"bits":["y"]}}}}}`: `"y" is neither a wire nor a constant`,
		`{"modules":{"m":{"ports":{"a":{"bits":[-1]}}}}}`:  "-1 is neither a wire nor a constant",
	} {
		_, _, err := Netlist([]byte(text))
		assert.ErrorContains(t, err, want)
	}
}
