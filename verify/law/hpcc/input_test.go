package hpcc

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hdlpkg/hpccgen/verify/replay"
)

const flowsText = `flow,base_rtt_ns,bdp_bytes,max_rate_bps,rate_ai_bps,min_rate_bps,eta,max_stage,unit_multiplier,payload_bytes,fast_react
0,4160,52000,100000000000,50000000,100000000,0.95,5,1,1000,1
7,4160,52000,100000000000,50000000,100000000,0.95,0,2,1000,0
`

const traceText = `t_ns,flow,ack_seq,snd_nxt,nhop,h0_rate_bps,h0_ts,h0_tx,h0_qlen,h1_rate_bps,h1_ts,h1_tx,h1_qlen,ref_kind,ref_u_before,ref_u,ref_rate_c_before_bps,ref_rate_bps,ref_stage_before,ref_stage
2000004188,0,1000,49000,1,100000000000,3512383,0,0,,,,,first,1,1,100000000000,100000000000,0,0
2000004275,0,2000,50000,1,100000000000,3512470,8,0,,,,,fast,1,0.99877884615384616,100000000000,95166151454,0,0
2000004300,7,2000,50000,2,25000000000,3512470,8,0,100000000000,1,2,3,first,1,1,100000000000,95166151454,0,0
`

// files writes a trace and its flows file; a nil edit leaves one as it is.
func files(t testing.TB, trace, flows string) string {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, "x.trace.csv")
	require.NoError(t, os.WriteFile(path, []byte(trace), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "x.flows.csv"), []byte(flows), 0o644))
	return path
}

// withoutDir cuts the directory off file names in a message.
func withoutDir(err error, path string) string {
	return strings.ReplaceAll(err.Error(), filepath.Dir(path)+string(filepath.Separator), "")
}

func TestGoodInput(t *testing.T) {
	cfg := preset(t, "nic-line")
	path := files(t, traceText, flowsText)
	out := filepath.Join(t.TempDir(), "out.csv")
	rep, err := replayed(cfg, replay.Options{Trace: path, Out: out})
	require.NoError(t, err)
	assert.Equal(t, 3, rep.Rows)
	assert.Equal(t, map[string]int{"first": 2, "fast": 1}, rep.Kinds)
	text, err := os.ReadFile(out)
	require.NoError(t, err)
	lines := strings.Split(string(text), "\n")
	assert.Equal(t, "row,flow,kind,u,w_bytes,wc_bytes,rate_bps,stage,status", lines[0])
	assert.Equal(t, "1,0,first,1,52000,52000,100000000000,0,first", lines[1])
	assert.Equal(t, "3,7,first,1,52000,52000,100000000000,0,first", lines[3])
	info, err := os.Stat(out)
	require.NoError(t, err)
	assert.True(t, info.Mode().IsRegular())
}

// statuses is how many rows have one.
func statuses(rep *replay.Report) (n int) {
	for _, k := range rep.Statuses {
		n += k
	}
	return n
}

// withColumn adds a column after the others, with the field of each row.
func withColumn(trace, name string, fields ...string) string {
	lines := strings.Split(strings.TrimSuffix(trace, "\n"), "\n")
	for i, f := range append([]string{name}, fields...) {
		lines[i] += "," + f
	}
	return strings.Join(lines, "\n") + "\n"
}

