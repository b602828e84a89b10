package lib

import (
	"fmt"
	"math/bits"

	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// restoring holds what the two restoring dividers share: the dividend num * 2^(Shift+1) is divided
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
	return fit(head, r.DenBits), low, den.And(fits.Repeat(r.DenBits))
}

// split is load without a denominator replaced: it tells instead that the quotient cannot fit.
func (r restoring) split(num, den vgen.Signal) (rem, shift, tooLarge vgen.Signal) {
	head, low := r.cut(num)
	if !head.Exists() {
		return vgen.Const(r.DenBits, 0), low, den.AnyBit().Not()
	}
	return fit(head, r.DenBits), low, Less("fits", head, den).Not()
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
	nextRem = vgen.Mux(borrow, kept, trial.Slice(r.DenBits-1, 0))
	nextShift = vgen.Cat(shift.Slice(shift.Width()-2, 0), borrow.Not())
	return nextRem, nextShift
}

func (r restoring) round(shift vgen.Signal) vgen.Signal {
	return Saturate("quotient_saturated", RoundHalfUp("quotient_rounded", shift, 1), r.QuotBits)
}

// restoringPipelined divides with one subtractor a quotient bit, a register after each. Nothing waits for a borrow in the
// step that makes it: a remainder may become negative, and the next step adds the denominator then, where a restoring step
// would have subtracted it from what was restored. From 2(r + d) - d = 2r + d, every remainder has the sign of the
// restoring division's trial, so the quotient is the same.
func restoringPipelined(name string, s DividerShape) *vgen.Module {
	r := restoring{s}
	n, w := r.steps(), s.DenBits+1 // a remainder lies between -den and den-1
	m := vgen.NewModule(name, "Restoring divider, pipelined: one quotient bit a stage, one division a cycle")
	s.doc(m, "rounded half up")
	m.Doc("A stage whose remainder is negative leaves it so: the next one adds s_den instead of subtracting it.")
	ports := s.ports(m, false)
	p := NewPipe(m)

	head, bits, tooLarge := r.split(ports.Num, ports.Den)
	over := p.Reg("too_large", 0, tooLarge)
	shift := p.Reg("shift", 0, bits)
	div := p.Reg("div", 0, ports.Den)
	rem := p.Reg("rem", 0, head)
	var ones vgen.Signal // the quotient bits so far are all 1
	for k := 1; k <= n; k++ {
		wide, bit := p.At(div, k).Zext(w), shift.Top()
		rest := shift.Trunc(max(shift.Width()-1, 1))
		trial := fmt.Sprintf("trial_s%d", k)
		var next vgen.Signal
		if k == 1 {
			next = vgen.Cat(rem.Signal, bit).Sub(wide).Named(trial)
			shift = p.Reg("shift", k, rest)
		} else {
			fitted := rem.Top().Not().Named(fmt.Sprintf("fitted_s%d", k)) // the quotient bit of the step before
			next = AddCarry(trial, vgen.Cat(rem.Slice(w-2, 0), bit), wide.Xor(fitted.Repeat(w)), fitted)
			if ones = andNext(ones, fitted); k < n {
				ones = p.Reg("all_ones", k, ones).Signal
			}
			quotient := fitted
			if n > 2 {
				quotient = vgen.Cat(rest, fitted)
			}
			if k == n { // all bits but the last are there; if all are 1, the last would round to what does not fit
				full := ones.Or(p.At(over, n)).Named("largest")
				quotient = quotient.Or(full.Repeat(s.QuotBits))
				over = p.Reg("largest", n, full)
			}
			shift = p.Reg("shift", k, quotient)
		}
		if k < n {
			rem = p.Reg("rem", k, next)
		} else {
			rem = p.Reg("negative", k, next.Top())
		}
	}
	round := rem.Or(over.Signal).Not().Named("round_up")
	return s.close(m, ports, p.Reg("quot", n+1, AddCarry("quotient_rounded", shift.Signal, vgen.Const(s.QuotBits, 0), round)))
}

func andNext(a, b vgen.Signal) vgen.Signal {
	if !a.Exists() {
		return b
	}
	return a.And(b)
}

// restoringSerial divides with one subtractor, a quotient bit a cycle.
func restoringSerial(name string, s DividerShape) *vgen.Module {
	r := restoring{s}
	m := vgen.NewModule(name, "Restoring divider, serial: one quotient bit a cycle")
	s.doc(m, "rounded half up")
	n := r.steps()
	m.Doc(fmt.Sprintf("Cycle 0: operands. Cycles 1 to %d: a quotient bit each. Cycle %d: rounding. Cycle %d: m_valid.", n, n+1, n+2),
		"Operands that arrive earlier than one interval after the last ones replace them.")
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
	count := m.Reg("count", countBits, vgen.Reset(0), vgen.Control())
	idle := count.Eq(vgen.Const(countBits, 0))
	done := count.Eq(vgen.Const(countBits, uint64(n+1)))
	step := vgen.Mux(idle.Or(done), vgen.Const(countBits, 0), count.Add(vgen.Const(countBits, 1)))
	m.Next(count, vgen.Mux(ports.Valid, vgen.Const(countBits, 1), step))
	m.Assign(ports.OutValid, m.RegNext("valid_q", done, vgen.Reset(0), vgen.Control()))
	return m
}
