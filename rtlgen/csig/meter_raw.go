package csig

import (
	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// rawMeter measures the bytes of the last whole window. A window has ended when now - Window is not before its start; both times are
// compared with the start at once, so that only comparison and choice lie between an operation and the next of its port.
func rawMeter(name string, c *config.CSIG) *vgen.Module {
	t := newMeter(name, "Bytes that each port has sent in its last whole window", c)
	m, p := t.m, t.p
	m.Doc("Stage 0: start of the port's window is read. Stage 1: now - Window and now - 2 Window. Stage 2: the window goes on, ends, or starts anew.",
		"Stage 3: bytes of this window, and of the last. Times are compared modulo their width.")

	m.Section("start of the window")
	unseen := t.unseen()
	now := p.Value("now", 0, t.ports.Now)
	window := p.Reg("window", 0, t.ports.Window).Zext(c.TimeBits)
	less1 := p.Reg("now_less_1", 1, p.At(now, 1).Sub(window))
	less2 := p.Reg("now_less_2", 1, p.At(now, 1).Sub(window.Shl(1)))
	start := t.state("start", "start of each port's window, ns", c.TimeBits, timeStage)
	backward := p.At(now, timeStage).Sub(start.word).Named("since_start").Top()
	ends1 := less1.Sub(start.word).Named("since_end").Top().Not()
	ends2 := less2.Sub(start.word).Named("since_next_end").Top().Not()
	advances := t.controlAt(t.advance, timeStage)
	anew := advances.And(unseen.Or(backward.Not().And(ends2))).Named("anew")
	ends := advances.And(unseen.Or(backward).Not()).And(ends1).And(ends2.Not()).Named("ends")
	// A window that has changed by now belongs to meters that start anew: what is stored here is forgotten.
	following := start.word.Add(window).Named("start_following")
	start.store(t.controlAt(t.valid, timeStage), vgen.Mux(anew, p.At(now, timeStage), vgen.Mux(ends, following, start.word)).Named("start_next"))

	m.Section("bytes of the windows")
	starts := p.Reg("starts_anew", timeStage, anew).Signal
	closes := p.Reg("closes", timeStage, ends).Signal
	w := c.ByteBits + 1
	bytes := t.state("bytes", "bytes of each port's last window and of this one, each with a bit that says that they saturate", 2*w, pendingStage)
	last, current := bytes.word.Slice(2*w-1, w), bytes.word.Slice(w-1, 0)
	value := vgen.Mux(closes, current, last).And(starts.Not().Repeat(w)).Named("value")
	sum := pending{current}.add(starts.Or(closes).Named("restarts"), t.counted(pendingStage))
	bytes.store(t.controlAt(t.valid, pendingStage), vgen.Cat(value, sum).Named("bytes_next"))
	out := p.Reg("measured", pendingStage, saturated(value))
	m.SetTiming(out.Stage, 1)
	m.Assign(t.ports.Value, out.Signal)
	return m
}
