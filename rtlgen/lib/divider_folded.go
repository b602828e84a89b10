package lib

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// restoringFolded divides pairs that are gap cycles apart: a stage keeps a pair for gap cycles and
// takes a quotient bit in each, so that there are as many subtractors as pairs under way. The
// denominator is kept inverted, as the subtractors take it.
func restoringFolded(name string, s DividerShape) *vgen.Module {
	r := restoring{s}
	n := r.steps()
	m := vgen.NewModule(name, fmt.Sprintf("Restoring divider, folded: %s, a division every %d cycles",
		count(n/s.Gap+1, "stage"), s.Gap))
	s.doc(m, "rounded half up")
	m.Doc(fmt.Sprintf("A stage keeps a pair for %d cycles and takes a quotient bit in each.", s.Gap),
		"Operands less than one interval after the previous ones corrupt both quotients.")
	m.SetTiming(n+2, s.Gap)
	ports := s.ports(m, true)

	start := ports.Valid
	rem, shift, den := r.load(ports.Num, ports.Den)
	notDen := den.Not()
	for k := 1; ; k++ {
		tag := func(name string) string { return fmt.Sprintf("%s_s%d", name, k) }
		shiftQ := m.Reg(tag("shift"), n)
		if (k-1)*s.Gap == n { // all bits are there; the stage keeps them until they are rounded
			m.Next(shiftQ, vgen.Mux(start, shift, shiftQ))
			shift = shiftQ
			break
		}
		remQ := m.Reg(tag("rem"), s.DenBits)
		divQ := m.RegNext(tag("not_div"), notDen, vgen.Enable(start))
		nextRem, nextShift := r.step(fmt.Sprintf("_s%d", k), remQ, shiftQ, divQ.Not())
		m.Next(remQ, vgen.Mux(start, rem, nextRem))
		m.Next(shiftQ, vgen.Mux(start, shift, nextShift))
		if n < k*s.Gap {
			shift = shiftQ
			break
		}
		start = m.Delay(tag("done"), start, s.Gap, vgen.Reset(0))
		rem, shift, notDen = nextRem, nextShift, divQ
	}
	m.Assign(ports.Quot, m.RegNext("quot_q", r.round(shift)))
	if ports.OutValid.Exists() {
		m.Assign(ports.OutValid, m.Delay("valid", ports.Valid, n+2, vgen.Reset(0)))
	}
	return m
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
