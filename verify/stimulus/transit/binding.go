package transit

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/csig"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
	"github.com/hdlpkg/hpccgen/verify/stimulus/random"
)

// Binding knows where each port of a csig_switch lies in the words of a layout.
type Binding struct {
	Layout *vgen.Layout

	bytes                int // of a beat
	portBits             int
	timeBits, qlenBits   int
	in                   inputSlots
	out                  outputSlots
	ingress, egress      field // of s_axis_tuser
	ingressNs, egressNs  field
	qlen                 field
	outEgress, outStatus field // of m_axis_tuser
}

// port is the name and width of a port.
type port struct {
	name string
	bits int
}

// userBits is the width of s_axis_tuser.
func userBits(c *config.CSIG) int { return 2*PortBits(c) + 2*c.TimeBits + c.QlenBits }

// PortBits is PB of docs/csig.md: with so many bits there is a port number that does not exist.
func PortBits(c *config.CSIG) int { return bits.Len(uint(c.Ports)) }

// inputs are the input ports but rst, outputs the output ports.
func inputs(c *config.CSIG) []port {
	return []port{
		{"s_axis_tvalid", 1}, {"s_axis_tdata", c.DataBits}, {"s_axis_tkeep", c.DataBits / 8}, {"s_axis_tlast", 1}, {"s_axis_tuser", userBits(c)},
		{"m_axis_tready", 1},
		{"s_axil_awaddr", 16}, {"s_axil_awprot", 3}, {"s_axil_awvalid", 1}, {"s_axil_wdata", 32}, {"s_axil_wstrb", 4}, {"s_axil_wvalid", 1}, {"s_axil_bready", 1},
		{"s_axil_araddr", 16}, {"s_axil_arprot", 3}, {"s_axil_arvalid", 1}, {"s_axil_rready", 1},
	}
}

func outputs(c *config.CSIG) []port {
	return []port{
		{"s_axis_tready", 1},
		{"m_axis_tvalid", 1}, {"m_axis_tdata", c.DataBits}, {"m_axis_tkeep", c.DataBits / 8}, {"m_axis_tlast", 1}, {"m_axis_tuser", PortBits(c) + 4},
		{"s_axil_awready", 1}, {"s_axil_wready", 1}, {"s_axil_bresp", 2}, {"s_axil_bvalid", 1},
		{"s_axil_arready", 1}, {"s_axil_rdata", 32}, {"s_axil_rresp", 2}, {"s_axil_rvalid", 1},
	}
}

// PortLayout is the layout of a csig_switch as docs/csig.md has it, in an order of its own and without taps.
func PortLayout(c *config.CSIG) *vgen.Layout {
	l := &vgen.Layout{}
	slots := func(ports []port, words *int) (list []vgen.Slot) {
		for _, p := range ports {
			n := (p.bits + 63) / 64
			list = append(list, vgen.Slot{Name: p.name, Width: p.bits, Offset: *words, Words: n})
			*words += n
		}
		return list
	}
	l.Inputs = slots(append([]port{{"rst", 1}}, inputs(c)...), &l.InWords)
	l.Outputs = slots(outputs(c), &l.OutWords)
	return l
}

type inputSlots struct {
	rst, valid, data, keep, last, user, mReady            vgen.Slot
	awAddr, awProt, awValid, wData, wStrb, wValid, bReady vgen.Slot
	arAddr, arProt, arValid, rReady                       vgen.Slot
}

type outputSlots struct {
	ready, valid, data, keep, last, user                          vgen.Slot
	awReady, wReady, bResp, bValid, arReady, rData, rResp, rValid vgen.Slot
}

