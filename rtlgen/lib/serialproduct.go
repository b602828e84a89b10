package lib

import (
	"fmt"
	"math/big"

	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// SerialProduct is a multiplier that takes some bits of one factor a cycle: an adder of the width of the
// other factor, and no multiplier block. Of the product it gives what remains after a rounded division
// by a power of two; the half that rounds is in the sum from the start.
type SerialProduct struct {
	Name       string
	Load       vgen.Signal // Multiplier is taken in this cycle
	Multiplier vgen.Signal // unsigned
	// Multiplicand must stay for Steps cycles from the one after Load.
	Multiplicand vgen.Signal
	Signed       bool // Multiplicand is in two's complement
	Steps        int  // cycles; at least one idle cycle lies between two products
	Shift        int  // the product is divided by 2^Shift, rounded half up
}

// SerialLatency is the number of cycles from the loading of a multiplier of so many bits to the product,
// with steps cycles for multiplying.
func SerialLatency(multiplierBits, steps int) int {
	k := ceilDiv(multiplierBits, max(steps, 1))
	if k == 1 {
		return multiplierBits + 1
	}
	return ceilDiv(multiplierBits, k) + 2
}

// Latency is the number of cycles from Load to the product, which is there for one cycle.
func (s SerialProduct) Latency() int { return SerialLatency(s.Multiplier.Width(), s.Steps) }

// Build adds the multiplier to m. The result has the width of the product less Shift, and one bit more
// where the rounding can carry out of it.
func (s SerialProduct) Build(m *vgen.Module) vgen.Signal {
	k := ceilDiv(s.Multiplier.Width(), max(s.Steps, 1)) // bits that a cycle takes
	steps := ceilDiv(s.Multiplier.Width(), k)
	a := s.Multiplicand.Width()
	preset := a // bits in which the sum can begin with the half
	if s.Signed {
		preset--
	}
	start := new(big.Int)
	if s.Shift > 0 && s.Shift <= preset {
		start.Lsh(big.NewInt(1), uint(s.Shift-1))
	}
	extend := func(x vgen.Signal, w int) vgen.Signal {
		if s.Signed {
			return x.Sext(w)
		}
		return x.Zext(w)
	}

	n := steps * k
	bits := m.Reg(s.Name+"_bits", n)
	sum := m.Reg(s.Name+"_sum", a)
	var total vgen.Signal
	var product vgen.Signal
	if k == 1 {
		// The low bits of the product follow the multiplier's bits through their register.
		wide := extend(sum, a+1).Named(s.Name + "_sum_wide")
		total = vgen.Mux(bits.Bit(0), wide.Add(extend(s.Multiplicand, a+1)), wide).Named(s.Name + "_total")
		shifted := total.Trunc(1)
		if n > 1 {
			shifted = vgen.Cat(total.Trunc(1), bits.Slice(n-1, 1))
		}
		m.Next(bits, vgen.Mux(s.Load, s.Multiplier, shifted))
		m.Next(sum, vgen.Mux(s.Load, vgen.ConstBig(a, start), total.Slice(a, 1)))
		product = vgen.Cat(sum, bits)
	} else {
		m.Next(bits, vgen.Mux(s.Load, s.Multiplier.Zext(n), bits.Shr(k)))
		part := m.RegNext(s.Name+"_part", s.Multiplicand.Mul(bits.Trunc(k)))
		begin := m.RegNext(s.Name+"_begin", s.Load)
		total = sum.Zext(a + k).Add(part).Named(s.Name + "_total")
		m.Next(sum, vgen.Mux(begin, vgen.ConstBig(a, start), total.Slice(a+k-1, k)))
		low := m.Reg(s.Name+"_low", n)
		fed := total.Trunc(k)
		if n > k {
			fed = vgen.Cat(fed, low.Slice(n-1, k))
		}
		m.Next(low, fed)
		product = vgen.Cat(sum, low).Named(s.Name + "_all")
	}
	if !s.Signed {
		product = product.Trunc(a + s.Multiplier.Width())
	}
	product = product.Named(s.Name)
	w := product.Width()
	switch {
	case s.Shift <= 0:
		return product
	case start.Sign() > 0 && s.Shift < w:
		return product.Slice(w-1, s.Shift)
	case s.Signed:
		// The sum is too narrow for the half; it is added afterwards. Beyond the top bit lies the sign.
		x := product.Sext(max(w, s.Shift+1))
		kept := x.Slice(x.Width()-1, s.Shift).Named(s.Name + "_kept")
		return kept.Sext(kept.Width() + 1).Add(x.Bit(s.Shift - 1).Zext(kept.Width() + 1)).Named(s.Name + "_rounded")
	case s.Shift > w:
		m.Ignore(product, "the largest product is below half of what it is divided by")
		return vgen.Const(1, 0)
	}
	return RoundHalfUp(s.Name+"_rounded", product, s.Shift)
}

// SerialMultiplierPorts are the ports of a serial multiplier.
type SerialMultiplierPorts struct {
	Valid    vgen.Signal `port:"s_valid" dir:"in" width:"1" role:"valid" doc:"factors are valid"`
	A        vgen.Signal `port:"s_a" dir:"in" width:"a" doc:"factor"`
	B        vgen.Signal `port:"s_b" dir:"in" width:"b" doc:"factor"`
	OutValid vgen.Signal `port:"m_valid" dir:"out" width:"1" role:"valid" doc:"product is valid"`
	Out      vgen.Signal `port:"m_product" dir:"out" width:"out" doc:"product, rounded"`
}

// SerialMultiplier is a serial multiplier as a module of its own, with steps cycles for a product.
func SerialMultiplier(name string, aBits, bBits, steps, shift int) *vgen.Module {
	m := vgen.NewModule(name, "Serial multiplier")
	m.Doc(fmt.Sprintf("m_product = s_a * s_b / 2^%d, rounded half up.", shift))
	ports := vgen.Ports[SerialMultiplierPorts](m, vgen.Widths{"a": aBits, "b": bBits,
		"out": max(aBits+bBits-shift, 0) + 1})
	s := SerialProduct{Name: "product", Load: ports.Valid, Multiplier: ports.A, Steps: steps, Shift: shift,
		Multiplicand: m.RegNext("b_q", ports.B, vgen.Enable(ports.Valid))}
	m.SetTiming(s.Latency(), s.Latency())
	m.Assign(ports.Out, s.Build(m).Fit(ports.Out.Width()))
	m.Assign(ports.OutValid, m.Delay("valid", ports.Valid, s.Latency(), vgen.Reset(0)))
	return m
}
