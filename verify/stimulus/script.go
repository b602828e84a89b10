package stimulus

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/engine"
	"github.com/hdlpkg/hpccgen/verify/bind"
	"github.com/hdlpkg/hpccgen/verify/stimulus/timeline"
)

// Script is a stimulus of an engine written down (NewPlayer plays it).
type Script[E, W any] struct {
	Cycles int64           `json:"cycles"`
	Resets []timeline.Span `json:"resets"`

	Acks   []timeline.At[E]                 `json:"acks"`
	Writes []timeline.At[W]                 `json:"context_writes"`
	Reads  []timeline.At[uint32]            `json:"context_reads"` // flow
	Tables []timeline.At[config.TableWrite] `json:"table_writes"`
	MStall []timeline.Span                  `json:"m_stalls"`  // m_ready is low
	CStall []timeline.Span                  `json:"cd_stalls"` // cd_ready is low
	SGap   []timeline.Span                  `json:"s_gaps"`    // s_valid is low, though an event was on offer
	RGap   []timeline.Span                  `json:"cr_gaps"`   // cr_valid is low, though a read was on offer
}

// Parts are the script's lists.
func (s *Script[E, W]) Parts() *timeline.Parts {
	return &timeline.Parts{
		Cycles: &s.Cycles, Resets: &s.Resets,
		Lists: []timeline.Ops{
			timeline.OpsOf(&s.Acks, func(e *E) string { return "s  " + bind.Text(e, nil) }, flowOf[E]),
			timeline.OpsOf(&s.Reads, func(flow *uint32) string { return fmt.Sprintf("cr flow %d", *flow) }, nil),
			timeline.OpsOf(&s.Writes, func(w *W) string { return "cw " + bind.Text(w, nil) }, flowOf[W]),
			timeline.OpsOf(&s.Tables, func(t *config.TableWrite) string { return "tw " + bind.Text(t, nil) }, nil),
		},
		Stalls: []timeline.Stall{
			{Spans: &s.MStall, Text: "m_ready low"}, {Spans: &s.CStall, Text: "cd_ready low"},
			{Spans: &s.SGap, Text: "s_valid low"}, {Spans: &s.RGap, Text: "cr_valid low"},
		},
		Free: [][]int{{0, 1}, {2, 3}, {0}, {1}},
		Mute: []int{1, 0},
	}
}

// flowOf is the field Flow of an event or a context write.
func flowOf[T any](of *T) uint32 { return uint32(bind.Getter[T]("flow")(of)) }

// Copy shares no slice with the script.
func (s *Script[E, W]) Copy() timeline.Script {
	c := *s
	c.Parts().Unshare()
	return &c
}

// Simpler has nothing: an event is simple enough.
func (s *Script[E, W]) Simpler() []func(timeline.Script) { return nil }

// String lists the operations by the cycle in which they are offered.
func (s *Script[E, W]) String() string { return s.Parts().String() }

// Recorder records the actions of a source.
type Recorder[E, W any] struct {
	Source[E, W]
	Script Script[E, W]

	cycle            int64
	acking, writing  bool // the element was offered before
	reading, tabling bool
}

// Record starts a script with the next cycle of the source.
func Record[E, W any](s Source[E, W]) *Recorder[E, W] { return &Recorder[E, W]{Source: s} }

