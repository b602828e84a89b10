package csig

import (
	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// packetPath is the part of csig_switch that packets go through: beats wait for what is decided, and then pass the editor.
type packetPath struct {
	c       *config.CSIG
	m       *vgen.Module
	credits int
	ports   *Ports
	open    vgen.Signal // beats may be accepted
	closed  vgen.Signal // they may not, where nothing stops

	accept           vgen.Signal // to be driven: a beat is accepted
	accepted, stored vgen.Signal // a cycle later: valid, and the beat
	decided          vgen.Signal
	decision         decision
}

// stop builds it with an editor that stops when the output does.
func (h *packetPath) stop() {
	m := h.m
	var word beat
	word.Data, word.Keep, word.Last = h.ports.In.Payload.Data, h.ports.In.Payload.Keep, h.ports.In.Payload.Last
	fifo := vgen.Instantiate[lib.CreditFIFOPorts](m, "u_beats", lib.CreditFIFO("csig_beats", h.credits, h.stored.Width()))
	m.Assign(h.accept, and(h.ports.In.Valid, h.open, fifo.Credit))
	m.Assign(h.ports.In.Ready, h.open.And(fifo.Credit))
	m.Assign(fifo.Take, h.accept)
	m.Assign(fifo.Push, h.accepted)
	m.Assign(fifo.Data, h.stored)
	vgen.Split(vgen.Leaves(&word), fifo.OutData)

	verdict := h.decision
	made := vgen.Pack(&h.decision)
	decided := vgen.Instantiate[lib.CreditFIFOPorts](m, "u_decisions", lib.CreditFIFO("csig_decisions", h.credits, made.Width()))
	m.Assign(decided.Push, h.decided)
	m.Assign(decided.Take, h.decided)
	m.Assign(decided.Data, made)
	m.Ignore(decided.Credit, "a packet has a decision only while it has beats in the other FIFO")
	vgen.Split(vgen.Leaves(&verdict), decided.OutData)

	editor := vgen.Instantiate[editorPorts](m, "u_editor", editorBlock(h.c))
	m.Assign(editor.BeatValid, fifo.OutValid)
	m.Assign(fifo.OutReady, editor.BeatReady)
	vgen.Connect(m, &editor.Beat, &word)
	m.Assign(editor.DecisionValid, decided.OutValid)
	m.Assign(decided.OutReady, editor.DecisionReady)
	vgen.Connect(m, &editor.Decision, &verdict)
	m.Assign(h.ports.Out.Valid, editor.OutValid)
	m.Assign(editor.OutReady, h.ports.Out.Ready)
	vgen.Connect(m, &h.ports.Out.Payload, &editor.Out)
}

// flow builds it with an editor that never stops: a beat is taken when there is room for it at the output, behind which a FIFO waits for who
// is to take them. So nothing that the output decides reaches the registers of a beat, but the last ones.
func (h *packetPath) flow() {
	m := h.m
	word := beat{h.ports.In.Payload.Data, h.ports.In.Payload.Keep, h.ports.In.Payload.Last}
	vgen.Split(vgen.Leaves(&word), h.stored)
	waiting := vgen.Cat(word.Last, word.Keep, word.Data)
	pace := vgen.Instantiate[pacePorts](m, "u_pace", paceBlock(h.credits))
	beats := vgen.Instantiate[lib.StorePorts](m, "u_beats", lib.Store("csig_beats", h.credits, waiting.Width(), 1))
	m.Assign(h.accept, and(h.ports.In.Valid, h.closed.Not(), pace.Credit))
	m.Assign(h.ports.In.Ready, h.open.And(pace.Credit))
	m.Assign(pace.Accept, h.accept)
	m.Assign(beats.Push, h.accepted)
	m.Assign(beats.Data, waiting)
	m.Assign(pace.Some, beats.Some)
	m.Assign(pace.Last, beats.Top)
	m.Assign(beats.Take, pace.Take)

	made := vgen.Pack(&h.decision)
	decisions := vgen.Instantiate[lib.StorePorts](m, "u_decisions", lib.Store("csig_decisions", h.credits, made.Width(), 0))
	m.Assign(decisions.Push, h.decided)
	m.Assign(decisions.Data, made)
	m.Assign(pace.Decided, decisions.Some)
	m.Assign(decisions.Take, pace.First)

	editor := vgen.Instantiate[editorPorts](m, "u_editor", editorBlock(h.c))
	m.Assign(editor.BeatValid, m.Delay("taken", pace.Take, 2, vgen.Reset(0), vgen.Control()))
	m.Assign(editor.First, m.Delay("taken_first", pace.First, 2, vgen.Reset(0), vgen.Control()))
	next, verdict := word, h.decision
	vgen.Split([]*vgen.Signal{&next.Last, &next.Keep, &next.Data}, beats.Out)
	vgen.Split(vgen.Leaves(&verdict), decisions.Out)
	vgen.Connect(m, &editor.Beat, &next)
	vgen.Connect(m, &editor.Decision, &verdict)
	m.Assign(pace.Absorbed, editor.Absorbed)

	edited := vgen.Pack(&editor.Out)
	out := vgen.Instantiate[lib.QueuePorts](m, "u_out", lib.Queue("csig_out", roomBeats, edited.Width()))
	m.Assign(out.Push, editor.OutValid)
	m.Assign(out.Data, edited)
	m.Assign(out.OutReady, h.ports.Out.Ready)
	m.Assign(h.ports.Out.Valid, out.OutValid)
	m.Assign(pace.Sent, out.OutValid.And(h.ports.Out.Ready))
	left := editor.Out
	vgen.Split(vgen.Leaves(&left), out.OutData)
	vgen.Connect(m, &h.ports.Out.Payload, &left)
}
