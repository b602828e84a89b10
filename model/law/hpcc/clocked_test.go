package hpcc_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/law/hpcc"
)

// shortTiming is small enough for waveforms in a test. Reset is high in cycles 0 to 2, the sweep takes cycles 3 to 8.
var shortTiming = hpcc.Timing{
	Latency: 5, Interval: 1, Hazard: 3, Credits: 16,
	Sweep: 6, InputDepth: 2, Told: 1, ToldRead: 1, Count: 5, Output: 1,
}

// wave runs an engine and draws its one-bit outputs, one character a cycle.
type wave struct {
	*hpcc.Clocked
	t                              *testing.T
	issued                         []int64 // cycles in which ACKs were issued
	s, cw, cr, tw, m, cd, rejected strings.Builder
	results                        []hpcc.Result
	reads                          []hpcc.ContextData
}

func newWave(t *testing.T, cfg *config.NIC, timing hpcc.Timing) *wave {
	t.Helper()
	c, err := hpcc.NewClocked(cfg, timing)
	require.NoError(t, err)
	w := &wave{Clocked: c, t: t}
	c.OnEvent = func(cycle int64, _ *hpcc.Ack, _ *hpcc.Result) { w.issued = append(w.issued, cycle) }
	return w
}

// run takes cycles up to, not including, end. drive sets the inputs of a cycle; reset, m_ready and cd_ready are preset.
func (w *wave) run(end int64, drive func(cycle int64, in *hpcc.Inputs)) {
	draw := func(b *strings.Builder, bit bool) {
		b.WriteByte(map[bool]byte{false: '.', true: '1'}[bit])
	}
	for w.Now() < end {
		var out hpcc.Outputs
		in := hpcc.Inputs{Rst: w.Now() < 3, MReady: true, CDReady: true}
		drive(w.Now(), &in)
		w.Cycle(&in, &out)
		draw(&w.s, out.SReady)
		draw(&w.cw, out.CWReady)
		draw(&w.cr, out.CRReady)
		draw(&w.tw, out.TWReady)
		draw(&w.m, out.M.Valid)
		draw(&w.cd, out.CD.Valid)
		w.rejected.WriteByte('0' + byte(out.Counters[hpcc.StatusRejectedFlow]))
		if out.M.Valid && in.MReady {
			w.results = append(w.results, out.M.Payload)
		}
		if out.CD.Valid && in.CDReady {
			w.reads = append(w.reads, out.CD.Payload)
		}
	}
}

func (w *wave) expect(name, want string, got *strings.Builder) {
	w.t.Helper()
	require.Equal(w.t, want, got.String(), name)
}

// stream drives s with ACKs of flows 100, 101, 102... from cycle 0 on: flows that the short sweep does not clear.
func stream() func(int64, *hpcc.Inputs) {
	return func(cycle int64, in *hpcc.Inputs) {
		in.S.Valid, in.S.Payload = true, hpcc.Ack{Flow: 100 + uint32(cycle)}
	}
}

func TestResetSweepLatency(t *testing.T) {
	w := newWave(t, line(t), shortTiming)
	w.run(20, stream())
	//                      0  3     9      16
	w.expect("s_ready", "....11....1111111111", &w.s)
	w.expect("cw_ready", "....1111111111111111", &w.cw)
	w.expect("m_valid", "................1111", &w.m)
	w.expect("n_rejected_flow", "00000000000000012345", &w.rejected)
	require.Equal(t, []int64{9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19}, w.issued)
	require.Equal(t, []hpcc.Result{
		{Flow: 104, Status: hpcc.StatusRejectedFlow}, {Flow: 105, Status: hpcc.StatusRejectedFlow},
		{Flow: 110, Status: hpcc.StatusRejectedFlow}, {Flow: 111, Status: hpcc.StatusRejectedFlow},
	}, w.results, "in order; accepted in cycles 4, 5, 10, 11")
}

