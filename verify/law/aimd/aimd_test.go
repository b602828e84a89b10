package aimd

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/verify/drive"
	"github.com/hdlpkg/hpccgen/verify/engine"
	"github.com/hdlpkg/hpccgen/verify/replay"
	"github.com/hdlpkg/hpccgen/verify/stimulus/random"
)

func preset(t testing.TB) *Law {
	d, err := config.LoadDesign("nic-aimd")
	require.NoError(t, err)
	l, err := New(d.(*config.AIMD))
	require.NoError(t, err)
	return l
}

// The stimulus reaches every coverage bin, and the design agrees with the model.
func TestEveryRowIsCovered(t *testing.T) {
	s, err := preset(t).Subject(true)
	require.NoError(t, err)
	rep, err := drive.Compare(s, "nic_aimd", "", drive.Options{Engine: "go", Cycles: 300_000, Seed: 1})
	require.NoError(t, err)
	assert.Nil(t, rep.Divergence)
	assert.Empty(t, rep.Holes)
}

// marks writes a trace: senders share a link with a queue that marks above a threshold, and each sends its window once
// a round trip. The windows are random, since only the marks matter.
func marks(t *testing.T, rows int) (trace string) {
	trace = filepath.Join(t.TempDir(), "marks.trace.csv")
	var b strings.Builder
	b.WriteString("t_ns,flow,ack_seq,snd_nxt,mark\n")
	r, queue := random.New(7), 0
	var seq [3]int
	for i := range rows {
		flow := r.N(3)
		seq[flow] += 1000
		queue = max(queue+r.N(2200)-1000, 0)
		mark := 0
		if queue > 20_000 {
			mark, queue = 1, queue/2
		}
		fmt.Fprintf(&b, "%d,%d,%d,%d,%d\n", 700*i, 10*flow, seq[flow], seq[flow]+20_000, mark)
	}
	require.NoError(t, os.WriteFile(trace, []byte(b.String()), 0o644))
	flows := "flow,base_rtt_ns,max_rate_bps,rate_ai_bps,min_rate_bps\n0,12000,100000000000,50000000,100000000\n" +
		"10,12000,100000000000,50000000,100000000\n20,24000,25000000000,20000000,100000000\n"
	require.NoError(t, os.WriteFile(strings.Replace(trace, ".trace.", ".flows.", 1), []byte(flows), 0o644))
	return trace
}

// A trace of marks gives the same bytes on all engines.
func TestReplay(t *testing.T) {
	trace, l := marks(t, 2000), preset(t)
	want := ""
	for _, name := range []string{"model", "go", "verilator", "icarus", "netlist"} {
		out := filepath.Join(t.TempDir(), name)
		rep, err := l.Replay(replay.Options{Trace: trace, Engine: name, Out: out, Hardware: engine.Hardware{Family: "ecp5"}})
		require.NoError(t, err, name)
		assert.Equal(t, 3, rep.Flows)
		got, err := os.ReadFile(out)
		require.NoError(t, err)
		if want == "" {
			want = string(got)
			assert.Equal(t, 3, rep.Kinds["first"])
			assert.Greater(t, rep.Kinds["update"], 20)
			assert.Contains(t, want, "row,flow,kind,w_bytes,rate_bps,status\n1,")
			t.Log(rep.Kinds, rep.Statuses)
		}
		assert.Equal(t, want, string(got), name)
	}
}

// Errors of a trace are reported with file, line and column.
func TestTraceFaults(t *testing.T) {
	const header = "t_ns,flow,ack_seq,snd_nxt,mark\n"
	for says, change := range map[string]func(trace, flows string) (string, string){
		"marks.trace.csv: line 2, column mark: 2 does not fit the port s_mark; at most 1": func(_, f string) (string,
			string) {
			return header + "0,0,1,2,2\n", f
		},
		"marks.trace.csv: line 2, column flow: flow 5 is not in the flows file": func(_, f string) (string, string) {
			return header + "0,5,1,2,0\n", f
		},
		"marks.trace.csv: unknown column \"ecn\"; the columns are t_ns, flow, ack_seq, snd_nxt, mark": func(_,
			f string) (string, string) {
			return "t_ns,flow,ack_seq,snd_nxt,ecn\n0,0,1,2,0\n", f
		},
		"marks.trace.csv: no rows behind the header; at least one is expected": func(_, f string) (string, string) {
			return header, f
		},
		"marks.flows.csv: line 3, column flow: flow 0 is there already": func(tr, f string) (string, string) {
			return tr, strings.Replace(f, "\n10,", "\n0,", 1)
		},
		"marks.flows.csv: line 2, column base_rtt_ns: 0 is too small; at least 1": func(tr, f string) (string, string) {
			return tr, strings.Replace(f, "\n0,12000", "\n0,0", 1)
		},
	} {
		path := marks(t, 3)
		flows := strings.Replace(path, ".trace.", ".flows.", 1)
		a, err := os.ReadFile(path)
		require.NoError(t, err)
		b, err := os.ReadFile(flows)
		require.NoError(t, err)
		x, y := change(string(a), string(b))
		require.NoError(t, os.WriteFile(path, []byte(x), 0o644))
		require.NoError(t, os.WriteFile(flows, []byte(y), 0o644))
		_, err = preset(t).Replay(replay.Options{Trace: path})
		if assert.Error(t, err, says) {
			assert.Equal(t, says, strings.TrimPrefix(err.Error(), filepath.Dir(path)+"/"))
		}
	}
	_, err := preset(t).Replay(replay.Options{Trace: marks(t, 3), Resync: true})
	assert.ErrorContains(t, err, "resync needs a reference, which traces of this law do not have")
}
