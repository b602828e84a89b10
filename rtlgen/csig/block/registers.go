package block

import (
	"fmt"
	"math/bits"
	"strings"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/config/registers"
	"github.com/hdlpkg/hpccgen/rtlgen/axil"
	"github.com/hdlpkg/hpccgen/rtlgen/transit"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// Limits of committed values.
const (
	MinCapacity = 1000 // kbit/s
	MinWindow   = 1000 // ns
	MaxWindow   = 1_000_000_000
)

// RegisterFile is csig_registers under construction. Registers go by their offsets.
type RegisterFile struct {
	*transit.File
	Shape  *Shape
	tables BucketTables

	Counts     vgen.Signal // the address is that of a counter
	PortNumber vgen.Signal // number of the port whose counter that is
	IsWord     vgen.Signal // the address is that of a register that can be read
	typed      vgen.Signal // the word written names a signal type
}

// BucketTables are the ports on the side of the bucket tables.
type BucketTables struct {
	Bucket   bucketWrite `dir:"out"`
	Bank     vgen.Signal `port:"bucket_bank" dir:"out" width:"perbucket" doc:"bank of the bucket table that is in use, by type"`
	BucketOK vgen.Signal `port:"bucket_ok" dir:"out" width:"perbucket" doc:"there is a bucket table, by type"`
}

// bucketWrite is the write port of the bucket tables.
type bucketWrite struct {
	Valid   vgen.Signal `port:"w_valid" width:"buckets" role:"valid" doc:"a bound is written, into a bank that is not in use"`
	Type    vgen.Signal `port:"w_type" width:"wtype" doc:"signal type of the table"`
	Bank    vgen.Signal `port:"w_bank" width:"buckets" doc:"its bank"`
	Index   vgen.Signal `port:"w_index" width:"wbucket" doc:"number of the bound, 1 to 31"`
	Bound   vgen.Signal `port:"w_bound" width:"wbound" doc:"lower bound of the bucket"`
	Present vgen.Signal `port:"w_present" width:"buckets" doc:"the table has this bucket; otherwise the bound is irrelevant"`
}

// RegistersWidths are the width keys of csig_registers.
func (c *Shape) RegistersWidths() vgen.Widths {
	w := c.PortWidths()
	w["actions"], w["types"] = ActionBits*config.CSIGTagTypes, config.CSIGTypes
	w["overhead"], w["window"] = OverheadBits, WindowBits*bit(c.Method == config.CSIGRaw)
	buckets := bit(c.Compact())
	w["buckets"], w["wtype"], w["wbucket"], w["wbound"] = buckets, KindBits*buckets, BucketBits*buckets, ValueBits*buckets
	w["perbucket"], w["quantizers"] = config.CSIGTypes*buckets, config.CSIGTypes*bit(c.Expanded())
	return w
}

// NewRegisterFile is csig_registers without registers.
func NewRegisterFile(m *vgen.Module, c *Shape, access *axil.Access, tables BucketTables) *RegisterFile {
	file := transit.NewFile(m, access, registers.New(c.CSIG), c.At.Registers)
	return &RegisterFile{File: file, Shape: c, tables: tables}
}

// DecodeAll compares the address with those of the map. countAddr, if it exists, is the address of the counter to read.
func (f *RegisterFile) DecodeAll(countAddr vgen.Signal) {
	f.Module.Section("Addresses")
	f.Decode()
	var slots, readable []vgen.Signal
	for _, r := range f.Map.Registers {
		if r.Offset >= registers.Count {
			slots = append(slots, f.Addr.Trunc(6).Is(uint64(r.Offset-registers.Count)))
			continue
		}
		hit := f.Hit(&r)
		if r.Access != registers.WriteOnly {
			readable = append(readable, hit)
		}
	}
	f.IsWord = f.Early("at_word", or(readable...))

	number := f.CountPort()
	inside := number.Lt(vgen.Const(number.Width(), uint64(f.Shape.Ports)))
	f.PortNumber = number.Trunc(f.Shape.IndexBits())
	slot := or(slots...)
	count := vgen.Cat(f.PortNumber, f.Addr.Slice(5, 2))
	if f.Apart {
		inside, slot = f.Early("count_of_port", inside), f.Early("count_of_slot", slot)
	}
	f.Counts = f.Early("at_count", inside.And(slot))
	if f.Apart {
		count = f.Module.RegNext("count_addr_q", count)
	}
	if countAddr.Exists() {
		f.Module.Assign(countAddr, count)
	}
}

// Constants are the registers that never change.
func (f *RegisterFile) Constants() {
	for _, r := range f.Map.Registers {
		if r.Access == registers.ReadOnly && !r.Volatile {
			f.Constant(&r)
		}
	}
}

// StageAll makes the staged registers, which hold written values until a commit.
func (f *RegisterFile) StageAll() {
	f.Module.Section("Staged registers")
	for _, r := range f.Map.Registers {
		if r.Access == registers.ReadWrite {
			f.Stage(&r, r.Mask())
		}
	}
}

// Checked is a check of staged values. It has a cycle of its own, ending in a register; the next access comes later.
func (f *RegisterFile) Checked(name string, checks ...vgen.Signal) vgen.Signal {
	if f.Apart { // there are two, and a third in front of long ones
		for i, s := range checks {
			checks[i] = f.Module.RegNext(fmt.Sprintf("%s_check%d", strings.TrimSuffix(name, "_q"), i), s, vgen.Reset(0))
		}
	}
	return f.Module.RegNext(name, and(checks...), vgen.Reset(0))
}

// Part is a condition on a part of a word: registered with Places.Registers.
func (f *RegisterFile) Part(name string, s vgen.Signal) vgen.Signal {
	if f.Apart {
		return f.Early(name, s)
	}
	return s
}

// Pieces tests a word from a bit on: each byte separately if Places.Registers is set.
func (f *RegisterFile) Pieces(name string, s vgen.Signal, from int,
	is func(piece vgen.Signal) vgen.Signal) []vgen.Signal {
	var parts []vgen.Signal
	for low := from; low < axil.BusBits; {
		high := axil.BusBits - 1
		if f.Apart {
			high = low | 7
		}
		parts = append(parts, f.Part(fmt.Sprintf("%s_from%d", name, low), is(s.Slice(high, low))))
		low = high + 1
	}
	return parts
}

// Reaches has a 1 if the staged value is at least a constant.
func (f *RegisterFile) Reaches(name string, offset uint32, v uint64) vgen.Signal {
	n, s := bits.Len64(v-1), f.Staged[offset]
	parts := f.Pieces(name, s, n, vgen.Signal.AnyBit)
	if v != 1<<n {
		parts = append(parts, f.Part(name+"_low", s.Trunc(n).Ge(vgen.Const(n, v))))
	}
	return or(parts...)
}

// isZero has a 1 if the written word is 0 from a bit on.
func (f *RegisterFile) isZero(name string, from int) vgen.Signal {
	return and(f.Pieces(name+"_zero", f.WData, from, func(s vgen.Signal) vgen.Signal { return s.Is(0) })...)
}

// IsBelow has a 1 if the written word is below a number.
func (f *RegisterFile) IsBelow(name string, v uint64) vgen.Signal {
	if !f.Apart {
		return atLeast(f.WData, v).Not().Named(name)
	}
	n := bits.Len64(v - 1)
	below := f.isZero(name, n)
	if v != 1<<n {
		below = below.And(f.Early(name+"_low", f.WData.Trunc(n).Lt(vgen.Const(n, v))))
	}
	return f.Early(name, below)
}

// Exact has a 1 if a mantissa is normalised: it uses all of its bits and no more.
func (f *RegisterFile) Exact(v vgen.Signal) vgen.Signal {
	n := f.Shape.RecipBits
	if n == axil.BusBits {
		return v.Top()
	}
	return v.Bit(n - 1).And(v.Slice(axil.BusBits-1, n).Is(0))
}

// Allowed has a 1 if PORT_ACTIONS has only defined actions: update only for types with a signal.
func Allowed(actions vgen.Signal) vgen.Signal {
	var wrong []vgen.Signal
	for t := range config.CSIGTagTypes {
		high := actions.Bit(ActionBits*t + 1)
		if t < config.CSIGTypes {
			high = high.And(actions.Bit(ActionBits * t))
		}
		wrong = append(wrong, high)
	}
	return or(wrong...).Not()
}

// IsType has a 1 if the written word names a signal type with a table.
func (f *RegisterFile) IsType() vgen.Signal {
	if !f.typed.Exists() {
		is := f.isZero("high", KindBits)
		if n := uint64(len(SignalTypes)); n < 1<<KindBits {
			is = is.And(f.Early("low", f.WData.Trunc(KindBits).Lt(vgen.Const(KindBits, n))))
		}
		f.typed = f.Early("names_type", is)
	}
	return f.typed
}