// Behind a front of two registers operations issue three cycles later after a reset, still one a cycle; those that
// wait for one of their flow hold back the ones after them.
func TestFront(t *testing.T) {
	timing := shortTiming
	timing.Front, timing.Told, timing.ToldRead = 2, 2, 2
	w := newWave(t, line(t), timing)
	w.run(23, stream())
	//                      0  3      10       19
	w.expect("s_ready", "....11.....111111111111", &w.s)
	w.expect("m_valid", "...................1111", &w.m)
	w.expect("n_rejected_flow", "00000000000000000012345", &w.rejected)
	require.Equal(t, []int64{12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22}, w.issued)

	w = newWave(t, line(t), timing)
	flows := []uint32{101, 101, 102, 103, 104, 105}
	next := 0
	w.run(25, func(_ int64, in *hpcc.Inputs) {
		if next = min(strings.Count(w.s.String(), "1"), len(flows)); next < len(flows) {
			in.S.Valid, in.S.Payload.Flow = true, flows[next]
		}
	})
	require.Equal(t, []int64{12, 16, 17, 18, 19, 20}, w.issued, "the second ACK waits for three cycles")
	w.expect("s_ready", "....11.....1111...1111111", &w.s)
}

func TestInputDepthOne(t *testing.T) {
	timing := shortTiming
	timing.InputDepth = 1
	w := newWave(t, line(t), timing)
	w.run(20, stream())
	w.expect("s_ready", "....1.....1.1.1.1.1.", &w.s)
	require.Equal(t, []int64{9, 11, 13, 15, 17, 19}, w.issued)
}

// Without slices an ACK stays at its port for 2 cycles from its issue on, and every third cycle issues.
func TestSlots(t *testing.T) {
	timing := shortTiming
	timing.Told, timing.ToldRead, timing.HoldRead = 0, 0, 1
	timing.InputDepth, timing.Interval, timing.Hazard, timing.Hold, timing.Sweep = 0, 3, 0, 2, 4
	w := newWave(t, line(t), timing)
	w.run(21, stream())
	require.Equal(t, []int64{9, 12, 15, 18}, w.issued, "cycles 3 to 6 clear; 3, 6, 9 ... are those of issue")
	w.expect("s_ready", "...........1..1..1..1", &w.s)
}

// Without slices an ACK that is withdrawn before its transfer, in cycle 10, 14 or 17, is none: no ready, no result, no
// count, no credit. So is a read that is withdrawn in the cycle of its transfer.
func TestWithdrawn(t *testing.T) {
	timing := shortTiming
	timing.Told, timing.ToldRead, timing.HoldRead = 0, 0, 1
	timing.InputDepth, timing.Interval, timing.Hazard, timing.Hold, timing.Sweep, timing.Credits = 0, 3, 0, 2, 4, 1
	w := newWave(t, line(t), timing)
	offer := stream()
	w.run(35, func(cycle int64, in *hpcc.Inputs) {
		offer(cycle, in)
		in.S.Valid = cycle != 10 && cycle != 14 && cycle != 17 && cycle < 21
		in.CR.Valid = cycle == 24 || cycle == 27 || cycle == 28
		in.CR.Payload = uint32(cycle)
	})
	require.Equal(t, []int64{18}, w.issued)
	w.expect("s_ready", "..............1..1..1..............", &w.s)
	w.expect("cr_ready", ".........................1..1......", &w.cr)
	require.Len(t, w.results, 1)
	require.EqualValues(t, 118, w.results[0].Flow)
	require.Len(t, w.reads, 1)
	require.EqualValues(t, 27, w.reads[0].Flow)
	require.Equal(t, "1", w.rejected.String()[34:])
}

func TestInterval(t *testing.T) {
	timing := shortTiming
	timing.Interval, timing.Sweep = 3, 2
	w := newWave(t, line(t), timing)
	w.run(20, stream())
	require.Equal(t, []int64{9, 12, 15, 18}, w.issued, "the sweep issues in cycles 3 and 6")
}

func TestCredits(t *testing.T) {
	timing := shortTiming
	timing.Credits = 4
	w := newWave(t, line(t), timing)
	w.run(30, stream())
	w.expect("s_ready", "....11....1111....1111....1111", &w.s)
	w.expect("m_valid", "................1111....1111..", &w.m)
	require.Equal(t, []int64{9, 10, 11, 12, 17, 18, 19, 20, 25, 26, 27, 28}, w.issued,
		"a result taken in cycle 16 lets an ACK issue in cycle 17")
}

