package transit

import (
	"github.com/hdlpkg/hpccgen/config/registers"
	"github.com/hdlpkg/hpccgen/rtlgen/axil"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// pageBits is the width of addresses below the counters. Every register but those lies in the first page.
const pageBits = 8

// PageWords is the number of words of the first page.
const PageWords = 1 << (pageBits - 2)

// File is a register block of a packet pipeline under construction.
type File struct{ *axil.File }

// NewFile is a register block without registers.
func NewFile(m *vgen.Module, a *axil.Access, list *registers.Map, apart bool) *File {
	return &File{axil.NewFile(m, a, list, pageBits, apart)}
}

// NoPort counts packets without a port.
func (f *File) NoPort(counts vgen.Signal) {
	count := f.Module.Reg("no_port_q", CounterBits, vgen.Reset(0))
	f.Module.Next(count, count.Add(counts.Zext(CounterBits)))
	f.Reads[registers.NoPort] = count
}

// CountPort is the number of the port whose counters the address names, modulo the address space: below the counters it
// is beyond all ports.
func (f *File) CountPort() vgen.Signal {
	stride := f.Addr.Slice(axil.AddressBits-1, 6)
	return stride.Sub(vgen.Const(stride.Width(), registers.Count/registers.CountStride)).Named("count_port")
}
