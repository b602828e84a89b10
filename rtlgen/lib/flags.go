package lib

import "github.com/hdlpkg/hpccgen/rtlgen/vgen"

// OneHot is n bits, of which the one that index names is 1; none is where the index is n or more.
func OneHot(n int, index vgen.Signal) vgen.Signal { return vgen.Const(n, 1).ShlBy(index) }

// SetFlags is flags with bit in place of those that which, as wide, has a 1 for.
func SetFlags(flags, which, bit vgen.Signal) vgen.Signal {
	return flags.And(which.Not()).Or(which.And(bit.Repeat(which.Width())))
}

// Flag is the bit of flags that index names, and none where there is no such bit.
func Flag(flags, index, none vgen.Signal) vgen.Signal { return vgen.Select(index, Bits(flags), none) }

// Bits is the bits of a vector, the lowest first.
func Bits(v vgen.Signal) []vgen.Signal {
	list := make([]vgen.Signal, v.Width())
	for i := range list {
		list[i] = v.Bit(i)
	}
	return list
}
