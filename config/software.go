package config

import (
	"fmt"
	"math/bits"

	"github.com/hdlpkg/hpccgen/fixed"
)

// Software is what software sees of an engine: the tables that it writes, the contexts that it writes and reads, and
// counters. Ports, register maps, drivers and documents are made from it.
type Software struct {
	Law      string         // as the key law names it
	Tables   []TableShape   // by their numbers
	Write    []ContextField // of a context, by their bits in the mask; start and close follow
	Read     []ContextField // of a context
	Counters []Counter
}

// TableShape is a table that software writes; its number is its place in the list.
type TableShape struct {
	Name                   string
	Entries, Bits          int
	Index, Content, Format string // for the documents: what selects an entry, what it is made of, what its bits are
}

// ContextField is a field of a flow's context, an unsigned number.
type ContextField struct {
	Name   string // of its port behind cw_ or cd_
	Bits   int    // 0: a field that the configuration leaves out
	Doc    string
	Format string // of a fixed-point number; empty for an integer
}

// Counter is an event counter of CountBits bits, which wraps.
type Counter struct {
	Name string // of its port behind n_: that of the status which it counts
	Doc  string
}

// TableIndexBits is the width of tw_index: that of the table with the most entries.
func (s *Software) TableIndexBits() int {
	n := 0
	for _, t := range s.Tables {
		n = max(n, bits.Len(uint(max(t.Entries, 1)-1)))
	}
	return n
}

// TableDataBits is the width of tw_data: that of the widest entry.
func (s *Software) TableDataBits() int {
	n := 0
	for _, t := range s.Tables {
		n = max(n, t.Bits)
	}
	return n
}

// Mask is the bits of a context write's mask, Start and Close those of them that come after the fields.
func (s *Software) Mask() int  { return len(s.Write) + 2 }
func (s *Software) Start() int { return len(s.Write) }
func (s *Software) Close() int { return len(s.Write) + 1 }

// lifeFields are the fields that say whether a flow is open, and in which generation.
func (e *Engine) lifeFields() (open, generation ContextField) {
	return ContextField{Name: "open", Bits: 1, Doc: "the flow is open"}, e.Generation()
}

// Generation is the field of a context write that goes with start.
func (e *Engine) Generation() ContextField {
	return ContextField{Name: "generation", Bits: e.GenBits, Doc: "generation of the flow"}
}

func (e *Engine) profileField() ContextField {
	return ContextField{Name: "profile", Bits: e.ProfileBits(), Doc: "profile of the flow"}
}

// Software is what software sees of an HPCC++ engine.
func (c *NIC) Software() *Software {
	f := &c.Formats
	window := func(name, doc string) ContextField {
		return ContextField{name, f.Window.Width(), doc, f.Window.String()}
	}
	seq := ContextField{Name: "seq", Bits: c.SeqBits, Doc: "lastUpdateSeq"}
	if c.CommitByTime {
		seq.Bits, seq.Doc = c.ClockBits, "lastUpdateTime, ticks"
	}
	open, generation := c.lifeFields()
	state := []ContextField{
		c.profileField(), {"u", f.U.Width(), "U", f.U.String()}, window("wc", "reference window Wc, bytes"),
		window("w", "window W, bytes"), {Name: "stage", Bits: c.StageBits, Doc: "incStage"}, seq,
	}
	read := append([]ContextField{open, {Name: "has_telemetry", Bits: 1, Doc: "records are stored"}}, state...)
	return &Software{
		Law: LawHPCC, Tables: c.tables(), Write: state,
		Read: append(read,
			ContextField{Name: "path_id", Bits: c.Telemetry.PathIDBits, Doc: "stored path identifier"},
			ContextField{Name: "nhop", Bits: NhopBits, Doc: "stored number of hops"}, generation),
		Counters: []Counter{
			{"rejected_hops", "ACKs with more hops than the engine has"},
			{"rejected_rate", "ACKs with an unknown rate code"},
			{"rejected_flow", "ACKs of flows that are not open, or of another generation of their flow"},
			{"stale", "ACKs with telemetry older than stored"},
			{"no_telemetry", "ACKs without telemetry"},
			{"path_changed", "ACKs that came over another path"},
		},
	}
}

