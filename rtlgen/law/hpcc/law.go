package hpcc

import (
	"fmt"
	"maps"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/engine"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// kindBits is the width of a kind. The kinds, docs/architecture.md, are 0 none, 1 first, 2 update, 3 fast: bit 1 says
// that the flow reacts, so that flowBlock forms them from two signals.
const kindBits = 2

var code = engine.Status

// New is HPCC++ as a configuration asks for it.
func New(c *config.NIC) *engine.Law {
	l := &engine.Law{
		Name: "hpcc", Title: "HPCC++", Software: c.Software(),
		Purpose:  "engine: from the telemetry of acknowledgements to windows and pacing rates",
		Capacity: fmt.Sprintf(", up to %d hops", c.MaxHops),
		Widths:   widths(c),
		Event:    new(Event),
		Write:    new(ContextWrite),
		Held:     new(HeldWrite),
		Context:  new(Context),
		Decision: new(Decision),
		Counters: new(Counters),
		Counted: []uint64{engine.StatusRejectedHops, engine.StatusRejectedRate, engine.StatusRejectedFlow,
			engine.StatusStale, engine.StatusNoTelemetry,
			engine.StatusPathChanged},
		KindBits: kindBits, StatusBits: engine.StatusBits,
		IndexDoc: "entry: rate code, rate code and profile, or profile",
	}
	l.Guide = guide(c)
	if c.Serial {
		l.Capacity += ", processed one after the other"
		l.Core = "per-ACK logic: from telemetry and context to context and decision, one hop after the other"
		l.Form = slotted(c)
		return l
	}
	l.Core = "per-ACK logic: from telemetry and context to context and decision"
	l.Taps = []engine.Tap{{Field: "rate", Doc: "R, " + c.Formats.Rate.String()}, {Field: "stage", Doc: "incStage"}}
	l.Form = pipelined(c)
	return l
}

// widths are the width keys of all ports of a configuration.
func widths(c *config.NIC) vgen.Widths {
	t, f := c.Telemetry, c.Formats
	w := engine.Widths(c.Engine)
	maps.Copy(w, vgen.Widths{
		"kind": kindBits, "status": engine.StatusBits, "hops": c.MaxHops, "tindex": c.TableIndexBits(),
		"profile": c.ProfileBits(), "u": f.U.Width(), "w": f.Window.Width(), "rate": f.Rate.Width(),
		"stage": c.StageBits, "seq": seqBits(c), "ackseq": ackSeqBits(c), "clock": c.ClockBits, "nhop": config.NhopBits,
		"path": t.PathIDBits, "link": t.LinkIDBits, "code": t.RateCodeBits,
		"ts": t.TSBits, "tx": t.TxBits, "qlen": t.QlenBits, "dts": t.TSBits - 1,
		"invb": f.InvB.Width(), "invbt": f.InvBT.Width(), "invt": f.InvT.Width(), "eta": f.Eta.Width(),
		"rtt": c.RTTBits, "rttsel": 1, "rttindex": c.ProfileBits(),
	})
	return w
}

// seqBits is the width of lastUpdateSeq, or of lastUpdateTime in receiver mode.
func seqBits(c *config.NIC) int {
	if c.CommitByTime {
		return c.ClockBits
	}
	return c.SeqBits
}

// ackSeqBits is the width of ack_seq and snd_nxt, which the receiver mode does not have.
func ackSeqBits(c *config.NIC) int {
	if c.CommitByTime {
		return 0
	}
	return c.SeqBits
}
