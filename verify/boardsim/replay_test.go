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
	"github.com/hdlpkg/hpccgen/verify/packets"
	"github.com/hdlpkg/hpccgen/verify/replay"
)

// The recorded telemetry through nic-serial on the board, the same bytes as on the model. HPCCGEN_LONG=1 takes every row
// of every trace, in both ways.
func TestTracesOnBoard(t *testing.T) {
	files, err := filepath.Glob("../../testdata/traces/*.trace.csv.gz")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	long := os.Getenv("HPCCGEN_LONG") != ""
	d := load(t, "nic-serial").(*config.NIC)
	term := serve(t, d, "none", nil)
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".trace.csv.gz")
		for _, resync := range []bool{false, true} {
			limit := 0
			if !long {
				if limit = 150; !strings.HasPrefix(name, "s_solo") {
					continue
				}
			}
			run := func(eng string) []byte {
				out := filepath.Join(t.TempDir(), eng)
				rep, err := replay.Run(d, replay.Options{Trace: file, Engine: eng, Hardware: engine.Hardware{Port: term.Name}, Out: out, Resync: resync, Limit: limit})
				require.NoError(t, err)
				if eng == "board" {
					t.Logf("%s, resync %v: %d rows, %d cycles, %.0f s", name, resync, rep.Rows, rep.Cycles, rep.Seconds)
				}
				b, err := os.ReadFile(out)
				require.NoError(t, err)
				return b
			}
			want := run("model")
			require.Greater(t, len(want), 1000)
			assert.True(t, string(want) == string(run("board")), "%s, resync %v: other bytes than on the model", name, resync)
		}
	}
}

// Packets through a switch on the board: the same capture and the same counters as on the model.
func TestPacketsOnBoard(t *testing.T) {
	if os.Getenv("HPCCGEN_LONG") == "" {
		t.Skip("a switch of its own takes long to build; set HPCCGEN_LONG=1")
	}
	const folder = "../../testdata/packets/"
	d := load(t, folder+"switch.yaml")
	term := serve(t, d, "core", nil)
	run := func(eng string) (*packets.Report, []byte) {
		out := filepath.Join(t.TempDir(), eng)
		rep, err := packets.Run(d, packets.Options{Pcap: folder + "in.pcap", Meta: folder + "meta.csv", Engine: eng, Hardware: engine.Hardware{Port: term.Name}, Out: out})
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
