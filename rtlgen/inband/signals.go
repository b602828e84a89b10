package inband

import (
	"math/big"

	"github.com/hdlpkg/hpccgen/rtlgen/transit"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// Short names for frequent operations.
var flag, vector = transit.Flag, transit.Vector

// halfOf is a half of a word whose first byte is the most significant.
func halfOf(s vgen.Signal, i int) vgen.Signal {
	top := s.Width() - 1 - halfBits*i
	return s.Slice(top, top-halfBits+1)
}

// swapped exchanges the bytes of a half: the stream has its first byte lowest, a header's field on top.
func swapped(s vgen.Signal) vgen.Signal { return vgen.Cat(s.Slice(7, 0), s.Slice(15, 8)) }

// rule is one line of the walk: where the bit is 1 the packet has the status, unless an earlier line applies.
type rule struct {
	when   vgen.Signal
	status uint64
}

// firstOf is the status of the first rule that applies, or else of the last argument; applies reports whether one does.
func firstOf(rules []rule, otherwise vgen.Signal) (status, applies vgen.Signal) {
	status, applies = otherwise, rules[0].when
	for i := len(rules) - 1; i >= 0; i-- {
		status = vgen.Mux(rules[i].when, vgen.Const(transit.StatusBits, rules[i].status), status)
		if i > 0 {
			applies = applies.Or(rules[i].when)
		}
	}
	return status, applies
}

// ones is a number of so many ones.
func ones(n int) *big.Int {
	v := new(big.Int).Lsh(big.NewInt(1), uint(n))
	return v.Sub(v, big.NewInt(1))
}
