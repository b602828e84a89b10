package stimulus

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/hpcc"
	"github.com/hdlpkg/hpccgen/verify/stimulus/timeline"
)

// Script is a finite stimulus written down: which element each stream offers from which cycle on, when the
// sinks are not ready, when there is reset. It can be cut apart and played again (NewPlayer), which is how a
// failing run is shrunk.
type Script struct {
	Cycles int64           `json:"cycles"`
	Resets []timeline.Span `json:"resets"`

	Acks   []timeline.At[hpcc.Ack]          `json:"acks"`
	Writes []timeline.At[hpcc.ContextWrite] `json:"context_writes"`
	Reads  []timeline.At[uint32]            `json:"context_reads"` // flow
	Tables []timeline.At[config.TableWrite] `json:"table_writes"`
	MStall []timeline.Span                  `json:"m_stalls"`  // m_ready is low
	CStall []timeline.Span                  `json:"cd_stalls"` // cd_ready is low
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
	cut := timeline.Cut{From: from, To: to}
	timeline.Move(cut, s.Acks)
	timeline.Move(cut, s.Writes)
	timeline.Move(cut, s.Reads)
	timeline.Move(cut, s.Tables)
	s.MStall, s.CStall = cut.Spans(s.MStall, 0), cut.Spans(s.CStall, 0)
	s.Resets = cut.Spans(s.Resets, 1)
	s.Cycles = cut.Moved(s.Cycles)
}

// Until leaves out what is not on offer before a cycle, and ends the script there.
func (s *Script) Until(cycle int64) {
	s.Cycles = cycle
	s.Acks, s.Writes = timeline.Until(s.Acks, cycle), timeline.Until(s.Writes, cycle)
	s.Reads, s.Tables = timeline.Until(s.Reads, cycle), timeline.Until(s.Tables, cycle)
	s.Resets = timeline.SpansUntil(s.Resets, cycle)
	s.MStall, s.CStall = timeline.SpansUntil(s.MStall, cycle), timeline.SpansUntil(s.CStall, cycle)
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
	timeline.Note(&s.Resets, r.cycle, in.Rst)
	if in.Rst {
		r.acking, r.writing, r.reading, r.tabling = false, false, false, false
	} else {
		timeline.Note(&s.MStall, r.cycle, !in.MReady)
		timeline.Note(&s.CStall, r.cycle, !in.CDReady)
		timeline.Offered(&s.Acks, r.cycle, in.S.Valid, out.SReady, &r.acking, &in.S.Ack)
		timeline.Offered(&s.Writes, r.cycle, in.CW.Valid, out.CWReady, &r.writing, &in.CW.ContextWrite)
		timeline.Offered(&s.Reads, r.cycle, in.CR.Valid, out.CRReady, &r.reading, &in.CR.Flow)
		timeline.Offered(&s.Tables, r.cycle, in.TW.Valid, out.TWReady, &r.tabling, &in.TW.TableWrite)
	}
	r.cycle++
	s.Cycles = r.cycle
	r.Source.Seen(in, out)
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
	in.Rst = timeline.Within(s.Resets, &p.reset, c)
	if in.Rst {
		return
	}
	in.MReady = !timeline.Within(s.MStall, &p.mStall, c)
	in.CDReady = !timeline.Within(s.CStall, &p.cStall, c)
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
		p.acks = timeline.Skip(s.Acks, p.acks, c)
		p.writes = timeline.Skip(s.Writes, p.writes, c)
		p.reads = timeline.Skip(s.Reads, p.reads, c)
		p.tables = timeline.Skip(s.Tables, p.tables, c)
		return
	}
	taken := p.Taken
	if taken == nil {
		taken = new(Script)
	}
	timeline.Take(&p.acks, in.S.Valid && out.SReady, s.Acks, &taken.Acks, c)
	timeline.Take(&p.writes, in.CW.Valid && out.CWReady, s.Writes, &taken.Writes, c)
	timeline.Take(&p.reads, in.CR.Valid && out.CRReady, s.Reads, &taken.Reads, c)
	timeline.Take(&p.tables, in.TW.Valid && out.TWReady, s.Tables, &taken.Tables, c)
}
