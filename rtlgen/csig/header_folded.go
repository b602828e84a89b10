package csig

import "github.com/hdlpkg/hpccgen/rtlgen/vgen"

// foldedCycles is how many cycles a packet takes at least with a folded pipeline (docs/csig.md, Folding).
const foldedCycles = 8

// foldedStart tells when a packet's stages begin, and when its length may count: not before foldedCycles - 1 cycles after its first beat, so that
// starts are foldedCycles apart. It drives m_open, which holds back the packet behind.
func foldedStart(m *vgen.Module, p *headerPorts, inPacket, first, complete vgen.Signal) (starts, ends vgen.Signal) {
	m.Section("start of a packet")
	const width = 3
	since := m.Reg("cycles_since_first", width, vgen.Reset(foldedCycles-1), vgen.Control())
	long := since.AllBits().Named("first_long_ago")
	m.Next(since, vgen.Mux(first, vgen.Const(width, 1), vgen.Mux(long, since, since.Add(vgen.Const(width, 1)))))
	over := m.RegNext("cycles_over", long.And(first.Not()), vgen.Reset(1), vgen.Control())
	m.Assign(p.Open, inPacket.Or(over))

	waits := state(m, "header_waits")
	starts = long.And(complete.And(first.Not()).Or(waits)).Named("starts")
	m.Next(waits, complete.Or(waits).And(starts.Not()))
	started := state(m, "started")
	going := starts.Or(started.And(first.Not())).Named("going")
	m.Next(started, going)
	endWaits := state(m, "end_waits")
	ended := p.Valid.And(p.Last).Or(endWaits).Named("ended")
	ends = ended.And(going).Named("ends")
	m.Next(endWaits, ended.And(going.Not()))
	return starts, ends
}
