package lib

import "github.com/hdlpkg/hpccgen/rtlgen/vgen"

// SlicePorts are the ports of a register slice for a payload of one word.
type SlicePorts struct {
	InValid  vgen.Signal `port:"s_valid" dir:"in" width:"1" role:"valid" doc:"a word is offered"`
	InReady  vgen.Signal `port:"s_ready" dir:"out" width:"1" role:"ready" doc:"ready for the word offered (registered)"`
	InData   vgen.Signal `port:"s_data" dir:"in" width:"w" doc:"word offered"`
	OutValid vgen.Signal `port:"m_valid" dir:"out" width:"1" role:"valid" doc:"a word is held (registered)"`
	OutReady vgen.Signal `port:"m_ready" dir:"in" width:"1" role:"ready" doc:"the word held is taken"`
	OutData  vgen.Signal `port:"m_data" dir:"out" width:"w" doc:"word held, stable until taken"`
}

// SkidBuffer is a register slice for full throughput: two words deep, with valid and ready both
// registers, so that no path runs through it.
func SkidBuffer(width int) *vgen.Module {
	m, p := newSlice("skid_buffer", "two words deep: full throughput, no combinational path through it", 1, width)

	ready := m.State("ready_q", 1)
	valid := m.State("valid_q", 1)
	spare := m.State("spare_valid_q", 1)

	accept := p.InValid.And(ready).Named("accept")
	advance := valid.Not().Or(p.OutReady).Named("advance") // the output register can take a word
	m.Next(valid, vgen.Mux(advance, spare.Or(accept), valid))
	nextSpare := vgen.Mux(advance, spare.And(accept), spare.Or(accept)).Named("next_spare")
	m.Next(spare, nextSpare)
	m.Next(ready, nextSpare.Not())

	spareData := m.RegNext("spare_q", p.InData, vgen.Enable(accept))
	load := advance.And(spare.Or(accept))
	data := m.RegNext("data_q", vgen.Mux(spare, spareData, p.InData), vgen.Enable(load))

	m.Assign(p.InReady, ready)
	m.Assign(p.OutValid, valid)
	m.Assign(p.OutData, data)
	return m
}

// HoldBuffer is a register slice one word deep: half the registers of a skid buffer, a word every
// other cycle.
func HoldBuffer(width int) *vgen.Module {
	m, p := newSlice("hold_buffer", "one word deep: a word every other cycle", 2, width)

	ready := m.State("ready_q", 1)
	valid := m.State("valid_q", 1)
	accept := p.InValid.And(ready).Named("accept")
	next := vgen.Mux(valid, p.OutReady.Not(), accept).Named("next_valid")
	m.Next(valid, next)
	m.Next(ready, next.Not())

	m.Assign(p.InReady, ready)
	m.Assign(p.OutValid, valid)
	m.Assign(p.OutData, m.RegNext("data_q", p.InData, vgen.Enable(accept)))
	return m
}

// newSlice starts a register slice.
func newSlice(name, purpose string, interval, width int) (*vgen.Module, *SlicePorts) {
	m := vgen.NewModule(name, "Register slice, "+purpose)
	bits := m.Parameter("WIDTH", width, 1, "bits of a word")
	m.SetTiming(1, interval)
	p := vgen.Ports[SlicePorts](m, vgen.Widths{"w": width})
	p.InData.Sized(bits)
	p.OutData.Sized(bits)
	return m, p
}
