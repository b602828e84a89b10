package block

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// Selected is the entry of list that an index names at a stage, some stages later: each chooses by step bits of the
// index.
func Selected(p *lib.Pipe, name string, stage, step int, index vgen.Signal, list []vgen.Signal,
	none vgen.Signal) lib.Value {
	at := p.Value(name+"_index", stage, index)
	low := 0
	for ; index.Width()-low > step; low += step {
		by := p.At(at, stage).Slice(low+step-1, low)
		var groups []vgen.Signal
		for i := 0; i < len(list); i += 1 << step {
			group := vgen.Select(by, list[i:min(i+1<<step, len(list))], none)
			groups = append(groups, p.Reg(fmt.Sprintf("%s_from%d", name, i<<low), stage, group).Signal)
		}
		list = groups
		stage++
	}
	return p.Reg(name, stage, vgen.Select(p.At(at, stage).Slice(index.Width()-1, low), list, none))
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
	var list []vgen.Signal
	for i := range vector.Width() {
		list = append(list, vector.Bit(i))
	}
	return vgen.Select(index, list, flag(false)).Named(name)
}