// TestInputErrors checks the wording of messages about bad files. No output is written then.
func TestInputErrors(t *testing.T) {
	cfg := preset(t, "nic-line")
	row := func(n int, from, to string) func(trace, flows *string) {
		return func(trace, _ *string) {
			lines := strings.Split(*trace, "\n")
			require.Contains(t, lines[n], from)
			lines[n] = strings.Replace(lines[n], from, to, 1)
			*trace = strings.Join(lines, "\n")
		}
	}
	flow := func(from, to string) func(trace, flows *string) {
		return func(_, flows *string) {
			require.Contains(t, *flows, from)
			*flows = strings.Replace(*flows, from, to, 1)
		}
	}
	for _, c := range []struct {
		name string
		edit func(trace, flows *string)
		want string
	}{
		{"missing column", row(0, "snd_nxt,", ""), "x.trace.csv: column snd_nxt is missing from the header"},
		{"missing columns", row(0, "h1_ts,h1_tx,", ""), "x.trace.csv: columns h1_ts, h1_tx are missing from the header"},
		{"unknown column", row(0, "ref_u,", "ref_v,"),
			`x.trace.csv: unknown column "ref_v"; the columns are t_ns, flow, ack_seq, snd_nxt, nhop, h0_{rate_bps,ts,tx,qlen}, ..., ref_kind, ref_u_before, ref_u, ref_rate_c_before_bps, ref_rate_bps, ref_stage_before, ref_stage; and, where wanted, path_id, h0_{link_id,sojourn}, ...`},
		{"column twice", row(0, "h1_ts", "h0_ts"), `x.trace.csv: the header names column "h0_ts" twice`},
		{"too few fields", row(2, ",fast", ""), "x.trace.csv: line 3: the row has 19 fields, the header has 20"},
		{"letters", row(2, "3512470", "35x2470"),
			`x.trace.csv: line 3, column h0_ts: "35x2470" is not an unsigned integer`},
		{"negative", row(2, "3512470", "-3512470"),
			`x.trace.csv: line 3, column h0_ts: "-3512470" is not an unsigned integer`},
		{"empty number", row(2, "3512470", ""),
			"x.trace.csv: line 3, column h0_ts: empty; an unsigned integer is expected"},
		{"huge number", row(2, "2000004275", "99999999999999999999999"),
			"x.trace.csv: line 3, column t_ns: 99999999999999999999999 is too large; at most 9223372036854775807"},
		{"beyond the field", row(2, "3512470", "16777216"),
			"x.trace.csv: line 3, column h0_ts: 16777216 is beyond the 24 bits of the field; at most 16777215 (telemetry.timestamp_bits)"},
		{"tx beyond the field", row(2, "3512470,8", "3512470,1048576"),
			"x.trace.csv: line 3, column h0_tx: 1048576 is beyond the 20 bits of the field; at most 1048575 (telemetry.tx_bits)"},
		{"qlen beyond the field", row(3, "1,2,3", "1,2,131072"),
			"x.trace.csv: line 4, column h1_qlen: 131072 is beyond the 17 bits of the field; at most 131071 (telemetry.qlen_bits)"},
		{"unknown flow", row(2, "2000004275,0", "2000004275,1"),
			"x.trace.csv: line 3, column flow: flow 1 is not in the flows file"},
		{"more hops than columns", row(2, "50000,1", "50000,3"),
			"x.trace.csv: line 3, column nhop: 3 records, but the header has columns for 2"},
		{"too many hops", row(2, "50000,1", "50000,16"),
			"x.trace.csv: line 3, column nhop: 16 is too large; at most 15"},
		{"record beyond nhop", row(2, "8,0,,", "8,0,5,"),
			"x.trace.csv: line 3, column h1_rate_bps: must be empty, since nhop is 1"},
		{"reference rate 0", row(2, "95166151454", "0"),
			"x.trace.csv: line 3, column ref_rate_bps: 0 is no rate to compare with; at least 1"},
		{"no line end", func(trace, _ *string) { *trace = strings.TrimRight(*trace, "\n") },
			"x.trace.csv: line 4: the last line has no line end, so that a number in it may be cut; end the line"},
		{"long line", row(2, "3512470", strings.Repeat("0", 1<<20)),
			"x.trace.csv: line 3: the line is longer than 65536 bytes"},
		{"path beyond the field", func(trace, _ *string) {
			*trace = withColumn(*trace, "path_id", "1", "4096",
				"0")
		},
			"x.trace.csv: line 3, column path_id: 4096 is beyond the 12 bits of the field; at most 4095 (telemetry.path_id_bits)"},
		{"link without a field", func(trace, _ *string) {
			*trace = withColumn(withColumn(*trace, "h0_link_id", "1", "0", "0"), "h1_link_id", "", "", "0")
		}, "x.trace.csv: line 2, column h0_link_id: 1 is beyond the 0 bits of the field; at most 0 (telemetry.link_id_bits)"},
		{"link of one hop", func(trace, _ *string) { *trace = withColumn(*trace, "h0_link_id", "1", "0", "0") },
			"x.trace.csv: column h1_link_id is missing from the header"},
		{"unknown kind", row(2, "fast", "slow"),
			`x.trace.csv: line 3, column ref_kind: "slow" is none of first, update, fast`},
		{"not a number", row(2, "0.99877884615384616", "nan"),
			`x.trace.csv: line 3, column ref_u: "nan" is not a number of at least 0`},
		{"no rows", func(trace, _ *string) { *trace = strings.SplitAfter(*trace, "\n")[0] },
			"x.trace.csv: no rows behind the header; at least one is expected"},
		{"empty", func(trace, _ *string) { *trace = "" }, "x.trace.csv: the file is empty; a header line is expected"},
		{"flow twice", flow("\n7,", "\n0,"), "x.flows.csv: line 3, column flow: flow 0 is already in line 2"},
		{"eta 0", flow("0.95,5", "0,5"),
			"x.flows.csv: line 2, column eta: 0 is no target utilisation; it lies above 0, usually at 0.95"},
		{"min above max", flow("100000000,0.95,5", "200000000000,0.95,5"),
			"x.flows.csv: line 2, column min_rate_bps: 200000000000 is above max_rate_bps 100000000000"},
		{"fast_react 2", flow("1000,0", "1000,2"), "x.flows.csv: line 3, column fast_react: 2 is too large; at most 1"},
		{"flows column", flow("eta", "etta"), "x.flows.csv: column eta is missing from the header"},
		{"no flows", func(_, flows *string) { *flows = strings.SplitAfter(*flows, "\n")[0] },
			"x.flows.csv: no flows behind the header; at least one row is expected"},
	} {
		t.Run(c.name, func(t *testing.T) {
			trace, flows := traceText, flowsText
			c.edit(&trace, &flows)
			path := files(t, trace, flows)
			out := filepath.Join(t.TempDir(), "out.csv")
			require.NoError(t, os.WriteFile(out, []byte("old"), 0o644))
			_, err := replayed(cfg, replay.Options{Trace: path, Out: out})
			require.Error(t, err)
			assert.Equal(t, c.want, withoutDir(err, path))
			left, err := os.ReadDir(filepath.Dir(out))
			require.NoError(t, err)
			assert.Len(t, left, 1, "no half written file")
			text, err := os.ReadFile(out)
			require.NoError(t, err)
			assert.Equal(t, "old", string(text))
		})
	}
}

