package block

import (
	"fmt"
	"math/big"
	"slices"

	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// Committed returns two bits for each port: whether it has been committed since reset, and whether it is trusted, which
// it also is before its first commit. commit has a 1 for the port that is committed, with the given trust.
func Committed(m *vgen.Module, commit, trust vgen.Signal) (committed, trusted vgen.Signal) {
	ports := commit.Width()
	committed = m.State("committed", ports)
	m.Next(committed, committed.Or(commit))
	all := new(big.Int).Lsh(big.NewInt(1), uint(ports))
	trusted = m.Reg("trusted", ports, vgen.ResetBig(all.Sub(all, big.NewInt(1))), vgen.Control())
	m.Next(trusted, lib.SetFlags(trusted, commit, trust))
	return committed, trusted
}

// Selected is the bit of flags that an index selects, some stages later: each stage selects by step bits of the index.
// An index out of range selects none.
func Selected(p *lib.Pipe, name string, step int, index lib.Value, flags, none vgen.Signal) lib.Value {
	stage, low := index.Stage, 0
	for ; index.Width()-low > step; low += step {
		by := p.At(index, stage).Slice(low+step-1, low)
		list := lib.Bits(flags)
		var groups []vgen.Signal
		for i := 0; i < len(list); i += 1 << step {
			some := list[i:min(i+1<<step, len(list))]
			group := vgen.Select(by, some, none)
			if len(some) < 1<<step { // no index into flags
				group = group.Named(fmt.Sprintf("%s_by_%d_from%d", name, low+step, i<<low))
			}
			groups = append(groups, group)
		}
		slices.Reverse(groups)
		flags = p.Reg(fmt.Sprintf("%s_by_%d", name, low+step), stage, vgen.Cat(groups...)).Signal
		stage++
	}
	return p.Reg(name, stage, lib.Flag(flags, p.At(index, stage).Slice(index.Width()-1, low), none))
}

// Beyond reports whether a port number names no port.
func Beyond(c *Shape, port vgen.Signal) vgen.Signal {
	return port.Ge(vgen.Const(port.Width(), uint64(c.Ports)))
}

// SizeOf is 1 for expanded tags; without a bit for it, all tags have the one size.
func SizeOf(c *Shape, size vgen.Signal) vgen.Signal {
	if size.Exists() {
		return size
	}
	return flag(c.Expanded())
}

// TypeOf is T, with 4 bits.
func TypeOf(c *Shape, size vgen.Signal, f Tag) vgen.Signal {
	small := f.Low.Slice(15, 13).Zext(TypeBits)
	switch {
	case !c.Expanded():
		return small
	case !c.Compact():
		return f.High.Slice(31, 28)
	}
	return vgen.Mux(size, f.High.Slice(31, 28), small).Named("tag_type")
}

// PickBit is the bit of a vector that an index names, under a name; the vector may be absent.
func PickBit(name string, vector, index vgen.Signal) vgen.Signal {
	if !vector.Exists() {
		return flag(false)
	}
	return lib.Flag(vector, index, flag(false)).Named(name)
}