// Bind finds the ports of docs/csig.md in a layout. The error lists every port that is missing, of another width, or
// unknown.
func Bind(c *config.CSIG, l *vgen.Layout) (*Binding, error) {
	b := &Binding{Layout: l, bytes: c.DataBits / 8, portBits: PortBits(c), timeBits: c.TimeBits, qlenBits: c.QlenBits}
	var faults []string
	find := func(side string, slots []vgen.Slot, ports []port) map[string]vgen.Slot {
		found := map[string]vgen.Slot{}
		for _, s := range slots {
			i := slices.IndexFunc(ports, func(p port) bool { return p.name == s.Name })
			switch {
			case i < 0:
				faults = append(faults, fmt.Sprintf("%s port %s is not one of the device's (docs/csig.md)", side, s.Name))
			case ports[i].bits != s.Width:
				faults = append(faults, fmt.Sprintf("%s port %s has %d bits; the configuration gives %d", side, s.Name, s.Width, ports[i].bits))
			}
			found[s.Name] = s
		}
		for _, p := range ports {
			if _, ok := found[p.name]; !ok {
				faults = append(faults, fmt.Sprintf("%s port %s (%d bits) is missing", side, p.name, p.bits))
			}
		}
		return found
	}
	in := find("input", l.Inputs, append([]port{{"rst", 1}}, inputs(c)...))
	out := find("output", l.Outputs, outputs(c))
	if len(faults) > 0 {
		return nil, errors.New(strings.Join(faults, "\n"))
	}
	b.in = inputSlots{
		rst: in["rst"], valid: in["s_axis_tvalid"], data: in["s_axis_tdata"], keep: in["s_axis_tkeep"], last: in["s_axis_tlast"], user: in["s_axis_tuser"],
		mReady: in["m_axis_tready"], awAddr: in["s_axil_awaddr"], awProt: in["s_axil_awprot"], awValid: in["s_axil_awvalid"],
		wData: in["s_axil_wdata"], wStrb: in["s_axil_wstrb"], wValid: in["s_axil_wvalid"], bReady: in["s_axil_bready"],
		arAddr: in["s_axil_araddr"], arProt: in["s_axil_arprot"], arValid: in["s_axil_arvalid"], rReady: in["s_axil_rready"],
	}
	b.out = outputSlots{
		ready: out["s_axis_tready"], valid: out["m_axis_tvalid"], data: out["m_axis_tdata"], keep: out["m_axis_tkeep"], last: out["m_axis_tlast"], user: out["m_axis_tuser"],
		awReady: out["s_axil_awready"], wReady: out["s_axil_wready"], bResp: out["s_axil_bresp"], bValid: out["s_axil_bvalid"],
		arReady: out["s_axil_arready"], rData: out["s_axil_rdata"], rResp: out["s_axil_rresp"], rValid: out["s_axil_rvalid"],
	}
	at := 0
	next := func(bits int) field {
		f := field{at, bits}
		at += bits
		return f
	}
	b.ingress, b.egress, b.ingressNs, b.egressNs, b.qlen = next(b.portBits), next(b.portBits), next(b.timeBits), next(b.timeBits), next(b.qlenBits)
	at = 0
	b.outEgress, b.outStatus = next(b.portBits), next(4)
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

func flag(words []uint64, s *vgen.Slot, v bool) {
	words[s.Offset] = 0
	if v {
		words[s.Offset] = 1
	}
}

func isSet(words []uint64, s *vgen.Slot) bool { return words[s.Offset] != 0 }

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

// PutInputs writes one cycle's inputs to words, Layout.InWords of them. tkeep of a beat that is not a packet's last means nothing:
// often some of its bits are 0. So does what awprot and arprot say.
func (b *Binding) PutInputs(words []uint64, in *csig.Inputs) {
	s := &b.in
	flag(words, &s.rst, in.Rst)
	flag(words, &s.valid, in.Valid)
	flag(words, &s.last, in.Beat.Last)
	data := of(words, &s.data)
	putBytes(data, in.Beat.Data[:b.bytes])
	keep := random.Mask(in.Beat.Len)
	if noise := (data[0] ^ bits.RotateLeft64(data[len(data)-1], 29)) * 0x9e3779b97f4a7c15; !in.Beat.Last && noise>>62 != 0 {
		keep = (noise ^ noise>>29) & random.Mask(b.bytes)
	}
	words[s.keep.Offset] = keep
	user := of(words, &s.user)
	clear(user)
	b.ingress.put(user, uint64(in.Meta.IngressPort))
	b.egress.put(user, uint64(in.Meta.EgressPort))
	b.ingressNs.put(user, in.Meta.IngressNs)
	b.egressNs.put(user, in.Meta.EgressNs)
	b.qlen.put(user, in.Meta.QlenBytes)
	flag(words, &s.mReady, in.MReady)
	u := &in.Bus
	words[s.awAddr.Offset], words[s.awProt.Offset] = uint64(u.AWAddr), uint64(u.AWAddr>>2&7)
	words[s.wData.Offset], words[s.wStrb.Offset] = uint64(u.WData), uint64(u.WStrb&15)
	words[s.arAddr.Offset], words[s.arProt.Offset] = uint64(u.ARAddr), uint64(u.ARAddr>>3&7)
	flag(words, &s.awValid, u.AWValid)
	flag(words, &s.wValid, u.WValid)
	flag(words, &s.bReady, u.BReady)
	flag(words, &s.arValid, u.ARValid)
	flag(words, &s.rReady, u.RReady)
}

// Inputs reads one cycle's inputs back from words.
func (b *Binding) Inputs(words []uint64, in *csig.Inputs) {
	s := &b.in
	in.Rst, in.Valid, in.Beat.Last = isSet(words, &s.rst), isSet(words, &s.valid), isSet(words, &s.last)
	getBytes(of(words, &s.data), in.Beat.Data[:b.bytes])
	in.Beat.Len = b.bytes
	if in.Beat.Last {
		in.Beat.Len = bits.Len64(words[s.keep.Offset])
	}
	user := of(words, &s.user)
	in.Meta = csig.Meta{
		IngressPort: int(b.ingress.get(user)), EgressPort: int(b.egress.get(user)),
		IngressNs: b.ingressNs.get(user), EgressNs: b.egressNs.get(user), QlenBytes: b.qlen.get(user),
	}
	in.MReady = isSet(words, &s.mReady)
	in.Bus = csig.BusInputs{
		AWValid: isSet(words, &s.awValid), WValid: isSet(words, &s.wValid), BReady: isSet(words, &s.bReady),
		ARValid: isSet(words, &s.arValid), RReady: isSet(words, &s.rReady),
		AWAddr: uint16(words[s.awAddr.Offset]), ARAddr: uint16(words[s.arAddr.Offset]),
		WData: uint32(words[s.wData.Offset]), WStrb: uint8(words[s.wStrb.Offset]),
	}
}

// slvErr is the response to an access that was refused.
const slvErr = 2

// PutOutputs writes one cycle's outputs to words. The payload of a stream whose valid is low is left alone.
func (b *Binding) PutOutputs(words []uint64, out *csig.Outputs) {
	s := &b.out
	flag(words, &s.ready, out.Ready)
	flag(words, &s.valid, out.Valid)
	if out.Valid {
		putBytes(of(words, &s.data), out.Beat.Data[:b.bytes])
		words[s.keep.Offset] = random.Mask(out.Beat.Len)
		flag(words, &s.last, out.Beat.Last)
		user := of(words, &s.user)
		clear(user)
		b.outEgress.put(user, uint64(out.EgressPort))
		b.outStatus.put(user, uint64(out.Status))
	}
	u := &out.Bus
	flag(words, &s.awReady, u.AWReady)
	flag(words, &s.wReady, u.WReady)
	flag(words, &s.bValid, u.BValid)
	flag(words, &s.arReady, u.ARReady)
	flag(words, &s.rValid, u.RValid)
	words[s.bResp.Offset], words[s.rResp.Offset] = 0, 0
	if u.BError {
		words[s.bResp.Offset] = slvErr
	}
	if u.RError {
		words[s.rResp.Offset] = slvErr
	}
	words[s.rData.Offset] = uint64(u.RData)
}

// Stream groups output ports that are judged together.
type Stream struct {
	Valid      int   // word of the valid port in a record; negative: the ports always mean something
	Ports      []int // indices into Layout.Outputs
	Data, Keep int   // likewise, of bytes and of what tells which of them mean something; negative: none
}

// OutputStreams lists the output ports by what their meaning depends on: first those that mean something in every cycle.
func (b *Binding) OutputStreams() []Stream {
	groups := []Stream{
		{Valid: -1, Data: -1, Keep: -1}, {Valid: b.out.valid.Offset, Data: -1, Keep: -1},
		{Valid: b.out.bValid.Offset, Data: -1, Keep: -1}, {Valid: b.out.rValid.Offset, Data: -1, Keep: -1},
	}
	for i, s := range b.Layout.Outputs {
		switch s.Name {
		case "m_axis_tdata":
			groups[1].Data = i
		case "m_axis_tkeep":
			groups[1].Keep = i
			fallthrough
		case "m_axis_tlast", "m_axis_tuser":
			groups[1].Ports = append(groups[1].Ports, i)
		case "s_axil_bresp":
			groups[2].Ports = append(groups[2].Ports, i)
		case "s_axil_rdata", "s_axil_rresp":
			groups[3].Ports = append(groups[3].Ports, i)
		default:
			groups[0].Ports = append(groups[0].Ports, i)
		}
	}
	return groups
}
