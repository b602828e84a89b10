package vgen

import (
	"fmt"
	"math/big"
)

// Signal is a value of fixed width in a design. It is a small handle, to be copied
// freely. The zero Signal does not exist; using it is recorded as a problem.
//
// Widths are strict: no operator extends or cuts an operand. A mistake is recorded
// in the module, with the line it was made on, and the operator returns a constant
// zero of the width one would expect, so that building continues; [Check] reports
// all mistakes together.
type Signal struct{ n *node }

// Width is the number of bits, 0 for a signal that does not exist.
func (s Signal) Width() int {
	if s.n == nil {
		return 0
	}
	return s.n.width
}

// Exists is false for the zero Signal and for a port whose width is 0.
func (s Signal) Exists() bool { return s.n != nil && s.n.op != opAbsent }

// Name is the name given to the signal, or "" when it has none of its own.
func (s Signal) Name() string {
	if s.n == nil {
		return ""
	}
	return s.n.name
}

// IsConst reports whether the signal is a constant, and its value.
func (s Signal) IsConst() (*big.Int, bool) {
	if s.n == nil || s.n.op != opConst {
		return nil, false
	}
	return new(big.Int).Set(s.n.val), true
}

// Const is an unsigned constant. The value must fit the width.
func Const(width int, v uint64) Signal {
	return constant(width, new(big.Int).SetUint64(v))
}

// ConstBig is an unsigned constant of any width. A negative value is taken in two's
// complement, and must fit as such.
func ConstBig(width int, v *big.Int) Signal {
	if v == nil {
		s := constant(width, new(big.Int))
		s.n.fail("ConstBig: the value is nil", "")
		return s
	}
	return constant(width, v)
}

func constant(width int, v *big.Int) Signal {
	n := &node{op: opConst, width: width, val: v, site: here()}
	if width < 1 {
		n.width, n.val = 1, new(big.Int)
		n.fail(fmt.Sprintf("Const: width %d, a constant needs at least 1 bit", width), "")
		return Signal{n}
	}
	if v.Sign() < 0 {
		low := new(big.Int).Neg(new(big.Int).Lsh(big.NewInt(1), uint(width-1)))
		if v.Cmp(low) < 0 {
			n.val = new(big.Int)
			n.fail(fmt.Sprintf("Const: %v does not fit in %d bits, the smallest value is %v", v, width, low), "")
			return Signal{n}
		}
		n.val = new(big.Int).Add(v, new(big.Int).Lsh(big.NewInt(1), uint(width)))
		return Signal{n}
	}
	if v.BitLen() > width {
		n.val = new(big.Int)
		n.fail(fmt.Sprintf("Const: %v does not fit in %d bits", v, width), fmt.Sprintf("it needs %d", v.BitLen()))
	} else {
		n.val = new(big.Int).Set(v)
	}
	return Signal{n}
}

// fail records a problem at the node's position, in its module if it has one.
func (n *node) fail(message, hint string) {
	p := Problem{Pos: n.site.pos(), Message: message, Hint: hint}
	if n.mod != nil {
		p.Module = n.mod.name
		n.mod.problems = append(n.mod.problems, p)
		return
	}
	n.floating = append(n.floating, p)
}

// build makes the node of an operator: finds its module, folds constants.
func build(op opcode, width, p0, p1 int, args ...*node) Signal {
	n := &node{op: op, width: width, p0: p0, p1: p1, args: args, site: here()}
	allConst := true
	for _, a := range args {
		allConst = allConst && a.fixed() != nil
		if a.mod == nil {
			continue
		}
		if n.mod == nil {
			n.mod = a.mod
		} else if n.mod != a.mod {
			n.fail(fmt.Sprintf("%s: %s belongs to module %s", opTable[op].method, a.describe(), a.mod.name),
				"pass it through a port")
			return Signal{standIn(n.mod, width)}
		}
	}
	for _, a := range args {
		if a.mod != nil || len(a.floating) == 0 {
			continue
		}
		if n.mod == nil {
			n.floating = append(n.floating, a.floating...)
		} else {
			n.mod.adopt(a)
		}
	}
	if allConst && len(args) > 0 && op != opBuf {
		return Signal{&node{op: opConst, width: width, val: evalNode(n), site: n.site, floating: n.floating}}
	}
	n.inherit()
	if n.mod != nil {
		n.mod.add(n)
	}
	return Signal{n}
}

