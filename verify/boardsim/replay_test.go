package boardsim_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/verify/engine"
	"github.com/hdlpkg/hpccgen/verify/law"
	"github.com/hdlpkg/hpccgen/verify/packets"
	"github.com/hdlpkg/hpccgen/verify/replay"
)

// The recorded telemetry through nic-serial on the board gives the same bytes as on the model. HPCCGEN_LONG=1 runs
// every row of every trace, in both ways.
func TestTracesOnBoard(t *testing.T) {
	files, err := filepath.Glob("../../testdata/traces/*.trace.csv.gz")
	require.NoError(t, err)
	require.Len(t, files, 8)
	d := load(t, "nic-serial").(*config.NIC)
	port := serve(t, d, "none").Name
	for _, file := range files {
		cfg, port := d, port
		switch name := filepath.Base(file); {
		case os.Getenv("HPCCGEN_LONG") == "":
			if strings.HasPrefix(name, "s_solo") {
				replayOnBoard(t, cfg, port, file, 150)
			}
			continue
		case strings.HasPrefix(name, "d_hetero"):
			cfg = changed(t, d, "\nflows: 32\n", "\nflows: 64\n").(*config.NIC) // it has 51 flows
			port = serve(t, cfg, "none").Name
		}
		replayOnBoard(t, cfg, port, file, 0)
	}
}

// changed is a design with lines of its configuration replaced: pairs of old and new.
func changed(t *testing.T, d config.Design, pairs ...string) config.Design {
	t.Helper()
	text := string(d.Canonical())
	for i := 0; i < len(pairs); i += 2 {
		require.Contains(t, text, pairs[i])
		text = strings.Replace(text, pairs[i], pairs[i+1], 1)
	}
	path := filepath.Join(t.TempDir(), "changed.yaml")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	return load(t, path)
}

// replayOnBoard compares the output files of the board and of the model; limit 0 replays all rows.
func replayOnBoard(t *testing.T, d *config.NIC, port, file string, limit int) {
	for _, resync := range []bool{false, true} {
		run := func(eng string) string {
			out := filepath.Join(t.TempDir(), eng)
			rep, err := law.Replay(d, replay.Options{Trace: file, Engine: eng, Hardware: engine.Hardware{Port: port},
				Out: out, Resync: resync, Limit: limit})
			require.NoError(t, err)
			if eng == "board" {
				t.Logf("%s, resync %v: %d rows, %d cycles, %.0f s", filepath.Base(file), resync, rep.Rows, rep.Cycles, rep.Seconds)
			}
			b, err := os.ReadFile(out)
			require.NoError(t, err)
			return string(b)
		}
		want := run("model")
		require.Greater(t, len(want), 1000)
		assert.True(t, want == run("board"), "%s, resync %v: other bytes than on the model", file, resync)
	}
}

// Packets through a switch on the board: the same capture and the same counters as on the model.
func TestPacketsOnBoard(t *testing.T) {
	if os.Getenv("HPCCGEN_LONG") == "" {
		t.Skip("a switch of its own takes long to build; set HPCCGEN_LONG=1")
	}
	const folder = "../../testdata/packets/"
	d := load(t, folder+"switch.yaml")
	term := serve(t, d, "core")
	run := func(eng string) (*packets.Report, []byte) {
		out := filepath.Join(t.TempDir(), eng)
		rep, err := packets.Run(d, packets.Options{Pcap: folder + "in.pcap", Meta: folder + "meta.csv", Engine: eng,
			Hardware: engine.Hardware{Port: term.Name}, Out: out})
		require.NoError(t, err)
		b, err := os.ReadFile(out)
		require.NoError(t, err)
		return rep, b
	}
	model, want := run("model")
	rep, got := run("board")
	assert.True(t, string(want) == string(got))
	assert.Equal(t, model.Counters, rep.Counters)
	assert.Equal(t, model.Ports, rep.Ports)
	t.Logf("%d packets, %d cycles, %.0f s", rep.Packets, rep.Cycles, rep.Seconds)
}