// TestWhatDoesNotFit checks the messages for a good trace that does not fit the configuration.
func TestWhatDoesNotFit(t *testing.T) {
	path := files(t, traceText, flowsText)
	t.Run("profiles", func(t *testing.T) {
		cfg := *preset(t, "nic-line")
		cfg.Profiles = 1
		_, err := replayed(&cfg, replay.Options{Trace: path})
		require.Error(t, err)
		assert.Equal(t, "x.flows.csv: line 3: flow 7 needs another profile; the configuration has 1 (profiles)",
			withoutDir(err, path))
	})
	t.Run("flows", func(t *testing.T) {
		_, err := replayed(preset(t, "nic-serial"), replay.Options{Trace: tracePath("d_hetero_mi0")})
		assert.ErrorContains(t, err, "d_hetero_mi0.flows.csv: 51 flows; the configuration holds 32 (flows)")
	})
	t.Run("rate codes", func(t *testing.T) {
		cfg := *preset(t, "nic-line")
		cfg.Telemetry.RateCodeBits = 1
		_, err := replayed(&cfg, replay.Options{Trace: path})
		require.Error(t, err)
		assert.Equal(t,
			"x.trace.csv: line 4, column h1_rate_bps: one more pair of link rate and unit multiplier than the 2 rate codes of the configuration (telemetry.rate_code_bits: 1)", withoutDir(err, path))
	})
	t.Run("resync without reference", func(t *testing.T) {
		var b strings.Builder
		for _, line := range strings.Split(strings.TrimSpace(traceText), "\n") {
			b.WriteString(strings.Join(strings.Split(line, ",")[:13], ",") + "\n")
		}
		bare := files(t, b.String(), flowsText)
		rep, err := replayed(preset(t, "nic-line"), replay.Options{Trace: bare})
		require.NoError(t, err)
		assert.Nil(t, rep.Stats)
		_, err = replayed(preset(t, "nic-line"), replay.Options{Trace: bare, Resync: true})
		require.Error(t, err)
		assert.Equal(t, "x.trace.csv: resync needs the columns ref_kind to ref_stage, which the header does not have",
			withoutDir(err, bare))
	})
	t.Run("no flows file", func(t *testing.T) {
		_, err := replayed(preset(t, "nic-line"), replay.Options{Trace: "some.csv"})
		assert.EqualError(t, err,
			"some.csv: the name does not end in .trace.csv.gz or .trace.csv, so the flows file cannot be guessed; name it with --flows")
	})
}