func TestBackPressure(t *testing.T) {
	timing := shortTiming
	timing.Credits = 3
	w := newWave(t, line(t), timing)
	drive := stream()
	w.run(33, func(cycle int64, in *hpcc.Inputs) {
		drive(cycle, in)
		in.MReady = cycle >= 22
	})
	w.expect("m_valid", "................111111111.....111", &w.m) // taken in 22, 23, 24
	require.Equal(t, []int64{9, 10, 11, 23, 24, 25, 31, 32}, w.issued)
	require.Equal(t, []uint32{104, 105, 110}, []uint32{w.results[0].Flow, w.results[1].Flow, w.results[2].Flow})
}

func TestHazard(t *testing.T) {
	w := newWave(t, line(t), shortTiming)
	flows := []uint32{1, 1, 2, 1}
	next := 0
	w.run(30, func(_ int64, in *hpcc.Inputs) {
		if next < len(flows) {
			in.S.Valid, in.S.Payload.Flow = true, flows[next]
		}
		if taken := strings.Count(w.s.String(), "1"); taken > next {
			next = taken
			in.S.Valid = next < len(flows)
			if in.S.Valid {
				in.S.Payload.Flow = flows[next]
			}
		}
	})
	require.Equal(t, []int64{9, 13, 14, 17}, w.issued, "flow 2 waits behind flow 1; flow 1 waits for 3 cycles without it")

	none := shortTiming
	none.Hazard = 0
	w = newWave(t, line(t), none)
	w.run(14, func(_ int64, in *hpcc.Inputs) { in.S.Valid, in.S.Payload.Flow = true, 1 })
	require.Equal(t, []int64{9, 10, 11, 12, 13}, w.issued)
}

// The sweep clears flow 4 in cycle 7 and flow 5 in cycle 8: operations of them keep their distance from that.
func TestHazardBehindTheSweep(t *testing.T) {
	for flow, first := range map[uint32]int64{0: 9, 4: 11, 5: 12, 6: 9, 1024 + 5: 12} {
		w := newWave(t, line(t), shortTiming)
		w.run(14, func(_ int64, in *hpcc.Inputs) { in.S.Valid, in.S.Payload.Flow = true, flow })
		require.Equal(t, first, w.issued[0], "flow %d", flow)
	}
}

func TestPriority(t *testing.T) {
	cfg := line(t)
	w := newWave(t, cfg, shortTiming)
	tables, flows := program(t, cfg, 1)
	w.run(40, func(cycle int64, in *hpcc.Inputs) {
		if cycle == 4 { // all of them wait for the end of the sweep
			in.TW.Valid, in.TW.Payload = true, tables[0] // T
			in.CW.Valid, in.CW.Payload = true, flows[0]
			in.CR.Valid, in.CR.Payload = true, 0
			in.S.Valid, in.S.Payload = true, hpcc.Ack{Flow: 0}
		}
	})
	// tw in 9; cw in 10; cr of the same flow in 14; the ACK in 18.
	//                      0        9    14
	w.expect("tw_ready", "....1..........1111111111111111111111111", &w.tw) // held until 9 + L
	w.expect("cw_ready", "....1...........111111111111111111111111", &w.cw)
	w.expect("cr_ready", "....1..........1111111111111111111111111", &w.cr)
	w.expect("cd_valid", "....................1...................", &w.cd)
	w.expect("m_valid", ".........................1..............", &w.m)
	require.Equal(t, []int64{18}, w.issued)
	require.Len(t, w.reads, 1)
	require.True(t, w.reads[0].Open)
	require.Equal(t, flows[0].Wc, w.reads[0].Wc)
	require.Equal(t, hpcc.StatusNoTelemetry, w.results[0].Status)
}

