package main

import (
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/engine"
	"github.com/hdlpkg/hpccgen/rtlgen/law"
	"github.com/hdlpkg/hpccgen/rtlgen/output"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

const guide = "../../docs/integration.md"

// fields are values of the payload of a stream, by field.
type fields map[string]uint64

// waveBench drives the default preset in the interpreter for the waveforms of the guide.
type waveBench struct {
	t      *testing.T
	cfg    *config.NIC
	timing engine.Timing
	sim    *vgen.Sim
	waves  *vgen.Waves
}

// newWaveBench resets the engine and brings it up as the guide says: a rate, a profile, flows 3 and 7.
func newWaveBench(t *testing.T) *waveBench {
	t.Helper()
	cfg, err := config.Load("nic-line")
	require.NoError(t, err)
	e, err := law.Build(cfg)
	require.NoError(t, err)
	sim, err := vgen.NewSim(e.Top)
	require.NoError(t, err)
	b := &waveBench{t: t, cfg: cfg, timing: e.Timing, sim: sim}
	sim.Set("m_ready", 1)
	sim.Set("cd_ready", 1)
	sim.Set("rst", 1)
	b.step()
	sim.Set("rst", 0)

	p := config.Profile{BaseRTTNs: 13_000, Eta: big.NewRat(95, 100), MaxStage: 5, Fast: true, WAI: big.NewRat(80, 1),
		WMin: big.NewRat(1000, 1), WMax: big.NewRat(162_500, 1)}
	writes, err := cfg.ProfileEntries(0, p)
	require.NoError(t, err)
	rate, err := cfg.RateEntry(4, 100e9, 1)
	require.NoError(t, err)
	queue, err := cfg.QueueEntry(4, 0, 100e9, 1, p)
	require.NoError(t, err)
	for _, w := range append(writes, rate, queue) {
		b.send("tw", fields{"table": uint64(w.Table), "index": uint64(w.Index), "data": w.Data})
	}
	wInit := uint64(162_500) << cfg.Formats.Window.Frac
	for _, flow := range []uint64{3, 7} {
		b.send("cw", fields{"flow": flow, "mask": 0x7f, "u": 1 << cfg.Formats.U.Frac, "wc": wInit, "w": wInit})
	}
	b.idle(2 * e.Timing.Latency)
	return b
}

// step is one cycle, recorded when there is something to record it.
func (b *waveBench) step() {
	if b.waves != nil {
		b.waves.Record()
	}
	b.sim.Step()
	require.NoError(b.t, b.sim.Err())
}

func (b *waveBench) idle(cycles int) {
	for range cycles {
		b.step()
	}
}

// offer puts an element on a stream and keeps it there until it is taken; the cycle of the transfer is not stepped
// over.
func (b *waveBench) offer(stream string, f fields) {
	for name, v := range f {
		b.sim.Set(stream+"_"+name, v)
	}
	b.sim.Set(stream+"_valid", 1)
	for b.sim.Eval(); b.sim.Get(stream+"_ready") == 0; b.sim.Eval() {
		b.step()
	}
}

// send transfers an element.
func (b *waveBench) send(stream string, f fields) {
	b.offer(stream, f)
	b.step()
	b.sim.Set(stream+"_valid", 0)
}

// ack is an acknowledgement over one hop, at a time in ticks.
func ack(flow, ts uint64) fields {
	return fields{"flow": flow, "ack_seq": ts * 12, "snd_nxt": ts*12 + 150_000, "now": ts, "nhop": 1,
		"hop0_rate_code": 4, "hop0_ts": ts, "hop0_tx": ts / 11, "hop0_qlen": 5}
}

// record starts a waveform of the given signals.
func (b *waveBench) record(names ...string) { b.waves = vgen.NewWaves(b.sim, names...) }

func (b *waveBench) picture() string {
	w := b.waves
	b.waves = nil
	return w.String()
}

// holds asserts that the guide shows a text as the tool gives it today.
func holds(t *testing.T, text string) {
	t.Helper()
	doc, err := os.ReadFile(guide)
	require.NoError(t, err)
	if !strings.Contains(string(doc), "```\n"+strings.TrimSpace(text)+"\n```\n") {
		t.Errorf("docs/integration.md does not show this:\n%s", text)
	}
}

// The waveforms of the guide are those of the design.
func TestGuideWaveforms(t *testing.T) {
	t.Run("decision", func(t *testing.T) {
		b := newWaveBench(t)
		b.record("s_valid", "s_ready", "s_flow")
		b.step()
		b.send("s", ack(3, 20_000))
		b.send("s", ack(7, 20_010))
		b.idle(2)
		holds(t, b.picture())

		b.idle(b.timing.Through() - 6)
		b.record("m_valid", "m_ready", "m_flow", "m_kind", "m_status")
		b.idle(6)
		holds(t, b.picture())
	})
	t.Run("one flow", func(t *testing.T) {
		b := newWaveBench(t)
		b.record("s_valid", "s_ready", "s_flow")
		b.step()
		for i := range uint64(8) {
			b.send("s", ack(3, 20_000+120*i))
		}
		b.idle(1)
		holds(t, b.picture())
	})
	t.Run("back-pressure", func(t *testing.T) {
		b := newWaveBench(t)
		b.send("s", ack(3, 20_000))
		b.send("s", ack(7, 20_010))
		b.sim.Set("m_ready", 0)
		b.idle(b.timing.Through() - 3)
		b.record("m_valid", "m_ready", "m_flow")
		b.idle(4)
		b.sim.Set("m_ready", 1)
		b.idle(4)
		holds(t, b.picture())
	})
	t.Run("read", func(t *testing.T) {
		b := newWaveBench(t)
		b.record("cr_valid", "cr_ready", "cr_flow")
		b.step()
		b.send("cr", fields{"flow": 7})
		b.idle(3)
		holds(t, b.picture())
		b.idle(b.timing.Front + b.timing.Latency + 3 - 6)
		b.record("cd_valid", "cd_ready", "cd_flow", "cd_open")
		b.idle(6)
		holds(t, b.picture())
	})
}

// The module that the guide shows fits the engine that it instantiates.
func TestGuideInstance(t *testing.T) {
	doc, err := os.ReadFile(guide)
	require.NoError(t, err)
	_, rest, found := strings.Cut(string(doc), "```verilog\n")
	require.True(t, found, "the guide shows an instance")
	text, _, _ := strings.Cut(rest, "```\n")
	// Every port of the engine is connected by name.
	d := mustBuild(t, "nic-line")
	for _, p := range d.Modules[len(d.Modules)-1].Ports {
		assert.Contains(t, text, "."+p.Name, "port %s", p.Name)
	}
	if _, err := exec.LookPath("verilator"); err != nil {
		require.NotEqual(t, "true", os.Getenv("CI"), "verilator is missing")
		t.Skip("skipped: verilator is missing, the instance in docs/integration.md is not elaborated")
	}
	dir := t.TempDir()
	require.NoError(t, d.Write(dir))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "my_nic.v"), []byte(text), 0o666))
	for _, c := range []struct {
		text string
		ok   bool
	}{{text, true}, {strings.Replace(text, ".s_flow ", ".s_flux ", 1), false}} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "my_nic.v"), []byte(c.text), 0o666))
		cmd := exec.Command("verilator", "--lint-only", "-Wall", "--top-module", "my_nic", "-f", "nic_line.f", "my_nic.v")
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		assert.Equal(t, c.ok, err == nil, "%s", out)
	}
}

func mustBuild(t *testing.T, preset string) *output.Design {
	t.Helper()
	cfg, err := config.LoadDesign(preset)
	require.NoError(t, err)
	d, err := output.Build(cfg)
	require.NoError(t, err)
	return d
}
