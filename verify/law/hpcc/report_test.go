package hpcc

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/verify/replay"
)

// The report says where each flow ends, as the last of its rows in the output does, when there are few flows.
func TestReportOfLastRows(t *testing.T) {
	out := filepath.Join(t.TempDir(), "o.csv")
	rep, err := replayed(preset(t, "nic-line"), replay.Options{Trace: tracePath("a_incast2_mi5"), Out: out})
	require.NoError(t, err)
	text, err := os.ReadFile(out)
	require.NoError(t, err)
	last := map[uint64]replay.Last{}
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n")[1:] {
		f := strings.Split(line, ",")
		row, _ := strconv.Atoi(f[0])
		flow, _ := strconv.ParseUint(f[1], 10, 64)
		w, _ := strconv.ParseFloat(f[4], 64)
		rate, _ := strconv.ParseFloat(f[6], 64)
		last[flow] = replay.Last{Flow: flow, Row: row, WBytes: w, RateBps: rate}
	}
	assert.Equal(t, []replay.Last{last[0], last[1]}, rep.Last)
	assert.Empty(t, rep.Warnings)

	rep, err = replayed(preset(t, "nic-line"), replay.Options{Trace: tracePath("d_hetero_mi0"), Limit: 200})
	require.NoError(t, err)
	assert.Empty(t, rep.Last, "too many flows")
}

// What is legal and probably not meant is a warning with its file and line.
func TestReportWarns(t *testing.T) {
	flows := strings.Replace(flowsText, "\n0,4160,", "\n0,990,", 1)
	require.NotEqual(t, flowsText, flows)
	lines := strings.SplitAfter(traceText, "\n")
	require.Greater(t, len(lines), 3)
	lines[1], lines[2] = lines[2], lines[1]
	rep, err := replayed(preset(t, "nic-line"), replay.Options{Trace: files(t, strings.Join(lines, ""), flows)})
	require.NoError(t, err)
	require.Len(t, rep.Warnings, 2)
	assert.Regexp(t, `x\.flows\.csv: line 2, column base_rtt_ns: T is 990 ns, outside the range of the configuration, `+
		`1000 to 100000 ns \(base_rtt\): its bounds of errors do not hold; such flows: 1 of \d$`, rep.Warnings[0])
	assert.Regexp(t, `x\.trace\.csv: line 3, column t_ns: time runs backward: \d+, after \d+; rows that are earlier than `+
		`one before them: 1 of \d$`, rep.Warnings[1])
}

// A link outside the configured rates has a code, if the formats hold it, and a warning.
func TestReportWarnsOfRates(t *testing.T) {
	cfg := variant(t, "nic-line", "rates: [10G, 25G, 40G, 50G, 100G, 200G, 400G, 800G, 1.6T]", "rates: [10G, 50G]")
	rep, err := replayed(cfg, replay.Options{Trace: tracePath("s_solo_mi0"), Limit: 50})
	require.NoError(t, err)
	require.Len(t, rep.Warnings, 1)
	assert.Regexp(t, `s_solo_mi0\.trace\.csv\.gz: line 2, column h0_rate_bps: a link of 100 Gbit/s, outside the range of the `+
		`configuration, 10 Gbit/s to 50 Gbit/s \(rates\): its bounds of errors do not hold$`, rep.Warnings[0])
}
