package inband

import (
	"fmt"
	"math/bits"

	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

type dividePorts struct {
	Value     vgen.Signal `port:"s_value" dir:"in" width:"value" doc:"value"`
	Quotient  vgen.Signal `port:"m_quotient" dir:"out" width:"quotient" doc:"quotient, saturated"`
	Remainder vgen.Signal `port:"m_remainder" dir:"out" width:"remainder" doc:"remainder; of a quotient that saturated it means nothing"`
}

// narrowDivisor is the width of a divisor up to which a stage has two steps of a division.
const narrowDivisor = 10

// divideBlock builds a division by a constant, exact, a value a cycle: a restoring division, a quotient bit a stage,
// two of a narrow divisor. A quotient that does not fit is found first.
func divideBlock(name, purpose string, width int, divisor uint64, quotBits int, remainder bool) *vgen.Module {
	m := vgen.NewModule(name, purpose)
	m.Doc(fmt.Sprintf("m_quotient = min(floor(s_value / %d), 2^%d - 1)", divisor, quotBits))
	remBits := bits.Len64(divisor)
	w := vgen.Widths{"value": width, "quotient": quotBits, "remainder": 0}
	if remainder {
		w["remainder"] = remBits
	}
	ports := vgen.Ports[dividePorts](m, w)
	p := lib.NewPipe(m)
	if divisor&(divisor-1) == 0 && !remainder {
		shift := remBits - 1
		q := vgen.Const(1, 0)
		if shift < width {
			q = ports.Value.Slice(width-1, shift)
		}
		if shift > 0 {
			m.Ignore(ports.Value.Trunc(min(shift, width)), "less than a unit")
		}
		m.Assign(ports.Quotient, p.Reg("quotient", 0, lib.Saturate("saturated", q, quotBits)).Signal)
		m.SetTiming(1, 1)
		return m
	}

	// steps quotient bits come one by one; what is above them in the value is less than the divisor, or the quotient does
	// not fit.
	steps := min(quotBits, max(width-remBits+1, 0))
	v := p.Reg("value", 0, ports.Value)
	value := v.Signal
	over := flag(false)
	rem := vgen.Const(remBits, 0)
	if width > steps {
		head := value.Slice(width-1, steps)
		if steps == quotBits {
			n := max(head.Width(), remBits)
			over = head.Zext(n).Ge(vgen.Const(n, divisor)).Named("over")
		}
		rem = head.Fit(remBits)
	}
	if steps == 0 {
		m.Assign(ports.Quotient, vgen.Const(quotBits, 0))
		if remainder {
			m.Assign(ports.Remainder, rem)
		} else {
			m.Ignore(value, "less than the divisor")
		}
		m.SetTiming(1, 1)
		return m
	}
	r := p.Reg("rem", 1, rem)
	shift := p.Reg("shift", 1, value.Trunc(steps))
	sat := p.Reg("saturates", 1, over)
	m.StageDoc(r.Stage, "dividend bits above the quotient's form the first remainder")
	perStage := 1
	if remBits <= narrowDivisor {
		perStage = 2
	}
	for k := 0; k < steps; {
		stage := shift.Stage
		left := r.Signal
		var bits []vgen.Signal // of the quotient, first one first
		for range min(perStage, steps-k) {
			part := vgen.Cat(left, shift.Bit(steps-1-len(bits))).Named(fmt.Sprintf("part%d", k))
			trial := part.Zext(remBits + 2).Sub(vgen.Const(remBits+2, divisor)).Named(fmt.Sprintf("trial%d", k))
			goes := trial.Top().Not().Named(fmt.Sprintf("goes%d", k))
			left = vgen.Mux(goes, trial.Trunc(remBits), part.Trunc(remBits))
			bits = append(bits, goes)
			k++
		}
		if k < steps || remainder {
			r = p.Reg("rem", stage, left)
		}
		next := vgen.Cat(bits...)
		if n := len(bits); n < steps {
			next = vgen.Cat(shift.Trunc(steps-n), next)
		}
		shift = p.Reg("shift", stage, next)
		m.StageDoc(shift.Stage, fmt.Sprintf("quotient bits up to %d of %d: %d is subtracted from the remainder where it fits", k, steps,
			divisor))
	}
	q := shift.Zext(quotBits).Or(p.At(sat, shift.Stage).Repeat(quotBits))
	m.Assign(ports.Quotient, q)
	if remainder {
		m.Assign(ports.Remainder, r.Signal)
	}
	m.SetTiming(shift.Stage, 1)
	return m
}
