package transit

import (
	"math/bits"

	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// pacePorts are the ports of the block that paces.
type pacePorts struct {
	Accept   vgen.Signal `port:"s_accept" dir:"in" width:"1" doc:"a beat is accepted"`
	Credit   vgen.Signal `port:"s_credit" dir:"out" width:"1" doc:"one more can wait (registered)"`
	Some     vgen.Signal `port:"beat_some" dir:"in" width:"1" doc:"a beat waits"`
	Last     vgen.Signal `port:"beat_last" dir:"in" width:"1" doc:"it is the last one of its packet"`
	Decided  vgen.Signal `port:"decision_some" dir:"in" width:"1" doc:"a decision waits"`
	Take     vgen.Signal `port:"m_take" dir:"out" width:"1" doc:"the beat is taken"`
	First    vgen.Signal `port:"m_take_first" dir:"out" width:"1" doc:"with the decision, as it is a packet's first"`
	Absorbed vgen.Signal `port:"m_absorbed" dir:"in" width:"1" doc:"a beat at the input will be removed"`
	Sent     vgen.Signal `port:"m_sent" dir:"in" width:"1" doc:"a beat has left"`
}

// RoomBeats is how many beats can be on their way from where they wait to where they leave. A beat makes room again
// after 9 cycles, so that this many hold nothing up.
const RoomBeats = 16

// toldAfter is how many cycles later what has been taken, and what has gone, is counted.
const toldAfter = 1

// pace takes a beat a cycle from where they wait, as long as there is room for it where they leave, so that the editor
// between them never stops (docs/csig.md, Cycles of a packet). credits is how many beats can wait.
func pace(name string, credits int) *vgen.Module {
	m := vgen.NewModule(name,
		"Accepts beats for the editor: the first of a packet with its decision, and none without room for it at the output")
	m.SetTiming(1, 1)
	p := vgen.Ports[pacePorts](m, vgen.Widths{})
	inPacket := m.State("in_packet", 1) // the next beat is not a packet's first
	waiting := m.State("waiting_q", bits.Len(uint(credits)))
	inside := m.State("on_way", bits.Len(uint(RoomBeats)))

	take := And(p.Some, inPacket.Or(p.Decided), inside.Top().Not()).Named("take")
	m.Assign(p.Take, take)
	m.Assign(p.First, And(p.Some, p.Decided, inPacket.Not(), inside.Top().Not()))
	m.Next(inPacket, vgen.Mux(take, p.Last.Not(), inPacket))

	told := func(name string, s vgen.Signal) vgen.Signal {
		return m.Delay(name, s, toldAfter, vgen.Reset(0), vgen.Control())
	}
	// What has been taken counts later.
	m.Next(waiting, lib.AddCarry("next_waiting", waiting, told("taken", take).Repeat(waiting.Width()), p.Accept))
	m.Assign(p.Credit, waiting.Top().Not())
	// What has gone counts later, too: 0, or one or two less, as bits of -1 and -2.
	absorbed, sent := told("absorbed", p.Absorbed), told("sent", p.Sent)
	less := vgen.Cat(absorbed.Or(sent).Repeat(inside.Width()-1), absorbed.Xor(sent)).Named("gone")
	m.Next(inside, lib.AddCarry("next_on_way", inside, less, take))
	return m
}
