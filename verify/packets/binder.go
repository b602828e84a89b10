package packets

import (
	"fmt"
	"math/bits"

	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// axis is an AXI4-Stream in the records of an engine.
type axis struct {
	valid, ready, data, keep, last, user vgen.Slot
}

// streams are the packet streams of a design.
type streams struct{ in, out axis }

// bus is the AXI4-Lite interface in the records of an engine.
type bus struct {
	awaddr, awvalid, wdata, wstrb, wvalid, bready, araddr, arvalid, rready vgen.Slot // inputs
	awready, wready, bresp, bvalid, arready, rdata, rresp, rvalid          vgen.Slot // outputs
}

// binder finds ports by name; err is the first that is missing.
type binder struct {
	layout *vgen.Layout
	err    error
}

func newBinder(l *vgen.Layout) *binder { return &binder{layout: l} }

func (b *binder) find(list []vgen.Slot, direction, name string) vgen.Slot {
	for _, s := range list {
		if s.Name == name {
			return s
		}
	}
	if b.err == nil {
		b.err = fmt.Errorf("the design has no %s port %s", direction, name)
	}
	return vgen.Slot{Width: 1, Words: 1}
}

func (b *binder) in(name string) vgen.Slot  { return b.find(b.layout.Inputs, "input", name) }
func (b *binder) out(name string) vgen.Slot { return b.find(b.layout.Outputs, "output", name) }

func (b *binder) streams() streams {
	return streams{
		in: axis{
			valid: b.in("s_axis_tvalid"), ready: b.out("s_axis_tready"), data: b.in("s_axis_tdata"),
			keep: b.in("s_axis_tkeep"), last: b.in("s_axis_tlast"), user: b.in("s_axis_tuser"),
		},
		out: axis{
			valid: b.out("m_axis_tvalid"), ready: b.in("m_axis_tready"), data: b.out("m_axis_tdata"),
			keep: b.out("m_axis_tkeep"), last: b.out("m_axis_tlast"), user: b.out("m_axis_tuser"),
		},
	}
}

func (b *binder) bus() bus {
	in := func(name string) vgen.Slot { return b.in("s_axil_" + name) }
	out := func(name string) vgen.Slot { return b.out("s_axil_" + name) }
	return bus{
		awaddr: in("awaddr"), awvalid: in("awvalid"), wdata: in("wdata"), wstrb: in("wstrb"), wvalid: in("wvalid"), bready: in("bready"),
		araddr: in("araddr"), arvalid: in("arvalid"), rready: in("rready"),
		awready: out("awready"), wready: out("wready"), bresp: out("bresp"), bvalid: out("bvalid"),
		arready: out("arready"), rdata: out("rdata"), rresp: out("rresp"), rvalid: out("rvalid"),
	}
}

// portBits is the width of a port number in tuser: so many that there is always a number without a port.
func portBits(ports int) int { return bits.Len(uint(ports)) }

// putBits stores the low width bits of v at a bit offset of words.
func putBits(words []uint64, at, width int, v uint64) {
	if width < 64 {
		v &= 1<<width - 1
	}
	words[at/64] |= v << (at % 64)
	if at%64+width > 64 {
		words[at/64+1] |= v >> (64 - at%64)
	}
}

// getBits reads width bits, at most 64, from a bit offset of words.
func getBits(words []uint64, at, width int) uint64 {
	v := words[at/64] >> (at % 64)
	if at%64+width > 64 {
		v |= words[at/64+1] << (64 - at%64)
	}
	if width < 64 {
		v &= 1<<width - 1
	}
	return v
}
