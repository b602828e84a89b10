package hpcc

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/verify/replay"
)

// variant is a preset with pieces of its text replaced, from and to in turn.
func variant(t testing.TB, name string, edits ...string) *config.NIC {
	t.Helper()
	text, err := config.PresetYAML(name)
	require.NoError(t, err)
	s := string(text)
	for i := 0; i < len(edits); i += 2 {
		require.Contains(t, s, edits[i])
		s = strings.Replace(s, edits[i], edits[i+1], 1)
	}
	cfg, err := config.Parse(name+".yaml", []byte(s))
	require.NoError(t, err)
	return cfg
}

// wide has fields wider than those of a trace.
func wide(t testing.TB) *config.NIC {
	return variant(t, "nic-line", "timestamp_bits: 24", "timestamp_bits: 32", "tx_bits: 20", "tx_bits: 24")
}

// inTicks has a tick of 7 ns.
func inTicks(t testing.TB) *config.NIC {
	text, err := config.PresetYAML("nic-line")
	require.NoError(t, err)
	_, formats, _ := strings.Cut(string(text), "precision:\n")
	return variant(t, "nic-line", formats, "  max_error: 1e-2\n", "timestamp_bits: 24", "timestamp_bits: 30",
		"tick: 1ns", "tick: 7ns")
}

const oneHop = "t_ns,flow,ack_seq,snd_nxt,nhop,h0_rate_bps,h0_ts,h0_tx,h0_qlen\n"

// TestStaleRowOfWrappedCounters replays a row that is older than the one before it and ignored: with any width the
// next one is measured from the row that was stored.
func TestStaleRowOfWrappedCounters(t *testing.T) {
	trace := oneHop
	for i, r := range [][3]int{{0, 0, 0}, {100, 100, 8}, {150, 50, 4}, {8_000_000, 8_000_000, 3000}} {
		trace += fmt.Sprintf("%d,0,%d,%d,1,100000000000,%d,%d,0\n", r[0], 1000*i, 60_000+1000*i, r[1], r[2])
	}
	path := files(t, trace, flowsText)
	for _, cfg := range []*config.NIC{preset(t, "nic-line"), variant(t, "nic-line", "tx_bits: 20", "tx_bits: 24"),
		wide(t)} {
		lines := strings.Split(output(t, cfg, replay.Options{Trace: path}), "\n")
		assert.True(t, strings.HasSuffix(lines[3], ",stale"), lines[3])
		// dtx of 2992 units of 128 B at 80 ps a byte, in 7,999,900 ns: u = 0.00382978...; tau is above T, so that U =
		// u.
		assert.Equal(t, "0.003829", strings.Split(lines[4], ",")[3][:8], "timestamps of %d bits, tx of %d",
			cfg.Telemetry.TSBits, cfg.Telemetry.TxBits)
	}
}

// TestIgnoredRowsChangeNothing inserts rows that an engine ignores among others, whose results are the same as without
// them.
func TestIgnoredRowsChangeNothing(t *testing.T) {
	cfgs := []*config.NIC{preset(t, "nic-line"), wide(t), inTicks(t)}
	rapid.Check(t, func(r *rapid.T) {
		cfg := rapid.SampledFrom(cfgs).Draw(r, "configuration")
		now, ts, tx, seq := 0, rapid.IntRange(0, 1<<24-1).Draw(r, "ts"), rapid.IntRange(0, 1<<20-1).Draw(r, "tx"), 1000
		with, without := oneHop, oneHop
		var kept []int
		row := func(flow, nhop, rate, ts, tx int) string {
			s := fmt.Sprintf("%d,%d,%d,%d,%d", now, flow, seq, seq+60_000, nhop)
			if nhop == 0 {
				return s + ",,,,\n"
			}
			return s + fmt.Sprintf(",%d,%d,%d,5\n", rate, ts&(1<<24-1), tx&(1<<20-1))
		}
		for n := range rapid.IntRange(3, 30).Draw(r, "rows") {
			any := func(what string, most int) int { return rapid.IntRange(0, most).Draw(r, what) }
			how := any("how", 6)
			if n < 2 {
				how = 5
			}
			switch how {
			case 0:
				with += row(0, 1, 100_000_000_000, ts-100-any("back", 1<<20), any("other tx", 1<<20-1)) // stale
			case 1:
				with += row(0, 1, 0, any("other ts", 1<<24-1), any("other tx", 1<<20-1)) // rejected_rate
			case 2:
				with += row(0, 0, 0, 0, 0) // no_telemetry
			case 3:
				with += row(0, 1, 100_000_000_000, ts, any("other tx", 1<<20-1)) // no_time
			default:
				step := 100 + any("step", 1<<21)
				now, ts, tx, seq = now+step, ts+step, tx+any("sent", 1<<19), seq+any("acked", 80_000)
				with += row(0, 1, 100_000_000_000, ts, tx)
				without += row(0, 1, 100_000_000_000, ts, tx)
				kept = append(kept, n+1)
			}
		}
		results := func(trace string) (lines []string) {
			for _, line := range strings.Split(strings.TrimSpace(output(t, cfg, replay.Options{Trace: files(t, trace,
				flowsText)})), "\n")[1:] {
				lines = append(lines, line[strings.IndexByte(line, ',')+1:])
			}
			return lines
		}
		all, some := results(with), results(without)
		require.Len(r, some, len(kept))
		for i, n := range kept {
			require.Equal(r, some[i], all[n-1], "row %d", n)
		}
	})
}

