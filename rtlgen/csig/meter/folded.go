package meter

import (
	"github.com/hdlpkg/hpccgen/rtlgen/csig/block"
	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// FoldedPorts are the ports of csig_meter of a folded pipeline with method raw. Operations that advance are
// FoldedCycles apart; one that counts comes with the one that advances for its packet or later, and as far before the
// next.
type FoldedPorts struct {
	Advance vgen.Signal `port:"s_advance" dir:"in" width:"1" role:"valid" doc:"the meter of s_port advances to s_now: stage 0"`
	Count   vgen.Signal `port:"s_count" dir:"in" width:"1" role:"valid" doc:"s_bytes are counted"`
	Port    vgen.Signal `port:"s_port" dir:"in" width:"index" doc:"egress port, one that exists; with s_advance"`
	Now     vgen.Signal `port:"s_now" dir:"in" width:"time" doc:"egress time, ns; likewise"`
	Bytes   vgen.Signal `port:"s_bytes" dir:"in" width:"length" doc:"bytes of the packet on the wire; kept until the next operation that counts"`
	Window  vgen.Signal `port:"window" dir:"in" width:"window" doc:"delta_t, ns, up to 10^9, in stages 2 and 3"`
	Clear   vgen.Signal `port:"clear" dir:"in" width:"1" doc:"all meters restart, with this cycle's operation"`
	Value   vgen.Signal `port:"m_value" dir:"out" width:"measured" doc:"estimate of the port's meter, held until the next; without this packet"`
}

// foldedLatency is the stage of m_value.
const foldedLatency = 5

// Folded builds csig_meter of a folded pipeline: the bytes of the last whole window (docs/csig.md, Meters), with the
// state of each port in two words of a memory.
func Folded(name string, c *block.Shape) *vgen.Module {
	m := vgen.NewModule(name, "Bytes that each port has sent in its last whole window")
	m.Doc(
		"Stage 0: the start of the window is read. 1: time since the start; the bytes are read. 2: less a window, and in stage 3 less another.",
		"4: the window continues, ends, or restarts: its start is written, and in stage 5 the bytes. A packet counts from stage 6 on: its",
		"port's bytes are read, and written one cycle later.")
	m.SetTiming(foldedLatency, block.FoldedCycles)
	p := vgen.Ports[FoldedPorts](m, vgen.Widths{
		"index": c.IndexBits(), "time": c.TimeBits, "length": block.LengthBits, "measured": c.MeasuredBits(),
		"window": block.WindowBits,
	})
	pipe := lib.NewPipe(m)
	advance := pipe.Value("advance", 0, p.Advance)
	at := func(stage int) vgen.Signal { return pipe.At(advance, stage, vgen.Reset(0), vgen.Control()) }

	port := m.RegNext("port_q", p.Port, vgen.Enable(p.Advance))
	now := m.RegNext("now_q", p.Now, vgen.Enable(p.Advance))

	// Which ports have been seen: in stage 1, where the operation's section is known.
	aging := ages(m, p.Advance, p.Now, p.Clear)
	fresh, before := seenPorts(m, c.Ports, aging, at(1), port)
	one := func(name string, flags vgen.Signal) vgen.Signal {
		return lib.Flag(flags, port, flags.Top()).Named(name)
	}
	unseen := m.RegNext("unseen_q", aging.unseen(one("port_seen", fresh), one("port_seen_before", before)),
		vgen.Enable(at(1)))

	// A packet counts when its advance has ended.
	m.Section("Memory")
	waits := m.State("count_waits", 1)
	advances := or(at(0), at(1), at(2), at(3), at(4), at(5)).Named("advances")
	count := p.Count.Or(waits).And(advances.Not()).Named("count")
	m.Next(waits, p.Count.Or(waits).And(count.Not()))
	adds := m.StateNext("adds", count)

	w := c.ByteBits + 1
	mem := m.Memory("port_state", 2<<c.IndexBits(), max(c.TimeBits, 2*w),
		"of each port the start of its window, then the bytes of the last window and of this one, each with a saturation bit").NoCollision()
	word := mem.Read("word", vgen.Mux(p.Advance, vgen.Cat(p.Port, vgen.Const(1, 0)),
		vgen.Cat(port, vgen.Const(1, 1))).Named("read_at"))
	start := word.Trunc(c.TimeBits)

	m.Section("Start of the window")
	since := m.RegNext("since_start", now.Sub(start))                                          // in stage 2
	beyond := m.RegNext("since_end", since.Sub(p.Window.Zext(c.TimeBits)), vgen.Enable(at(2))) // in stage 3
	back := m.RegNext("back", since.Top(), vgen.Enable(at(2)))                                 // in stage 3
	again := beyond.Sub(p.Window.Zext(c.TimeBits)).Named("since_next_end")                     // of stage 3
	anew := m.RegNext("anew", unseen.Or(back.Or(again.Top()).Not()), vgen.Enable(at(3)))       // in stage 4
	ends := m.RegNext("ends", or(unseen, back, beyond.Top(), again.Top().Not()).Not(), vgen.Enable(at(3)))
	following := now.Sub(beyond.And(anew.Not().Repeat(c.TimeBits))).Named("start_next")

	m.Section("Bytes of the windows")
	last, current := word.Slice(2*w-1, w), word.Slice(w-1, 0) // from stage 2 on, until they are written
	value := vgen.Mux(ends, current, last).And(anew.Not().Repeat(w)).Named("value")
	m.Assign(p.Value, m.RegNext("measured", saturated(value), vgen.Enable(at(4))))
	sum := pending{current}.add(flag(false), p.Bytes).Named("counted")

	m.Section("Values written")
	width := mem.Width()
	changes := at(4).Or(at(5)).And(anew.Or(ends)).Named("changes")
	windows := vgen.Cat(value, vgen.Const(w, 0))
	counted := vgen.Cat(last, sum)
	data := vgen.Mux(at(4), following.Fit(width), vgen.Mux(adds, counted, windows).Fit(width))
	mem.Write(changes.Or(adds), vgen.Cat(port, at(4).Not()), data)
	return m
}
