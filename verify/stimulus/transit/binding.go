package transit

import (
	"encoding/binary"
	"math/bits"
	"strings"

	model "github.com/hdlpkg/hpccgen/model/transit"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
	"github.com/hdlpkg/hpccgen/verify/bind"
	"github.com/hdlpkg/hpccgen/verify/stimulus/random"
)

// Sizes are the parameters of a packet pipeline's ports.
type Sizes struct{ Ports, DataBits, TimeBits, QlenBits int }

// PortBits is PB of docs/csig.md: with so many bits there is a port number that does not exist.
func (s Sizes) PortBits() int { return bits.Len(uint(s.Ports)) }

// Width is the number of bytes of a beat.
func (s Sizes) Width() int { return s.DataBits / 8 }

// statusBits is the width of a status in m_axis_tuser.
const statusBits = 4

// Table is the ports of docs/csig.md.
func (s Sizes) Table() *bind.Table {
	p, keep, user := bind.At, s.Width(), 2*s.PortBits()+2*s.TimeBits+s.QlenBits
	return &bind.Table{
		Owner: "the device", Doc: "docs/csig.md",
		Inputs: append([]bind.Port{
			p("rst", 1),
			p("s_axis_tvalid", 1), p("s_axis_tdata", s.DataBits), p("s_axis_tkeep", keep), p("s_axis_tlast", 1),
			p("s_axis_tuser", user),
			p("m_axis_tready", 1),
		}, bind.AXILInputs()...),
		Outputs: append([]bind.Port{
			p("s_axis_tready", 1),
			p("m_axis_tvalid", 1), p("m_axis_tdata", s.DataBits), p("m_axis_tkeep", keep), p("m_axis_tlast", 1),
			p("m_axis_tuser", s.PortBits()+statusBits),
		}, bind.AXILOutputs()...),
	}
}

// Binding connects the model's ports with those of a layout.
type Binding struct {
	Layout *vgen.Layout
	// Noise gives tkeep, in beats that are not a packet's last, any value: it means nothing there. Without it, it is all
	// ones.
	Noise bool

	bytes   int // of a beat
	in      *bind.Record[model.Inputs]
	out     *bind.Record[model.Outputs]
	s, m    axis
	awProt  int // words
	arProt  int
	bResp   int
	rResp   int
	meta    []field // of s_axis_tuser: ports, times, queue
	egress  field   // of m_axis_tuser
	decided field
}

// axis is where the wide ports of a packet stream are.
type axis struct{ data, keep, user vgen.Slot }

func axisOf(slots []vgen.Slot, stream string) axis {
	find := func(name string) vgen.Slot { return bind.Find(slots, stream+"_axis_t"+name) }
	return axis{find("data"), find("keep"), find("user")}
}

// Bind finds the ports in a layout. The error lists every port that is missing, of another width, or unknown.
func Bind(s Sizes, l *vgen.Layout) (*Binding, error) {
	if err := s.Table().Check(l); err != nil {
		return nil, err
	}
	name := func(of, in string) func(path string) string {
		return func(path string) string {
			if p, ok := strings.CutPrefix(path, "bus_"); ok {
				return "s_axil_" + strings.ReplaceAll(p, "_", "")
			}
			switch path {
			case "valid", "beat_last":
				return of + "_axis_t" + strings.TrimPrefix(path, "beat_")
			case "ready", "m_ready":
				return in + "_axis_tready"
			}
			return path
		}
	}
	b := &Binding{
		Layout: l, bytes: s.Width(),
		in:  bind.New[model.Inputs](l.Inputs, false, name("s", "m")),
		out: bind.New[model.Outputs](l.Outputs, true, name("m", "s")),
		s:   axisOf(l.Inputs, "s"), m: axisOf(l.Outputs, "m"),
		awProt: bind.Find(l.Inputs, "s_axil_awprot").Offset, arProt: bind.Find(l.Inputs, "s_axil_arprot").Offset,
		bResp: bind.Find(l.Outputs, "s_axil_bresp").Offset, rResp: bind.Find(l.Outputs, "s_axil_rresp").Offset,
	}
	at := 0
	for _, n := range []int{s.PortBits(), s.PortBits(), s.TimeBits, s.TimeBits, s.QlenBits} {
		b.meta = append(b.meta, field{at, n})
		at += n
	}
	b.egress, b.decided = field{0, s.PortBits()}, field{s.PortBits(), statusBits}
	return b, nil
}