// TestTruncatedTrace cuts a packed trace anywhere: every cut is refused, and the output stays away.
func TestTruncatedTrace(t *testing.T) {
	cfg := preset(t, "nic-line")
	var packed bytes.Buffer
	gz := gzip.NewWriter(&packed)
	_, err := gz.Write([]byte(traceText + strings.Repeat(strings.SplitAfter(traceText, "\n")[2], 500)))
	require.NoError(t, err)
	require.NoError(t, gz.Close())
	dir := t.TempDir()
	path, out := filepath.Join(dir, "x.trace.csv.gz"), filepath.Join(dir, "out.csv")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "x.flows.csv"), []byte(flowsText), 0o644))
	require.NoError(t, os.WriteFile(path, packed.Bytes(), 0o644))
	_, err = replayed(cfg, replay.Options{Trace: path})
	require.NoError(t, err)
	for cut := range packed.Len() {
		require.NoError(t, os.WriteFile(path, packed.Bytes()[:cut], 0o644))
		_, err := replayed(cfg, replay.Options{Trace: path, Out: out})
		require.Error(t, err, "cut after %d of %d bytes", cut, packed.Len())
		var e *replay.Error
		require.ErrorAs(t, err, &e)
		assert.NoFileExists(t, out)
	}
	whole, err := os.ReadFile(tracePath("s_solo_mi0"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, whole[:len(whole)/2], 0o644))
	_, err = replayed(cfg, replay.Options{Trace: path, Flows: filepath.Join(traces, "s_solo_mi0.flows.csv"), Out: out})
	assert.ErrorContains(t, err, "line 1500")
	assert.ErrorContains(t, err, "the gzip stream ends here: the file is truncated")
}

// TestTruncatedPlainTrace cuts a trace after each of its bytes: a cut between two lines leaves the rows before it, and
// every other cut is rejected.
func TestTruncatedPlainTrace(t *testing.T) {
	cfg := preset(t, "nic-line")
	var bare strings.Builder // ends with a number of many digits
	for _, line := range strings.Split(strings.TrimSpace(traceText), "\n") {
		bare.WriteString(strings.Join(strings.Split(line, ",")[:9], ",") + "\n")
	}
	for name, text := range map[string]string{"whole": traceText, "bare": strings.Replace(bare.String(),
		"2,25000000000,3512470,8,0", "1,25000000000,3512470,8,12345", 1)} {
		path := files(t, text, flowsText)
		all := strings.SplitAfter(output(t, cfg, replay.Options{Trace: path}), "\n")
		for cut := range text {
			require.NoError(t, os.WriteFile(path, []byte(text[:cut]), 0o644))
			_, err := replayed(cfg, replay.Options{Trace: path})
			rows := strings.Count(text[:cut], "\n") - 1
			if cut == 0 || text[cut-1] != '\n' || rows == 0 {
				require.ErrorAs(t, err, new(*replay.Error), "%s, cut after %d bytes", name, cut)
				continue
			}
			require.NoError(t, err)
			require.Equal(t, strings.Join(all[:rows+1], ""), output(t, cfg, replay.Options{Trace: path}),
				"%s, cut after %d bytes", name, cut)
		}
	}
}

// TestDamagedInput damages a trace at random: an error or a complete result, never a panic.
func TestDamagedInput(t *testing.T) {
	cfg := preset(t, "nic-line")
	rapid.Check(t, func(r *rapid.T) {
		text, flows := []byte(traceText), []byte(flowsText)
		for range rapid.IntRange(1, 4).Draw(r, "changes") {
			to := &text
			if rapid.IntRange(0, 3).Draw(r, "which") == 0 {
				to = &flows
			}
			at := rapid.IntRange(0, len(*to)-1).Draw(r, "at")
			switch rapid.IntRange(0, 2).Draw(r, "how") {
			case 0:
				(*to)[at] = rapid.SampledFrom([]byte("0129,.-e\n x\x00\xff")).Draw(r, "byte")
			case 1:
				*to = append((*to)[:at:at], (*to)[at+1:]...)
			case 2:
				*to = append((*to)[:at+1:at+1], (*to)[at:]...)
			}
		}
		path := files(t, string(text), string(flows))
		rep, err := replayed(cfg, replay.Options{Trace: path})
		if err == nil && statuses(rep) != rep.Rows {
			r.Fatalf("%d results of %d rows", statuses(rep), rep.Rows)
		}
	})
}

func TestMissingTraceIsNamed(t *testing.T) {
	_, err := replayed(preset(t, "nic-line"), replay.Options{Trace: filepath.Join(t.TempDir(), "no.trace.csv.gz")})
	require.ErrorIs(t, err, os.ErrNotExist)
	require.ErrorContains(t, err, "no.trace.csv.gz")
}
