package stimulus

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/hpcc"
)

// Script is a finite stimulus written down: which element each stream offers from which cycle on, when the
// sinks are not ready, when there is reset. It can be cut apart and played again (NewPlayer), which is how a
// failing run is shrunk.
type Script struct {
	Cycles int64  `json:"cycles"`
	Resets []Span `json:"resets"`

	Acks   []At[hpcc.Ack]          `json:"acks"`
	Writes []At[hpcc.ContextWrite] `json:"context_writes"`
	Reads  []At[uint32]            `json:"context_reads"` // flow
	Tables []At[config.TableWrite] `json:"table_writes"`
	MStall []Span                  `json:"m_stalls"`  // m_ready is low
	CStall []Span                  `json:"cd_stalls"` // cd_ready is low
}

// At is an element that its stream offers from Cycle on, or as soon as the one before it is taken.
type At[T any] struct {
	Cycle int64 `json:"cycle"`
	Op    T     `json:"op"`
}

// Span is the cycles From to To-1.
type Span struct {
	From int64 `json:"from"`
	To   int64 `json:"to"`
}

// Operations is the number of elements on all streams.
func (s *Script) Operations() int {
	return len(s.Acks) + len(s.Writes) + len(s.Reads) + len(s.Tables)
}

// Clone is a copy that shares no slice.
func (s *Script) Clone() *Script {
	c := *s
	c.Resets, c.Acks, c.Writes = slices.Clone(s.Resets), slices.Clone(s.Acks), slices.Clone(s.Writes)
	c.Reads, c.Tables = slices.Clone(s.Reads), slices.Clone(s.Tables)
	c.MStall, c.CStall = slices.Clone(s.MStall), slices.Clone(s.CStall)
	return &c
}

// Cut takes the cycles from to to-1 out. What was offered in them is offered at from; a reset keeps at least a cycle.
func (s *Script) Cut(from, to int64) {
	moved := func(c int64) int64 {
		switch {
		case c >= to:
			return c - (to - from)
		case c > from:
			return from
		}
		return c
	}
	move(s.Acks, moved)
	move(s.Writes, moved)
	move(s.Reads, moved)
	move(s.Tables, moved)
	s.MStall, s.CStall = moveSpans(s.MStall, moved, 0), moveSpans(s.CStall, moved, 0)
	s.Resets = moveSpans(s.Resets, moved, 1)
	s.Cycles = moved(s.Cycles)
}

func move[T any](ops []At[T], moved func(int64) int64) {
	for i := range ops {
		ops[i].Cycle = moved(ops[i].Cycle)
	}
}

// moveSpans drops spans that are shorter than least afterwards, or lengthens them to it.
func moveSpans(spans []Span, moved func(int64) int64, least int64) []Span {
	kept := spans[:0]
	for _, sp := range spans {
		sp.From, sp.To = moved(sp.From), moved(sp.To)
		sp.To = max(sp.To, sp.From+least)
		if sp.To > sp.From {
			kept = append(kept, sp)
		}
	}
	return kept
}

// JSON is the script as indented JSON.
func (s *Script) JSON() ([]byte, error) { return json.MarshalIndent(s, "", "  ") }

// String lists the operations by the cycle in which they are offered.
func (s *Script) String() string {
	type line struct {
		cycle int64
		text  string
	}
	var lines []line
	add := func(cycle int64, format string, args ...any) {
		lines = append(lines, line{cycle, fmt.Sprintf(format, args...)})
	}
	for _, r := range s.Resets {
		add(r.From, "rst for %d cycles", r.To-r.From)
	}
	for _, t := range s.Tables {
		add(t.Cycle, "tw table %d index %d data %#x", t.Op.Table, t.Op.Index, t.Op.Data)
	}
	for _, w := range s.Writes {
		add(w.Cycle, "cw flow %d mask %#02x profile %d u %#x wc %#x w %#x stage %d seq %#x", w.Op.Flow, w.Op.Mask, w.Op.Profile, w.Op.U, w.Op.Wc, w.Op.W, w.Op.Stage, w.Op.Seq)
	}
	for _, r := range s.Reads {
		add(r.Cycle, "cr flow %d", r.Op)
	}
	for _, a := range s.Acks {
		add(a.Cycle, "s  %s", AckString(&a.Op))
	}
	for _, m := range s.MStall {
		add(m.From, "m_ready low for %d cycles", m.To-m.From)
	}
	for _, m := range s.CStall {
		add(m.From, "cd_ready low for %d cycles", m.To-m.From)
	}
	slices.SortStableFunc(lines, func(a, b line) int { return int(a.cycle - b.cycle) })
	var b strings.Builder
	for _, l := range lines {
		fmt.Fprintf(&b, "%8d  %s\n", l.cycle, l.text)
	}
	fmt.Fprintf(&b, "%8d  end\n", s.Cycles)
	return b.String()
}

// AckString is an ACK on one line.
func AckString(a *hpcc.Ack) string {
	var b strings.Builder
	fmt.Fprintf(&b, "flow %d ack_seq %#x snd_nxt %#x now %#x path_id %#x nhop %d", a.Flow, a.AckSeq, a.SndNxt, a.Now, a.PathID, a.Nhop)
	for i := range min(a.Nhop, len(a.Hop)) {
		h := &a.Hop[i]
		fmt.Fprintf(&b, " [rate_code %d link_id %d ts %#x tx %#x qlen %#x]", h.RateCode, h.LinkID, h.TS, h.Tx, h.Qlen)
	}
	return b.String()
}