// TestRecordOfAHopThatStands puts an older byte count into a row in which a hop's time has not advanced, in ticks: the
// engine keeps the hop's record, so that later rows give the same results as with that record's count.
func TestRecordOfAHopThatStands(t *testing.T) {
	const head = "t_ns,flow,ack_seq,snd_nxt,nhop,h0_rate_bps,h0_ts,h0_tx,h0_qlen,h1_rate_bps,h1_ts,h1_tx,h1_qlen\n"
	for name, cfg := range map[string]*config.NIC{"narrow": preset(t, "nic-line"), "wide": wide(t),
		"ticks": inTicks(t)} {
		t.Run(name, func(t *testing.T) {
			with := func(tx int) string {
				trace := head
				for i, r := range [][3]int{{100, 7000, 500}, {8000, 7000, tx}, {16_000, 23_000, 1500},
					{24_000, 31_000, 1600}} {
					trace += fmt.Sprintf("%d,0,%d,%d,2,100000000000,%d,%d,0,100000000000,%d,%d,0\n", 8000*i, 1000*i,
						60_000+1000*i, r[0], i, r[1], r[2])
				}
				return output(t, cfg, replay.Options{Trace: files(t, trace, flowsText)})
			}
			want := with(500)
			assert.NotEqual(t, "0.0", strings.Split(strings.Split(want, "\n")[3], ",")[3][:3], "hop 1 decides")
			for _, tx := range []int{499, 0, 501, 1 << 19} {
				assert.Equal(t, want, with(tx), "a count of %d", tx)
			}
		})
	}
}

// TestOptionalColumns replays traces that need optional columns, on the model and on the design.
func TestOptionalColumns(t *testing.T) {
	cfg := variant(t, "nic-line", "link_id_bits: 0", "link_id_bits: 8")
	trace := `t_ns,flow,ack_seq,snd_nxt,nhop,path_id,h0_rate_bps,h0_ts,h0_tx,h0_qlen,h0_link_id
1000,0,1000,50000,1,7,100000000000,1000,0,0,200
1100,0,2000,51000,1,7,100000000000,1100,8,0,200
1200,0,3000,52000,1,8,100000000000,1200,16,0,200
1300,0,4000,53000,1,8,100000000000,1300,24,0,201
1400,0,5000,54000,1,8,0,1400,32,0,201
1500,7,5000,54000,1,8,100000000000,1500,32,0,201
1600,0,6000,55000,1,8,100000000000,1600,40,0,201
`
	flows := strings.Split(strings.TrimSpace(flowsText), "\n")
	path := files(t, trace, flows[0]+",open\n"+flows[1]+",1\n"+flows[2]+",0\n")
	want := output(t, cfg, replay.Options{Trace: path})
	var statuses []string
	for _, line := range strings.Split(strings.TrimSpace(want), "\n")[1:] {
		statuses = append(statuses, line[strings.LastIndexByte(line, ',')+1:])
	}
	assert.Equal(t, []string{"first", "ok", "path_changed", "path_changed", "rejected_rate", "rejected_flow"},
		statuses[:6])
	assert.True(t, slices.Contains([]string{"ok", "clamped_max"}, statuses[6]), statuses[6])
	assert.Equal(t, want, output(t, cfg, replay.Options{Trace: path, Engine: "go"}))

	small := *cfg
	small.Telemetry.RateCodeBits = 1
	_, err := replayed(&small,
		replay.Options{Trace: files(t, strings.Replace(trace, ",100000000000,1200", ",25000000000,1200",
			1), flowsText)})
	assert.ErrorContains(t, err,
		"line 6, column h0_rate_bps: one more pair of link rate and unit multiplier than the 2 rate codes")
}

// TestSojournTimes replays sojourn times, which are cut to whole units and saturate.
func TestSojournTimes(t *testing.T) {
	cfg := variant(t, "nic-line", "queue: length", "queue: sojourn", "qlen_unit: 80B", "qlen_unit: 2ns",
		"    inv_bt: UQ-2.36", "    inv_bt: UQ1.36")
	trace := "t_ns,flow,ack_seq,snd_nxt,nhop,h0_rate_bps,h0_ts,h0_tx,h0_qlen,h0_sojourn\n" +
		"1000,0,1000,50000,1,100000000000,1000,0,0,4161\n" + "10000,0,2000,51000,1,100000000000,10000,0,0,4161\n" +
		"20000,0,3000,52000,1,100000000000,20000,0,0,99999999\n" + "30000,0,4000,53000,1,100000000000,30000,0,0,99999999\n"
	path := files(t, trace, flowsText)
	var u []string
	for _, line := range strings.Split(strings.TrimSpace(output(t, cfg, replay.Options{Trace: path})), "\n")[1:] {
		u = append(u, strings.Split(line, ",")[3])
	}
	// 4161 ns are 2080 units of 2 ns, T is 4160 ns; 2^17 - 1 units are 63.015 T.
	assert.Equal(t, []string{"1", "1", "1"}, u[:3])
	assert.Equal(t, "63.01", u[3][:5])
	_, err := replayed(cfg, replay.Options{Trace: files(t, traceText, flowsText)})
	assert.ErrorContains(t, err,
		"x.trace.csv: the qlen fields of a trace are queue lengths; the configuration expects sojourn times (queue: sojourn), from columns h0_sojourn, ...")
}