// field is a part of a wide port.
type field struct{ low, bits int }

func (f field) put(words []uint64, v uint64) {
	v &= random.Mask(f.bits)
	w, shift := f.low/64, f.low%64
	words[w] |= v << shift
	if shift+f.bits > 64 {
		words[w+1] |= v >> (64 - shift)
	}
}

func (f field) get(words []uint64) uint64 {
	w, shift := f.low/64, f.low%64
	v := words[w] >> shift
	if shift+f.bits > 64 {
		v |= words[w+1] << (64 - shift)
	}
	return v & random.Mask(f.bits)
}

func of(words []uint64, s *vgen.Slot) []uint64 { return words[s.Offset : s.Offset+s.Words] }

func putBytes(words []uint64, data []byte) {
	for i := range len(data) / 8 {
		words[i] = binary.LittleEndian.Uint64(data[8*i:])
	}
}

func getBytes(words []uint64, data []byte) {
	for i := range len(data) / 8 {
		binary.LittleEndian.PutUint64(data[8*i:], words[i])
	}
}

// PutInputs writes one cycle's inputs to words, Layout.InWords of them. What awprot and arprot say means nothing.
func (b *Binding) PutInputs(words []uint64, in *model.Inputs) {
	b.in.Put(words, in)
	data := of(words, &b.s.data)
	putBytes(data, in.Beat.Data[:b.bytes])
	keep := random.Mask(in.Beat.Len)
	if b.Noise && !in.Beat.Last {
		if noise := (data[0] ^ bits.RotateLeft64(data[len(data)-1], 29)) * 0x9e3779b97f4a7c15; noise>>62 != 0 {
			keep = (noise ^ noise>>29) & random.Mask(b.bytes)
		}
	}
	words[b.s.keep.Offset] = keep
	user, m := of(words, &b.s.user), &in.Meta
	clear(user)
	for i, v := range [...]uint64{uint64(m.IngressPort), uint64(m.EgressPort), m.IngressNs, m.EgressNs, m.QlenBytes} {
		b.meta[i].put(user, v)
	}
	words[b.awProt], words[b.arProt] = uint64(in.Bus.AWAddr>>2&7), uint64(in.Bus.ARAddr>>3&7)
}

// slvErr is the response to an access that was refused.
const slvErr = 2

// PutOutputs writes one cycle's outputs to words. The payload of a stream whose valid is low is left alone.
func (b *Binding) PutOutputs(words []uint64, out *model.Outputs) {
	b.out.Put(words, out)
	if out.Valid {
		putBytes(of(words, &b.m.data), out.Beat.Data[:b.bytes])
		words[b.m.keep.Offset] = random.Mask(out.Beat.Len)
		user := of(words, &b.m.user)
		clear(user)
		b.egress.put(user, uint64(out.EgressPort))
		b.decided.put(user, uint64(out.Status))
	}
	words[b.bResp], words[b.rResp] = 0, 0
	if out.Bus.BError {
		words[b.bResp] = slvErr
	}
	if out.Bus.RError {
		words[b.rResp] = slvErr
	}
}

// Outputs reads one cycle's outputs, but for what stands in the place of a beat that does not come.
func (b *Binding) Outputs(words []uint64, out *model.Outputs) {
	b.out.Get(words, out)
	out.Bus.BError, out.Bus.RError = words[b.bResp] != 0, words[b.rResp] != 0
	if !out.Valid {
		return
	}
	getBytes(of(words, &b.m.data), out.Beat.Data[:b.bytes])
	out.Beat.Len = b.bytes
	if out.Beat.Last {
		out.Beat.Len = bits.Len64(b.Keep(words))
	}
	user := of(words, &b.m.user)
	out.EgressPort, out.Status = int(b.egress.get(user)), uint8(b.decided.get(user))
}

// Keep is m_axis_tkeep of a cycle.
func (b *Binding) Keep(words []uint64) uint64 { return words[b.m.keep.Offset] }
