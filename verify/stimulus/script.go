package stimulus

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/law/hpcc"
	"github.com/hdlpkg/hpccgen/verify/stimulus/timeline"
)

// Script is a stimulus of an engine written down (NewPlayer plays it).
type Script struct {
	Cycles int64           `json:"cycles"`
	Resets []timeline.Span `json:"resets"`

	Acks   []timeline.At[hpcc.Ack]          `json:"acks"`
	Writes []timeline.At[hpcc.ContextWrite] `json:"context_writes"`
	Reads  []timeline.At[uint32]            `json:"context_reads"` // flow
	Tables []timeline.At[config.TableWrite] `json:"table_writes"`
	MStall []timeline.Span                  `json:"m_stalls"`  // m_ready is low
	CStall []timeline.Span                  `json:"cd_stalls"` // cd_ready is low
	SGap   []timeline.Span                  `json:"s_gaps"`    // s_valid is low, though an ACK was on offer
	RGap   []timeline.Span                  `json:"cr_gaps"`   // cr_valid is low, though a read was on offer
}

// Parts are the script's lists.
func (s *Script) Parts() *timeline.Parts {
	return &timeline.Parts{
		Cycles: &s.Cycles, Resets: &s.Resets,
		Lists: []timeline.Ops{
			timeline.OpsOf(&s.Acks, func(a *hpcc.Ack) string { return "s  " + AckString(a) },
				func(a *hpcc.Ack) uint32 { return a.Flow }),
			timeline.OpsOf(&s.Reads, func(flow *uint32) string { return fmt.Sprintf("cr flow %d", *flow) }, nil),
			timeline.OpsOf(&s.Writes, func(w *hpcc.ContextWrite) string { return "cw " + WriteString(w) },
				func(w *hpcc.ContextWrite) uint32 { return w.Flow }),
			timeline.OpsOf(&s.Tables, func(t *config.TableWrite) string {
				return fmt.Sprintf("tw table %d index %d data %#x", t.Table, t.Index, t.Data)
			}, nil),
		},
		Stalls: []timeline.Stall{
			{Spans: &s.MStall, Text: "m_ready low"}, {Spans: &s.CStall, Text: "cd_ready low"},
			{Spans: &s.SGap, Text: "s_valid low"}, {Spans: &s.RGap, Text: "cr_valid low"},
		},
		Free: [][]int{{0, 1}, {2, 3}, {0}, {1}},
		Mute: []int{1, 0},
	}
}

// Clone is a copy that shares no slice.
func (s *Script) Clone() *Script {
	c := *s
	c.Parts().Unshare()
	return &c
}

// Copy is Clone.
func (s *Script) Copy() timeline.Script { return s.Clone() }

// Simpler has nothing: an ACK is simple enough.
func (s *Script) Simpler() []func(timeline.Script) { return nil }

// JSON is the script as indented JSON.
func (s *Script) JSON() ([]byte, error) { return json.MarshalIndent(s, "", "  ") }

// String lists the operations by the cycle in which they are offered.
func (s *Script) String() string { return s.Parts().String() }

// WriteString is a context write on one line.
func WriteString(w *hpcc.ContextWrite) string {
	return fmt.Sprintf("flow %d mask %#02x profile %d u %#x wc %#x w %#x stage %d seq %#x generation %d",
		w.Flow, w.Mask, w.Profile, w.U, w.Wc, w.W, w.Stage, w.Seq, w.Generation)
}

// AckString is an ACK on one line.
func AckString(a *hpcc.Ack) string {
	var b strings.Builder
	fmt.Fprintf(&b, "flow %d generation %d tag %#x ack_seq %#x snd_nxt %#x now %#x path_id %#x nhop %d",
		a.Flow, a.Generation, a.Tag, a.AckSeq, a.SndNxt, a.Now, a.PathID, a.Nhop)
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
		// What is withdrawn comes back: the generator drops nothing.
		timeline.Note(&s.SGap, r.cycle, r.acking && !in.S.Valid)
		timeline.Note(&s.RGap, r.cycle, r.reading && !in.CR.Valid)
		timeline.Offered(&s.Acks, r.cycle, in.S.Valid || r.acking, in.S.Valid && out.SReady, &r.acking, &in.S.Payload)
		timeline.Offered(&s.Writes, r.cycle, in.CW.Valid, out.CWReady, &r.writing, &in.CW.Payload)
		timeline.Offered(&s.Reads, r.cycle, in.CR.Valid || r.reading, in.CR.Valid && out.CRReady, &r.reading, &in.CR.Payload)
		timeline.Offered(&s.Tables, r.cycle, in.TW.Valid, out.TWReady, &r.tabling, &in.TW.Payload)
	}
	r.cycle++
	s.Cycles = r.cycle
	r.Source.Seen(in, out)
}

// Player is the Source that plays a script. After its end all streams are idle.
type Player struct {
	// Taken, when set, gets the script with each element at the cycle in which the engine took it, so that leaving
	// one out does not move those after it.
	Taken *Script

	s     *Script
	cycle int64

	acks, writes, reads, tables int // taken
	reset, mStall, cStall       int // spans passed
	sGap, rGap                  int
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
