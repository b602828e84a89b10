package lib

import (
	"math/bits"

	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// limbPair is one partial product: limb i of one factor times limb j of the other.
type limbPair struct{ i, j int }

// limbPairs lists the partial products by rising weight.
func limbPairs(na, nb int) []limbPair {
	var pairs []limbPair
	for w := 0; w < na+nb-1; w++ {
		for i := 0; i < na; i++ {
			if j := w - i; j >= 0 && j < nb {
				pairs = append(pairs, limbPair{i, j})
			}
		}
	}
	return pairs
}

// mulSerial is Mul with one multiplier block that takes the partial products one after the other, by
// rising weight; the sum moves down by a limb with each weight.
func (p *Pipe) mulSerial(name string, a, b Value, limb int) Value {
	m := p.m
	s := max(a.Stage, b.Stage)
	pairs := limbPairs(ceilDiv(a.Width(), limb), ceilDiv(b.Width(), limb))
	n := len(pairs)
	as, bs := p.through(a, s+1, s+n), p.through(b, s+1, s+n)

	// step counts the partial products of an item and rests at n.
	w := bits.Len(uint(n))
	rest := vgen.Const(w, uint64(n))
	step := m.Reg(name+"_step", w, vgen.Reset(uint64(n)), vgen.Control())
	done := step.Eq(rest)
	m.Next(step, vgen.Mux(p.valid(s), vgen.Const(w, 0), vgen.Mux(done, step, step.Add(vgen.Const(w, 1)))))
	adding := m.RegNext(name+"_adding", step, vgen.Reset(uint64(n)), vgen.Control())

	var left, right []vgen.Signal
	var first, next []uint64 // steps that begin the sum, and steps that begin a weight
	for k, pair := range pairs {
		left = append(left, limbOf(as, pair.i, limb))
		right = append(right, limbOf(bs, pair.j, limb))
		switch {
		case k == 0:
			first = append(first, uint64(k))
		case pair.i+pair.j != pairs[k-1].i+pairs[k-1].j:
			next = append(next, uint64(k))
		}
	}
	limbA := pick(name+"_limb_a", step, left, as.Width() > limb)
	part := m.RegNext(name+"_part", limbA.Mul(pick(name+"_limb_b", step, right, bs.Width() > limb)))

	accBits := 2*limb + 2
	sum := m.Reg(name+"_sum", accBits, vgen.Enable(adding.Ne(rest)))
	down := isOneOf(adding, next).Named(name + "_down")
	carried := vgen.Mux(isOneOf(adding, first), vgen.Const(accBits, 0), vgen.Mux(down, sum.Shr(limb), sum))
	m.Next(sum, carried.Add(part.Zext(accBits)))

	result := sum
	if len(next) > 0 {
		low := m.Reg(name+"_low", limb*len(next), vgen.Enable(down))
		fed := sum.Slice(limb-1, 0)
		if len(next) > 1 {
			fed = vgen.Cat(fed, low.Slice(low.Width()-1, limb))
		}
		m.Next(low, fed)
		result = vgen.Cat(sum, low).Named(name + "_all")
	}
	product := result.Fit(a.Width() + b.Width()).Named(name)
	at := s + n + 2
	return p.lasting(name, span{at, s + p.interval + 1, product})
}

// through is a signal that speaks of v's item from one stage to another without a change.
func (p *Pipe) through(v Value, from, to int) vgen.Signal {
	for _, s := range *v.built {
		if s.from <= from && to <= s.to {
			return s.sig
		}
	}
	last := p.keep(v.Name, from-1, p.At(v, from-1))
	p.remember(v, last)
	return last.sig
}

// limbOf is limb i of s, the topmost extended with zeros.
func limbOf(s vgen.Signal, i, limb int) vgen.Signal {
	return s.Slice(min((i+1)*limb, s.Width())-1, i*limb).Zext(limb)
}

// pick is the entry of list that index names; all are the same where the factor has one limb.
func pick(name string, index vgen.Signal, list []vgen.Signal, several bool) vgen.Signal {
	if !several {
		return list[0]
	}
	return vgen.Select(index, list, list[len(list)-1]).Named(name)
}

// isOneOf is 1 when s has one of the values.
func isOneOf(s vgen.Signal, values []uint64) vgen.Signal {
	if len(values) == 0 {
		return vgen.Const(1, 0)
	}
	hits := make([]vgen.Signal, len(values))
	for i, v := range values {
		hits[i] = s.Is(v)
	}
	return vgen.AnyOf(hits...)
}
