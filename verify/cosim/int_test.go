package cosim

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/verify/inband"
	"github.com/hdlpkg/hpccgen/verify/stimulus/transit"
)

func intConfig(t testing.TB, format string, edits ...string) *config.INT {
	t.Helper()
	text := strings.NewReplacer(edits...).Replace("design: int\nname: int_small\nformat: " + format +
		"\nports: 3\nstream_bits: 128\n")
	d, err := config.ParseDesign("small.yaml", []byte(text))
	require.NoError(t, err)
	return d.(*config.INT)
}

func checkINT(t *testing.T, cfg *config.INT, o Options) *Report {
	t.Helper()
	rep, err := RunDesign(cfg, o)
	require.NoError(t, err)
	if d := rep.Divergence; d != nil {
		t.Errorf(
			"%s on %s: %s is %s, the model says %s, cycle %d of seed %d\npacket %s, header cycle %d\n%s\n%s\n%s\n%s", rep.Design, rep.Engine, d.Path, d.Actual, d.Expected, d.Cycle, d.Seed, d.Packet, d.PacketHeader, d.Result, strings.Join(d.Inputs, "\n"), d.Command, d.Shrunk)
	}
	t.Logf("%s on %s: %d cycles, %d packets, %d beats in, %d out, %.0f cycles/s, holes %v", rep.Design, rep.Engine,
		rep.Cycles, rep.Packets, rep.BeatsIn, rep.BeatsOut, rep.CyclesPerSecond, rep.Holes)
	return rep
}

func TestINTFormats(t *testing.T) {
	for _, format := range []string{"hpcc", "ifa", "int_md", "ioam"} {
		t.Run(format, func(t *testing.T) {
			rep := checkINT(t, intConfig(t, format), Options{Engine: "go", Cycles: 30_000, Seed: 7})
			assert.Positive(t, rep.Packets)
		})
	}
}

// TestINTPresets is the run that CI makes for every shipped preset.
func TestINTPresets(t *testing.T) {
	needs(t, "verilator", "g++")
	for _, p := range config.PresetsOf(config.KindINT) {
		t.Run(p.Name, func(t *testing.T) {
			d, err := config.LoadDesign(p.Name)
			require.NoError(t, err)
			rep := checkINT(t, d.(*config.INT), Options{Cycles: 100_000, Seed: 1, Jobs: 2})
			assert.EqualValues(t, 100_000, rep.Cycles)
			assert.Positive(t, rep.Throughput[0].Free.Cycles)
		})
	}
}

// TestFirstINTDivergence checks the report of a fault whose place is known.
func TestFirstINTDivergence(t *testing.T) {
	cfg := intConfig(t, "hpcc")
	open := openFaulty(func(_ int64, at map[string]int, out []uint64) {
		if out[at["m_axis_tvalid"]] == 1 && out[at["m_axis_tuser"]]>>2&15 == 9 { // inserted
			out[at["m_axis_tdata"]] ^= 1
		}
	})
	rep, err := RunDesign(cfg, Options{Engine: "go", Cycles: 20_000, Seed: 11, Open: open, ShrinkFor: 8 * time.Second})
	require.NoError(t, err)
	require.NotNil(t, rep.Divergence)
	d := rep.Divergence
	assert.Equal(t, "m_axis_tdata", d.Signal)
	assert.Contains(t, d.Result, "status inserted")
	require.IsType(t, &transit.Script{}, d.Shrunk)
	assert.Len(t, d.Shrunk.(*transit.Script).Packets, 1, "%s", d.Shrunk)
	t.Logf("%d operations to %d in %d tries:\n%s", d.Operations[0], d.Operations[1], d.ShrinkTries, d.Shrunk)
}

// TestINTTapsAreCompared flips a bit of each tap, one at a time.
func TestINTTapsAreCompared(t *testing.T) {
	for format, taps := range map[string]int{"hpcc": 5, "ifa": 8, "int_md": 7, "ioam": 7} {
		cfg := intConfig(t, format)
		s, err := inband.NewSubject(cfg, true)
		require.NoError(t, err)
		require.Len(t, s.Frame().Layout.Taps, taps, format)
		for _, slot := range s.Frame().Layout.Taps {
			open := openFaulty(func(cycle int64, at map[string]int, out []uint64) {
				if cycle > 500 {
					out[at[slot.Name]] ^= 1 << (slot.Width - 1)
				}
			})
			rep, err := RunDesign(cfg, Options{Engine: "go", Cycles: 10_000, Seed: 5, NoShrink: true, Open: open})
			require.NoError(t, err)
			require.NotNil(t, rep.Divergence, "%s, %s", format, slot.Name)
			assert.Equal(t, slot.Name, rep.Divergence.Path, format)
		}
	}
}
