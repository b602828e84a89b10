package block

import "github.com/hdlpkg/hpccgen/rtlgen/vgen"

// FoldedCycles is the minimum number of cycles a packet in a folded pipeline (docs/csig.md, Folding).
const FoldedCycles = 8

// spacedStart decides when a packet's stages begin, and when its length may count: no earlier than FoldedCycles - 1
// cycles after its first beat, so that starts are FoldedCycles apart. It drives m_open, which holds back the next
// packet.
func spacedStart(m *vgen.Module, p *HeaderPorts, inPacket, first, complete vgen.Signal) (starts, ends vgen.Signal) {
	m.Section("Start of a packet")
	const width = 3
	since := m.Reg("cycles_since_first", width, vgen.Reset(FoldedCycles-1), vgen.Control())
	long := since.AllBits().Named("first_long_ago")
	m.Next(since, vgen.Mux(first, vgen.Const(width, 1), vgen.Mux(long, since, since.Add(vgen.Const(width, 1)))))
	over := m.RegNext("cycles_over", long.And(first.Not()), vgen.Reset(1), vgen.Control())
	m.Assign(p.Open, inPacket.Or(over))

	waits := m.State("header_waits", 1)
	starts = long.And(complete.And(first.Not()).Or(waits)).Named("starts")
	m.Next(waits, complete.Or(waits).And(starts.Not()))
	started := m.State("started", 1)
	going := starts.Or(started.And(first.Not())).Named("going")
	m.Next(started, going)
	endWaits := m.State("end_waits", 1)
	ended := p.Valid.And(p.Last).Or(endWaits).Named("ended")
	ends = ended.And(going).Named("ends")
	m.Next(endWaits, ended.And(going.Not()))
	return starts, ends
}