func TestReadsWaitForTheirTurn(t *testing.T) {
	w := newWave(t, line(t), shortTiming)
	w.run(40, func(cycle int64, in *hpcc.Inputs) {
		in.CR.Valid, in.CR.Payload = true, 100+uint32(cycle)
		in.S.Valid, in.S.Payload.Flow = cycle == 9, 77
		in.CDReady = cycle != 15 && cycle != 16
	})
	// Reads issue in 9, 18 (after the transfer in 17), 25, 32, 39; the ACK passes in 10.
	w.expect("cr_ready", "....1.....1........1......1......1......", &w.cr)
	w.expect("cd_valid", "...............111......1......1......1.", &w.cd)
	require.Equal(t, []int64{10}, w.issued)
	require.Equal(t, []hpcc.ContextData{{Flow: 104}, {Flow: 110}, {Flow: 119}, {Flow: 126}}, w.reads)
}

// resetInFlight asserts reset in cycles 18 and 19, with ACKs, a held table write and results in flight.
func resetInFlight(t *testing.T, async bool) *wave {
	cfg := line(t)
	cfg.AsyncReset = async
	w := newWave(t, cfg, shortTiming)
	tables, flows := program(t, cfg, 1)
	drive := stream()
	w.run(40, func(cycle int64, in *hpcc.Inputs) {
		drive(cycle, in)
		in.Rst = in.Rst || cycle == 18 || cycle == 19
		in.CW.Valid, in.CW.Payload = cycle == 4, flows[0]
		in.TW.Valid, in.TW.Payload = cycle == 15, tables[0]
		in.CR.Valid, in.CR.Payload = cycle == 25, 0
	})
	require.Equal(t, hpcc.ContextData{}, w.Model().ReadContext(0), "contexts are zero")
	require.Equal(t, []hpcc.ContextData{{}}, w.reads)
	return w
}

func TestSynchronousReset(t *testing.T) {
	w := resetInFlight(t, false)
	// cw issues in 9, ACKs from 10 on but for tw in 16. The outputs of cycle 18 are still those of before. The sweep
	// issues again in 20 to 25, cr in 26, ACKs from 27 on.
	//                      0                 18
	w.expect("s_ready", "....11.....111111.1..11.....111111111111", &w.s)
	w.expect("m_valid", ".................11...............111111", &w.m)
	w.expect("tw_ready", "....111111111111....."+strings.Repeat("1", 19), &w.tw)
	w.expect("cw_ready", "....1..........1111.."+strings.Repeat("1", 19), &w.cw)
	w.expect("cd_valid", "................................1.......", &w.cd)
	w.expect("n_rejected_flow", "0000000000000000123000000000000001234567", &w.rejected)
}

func TestAsynchronousReset(t *testing.T) {
	w := resetInFlight(t, true)
	//                      0                 18: low at once
	w.expect("s_ready", "....11.....111111....11.....111111111111", &w.s)
	w.expect("m_valid", ".................1................111111", &w.m)
	w.expect("tw_ready", "....111111111111....."+strings.Repeat("1", 19), &w.tw)
	w.expect("cw_ready", "....1..........111..."+strings.Repeat("1", 19), &w.cw)
	w.expect("cd_valid", "................................1.......", &w.cd)
	w.expect("n_rejected_flow", "0000000000000000120000000000000001234567", &w.rejected)
}

func TestTapsComeWithTheIssue(t *testing.T) {
	cfg := line(t)
	w := newWave(t, cfg, shortTiming)
	tables, flows := program(t, cfg, 1)
	for _, write := range tables {
		w.Model().WriteTable(write)
	}
	w.Model().WriteContext(flows[0])
	cycles := map[int64]hpcc.Taps{}
	w.OnReact = func(cycle int64, taps *hpcc.Taps) { cycles[cycle] = *taps }
	same := newRig(t, cfg)
	acks := []hpcc.Ack{rigAck(0), rigAck(300), rigAck(700)}
	sent := 0
	w.run(40, func(_ int64, in *hpcc.Inputs) {
		sent = strings.Count(w.s.String(), "1")
		if in.S.Valid = !in.Rst && sent < 3; in.S.Valid {
			in.S.Payload = acks[sent]
		}
	})
	require.Equal(t, []int64{9, 13, 17}, w.issued)
	require.Len(t, cycles, 2, "the first ACK does not react")
	for i, cycle := range []int64{13, 17} {
		require.Equal(t, same.Event(acks[i+1]), w.results[i+1])
		require.Equal(t, same.Taps(), cycles[cycle])
	}
}