// Recorder writes down what a source does.
type Recorder struct {
	Source
	Script Script

	cycle            int64
	acking, writing  bool // the element was offered before
	reading, tabling bool
}

// Record starts a script with the next cycle of the source.
func Record(s Source) *Recorder { return &Recorder{Source: s} }

// Seen records the cycle and passes it on.
func (r *Recorder) Seen(in *hpcc.Inputs, out *hpcc.Outputs) {
	s := &r.Script
	span(&s.Resets, r.cycle, in.Rst)
	if in.Rst {
		r.acking, r.writing, r.reading, r.tabling = false, false, false, false
	} else {
		span(&s.MStall, r.cycle, !in.MReady)
		span(&s.CStall, r.cycle, !in.CDReady)
		offered(&s.Acks, r.cycle, in.S.Valid, out.SReady, &r.acking, &in.S.Ack)
		offered(&s.Writes, r.cycle, in.CW.Valid, out.CWReady, &r.writing, &in.CW.ContextWrite)
		offered(&s.Reads, r.cycle, in.CR.Valid, out.CRReady, &r.reading, &in.CR.Flow)
		offered(&s.Tables, r.cycle, in.TW.Valid, out.TWReady, &r.tabling, &in.TW.TableWrite)
	}
	r.cycle++
	s.Cycles = r.cycle
	r.Source.Seen(in, out)
}

func offered[T any](to *[]At[T], cycle int64, valid, ready bool, before *bool, op *T) {
	if valid && !*before {
		*to = append(*to, At[T]{cycle, *op})
	}
	*before = valid && !ready
}

// span extends or starts a span of cycles.
func span(to *[]Span, cycle int64, in bool) {
	if !in {
		return
	}
	if n := len(*to); n > 0 && (*to)[n-1].To == cycle {
		(*to)[n-1].To++
		return
	}
	*to = append(*to, Span{cycle, cycle + 1})
}

// Player is the Source that plays a script. Behind its end all streams are idle.
type Player struct {
	// Taken, when set, gets the script with each element at the cycle in which the engine took it, so that leaving
	// one out does not move those behind it.
	Taken *Script

	s     *Script
	cycle int64

	acks, writes, reads, tables int // taken
	reset, mStall, cStall       int // spans passed
}

// NewPlayer plays a script from its first cycle.
func NewPlayer(s *Script) *Player { return &Player{s: s} }

// Next sets the inputs of the next cycle.
func (p *Player) Next(in *hpcc.Inputs) {
	s, c := p.s, p.cycle
	*in = hpcc.Inputs{MReady: true, CDReady: true}
	in.Rst = within(s.Resets, &p.reset, c)
	if in.Rst {
		return
	}
	in.MReady = !within(s.MStall, &p.mStall, c)
	in.CDReady = !within(s.CStall, &p.cStall, c)
	if p.acks < len(s.Acks) && s.Acks[p.acks].Cycle <= c {
		in.S = hpcc.AckPort{Valid: true, Ack: s.Acks[p.acks].Op}
	}
	if p.writes < len(s.Writes) && s.Writes[p.writes].Cycle <= c {
		in.CW = hpcc.ContextWritePort{Valid: true, ContextWrite: s.Writes[p.writes].Op}
	}
	if p.reads < len(s.Reads) && s.Reads[p.reads].Cycle <= c {
		in.CR = hpcc.ContextReadPort{Valid: true, Flow: s.Reads[p.reads].Op}
	}
	if p.tables < len(s.Tables) && s.Tables[p.tables].Cycle <= c {
		in.TW = hpcc.TableWritePort{Valid: true, TableWrite: s.Tables[p.tables].Op}
	}
}

// Seen goes on where the engine took an element. What was on offer when a reset came is lost.
func (p *Player) Seen(in *hpcc.Inputs, out *hpcc.Outputs) {
	s, c := p.s, p.cycle
	p.cycle++
	if in.Rst {
		p.acks = skip(s.Acks, p.acks, c)
		p.writes = skip(s.Writes, p.writes, c)
		p.reads = skip(s.Reads, p.reads, c)
		p.tables = skip(s.Tables, p.tables, c)
		return
	}
	taken := p.Taken
	if taken == nil {
		taken = new(Script)
	}
	take(&p.acks, in.S.Valid && out.SReady, s.Acks, &taken.Acks, c)
	take(&p.writes, in.CW.Valid && out.CWReady, s.Writes, &taken.Writes, c)
	take(&p.reads, in.CR.Valid && out.CRReady, s.Reads, &taken.Reads, c)
	take(&p.tables, in.TW.Valid && out.TWReady, s.Tables, &taken.Tables, c)
}

func take[T any](next *int, taken bool, from []At[T], to *[]At[T], cycle int64) {
	if taken {
		*to = append(*to, At[T]{cycle, from[*next].Op})
		*next++
	}
}

func skip[T any](ops []At[T], next int, cycle int64) int {
	for next < len(ops) && ops[next].Cycle <= cycle {
		next++
	}
	return next
}

// within tells whether a cycle lies in one of the spans; at is the first span that has not passed.
func within(spans []Span, at *int, cycle int64) bool {
	for *at < len(spans) && spans[*at].To <= cycle {
		*at++
	}
	return *at < len(spans) && spans[*at].From <= cycle
}
