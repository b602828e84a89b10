package vgen

import (
	"fmt"
	"math/big"
)

// A module can have parameters. It is still built for one value of each, a variant, which is what checks, latencies and
// the interpreter see. Its text has the parameters, and what instantiates it gives them values: all variants of a
// family are one Verilog file. What the text says follows from the [Size] of each signal; Check reports variants of one
// name whose texts differ, as it does of any two modules.

// Size is a number that is settled where a module is instantiated: a parameter, or what follows from one. The number of
// the variant being built and its text for all of them are made in one step. The zero Size belongs to no parameter.
type Size struct {
	n    int
	base string // a parameter, or a function of one
	plus int    // added to it
}

type parameter struct {
	name, doc    string
	value, least int
}

// local is a number of a family that has a name.
type local struct {
	name, doc string
	size      Size
}

// Parameter gives the module a parameter, with its value in this variant. least is the smallest legal value, and the
// default in the Verilog.
func (m *Module) Parameter(name string, value, least int, doc string) Size {
	site := here()
	m.claim(name, "parameter", site)
	if value < least {
		m.fail(site, fmt.Sprintf("parameter %s is %d", name, value), fmt.Sprintf("at least %d", least))
	}
	m.params = append(m.params, parameter{name, doc, value, least})
	return Size{n: value, base: name}
}

// Local gives a size a name: in the Verilog there is a localparam of that name.
func (m *Module) Local(name string, s Size, doc string) Size {
	m.claim(name, "parameter", here())
	m.locals = append(m.locals, local{name, doc, s})
	return Size{n: s.n, base: name}
}

// Int is the number in the variant that is built.
func (s Size) Int() int { return s.n }

// Plus is the size and k, which may be negative.
func (s Size) Plus(k int) Size { return Size{s.n + k, s.base, s.plus + k} }

// Log2 returns the number of bits that count this many things, two or more.
func (s Size) Log2() Size { return Size{n: indexWidth(s.n), base: "$clog2(" + s.String() + ")"} }

// Const is the number, which must be one that has a name, as a constant that is as wide as a signal.
func (s Size) Const(like Signal) Signal {
	c := like.Like(uint64(s.n))
	c.n.text = fmt.Sprintf("%s[%s:0]", s, c.n.size.Plus(-1))
	return c
}

// String is the size in Verilog.
func (s Size) String() string {
	if s.base == "" || s.plus == 0 {
		return s.base
	}
	return fmt.Sprintf("%s%+d", s.base, s.plus)
}

// Sized declares that the width of a signal is a size, and returns the signal. What is computed from it, bit by bit or
// by an addition, and registers that take it, have that size too.
func (s Signal) Sized(size Size) Signal {
	if stand, ok := operands(opBuf, s); !ok {
		return stand
	}
	if size.n != s.n.width {
		s.n.fail(fmt.Sprintf("Sized: %s has %d bits, %s is %d", s.n.describe(), s.n.width, size, size.n), "")
		return s
	}
	s.n.size = size
	return s
}

// Sized declares that number or width of a memory's words, or both, are sizes, and returns the memory.
func (mem *Memory) Sized(depth, width Size) *Memory {
	if depth.known() && depth.n != mem.depth || width.known() && width.n != mem.width {
		mem.m.fail(here(), fmt.Sprintf("Sized: memory %q has %d words of %d bits, %s is %d, %s is %d", mem.name, mem.depth,
			mem.width, depth, depth.n, width, width.n), "")
		return mem
	}
	mem.depthSize, mem.widthSize = depth, width
	return mem
}

// LatencyIs declares that the latency, which SetTiming has stated, is a size.
func (m *Module) LatencyIs(s Size) {
	if s.n != m.latency {
		m.fail(here(), fmt.Sprintf("LatencyIs: the latency is %d, %s is %d", m.latency, s, s.n), "")
	}
	m.latencySize = s
}

// inherit gives the size of a result that is as wide as its operands.
func (n *node) inherit() {
	args := n.args
	if n.op == opMux || n.op == opSelect {
		args = args[1:]
	}
	for _, a := range args {
		if !a.size.known() {
			continue
		}
		switch n.op {
		case opAdd, opSub, opAnd, opOr, opXor, opNot, opBuf, opMux, opSelect:
			n.size = a.size
		case opCat: // of one that has a size, and others that have not
			n.size = a.size.Plus(n.width - a.width)
		case opSlice:
			if n.p0 == a.width-1 && n.p0 > n.p1 { // its upper bits
				n.size = a.size.Plus(-n.p1)
			}
		}
	}
}

func (s Size) known() bool { return s.base != "" }

// factor is the size as a number of copies.
func (s Size) factor() string {
	if s.plus == 0 {
		return s.base
	}
	return "(" + s.String() + ")"
}

// partOf is the text of a slice of a value that has a name.
func partOf(name string, n *node) string {
	a, high, low := n.args[0], fmt.Sprint(n.p0), fmt.Sprint(n.p1)
	switch {
	case n.size.known() && n.p1 == 0:
		high = n.size.Plus(-1).String()
	case a.size.known() && n.p0 == a.width-1:
		high = a.size.Plus(-1).String()
		if n.p0 == n.p1 {
			low = high
		}
	}
	if high == low {
		return fmt.Sprintf("%s[%s]", name, high)
	}
	return fmt.Sprintf("%s[%s:%s]", name, high, low)
}

// rangeOf is the range of a declaration, with a space before it.
func rangeOf(width int, size Size) string {
	if size.known() {
		return fmt.Sprintf(" [%s:0]", size.Plus(-1))
	}
	return bitRange(width)
}

// number is a size in Verilog, or the number where it has none.
func number(n int, size Size) string {
	if size.known() {
		return size.String()
	}
	return fmt.Sprint(n)
}

// valueText is a constant in Verilog.
func valueText(width int, size Size, v *big.Int) string {
	switch {
	case !size.known():
		return literal(width, v)
	case v.Sign() == 0:
		return fmt.Sprintf("{%s{1'b0}}", size.factor())
	}
	return v.String()
}

func (n *node) constText() string {
	if n.text != "" {
		return n.text
	}
	return valueText(n.width, n.size, n.val)
}

// variant is the values of a module's parameters, as an instance gives them.
func (m *Module) variant() string {
	text := ""
	for i, p := range m.params {
		if i > 0 {
			text += ", "
		}
		text += fmt.Sprintf(".%s(%d)", p.name, p.value)
	}
	if text == "" {
		return ""
	}
	return " #(" + text + ")"
}