// tables are those of an HPCC++ engine.
func (c *NIC) tables() []TableShape {
	f := c.Formats
	queue := fmt.Sprintf("rhu(%d * 8e9 / (B * %d * T) * 2^%d)", c.Telemetry.QlenUnitBytes, c.Telemetry.TickNs,
		f.InvBT.Frac)
	if c.Sojourn {
		queue = fmt.Sprintf("rhu(%d / T * 2^%d)", c.Telemetry.QlenUnitBytes, f.InvBT.Frac)
	}
	queueIndex := "rate code"
	if c.Profiles > 1 {
		queueIndex = fmt.Sprintf("rate code * %d + profile", c.Profiles)
	}
	const profile = "profile"
	list := []TableShape{
		{Name: "rate", Index: "rate code",
			Content: fmt.Sprintf("1/B in the low %d bits: rhu(%d * 8e9 / (B * %d) * 2^%d); bit %d: the code is known",
				f.InvB.Width(), c.Telemetry.TxUnitBytes, c.Telemetry.TickNs, f.InvB.Frac, f.InvB.Width()),
			Format: f.InvB.String() + ", ticks per unit of tx"},
		{Name: "queue", Index: queueIndex, Content: "1/(B T): " + queue, Format: f.InvBT.String() + ", per unit of qlen"},
		{Name: "T", Index: profile, Content: "T in ticks", Format: "integer"},
		{Name: "1/T", Index: profile, Content: fmt.Sprintf("rhu(2^%d / T)", f.InvT.Frac),
			Format: f.InvT.String() + ", per tick"},
		{Name: "eta", Index: profile, Content: fmt.Sprintf("rhu(eta * 2^%d)", f.Eta.Frac), Format: f.Eta.String()},
		{Name: "stage", Index: profile, Content: fmt.Sprintf(
			"maxStage in the low %d bits; bit %d: every ACK reacts, not commits alone", c.StageBits, c.StageBits),
			Format: "integers"},
	}
	for _, name := range []string{"W_ai", "W_min", "W_max"} {
		list = append(list, windowTable(name, f.Window))
	}
	for i := range list {
		list[i].Entries, list[i].Bits = c.TableEntries(Table(i)), c.TableEntryBits(Table(i))
	}
	return list
}

// windowTable is a table of windows by profile.
func windowTable(name string, f fixed.Format) TableShape {
	return TableShape{Name: name, Index: "profile", Bits: f.Width(),
		Content: fmt.Sprintf("rhu(%s * 2^%d), bytes", name, f.Frac), Format: f.String()}
}

// Software is what software sees of an AIMD engine.
func (c *AIMD) Software() *Software {
	tables := []TableShape{windowTable("W_ai", c.Window), windowTable("W_min", c.Window), windowTable("W_max", c.Window),
		{Name: "1/T", Index: "profile", Bits: c.InvT.Width(), Content: fmt.Sprintf("rhu(2^%d / T)", c.InvT.Frac),
			Format: c.InvT.String() + ", per tick"}}
	for i := range tables {
		tables[i].Entries = c.Profiles
	}
	open, generation := c.lifeFields()
	state := []ContextField{c.profileField(), {"w", c.Window.Width(), "window W, bytes", c.Window.String()},
		{Name: "seq", Bits: c.SeqBits, Doc: "snd_nxt of the last update"}}
	read := append([]ContextField{open, {Name: "started", Bits: 1, Doc: "an ACK has come"},
		{Name: "marked", Bits: 1, Doc: "an ACK since the last update has echoed congestion"}}, state...)
	return &Software{
		Law: LawAIMD, Tables: tables, Write: state, Read: append(read, generation),
		Counters: []Counter{{"rejected_flow", "ACKs of flows that are not open, or of another generation"}},
	}
}