// standIn is the placeholder that an invalid operator returns.
func standIn(m *Module, width int) *node {
	return &node{op: opConst, width: max(width, 1), val: new(big.Int)}
}

// operands checks that all signals exist; when one does not, ok is false.
func operands(op opcode, signals ...Signal) (stand Signal, ok bool) {
	for _, s := range signals {
		if s.Exists() {
			continue
		}
		return mistake(op, signals, 1, missing(s), "test it with Exists() first"), false
	}
	return Signal{}, true
}

func missing(s Signal) string {
	if s.n != nil {
		return fmt.Sprintf("port %q has width 0 and does not exist", s.n.name)
	}
	return "an operand is a Signal that was never set"
}

// mistake records a problem of an operator in the module of its operands, and gives
// the stand-in.
func mistake(op opcode, signals []Signal, width int, message, hint string) Signal {
	for _, s := range signals {
		if s.n != nil && s.n.op != opAbsent {
			width = max(width, 1)
			break
		}
	}
	n := &node{op: op, site: here()}
	for _, s := range signals {
		if s.n != nil && s.n.mod != nil {
			n.mod = s.n.mod
			break
		}
	}
	n.fail(opTable[op].method+": "+message, hint)
	for _, s := range signals {
		if s.n != nil && s.n.op != opAbsent {
			absorb(s.n) // one mistake, one message: it is not unread as well
		}
	}
	stand := standIn(n.mod, width)
	stand.floating = n.floating
	for _, s := range signals {
		if s.n == nil || s.n.mod != nil {
			continue
		}
		if n.mod != nil {
			n.mod.adopt(s.n)
		} else {
			stand.floating = append(stand.floating, s.n.floating...)
		}
	}
	return Signal{stand}
}

// sameWidth checks two operands for equal widths and gives the message otherwise.
func sameWidth(op opcode, a, b Signal) (message, hint string) {
	if a.Width() == b.Width() {
		return "", ""
	}
	message = fmt.Sprintf("widths differ: %s has %d bits, %s has %d", a.n.describe(), a.Width(), b.n.describe(), b.Width())
	ext, side := "Zext", "first"
	if opTable[op].signed {
		ext = "Sext"
	}
	if a.Width() > b.Width() {
		side = "second"
	}
	return message, fmt.Sprintf("extend the %s with %s(%d)", side, ext, max(a.Width(), b.Width()))
}

func binary(op opcode, a, b Signal) Signal {
	if s, ok := operands(op, a, b); !ok {
		return s.resize(a.Width())
	}
	if msg, hint := sameWidth(op, a, b); msg != "" {
		return mistake(op, []Signal{a, b}, a.Width(), msg, hint)
	}
	return build(op, a.Width(), 0, 0, a.n, b.n)
}

// resize gives a stand-in the width its user expects.
func (s Signal) resize(width int) Signal {
	s.n.width = max(width, 1)
	return s
}

// Named gives the value a name: in the RTL there is a wire of that name. Names are
// unique in a module. A signal that has a name already gets a second one; the
// result returns the signal to continue with. A named constant becomes a localparam.
func (s Signal) Named(name string) Signal {
	if stand, ok := operands(opBuf, s); !ok {
		return stand
	}
	n := s.n
	if n.name != "" || n.op == opConst || n.op == opInstOut || n.op == opWire {
		b := build(opBuf, n.width, 0, 0, n).n
		b.name = name
		if b.mod != nil {
			b.mod.claim(name, "value", b.site)
		}
		return Signal{b}
	}
	n.name = name
	n.mod.claim(name, "value", here())
	return s
}

// Add is the sum modulo 2^w of two signals of width w.
func (s Signal) Add(b Signal) Signal { return binary(opAdd, s, b) }

// Sub is the difference modulo 2^w of two signals of width w.
func (s Signal) Sub(b Signal) Signal { return binary(opSub, s, b) }

// And is the bitwise and of two signals of equal width.
func (s Signal) And(b Signal) Signal { return binary(opAnd, s, b) }

