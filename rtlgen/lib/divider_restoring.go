package lib

import (
	"fmt"
	"math/bits"

	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// restoring holds the parts that the two restoring dividers share: the dividend num * 2^(Shift+1) is divided
// bit by bit into QuotBits+1 quotient bits, the last of which rounds.
type restoring struct{ DividerShape }

func (r restoring) steps() int { return r.QuotBits + 1 }

// load splits the dividend into the part that must stay below the denominator, the first remainder,
// and the bits that the steps shift in. When the quotient cannot fit, the denominator is replaced by
// 0: against it every step succeeds, and the quotient becomes all ones.
func (r restoring) load(num, den vgen.Signal) (rem, shift, div vgen.Signal) {
	head, low := r.cut(num)
	if !head.Exists() {
		return vgen.Const(r.DenBits, 0), low, den
	}
	fits := Less("fits", head, den)
	return head.Fit(r.DenBits), low, den.And(fits.Repeat(r.DenBits))
}

// cut cuts the dividend into the bits that the steps shift in and those above, if there are any.
func (r restoring) cut(num vgen.Signal) (head, low vgen.Signal) {
	n := r.steps()
	dividend := num
	if r.Shift+1 > 0 {
		dividend = vgen.Cat(num, vgen.Const(r.Shift+1, 0))
	}
	if dividend.Width() <= n {
		return vgen.Signal{}, dividend.Zext(n)
	}
	dividend = dividend.Named("dividend")
	return dividend.Slice(dividend.Width()-1, n), dividend.Slice(n-1, 0)
}

// step is one subtraction: the remainder takes in the topmost bit of shift, and the quotient bit
// enters at its bottom.
func (r restoring) step(suffix string, rem, shift, div vgen.Signal) (nextRem, nextShift vgen.Signal) {
	w := r.DenBits + 2
	trial := vgen.Cat(vgen.Const(1, 0), rem, shift.Top()).Sub(div.Zext(w)).Named("trial" + suffix)
	borrow := trial.Top()
	kept := rem.Shl(1).Or(shift.Top().Zext(r.DenBits))
	if r.DenBits == 1 {
		kept = shift.Top()
	}
	nextRem = vgen.Mux(borrow, kept, trial.Slice(r.DenBits-1, 0)).Named("rem_after" + suffix)
	nextShift = vgen.Cat(shift.Slice(shift.Width()-2, 0), borrow.Not()).Named("shift_after" + suffix)
	return nextRem, nextShift
}

func (r restoring) round(shift vgen.Signal) vgen.Signal {
	return Saturate("quotient_saturated", RoundHalfUp("quotient_rounded", shift, 1), r.QuotBits)
}

// restoringPipelined divides with one subtractor a quotient bit, a register after each.
func restoringPipelined(name string, s DividerShape) *vgen.Module {
	r := restoring{s}
	m := vgen.NewModule(name, "Restoring divider, pipelined: one quotient bit a stage, one division a cycle")
	s.doc(m, "rounded half up")
	ports := s.ports(m, false)
	p := NewPipe(m)

	rem0, shift0, div0 := r.load(ports.Num, ports.Den)
	rem := p.Reg("rem", 0, rem0)
	shift := p.Reg("shift", 0, shift0)
	div := p.Reg("div", 0, div0)
	m.StageDoc(1, "dividend bits above those that the steps shift in form the first remainder; where they are not "+
		"below s_den, the quotient does not fit, and a denominator of 0 makes it the largest")
	m.StageDoc(r.steps()+2, "the quotient: its last bit is the one that rounds half up")
	for k := 1; k <= r.steps(); k++ {
		m.StageDoc(k+1, fmt.Sprintf("quotient bit %d of %d", k, r.steps()))
		nr, ns := r.step(fmt.Sprintf("_s%d", k), rem.Signal, shift.Signal, p.At(div, k))
		if k < r.steps() {
			rem = p.Reg("rem", k, nr)
		}
		shift = p.Reg("shift", k, ns)
	}
	return s.close(m, ports, p.Reg("quot", r.steps()+1, r.round(shift.Signal)))
}

// restoringSerial divides with one subtractor, a quotient bit a cycle.
func restoringSerial(name string, s DividerShape) *vgen.Module {
	r := restoring{s}
	m := vgen.NewModule(name, "Restoring divider, serial: one quotient bit a cycle")
	s.doc(m, "rounded half up")
	n := r.steps()
	m.Doc(fmt.Sprintf("Cycle 0: operands. Cycles 1 to %d: a quotient bit each. Cycle %d: rounding. Cycle %d: m_valid.", n,
		n+1, n+2),
		"Operands less than one interval after the previous ones replace them.")
	m.SetTiming(n+2, n+1)
	ports := s.ports(m, true)

	rem := m.Reg("rem", s.DenBits)
	shift := m.Reg("shift", n)
	div := m.Reg("div", s.DenBits, vgen.Enable(ports.Valid))

	rem0, shift0, div0 := r.load(ports.Num, ports.Den)
	nextRem, nextShift := r.step("", rem, shift, div)
	m.Next(rem, vgen.Mux(ports.Valid, rem0, nextRem))
	m.Next(shift, vgen.Mux(ports.Valid, shift0, nextShift))
	m.Next(div, div0)

	m.Assign(ports.Quot, m.RegNext("quot_q", r.round(shift)))
	if !ports.OutValid.Exists() {
		return m
	}
	countBits := bits.Len(uint(n + 1))
	count := m.State("count", countBits)
	idle := count.Eq(vgen.Const(countBits, 0))
	done := count.Eq(vgen.Const(countBits, uint64(n+1)))
	step := vgen.Mux(idle.Or(done), vgen.Const(countBits, 0), count.Add(vgen.Const(countBits, 1)))
	m.Next(count, vgen.Mux(ports.Valid, vgen.Const(countBits, 1), step))
	m.Assign(ports.OutValid, m.StateNext("valid_q", done))
	return m
}
