package aimd

import (
	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/engine"
	"github.com/hdlpkg/hpccgen/model/law/aimd"
	"github.com/hdlpkg/hpccgen/verify/stimulus"
	"github.com/hdlpkg/hpccgen/verify/stimulus/random"
)

type generator = stimulus.Generator[aimd.Event, aimd.Write]

// The scenarios in addition to those of the frame, by their places in scenarios.
const (
	atMark   = iota + 1 // ack_seq = seq: no commit
	pastMark            // ack_seq = seq + 1: commit
	farPast             // the largest difference that commits
	tooFar              // the smallest difference that wraps to "before"
)

// Events of the law's own.
const (
	halved = iota
	raised
	rateSaturated
	sequenceWraps
)

func bins(cfg *config.AIMD) stimulus.Bins {
	commit := []engine.Status{engine.StatusOK, engine.StatusClampedMin, engine.StatusClampedMax}
	none, rejected := []engine.Status{engine.StatusNoCommit}, []engine.Status{engine.StatusRejectedFlow}
	return stimulus.Bins{
		Scenarios: []stimulus.Scenario{
			{Name: stimulus.Plain, Want: commit}, {Name: "at_mark", Want: none}, {Name: "past_mark", Want: commit},
			{Name: "far_past", Want: commit}, {Name: "too_far", Want: none}, {Name: stimulus.BadFlow, Want: rejected},
			{Name: stimulus.FormerLife, Want: rejected, Impossible: cfg.GenBits == 0},
			{Name: stimulus.Noise, Want: append(commit, rejected...)},
		},
		Statuses: append(append([]engine.Status{engine.StatusFirst}, none...), append(commit, rejected...)...),
		Kinds:    []string{"none", "first", "update"},
		Fields:   []string{"profile", "w", "seq", "start", "close"}, Tables: []string{"W_ai", "W_min", "W_max", "1/T"},
		Events: []string{"halved", "raised", "rate_saturated", "sequence_wraps"},
	}
}

// draw makes the acknowledgements of a generator.
type draw struct {
	stimulus.AnyBits[aimd.Event, aimd.Write]
	cfg   *config.AIMD
	g     *generator
	peek  func(flow uint32) aimd.Context
	model *aimd.Design
}

// Program writes profiles: limits near each other, or any bits of those widths.
func (d *draw) Program(profiles int) {
	for d.g.Used = 0; d.g.Used < profiles; d.g.Used++ {
		for t := range aimd.TableInvT + 1 {
			d.queue(t, d.g.Used)
		}
	}
}

func (d *draw) entry(t config.Table, profile int) config.TableWrite {
	r, w := &d.g.R, d.cfg.Window.Width()
	data := r.Bits(w)
	switch {
	case t == aimd.TableInvT:
		data = r.Bits(d.cfg.InvT.Width())
	case d.g.Temper == stimulus.Wild:
	case t == aimd.TableWMax: // a quarter of the range and more
		data = random.Mask(w-2) + r.UpTo(random.Mask(w-1))
	case d.g.Temper == stimulus.Sane || t == aimd.TableWAI: // a sixteenth at most
		data = r.UpTo(random.Mask(max(w-4, 1)))
	}
	return config.TableWrite{Table: t, Index: profile, Data: data}
}

func (d *draw) queue(t config.Table, profile int) {
	if w := d.entry(t, profile); !stimulus.Leaves(&d.g.Episode, w, 12) {
		d.g.Queue(w)
	}
}

// Rewrite changes an entry.
func (d *draw) Rewrite() config.TableWrite {
	if d.g.R.OneIn(8) {
		return d.WildWrite()
	}
	return d.entry(config.Table(d.g.R.N(int(aimd.TableInvT)+1)), d.g.R.N(d.g.Used))
}

// Open opens a flow with any window, in its next generation.
func (d *draw) Open(f *stimulus.Flow) aimd.Write {
	w := d.AnyWrite()
	w.Flow, w.Mask, w.Generation = f.Index, ^aimd.MaskClose, d.g.NextLife(f.Generation)
	w.Profile = uint8(f.Profile)
	return w
}

// Write changes a few fields of a flow, or opens it again.
func (d *draw) Write() aimd.Write {
	w, f := d.AnyWrite(), d.g.Pick()
	switch {
	case f == nil || d.g.R.OneIn(8):
	case d.g.R.OneIn(2):
		return d.Open(f)
	default:
		w.Flow, w.Mask, w.Profile = f.Index, 1<<d.g.R.N(5), uint8(f.Profile)
	}
	return w
}

// Scope is the frame's part of a context write.
func (d *draw) Scope(w *aimd.Write) (s engine.Scope, mask uint8) { return d.model.Scope(w), w.Mask }

// Refresh does nothing: each acknowledgement reads the context.
func (d *draw) Refresh(*stimulus.Flow) {}

// Event makes an acknowledgement near the end of a round trip, where the context has one.
func (d *draw) Event(f *stimulus.Flow, scenario int, e *aimd.Event) {
	r, half := &d.g.R, uint64(1)<<(d.cfg.SeqBits-1)
	d.Noise(e)
	ahead := r.UpTo(3000)
	switch scenario {
	case atMark:
		ahead = 0
	case pastMark:
		ahead = 1
	case farPast:
		ahead = half - 1
	case tooFar:
		ahead = half
	}
	c := d.peek(f.Index)
	e.AckSeq = uint32((uint64(c.Seq) + ahead) & random.Mask(d.cfg.SeqBits))
	e.SndNxt = uint32((uint64(e.AckSeq) + r.UpTo(60000)) & random.Mask(d.cfg.SeqBits))
	e.Mark = r.OneIn(4)
}

// Header is where the frame's fields of an acknowledgement are.
func (d *draw) Header(e *aimd.Event) (flow *uint32, generation *uint8, tag *uint64) {
	return &e.Flow, &e.Generation, &e.Tag
}