// Or is the bitwise or of two signals of equal width.
func (s Signal) Or(b Signal) Signal { return binary(opOr, s, b) }

// Xor is the bitwise exclusive or of two signals of equal width.
func (s Signal) Xor(b Signal) Signal { return binary(opXor, s, b) }

// Not inverts every bit.
func (s Signal) Not() Signal {
	if stand, ok := operands(opNot, s); !ok {
		return stand
	}
	if s.n.op == opNot && s.n.name == "" {
		return Signal{s.n.args[0]}
	}
	return build(opNot, s.Width(), 0, 0, s.n)
}

// Mul is the full unsigned product; its width is the sum of the widths.
func (s Signal) Mul(b Signal) Signal { return product(opMul, s, b) }

// MulS is the full two's complement product; its width is the sum of the widths.
func (s Signal) MulS(b Signal) Signal { return product(opMulS, s, b) }

func product(op opcode, a, b Signal) Signal {
	if s, ok := operands(op, a, b); !ok {
		return s.resize(a.Width() + b.Width())
	}
	return build(op, a.Width()+b.Width(), 0, 0, a.n, b.n)
}

// Eq is 1 when two signals of equal width are equal.
func (s Signal) Eq(b Signal) Signal { return compare(opEq, s, b) }

// Ne is 1 when two signals of equal width differ.
func (s Signal) Ne(b Signal) Signal { return compare(opNe, s, b) }

// Lt is 1 when s < b, unsigned.
func (s Signal) Lt(b Signal) Signal { return compare(opLt, s, b) }

// Le is 1 when s <= b, unsigned.
func (s Signal) Le(b Signal) Signal { return compare(opLe, s, b) }

// Gt is 1 when s > b, unsigned.
func (s Signal) Gt(b Signal) Signal { return compare(opGt, s, b) }

// Ge is 1 when s >= b, unsigned.
func (s Signal) Ge(b Signal) Signal { return compare(opGe, s, b) }

// LtS is 1 when s < b in two's complement.
func (s Signal) LtS(b Signal) Signal { return compare(opLtS, s, b) }

// LeS is 1 when s <= b in two's complement.
func (s Signal) LeS(b Signal) Signal { return compare(opLeS, s, b) }

// GtS is 1 when s > b in two's complement.
func (s Signal) GtS(b Signal) Signal { return compare(opGtS, s, b) }

// GeS is 1 when s >= b in two's complement.
func (s Signal) GeS(b Signal) Signal { return compare(opGeS, s, b) }

func compare(op opcode, a, b Signal) Signal {
	if s, ok := operands(op, a, b); !ok {
		return s.resize(1)
	}
	if msg, hint := sameWidth(op, a, b); msg != "" {
		return mistake(op, []Signal{a, b}, 1, msg, hint)
	}
	if v, ok := decided(op, a.n, b.n); ok {
		absorb(a.n)
		absorb(b.n)
		return folded(Const(1, v), a.n, b.n)
	}
	if a.oneBit() && b.oneBit() && b.n.op == opConst && a.n.fixed() == nil && !opTable[op].signed {
		s := a // where it is 1
		if evalOp(&node{op: op, width: 1, args: []*node{a.n, b.n}}, []*big.Int{ones(1), b.n.val}).Sign() == 0 {
			s = a.Not()
		}
		return folded(s, b.n)
	}
	return build(op, 1, 0, 0, a.n, b.n)
}

// decided settles comparisons against the end of the range ("x < 0"), whose Verilog
// form every linter complains about.
func decided(op opcode, a, b *node) (uint64, bool) {
	if a.fixed() != nil && b.fixed() != nil {
		return 0, false
	}
	if a.fixed() != nil {
		mirrored := map[opcode]opcode{opLt: opGt, opGt: opLt, opLe: opGe, opGe: opLe,
			opLtS: opGtS, opGtS: opLtS, opLeS: opGeS, opGeS: opLeS}
		m, ok := mirrored[op]
		if !ok {
			return 0, false
		}
		return decided(m, b, a)
	}
	if b.fixed() == nil {
		return 0, false
	}
	low, high := new(big.Int), ones(b.width)
	v := b.fixed()
	if opTable[op].signed {
		v = signedValue(v, b.width)
		high = ones(b.width - 1)
		low = new(big.Int).Neg(new(big.Int).Add(high, big.NewInt(1)))
	}
	switch op {
	case opLt, opLtS:
		return 0, v.Cmp(low) == 0
	case opGe, opGeS:
		return 1, v.Cmp(low) == 0
	case opGt, opGtS:
		return 0, v.Cmp(high) == 0
	case opLe, opLeS:
		return 1, v.Cmp(high) == 0
	}
	return 0, false
}

