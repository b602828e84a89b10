package lib

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// signedPipelined is restoringPipelined with remainders that may be negative (DividerShape.Signed). Nothing waits for
// a borrow in the step that makes it: the next step adds the denominator then, where a restoring step would have
// subtracted it from what was restored. From 2(r + d) - d = 2r + d, every remainder has the sign of the restoring
// division's trial, so the quotient is the same.
func signedPipelined(name string, s DividerShape) *vgen.Module {
	r := restoring{s}
	n, w := r.steps(), s.DenBits+1 // a remainder lies between -den and den-1
	m := vgen.NewModule(name, "Divider with signed remainders, pipelined: one quotient bit a stage, one division a cycle")
	s.doc(m, "rounded half up")
	m.Doc("A negative remainder is not restored: the next stage adds s_den instead of subtracting it.")
	ports := s.ports(m, false)
	p := NewPipe(m)

	head, bits, tooLarge := r.split(ports.Num, ports.Den)
	over := p.Reg("too_large", 0, tooLarge)
	shift := p.Reg("shift", 0, bits)
	div := p.Reg("div", 0, ports.Den)
	rem := p.Reg("rem", 0, head)
	var round Value
	var ones, full vgen.Signal // the quotient bits so far are all 1; nothing may be added to the quotient
	m.StageDoc(1, "dividend bits above those that the steps shift in form the first remainder; where they are not "+
		"below s_den, the quotient does not fit")
	m.StageDoc(n+2, "the quotient, rounded half up by its last bit")
	for k := 1; k <= n; k++ {
		m.StageDoc(k+1, fmt.Sprintf("remainder %d of %d; its sign tells the quotient bit", k, n))
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
			if k == 2 {
				ones = fitted
			} else {
				ones = ones.And(fitted)
			}
			if k < n {
				ones = p.Reg("all_ones", k, ones).Signal
			}
			quotient := fitted
			if n > 2 {
				quotient = vgen.Cat(rest, fitted)
			}
			if k == n { // all bits but the last are there; if all are 1, the last would round to what does not fit
				full = ones.Or(p.At(over, n)).Named("largest")
				quotient = quotient.Or(full.Repeat(s.QuotBits))
			}
			shift = p.Reg("shift", k, quotient)
		}
		if k < n {
			rem = p.Reg("rem", k, next)
		} else {
			// A sign that went straight from its carry chain into the next would tie the two together in placement.
			round = p.Reg("round_up", k, next.Top().Or(full).Not())
		}
	}
	return s.close(m, ports, p.Reg("quot", n+1, AddCarry("quotient_rounded", shift.Signal, vgen.Const(s.QuotBits, 0),
		round.Signal)))
}

// split is load without a denominator replaced: it tells instead that the quotient cannot fit. A denominator of 0 is
// told where nothing is above the quotient, too: the remainder, which then keeps all of the dividend, would reach the
// bit of the sign.
func (r restoring) split(num, den vgen.Signal) (rem, shift, tooLarge vgen.Signal) {
	head, low := r.cut(num)
	if !head.Exists() {
		return vgen.Const(r.DenBits, 0), low, den.AnyBit().Not()
	}
	return head.Fit(r.DenBits), low, Less("fits", head, den).Not()
}
