package hpcc

import (
	"fmt"
	"math/big"
	"strings"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/fixed"
	"github.com/hdlpkg/hpccgen/rtlgen/engine"
)

var kinds = []engine.Code{
	{Value: 0, Name: "none", Doc: "nothing changed"},
	{Value: 1, Name: "first", Doc: "the telemetry was stored; there was nothing to compare it with"},
	{Value: 2, Name: "update", Doc: "reaction and commit: U, W, Wc and stage changed"},
	{Value: 3, Name: "fast", Doc: "reaction between commits: U and W changed"},
}

var statuses = []engine.Code{
	{Value: engine.StatusOK, Name: "ok", Doc: "reaction"},
	{Value: engine.StatusFirst, Name: "first", Doc: "the flow's first ACK with telemetry"},
	{Value: engine.StatusNoTelemetry, Name: "no_telemetry", Doc: "nhop is 0; counted"},
	{Value: engine.StatusRejectedHops, Name: "rejected_hops", Doc: "more hops than the engine has; counted"},
	{Value: engine.StatusRejectedRate, Name: "rejected_rate",
		Doc: "a rate code without a valid entry in the rate table; counted"},
	{Value: engine.StatusRejectedFlow, Name: "rejected_flow",
		Doc: "no such flow, or not open, or another generation of it; counted"},
	{Value: engine.StatusPathChanged, Name: "path_changed",
		Doc: "path identifier, nhop or a link identifier differs from the stored; counted"},
	{Value: engine.StatusStale, Name: "stale", Doc: "older than the stored telemetry; counted"},
	{Value: engine.StatusIdle, Name: "idle",
		Doc: "so long after the stored telemetry that timestamps may have wrapped"},
	{Value: engine.StatusNoTime, Name: "no_time", Doc: "no hop's timestamp has advanced"},
	{Value: engine.StatusNoCommit, Name: "no_commit", Doc: "between commits, and the profile reacts at commits only"},
	{Value: engine.StatusClampedMin, Name: "clamped_min", Doc: "reaction, the window raised to W_min"},
	{Value: engine.StatusClampedMax, Name: "clamped_max", Doc: "reaction, the window lowered to W_max"},
}

const precision = `Bounds of the error of one step: the engine's result against the draft's equations in exact ` +
	`arithmetic, from the same telemetry and the same
U and Wc before the step. They hold where nothing saturates, in the range that heads each block, two hops that are
nearly equal aside (a near tie). docs/numeric.md of the generator has the arithmetic.`

// guide returns the law's part of the documents.
func guide(c *config.NIC) engine.Guide {
	commit, seq := "seq = snd_nxt", "lastUpdateSeq: commits follow when ack_seq passes it"
	if c.CommitByTime {
		commit, seq = "seq = the local clock", "lastUpdateTime: commits follow when the clock is more than T past it"
	}
	p := example(c)
	g := engine.Guide{
		TickNs: c.Telemetry.TickNs,
		Setup:  "the rate and queue entries of the link rates in use, then every entry of the profiles in use,",
		Opening: "u = 1, wc = w = W_init, stage = 0, " + commit + `.
   W_init is B_nic T. The flow's first ACK with telemetry then only stores it.`,
		Applied: "W and R", Forgets: "its telemetry",
		Terms:   "B is the link's rate in bit/s, T the\nbase round-trip time in ticks, ",
		Formats: formats(c), Fields: map[string]string{"wc": "reference window Wc", "w": "window W", "seq": seq},
		Kinds: kinds, Statuses: statuses, Entries: rateEntries(c, p),
		Bounds: c.Budget.Rows(), Precision: precision,
	}
	if entries, err := c.ProfileEntries(0, p); err == nil {
		g.Profile = entries
		g.Example = fmt.Sprintf("A profile with T = %d ticks, eta = 0.95, maxStage = %d, reaction to every ACK, "+
			"W_ai = W_min = %d bytes, W_max = %d bytes", c.MaxRTTTicks, p.MaxStage, c.MinWindow, c.MaxWindow)
	}
	return g
}

// formats are those of ports that are not plain numbers.
func formats(c *config.NIC) map[string]string {
	f, t := c.Formats, c.Telemetry
	qlen := fmt.Sprintf("units of %d B", t.QlenUnitBytes)
	if c.Sojourn {
		qlen = fmt.Sprintf("units of %d ticks", t.QlenUnitBytes)
	}
	window := f.Window.String() + ", bytes"
	list := map[string]string{"u": f.U.String(), "w": window, "wc": window, "rate": f.Rate.String() + ", bytes per tick",
		"now": "ticks; does not wrap"}
	for i := range c.MaxHops {
		hop := fmt.Sprintf("hop%d_", i)
		list[hop+"ts"], list[hop+"qlen"] = "ticks, wrapping", qlen
		list[hop+"tx"] = fmt.Sprintf("units of %d B, wrapping", t.TxUnitBytes)
	}
	return list
}

// example is a profile that every configuration can hold: its largest T, and windows of its range.
func example(c *config.NIC) config.Profile {
	bytes := func(v uint64) *big.Rat { return new(big.Rat).SetUint64(v) }
	return config.Profile{
		BaseRTTNs: c.MaxRTTTicks * c.Telemetry.TickNs, Eta: big.NewRat(95, 100), MaxStage: min(5, 1<<c.StageBits-1),
		Fast: true,
		WAI:  bytes(c.MinWindow), WMin: bytes(c.MinWindow), WMax: bytes(c.MaxWindow),
	}
}

// rateEntries lists the entries of the configured rates, for checking the software that writes them.
func rateEntries(c *config.NIC, p config.Profile) string {
	var b strings.Builder
	fmt.Fprintf(&b, "The entries of the configured rates; those of the queue table for T = %d ticks:\n\n", c.MaxRTTTicks)
	b.WriteString("| rate, bit/s | rate entry | 1/B | queue entry | 1/(B T) |\n|---|---|---|---|---|")
	value := func(f fixed.Format, raw uint64) string {
		v, _ := f.Value(new(big.Int).SetUint64(raw)).Float64()
		return fmt.Sprintf("%.6g", v)
	}
	for _, bps := range c.RatesBps {
		rate, errRate := c.RateEntry(0, bps, 1)
		queue, errQueue := c.QueueEntry(0, 0, bps, 1, p)
		if errRate != nil || errQueue != nil {
			continue
		}
		fmt.Fprintf(&b, "\n| %d | %s | %s | %s | %s |", bps, engine.Hex(rate.Data, c.TableEntryBits(config.TableRate)),
			value(c.Formats.InvB, rate.Data&(1<<c.Formats.InvB.Width()-1)),
			engine.Hex(queue.Data, c.TableEntryBits(config.TableQueue)), value(c.Formats.InvBT, queue.Data))
	}
	return b.String()
}