// folded is the result of an operator that needs no logic. The problems of the constants among its operands go with
// it: one that does not fit is reported although nothing reads it any more.
func folded(result Signal, operands ...*node) Signal {
	mod := result.n.mod
	var lost []Problem
	for _, a := range operands {
		if mod == nil {
			mod = a.mod
		}
		if a.mod == nil && a != result.n {
			lost = append(lost, a.floating...)
		}
	}
	switch {
	case len(lost) == 0:
	case mod != nil:
		mod.adopt(&node{floating: lost})
	default:
		kept := *result.n // it may be read elsewhere too
		kept.floating = append(lost, kept.floating...)
		result = Signal{&kept}
	}
	return result
}

// absorb keeps a value that folding made superfluous from being reported as unused.
func absorb(n *node) {
	if n.mod != nil {
		n.mod.absorbed = append(n.mod.absorbed, n)
	}
}

// Shl shifts left by a constant, keeping the width; zeros come in.
func (s Signal) Shl(n int) Signal { return shift(opShl, s, n) }

// Shr shifts right by a constant, keeping the width; zeros come in.
func (s Signal) Shr(n int) Signal { return shift(opShr, s, n) }

// Sra shifts right by a constant, keeping the width; copies of the top bit come in.
func (s Signal) Sra(n int) Signal { return shift(opSra, s, n) }

func shift(op opcode, s Signal, n int) Signal {
	if stand, ok := operands(op, s); !ok {
		return stand
	}
	switch {
	case n < 0:
		return mistake(op, []Signal{s}, s.Width(), fmt.Sprintf("the distance %d is negative", n), "")
	case n == 0:
		return s
	case n >= s.Width() && op == opSra:
		return s.Top().Repeat(s.Width())
	case n >= s.Width():
		absorb(s.n)
		return folded(Const(s.Width(), 0), s.n)
	}
	return build(op, s.Width(), n, 0, s.n)
}

// ShlBy shifts left by a variable distance of any width, keeping the width of s.
func (s Signal) ShlBy(b Signal) Signal { return shiftBy(opShlBy, s, b) }

// ShrBy shifts right by a variable distance of any width, keeping the width of s.
func (s Signal) ShrBy(b Signal) Signal { return shiftBy(opShrBy, s, b) }

// SraBy shifts right by a variable distance of any width, keeping the width of s;
// copies of the top bit come in.
func (s Signal) SraBy(b Signal) Signal { return shiftBy(opSraBy, s, b) }

// maxShiftBits is the widest shift distance all tools accept.
const maxShiftBits = 31

func shiftBy(op opcode, s, b Signal) Signal {
	if stand, ok := operands(op, s, b); !ok {
		return stand.resize(s.Width())
	}
	if d := b.n.fixed(); d != nil && s.n.op != opConst {
		n := s.Width()
		if d.IsInt64() {
			n = int(min(d.Int64(), int64(n)))
		}
		by := map[opcode]opcode{opShlBy: opShl, opShrBy: opShr, opSraBy: opSra}[op]
		return folded(shift(by, s, n), s.n, b.n)
	}
	if b.Width() <= maxShiftBits {
		return build(op, s.Width(), 0, 0, s.n, b.n)
	}
	over := Const(s.Width(), 0)
	if op == opSraBy {
		over = s.Top().Repeat(s.Width())
	}
	low := build(op, s.Width(), 0, 0, s.n, b.Trunc(maxShiftBits).n)
	return Mux(b.Slice(b.Width()-1, maxShiftBits).AnyBit(), over, low)
}

