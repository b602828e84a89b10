package hpcc_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/law/hpcc"
)

// lineTiming is the timing of an engine that takes an ACK in every cycle.
var lineTiming = hpcc.Timing{
	Latency: 60, Interval: 1, Hazard: 8, Credits: 128,
	Sweep: 1024, InputDepth: 2, Told: 1, ToldRead: 1, Count: 60, Output: 2,
}

// program opens flows 0 to n-1 with a profile of T = 8192 ns and makes rate code 1 known as 100 Gbit/s.
func program(tb testing.TB, cfg *config.NIC, n int) (tables []config.TableWrite, flows []hpcc.ContextWrite) {
	tb.Helper()
	p := typicalProfile()
	tables, err := cfg.ProfileEntries(0, p)
	require.NoError(tb, err)
	rate, err := cfg.RateEntry(1, 100e9, 1)
	require.NoError(tb, err)
	queue, err := cfg.QueueEntry(1, 0, 100e9, 1, p)
	require.NoError(tb, err)
	w := rawWindow(cfg, p.WMax)
	for f := range n {
		flows = append(flows, hpcc.ContextWrite{Flow: uint32(f), Mask: 0x7f, U: 1 << cfg.Formats.U.Frac, Wc: w, W: w})
	}
	return append(tables, rate, queue), flows
}

// steadyAck is the n-th ACK of flow f on a five-hop path that is a little too busy.
func steadyAck(f, n int) hpcc.Ack {
	a := hpcc.Ack{Flow: uint32(f), AckSeq: uint32(1000 * n), SndNxt: uint32(1000*n + 50000), Now: uint64(1000 * n),
		Nhop: 5}
	for h := range 5 {
		a.Hop[h] = hpcc.Record{RateCode: 1, TS: uint64(1000*n + 100*h), Tx: uint64((93 + h) * n), Qlen: uint32(n % 7 * h)}
	}
	return a
}

func BenchmarkAck(b *testing.B) {
	cfg := load(b, "nic-line")
	m, err := hpcc.New(cfg)
	require.NoError(b, err)
	tables, flows := program(b, cfg, cfg.Flows)
	for _, w := range tables {
		m.WriteTable(w)
	}
	for _, w := range flows {
		m.WriteContext(w)
	}
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		m.Event(steadyAck(n%cfg.Flows, n/cfg.Flows))
		n++
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "ACKs/s")
}

func BenchmarkCycle(b *testing.B) {
	cfg := load(b, "nic-line")
	c, err := hpcc.NewClocked(cfg, lineTiming)
	require.NoError(b, err)
	tables, flows := program(b, cfg, cfg.Flows)
	for _, w := range tables {
		c.Model().WriteTable(w)
	}
	for _, w := range flows {
		c.Model().WriteContext(w)
	}
	in, out := hpcc.Inputs{MReady: true}, hpcc.Outputs{}
	n, results := 0, 0
	cycle := func() {
		in.S.Valid, in.S.Payload = true, steadyAck(n%cfg.Flows, n/cfg.Flows)
		c.Cycle(&in, &out)
		if out.SReady {
			n++
		}
		if out.M.Valid {
			results++
		}
	}
	for range 2 * lineTiming.Sweep { // past the sweep
		cycle()
	}
	start := results
	b.ReportAllocs()
	for b.Loop() {
		cycle()
	}
	require.GreaterOrEqual(b, results-start, b.N, "an ACK in every cycle")
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "cycles/s")
}