// Seen records the cycle and passes it on.
func (r *Recorder[E, W]) Seen(in *engine.Inputs[E, W], out Answer) {
	s := &r.Script
	timeline.Note(&s.Resets, r.cycle, in.Rst)
	if in.Rst {
		r.acking, r.writing, r.reading, r.tabling = false, false, false, false
	} else {
		timeline.Note(&s.MStall, r.cycle, !in.MReady)
		timeline.Note(&s.CStall, r.cycle, !in.CDReady)
		// What is withdrawn comes back: the generator drops nothing.
		timeline.Note(&s.SGap, r.cycle, r.acking && !in.S.Valid)
		timeline.Note(&s.RGap, r.cycle, r.reading && !in.CR.Valid)
		timeline.Offered(&s.Acks, r.cycle, in.S.Valid || r.acking, in.S.Valid && out.S, &r.acking, &in.S.Payload)
		timeline.Offered(&s.Writes, r.cycle, in.CW.Valid, out.CW, &r.writing, &in.CW.Payload)
		timeline.Offered(&s.Reads, r.cycle, in.CR.Valid || r.reading, in.CR.Valid && out.CR, &r.reading, &in.CR.Payload)
		timeline.Offered(&s.Tables, r.cycle, in.TW.Valid, out.TW, &r.tabling, &in.TW.Payload)
	}
	r.cycle++
	s.Cycles = r.cycle
	r.Source.Seen(in, out)
}

// Player is the Source that plays a script. After its end all streams are idle.
type Player[E, W any] struct {
	// Taken, when set, gets the script with each element at the cycle in which the engine took it, so that leaving
	// one out does not move those after it.
	Taken *Script[E, W]

	s     *Script[E, W]
	cycle int64

	acks, writes, reads, tables int // taken
	reset, mStall, cStall       int // spans passed
	sGap, rGap                  int
}

// NewPlayer plays a script from its first cycle.
func NewPlayer[E, W any](s *Script[E, W]) *Player[E, W] { return &Player[E, W]{s: s} }

// Next sets the inputs of the next cycle.
func (p *Player[E, W]) Next(in *engine.Inputs[E, W]) {
	s, c := p.s, p.cycle
	*in = engine.Inputs[E, W]{MReady: true, CDReady: true}
	in.Rst = timeline.Within(s.Resets, &p.reset, c)
	if in.Rst {
		return
	}
	in.MReady = !timeline.Within(s.MStall, &p.mStall, c)
	in.CDReady = !timeline.Within(s.CStall, &p.cStall, c)
	gap, readGap := timeline.Within(s.SGap, &p.sGap, c), timeline.Within(s.RGap, &p.rGap, c)
	if p.acks < len(s.Acks) && s.Acks[p.acks].Cycle <= c && !gap {
		in.S.Valid, in.S.Payload = true, s.Acks[p.acks].Op
	}
	if p.writes < len(s.Writes) && s.Writes[p.writes].Cycle <= c {
		in.CW.Valid, in.CW.Payload = true, s.Writes[p.writes].Op
	}
	if p.reads < len(s.Reads) && s.Reads[p.reads].Cycle <= c && !readGap {
		in.CR.Valid, in.CR.Payload = true, s.Reads[p.reads].Op
	}
	if p.tables < len(s.Tables) && s.Tables[p.tables].Cycle <= c {
		in.TW.Valid, in.TW.Payload = true, s.Tables[p.tables].Op
	}
}

// Seen advances the streams whose element the engine took. An element offered when a reset came is lost.
func (p *Player[E, W]) Seen(in *engine.Inputs[E, W], out Answer) {
	s, c := p.s, p.cycle
	p.cycle++
	if in.Rst {
		p.acks = timeline.Skip(s.Acks, p.acks, c)
		p.writes = timeline.Skip(s.Writes, p.writes, c)
		p.reads = timeline.Skip(s.Reads, p.reads, c)
		p.tables = timeline.Skip(s.Tables, p.tables, c)
		return
	}
	taken := p.Taken
	if taken == nil {
		taken = new(Script[E, W])
	}
	timeline.Take(&p.acks, in.S.Valid && out.S, s.Acks, &taken.Acks, c)
	timeline.Take(&p.writes, in.CW.Valid && out.CW, s.Writes, &taken.Writes, c)
	timeline.Take(&p.reads, in.CR.Valid && out.CR, s.Reads, &taken.Reads, c)
	timeline.Take(&p.tables, in.TW.Valid && out.TW, s.Tables, &taken.Tables, c)
}