// Slice is bits hi down to lo, both included.
func (s Signal) Slice(hi, lo int) Signal {
	if stand, ok := operands(opSlice, s); !ok {
		return stand.resize(hi - lo + 1)
	}
	if lo < 0 || hi < lo || hi >= s.Width() {
		return mistake(opSlice, []Signal{s}, hi-lo+1,
			fmt.Sprintf("bits %d:%d of %s, which has %d bits", hi, lo, s.n.describe(), s.Width()),
			fmt.Sprintf("legal bits are %d:0, the high one first", s.Width()-1))
	}
	return slice(s.n, hi, lo)
}

func slice(n *node, hi, lo int) Signal {
	if lo == 0 && hi == n.width-1 {
		return Signal{n}
	}
	if n.name == "" {
		switch n.op {
		case opSlice:
			return slice(n.args[0], hi+n.p1, lo+n.p1)
		case opZext:
			if hi < n.args[0].width {
				return slice(n.args[0], hi, lo)
			}
		case opCat:
			at := n.width
			for _, a := range n.args {
				at -= a.width
				if lo >= at && hi < at+a.width {
					return slice(a, hi-at, lo-at)
				}
			}
		}
	}
	return build(opSlice, hi-lo+1, hi, lo, n)
}

// Bit is bit i.
func (s Signal) Bit(i int) Signal { return s.Slice(i, i) }

// Top is the most significant bit.
func (s Signal) Top() Signal { return s.Slice(s.Width()-1, s.Width()-1) }