// Ports truncate values wider than they are.
func TestPortsCutTheirOperands(t *testing.T) {
	cfg := line(t)
	w := newWave(t, cfg, shortTiming)
	_, flows := program(t, cfg, 4)
	w.run(40, func(cycle int64, in *hpcc.Inputs) {
		in.CW.Valid, in.CW.Payload = cycle == 4, flows[3]
		in.CW.Payload.Flow |= 1 << 10
		in.CR.Valid, in.CR.Payload = cycle == 10, 3|1<<20
		in.S.Valid, in.S.Payload = cycle == 15, hpcc.Ack{Flow: 3 | 1<<31, Nhop: 16}
	})
	require.Len(t, w.reads, 1)
	require.Equal(t, uint32(3), w.reads[0].Flow)
	require.True(t, w.reads[0].Open)
	require.Len(t, w.results, 1)
	require.Equal(t, uint32(3), w.results[0].Flow)
	require.Equal(t, hpcc.StatusNoTelemetry, w.results[0].Status)
}

func TestImpossibleTimingIsNamed(t *testing.T) {
	slots := func(t *hpcc.Timing, interval, hold int) {
		t.InputDepth, t.Told, t.ToldRead, t.Hazard = 0, 0, 0, 0
		t.Interval, t.Hold, t.HoldRead = interval, hold, 1
	}
	for want, change := range map[string]func(*hpcc.Timing){
		"golden model: timing: latency is 0; must be at least 1":  func(t *hpcc.Timing) { t.Latency = 0 },
		"golden model: timing: interval is 0; must be at least 1": func(t *hpcc.Timing) { t.Interval = 0 },
		"golden model: timing: hazard is -1; must be at least 0":  func(t *hpcc.Timing) { t.Hazard = -1 },
		"golden model: timing: credits is 0; must be at least 1":  func(t *hpcc.Timing) { t.Credits = 0 },
		"golden model: timing: output is 0; must be at least 1":   func(t *hpcc.Timing) { t.Output = 0 },
		"golden model: timing: front is -1; must be at least 0":   func(t *hpcc.Timing) { t.Front = -1 },
		"golden model: timing: input depth is -1; must be at least 0": func(
			t *hpcc.Timing) {
			t.InputDepth = -1
		},
		"golden model: timing: count is 7; must be at most the latency and one, 6": func(t *hpcc.Timing) { t.Count = 7 },
		"golden model: timing: told is 0, of a read 1; must be at least 1":         func(t *hpcc.Timing) { t.Told = 0 },
		"golden model: timing: told is 1, of a read 0; must be 0 where there are no slices": func(t *hpcc.Timing) {
			slots(t, 3, 2)
			t.Told = 1
		},
		"golden model: timing: hold of a read is 0; must be at least 1 and below the interval, 3": func(t *hpcc.Timing) {
			slots(t, 3, 2)
			t.HoldRead = 0
		},
		"golden model: timing: hold is 3; must be at least 1 and below the interval, 3": func(t *hpcc.Timing) {
			slots(t, 3, 3)
		},
		"golden model: timing: hold is 6; must be at most the latency, 5, and the count, 6": func(t *hpcc.Timing) {
			slots(t, 7, 6)
			t.Count = 6
		},
		"golden model: timing: hold is 2; must be at most the latency, 5, and the count, 1": func(t *hpcc.Timing) {
			slots(t, 3, 2)
			t.Count = 1
		},
		"golden model: timing: hazard is 3; must be below the interval, 3, where there are no slices": func(t *hpcc.Timing) {
			slots(t, 3, 2)
			t.Hazard = 3
		},
	} {
		timing := shortTiming
		change(&timing)
		_, err := hpcc.NewClocked(line(t), timing)
		require.EqualError(t, err, want)
	}
}
