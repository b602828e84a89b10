package meter

import (
	"github.com/hdlpkg/hpccgen/rtlgen/csig/block"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// rawMeter measures the bytes of the last whole window. A window has ended when now - Window is not before its start;
// both times are compared with the start at once, so that only comparison and choice lie between an operation and the
// next of its port.
func rawMeter(name string, c *block.Shape) *vgen.Module {
	t := newMeter(name, "Bytes that each port has sent in its last whole window", c)
	m, p := t.m, t.p
	if c.At.Windows {
		t.timeStage, t.pendingStage = aheadStage, aheadStage+1
		windowsAheadDocs(m)
	} else {
		m.StageDoc(t.timeStage, "now - Window and now - 2 Window")
		m.StageDoc(t.timeStage+1, "the window continues, ends, or restarts")
	}
	m.StageDoc(t.pendingStage+1, "the bytes of this window, and of the last one")
	m.StageHint(t.pendingStage+2, "the bytes, stored")
	m.Doc("Times are compared modulo their width.")

	m.Section("Start of the window")
	var anew, ends, restarts vgen.Signal // restarts: one of both, a register
	if c.At.Windows {
		anew, ends, restarts = t.windowsAhead()
	} else {
		anew, ends = t.windows()
	}

	m.Section("Bytes of the windows")
	starts := p.Reg("starts_anew", t.timeStage, anew).Signal
	closes := p.Reg("closes", t.timeStage, ends).Signal
	w := c.ByteBits + 1
	bytes := t.state("bytes",
		"bytes of each port's last window and of this one, each with a saturation bit", 2*w, t.pendingStage)
	last, current := bytes.word.Slice(2*w-1, w), bytes.word.Slice(w-1, 0)
	value := vgen.Mux(closes, current, last).And(starts.Not().Repeat(w)).Named("value")
	var sum vgen.Signal
	if c.At.Windows { // a count that starts again adds to a register that is 0
		sum = pending{bytes.clearedWhere(restarts, w)}.sum(t.counted(t.pendingStage))
	} else {
		sum = pending{current}.add(starts.Or(closes).Named("restarts"), t.counted(t.pendingStage))
	}
	bytes.store(t.controlAt(t.valid, t.pendingStage), vgen.Cat(value, sum).Named("bytes_next"))
	out := p.Reg("measured", t.pendingStage, saturated(value))
	m.SetTiming(out.Stage, 1)
	m.Assign(t.ports.Value, out.Signal)
	return m
}

// Windows decides, at timeStage, whether the window of an operation's port starts anew, or ends so that the next one
// follows.
func (t *meter) windows() (anew, ends vgen.Signal) {
	p := t.p
	unseen := t.unseen(t.timeStage)
	now := p.Value("now", 0, t.ports.Now)
	// Subtrahends are kept inverted: the window, and the start.
	ahead := t.timeStage - 1
	window := p.At(p.Reg("window_n", 0, t.ports.Window.Not()), ahead)
	less1 := p.Reg("now_less_1", ahead, block.Less("now_less_1", p.At(now, ahead), window))
	less2 := p.Reg("now_less_2", ahead, block.Less("now_less_2", p.At(now, ahead), vgen.Cat(window, vgen.Const(1, 1))))
	start := t.state("start_n", "start of each port's window, ns, inverted", t.c.TimeBits, t.timeStage)
	forward := block.Less("since_start", p.At(now, t.timeStage), start.word).Named("since_start").Top().Not()
	ends1 := block.Less("since_end", less1.Signal, start.word).Named("since_end").Top().Not()
	ends2 := block.Less("since_next_end", less2.Signal, start.word).Named("since_next_end").Top().Not()
	advances := t.controlAt(t.advance, t.timeStage)
	anew = advances.And(unseen.Or(forward.And(ends2))).Named("anew")
	ends = and(advances, unseen.Not(), forward, ends1, ends2.Not()).Named("ends")
	// A window that has changed by now belongs to meters that start anew: what is stored here is forgotten.
	following := block.Less("start_following", start.word, window).Named("start_following")
	start.store(t.controlAt(t.valid, t.timeStage),
		vgen.Mux(anew, p.At(now, t.timeStage).Not(), vgen.Mux(ends, following, start.word)).Named("start_next"))
	return anew, ends
}