// Cat puts signals side by side, the most significant first.
func Cat(parts ...Signal) Signal {
	if len(parts) == 0 {
		return mistake(opCat, nil, 1, "no parts given", "")
	}
	width := 0
	nodes := make([]*node, len(parts))
	for i, p := range parts {
		width += p.Width()
		nodes[i] = p.n
	}
	if stand, ok := operands(opCat, parts...); !ok {
		return stand.resize(width)
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return build(opCat, width, 0, 0, nodes...)
}

// Repeat puts n copies side by side.
func (s Signal) Repeat(n int) Signal {
	if stand, ok := operands(opRepeat, s); !ok {
		return stand
	}
	if n < 1 {
		return mistake(opRepeat, []Signal{s}, s.Width(), fmt.Sprintf("%d copies", n), "at least 1 is needed")
	}
	if n == 1 {
		return s
	}
	return build(opRepeat, s.Width()*n, n, 0, s.n)
}

// Zext extends with zeros to width w.
func (s Signal) Zext(w int) Signal { return extend(opZext, s, w) }

// Sext extends with copies of the top bit to width w.
func (s Signal) Sext(w int) Signal { return extend(opSext, s, w) }

func extend(op opcode, s Signal, w int) Signal {
	if stand, ok := operands(op, s); !ok {
		return stand.resize(w)
	}
	if w < s.Width() {
		return mistake(op, []Signal{s}, w,
			fmt.Sprintf("%s has %d bits already, more than %d", s.n.describe(), s.Width(), w),
			fmt.Sprintf("to cut it, use Trunc(%d)", w))
	}
	if w == s.Width() {
		return s
	}
	return build(op, w, 0, 0, s.n)
}

// Trunc keeps the low w bits.
func (s Signal) Trunc(w int) Signal {
	if stand, ok := operands(opSlice, s); !ok {
		return stand.resize(w)
	}
	if w < 1 || w > s.Width() {
		return mistake(opSlice, []Signal{s}, w,
			fmt.Sprintf("Trunc(%d) of %s, which has %d bits", w, s.n.describe(), s.Width()),
			"to widen it, use Zext or Sext")
	}
	return slice(s.n, w-1, 0)
}

// AnyBit is 1 when any bit is 1.
func (s Signal) AnyBit() Signal { return reduce(opAny, s) }

// AllBits is 1 when every bit is 1.
func (s Signal) AllBits() Signal { return reduce(opAll, s) }

// Parity is the exclusive or of all bits.
func (s Signal) Parity() Signal { return reduce(opParity, s) }

func reduce(op opcode, s Signal) Signal {
	if stand, ok := operands(op, s); !ok {
		return stand
	}
	if s.Width() == 1 {
		return s
	}
	return build(op, 1, 0, 0, s.n)
}

// Mux is ifTrue when sel is 1, else ifFalse.
func Mux(sel, ifTrue, ifFalse Signal) Signal {
	if stand, ok := operands(opMux, sel, ifTrue, ifFalse); !ok {
		return stand.resize(ifTrue.Width())
	}
	all := []Signal{sel, ifTrue, ifFalse}
	if sel.Width() != 1 {
		return mistake(opMux, all, ifTrue.Width(),
			fmt.Sprintf("the selector %s has %d bits, it needs 1", sel.n.describe(), sel.Width()),
			"compare it, or reduce it with AnyBit()")
	}
	if ifTrue.Width() != ifFalse.Width() {
		msg, hint := sameWidth(opMux, ifTrue, ifFalse)
		return mistake(opMux, all, ifTrue.Width(), msg, hint)
	}
	if v := sel.n.fixed(); v != nil {
		kept := ifFalse
		if v.Sign() != 0 {
			kept = ifTrue
		}
		return folded(kept, sel.n, ifTrue.n, ifFalse.n)
	}
	if ifTrue.oneBit() && ifFalse.oneBit() && ifFalse.n.op != opReg && (ifTrue.n.op == opConst || ifFalse.n.op == opConst) {
		return gate(sel, ifTrue, ifFalse)
	}
	return build(opMux, ifTrue.Width(), 0, 0, sel.n, ifTrue.n, ifFalse.n)
}

// oneBit reports whether a signal is a bit whatever the parameters of its module.
func (s Signal) oneBit() bool { return s.n.width == 1 && !s.n.size.known() }

// gate is a choice between a bit and a constant.
func gate(sel, ifTrue, ifFalse Signal) Signal {
	on := func(s Signal) bool { return s.n.op == opConst && s.n.val.Sign() > 0 }
	off := func(s Signal) bool { return s.n.op == opConst && s.n.val.Sign() == 0 }
	s := sel.And(ifTrue)
	switch {
	case on(ifTrue) && off(ifFalse):
		s = sel
	case off(ifTrue) && on(ifFalse):
		s = sel.Not()
	case on(ifTrue):
		s = sel.Or(ifFalse)
	case off(ifTrue):
		s = sel.Not().And(ifFalse)
	case on(ifFalse):
		s = sel.Not().Or(ifTrue)
	}
	return folded(s, ifTrue.n, ifFalse.n)
}

// Select is cases[index], or deflt when the index is beyond the last case.
func Select(index Signal, cases []Signal, deflt Signal) Signal {
	all := append([]Signal{index, deflt}, cases...)
	if stand, ok := operands(opSelect, all...); !ok {
		return stand.resize(deflt.Width())
	}
	if len(cases) == 0 {
		return mistake(opSelect, all, deflt.Width(), "no cases given", "")
	}
	if need := indexWidth(len(cases)); index.Width() < need {
		return mistake(opSelect, all, deflt.Width(),
			fmt.Sprintf("the index %s has %d bits, %d cases need %d", index.n.describe(), index.Width(), len(cases), need),
			fmt.Sprintf("extend it with Zext(%d)", need))
	}
	nodes := []*node{index.n, deflt.n}
	for i, c := range cases {
		if c.Width() != deflt.Width() {
			return mistake(opSelect, all, deflt.Width(),
				fmt.Sprintf("case %d has %d bits, the default has %d", i, c.Width(), deflt.Width()),
				"all cases need the width of the default")
		}
		nodes = append(nodes, c.n)
	}
	if v := index.n.fixed(); v != nil {
		kept := deflt
		if v.IsInt64() && v.Int64() < int64(len(cases)) {
			kept = cases[v.Int64()]
		}
		return folded(kept, nodes...)
	}
	if len(cases) == 1<<index.Width() {
		absorb(deflt.n)
		nodes[1] = nodes[len(nodes)-1]
	}
	s := build(opSelect, deflt.Width(), 0, 0, nodes...)
	if _, ok := picked(s.n); len(cases) == 2 && index.Width() == 1 && !ok && s.n.op == opSelect {
		return Mux(index, cases[1], cases[0])
	}
	return s
}

// indexWidth is the number of bits that count 0..n-1, at least 1.
func indexWidth(n int) int {
	w := 1
	for n > 1<<w {
		w++
	}
	return w
}
