package cosim

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
	"github.com/hdlpkg/hpccgen/verify/engine"
)

// small is an engine that builds and runs fast, with everything that the larger ones have.
const small = `
design: nic
name: nic_small
hops: {max: 2}
flows: 6
profiles: 2
telemetry: {timestamp_bits: 16, tick: 1ns, tx_bits: 12, tx_unit: 128B, qlen_bits: 10, qlen_unit: 80B, rate_code_bits: 2, link_id_bits: 2, path_id_bits: 4}
sequence_bits: 24
clock_bits: 60
stage_bits: 3
counter_bits: 8
generation_bits: 2
tag_bits: 5
rates: [25G, 100G]
base_rtt: {min: 2us, max: 8us}
precision: {max_error: 1e-2}
`

func smallConfig(t testing.TB, edits ...string) *config.NIC {
	t.Helper()
	text := strings.NewReplacer(edits...).Replace(small)
	cfg, err := config.Parse("small.yaml", []byte(text))
	require.NoError(t, err)
	return cfg
}

func presetConfig(t testing.TB, name string) *config.NIC {
	t.Helper()
	cfg, err := config.Load(name)
	require.NoError(t, err)
	return cfg
}

// needs skips a test whose tools are missing, naming them; in CI it fails.
func needs(t testing.TB, tools ...string) {
	t.Helper()
	for _, tool := range tools {
		if _, err := exec.LookPath(tool); err != nil {
			if os.Getenv("CI") == "true" {
				t.Fatalf("%s is missing", tool)
			}
			t.Skipf("skipped: %s is missing", tool)
		}
	}
}

func check(t *testing.T, cfg config.Design, o Options) *Report {
	t.Helper()
	rep, err := RunDesign(cfg, o)
	require.NoError(t, err)
	if d := rep.Divergence; d != nil {
		t.Errorf("%s on %s: %s is %s, the model says %s, cycle %d of seed %d\nACK %s\n%s\n%s", rep.Design, rep.Engine,
			d.Path, d.Actual, d.Expected, d.Cycle, d.Seed, d.Ack, d.Command, d.Shrunk)
	}
	t.Logf("%s on %s: %d cycles, %d ACKs, %d taps, %.0f cycles/s, holes %v", rep.Design, rep.Engine, rep.Cycles,
		rep.Acks, rep.TapsCompared, rep.CyclesPerSecond, rep.Holes)
	return rep
}

// TestConfigurations compares small engines that differ in what changes the structure.
func TestConfigurations(t *testing.T) {
	for _, c := range []struct {
		name  string
		edits []string
	}{
		{"plain", nil},
		{"serial", []string{"hops: {max: 2}", "hops: {max: 3, order: serial}"}},
		{"one hop, one profile, no identifiers", []string{"hops: {max: 2}", "hops: {max: 1}", "profiles: 2",
			"profiles: 1", "link_id_bits: 2, path_id_bits: 4", "link_id_bits: 0, path_id_bits: 0"}},
		{"no generation, long tag", []string{"generation_bits: 2\ntag_bits: 5", "generation_bits: 0\ntag_bits: 64"}},
		{"receiver", []string{"sequence_bits: 24", "sequence_bits: 24\nmode: receiver"}},
		{"receiver, serial", []string{"hops: {max: 2}", "hops: {max: 2, order: serial}", "sequence_bits: 24",
			"sequence_bits: 24\nmode: receiver"}},
		{"sojourn", []string{"qlen_unit: 80B", "qlen_unit: 4ns", "sequence_bits: 24", "sequence_bits: 24\nqueue: sojourn"}},
		{"asynchronous reset", []string{"sequence_bits: 24", "sequence_bits: 24\nreset: async_low"}},
		{"newton", []string{"sequence_bits: 24",
			"sequence_bits: 24\ndividers: {hop: {kind: newton_raphson}, quotient: {kind: newton_raphson}}"}},
		{"serial dividers",
			[]string{"sequence_bits: 24",
				"sequence_bits: 24\ndividers: {hop: {kind: restoring_serial}, quotient: {kind: restoring_serial}}"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			check(t, smallConfig(t, c.edits...), Options{Engine: "go", Cycles: 60_000, Seed: 7})
		})
	}
}

// TestPresets is the run that CI makes for every shipped preset.
func TestPresets(t *testing.T) {
	needs(t, "verilator", "g++")
	for _, p := range config.Presets() {
		if p.Kind != config.KindNIC {
			continue
		}
		t.Run(p.Name, func(t *testing.T) {
			cfg, err := config.LoadDesign(p.Name)
			require.NoError(t, err)
			rep := check(t, cfg, Options{Cycles: 100_000, Seed: 1, Jobs: 2})
			assert.EqualValues(t, 100_000, rep.Cycles)
			assert.Positive(t, rep.TapsCompared)
		})
	}
}

func TestEnginesAgree(t *testing.T) {
	cfg := smallConfig(t)
	for _, e := range engine.Simulators() {
		t.Run(e, func(t *testing.T) {
			switch e {
			case "verilator":
				needs(t, "verilator", "g++")
			case "icarus":
				needs(t, "iverilog", "vvp")
			case "netlist":
				t.Skip("TestNetlists has designs that synthesize in seconds")
			}
			check(t, cfg, Options{Engine: e, Cycles: 10_000, Seed: 3})
		})
	}
}

// fault is a fault with a name in a module.
func fault(name, module, at string, change vgen.Change) vgen.Fault {
	return vgen.Fault{Name: name, Module: module, At: at, Change: change}
}

// mutations are faults of every kind that a generator could make; each must be noticed.
var mutations = []vgen.Fault{
	fault("truncated instead of rounded", "hpcc_average", "weight_rounding", vgen.Left),
	fault("saturation dropped", "hpcc_hop", "inflight", vgen.Left),
	fault("valid late", "fast_credit_fifo", "load", vgen.Made(func(of ...vgen.Signal) vgen.Signal {
		return of[0].And(of[1].Not())
	}, "not_empty", "read_valid")),
	fault("hops swapped", "hop_max", "largest_l1_0_of_s*", vgen.With("largest_l1_0_later_s*", vgen.Inverted)),
	fault("tie to the later hop", "hop_max", "largest_l1_0_later_difference", vgen.Off(-1)),
	fault("tau of a hop that says nothing", "hop_max", "hop1_u_s*", vgen.With("s_hop1_live", vgen.StuckAt(0))),
	fault("stale context", "hpcc_issue", "second_sees", vgen.With("second_follows", vgen.StuckAt(0))),
	fault("flows compared in part", "hpcc_issue", "second_seen", vgen.With("second_compared_upper", vgen.StuckAt(1))),
	fault("time stamps compared in part", "hop_record", "same", vgen.With("same_0_s*", vgen.StuckAt(1))),
	fault("negative remainder ignored", "hop_divider", "fitted_s*", vgen.StuckAt(1)),
	fault("largest quotient rounded", "hop_divider", "round_up_s*", vgen.With("largest", vgen.StuckAt(0))),
	fault("limit of the other sum", "hpcc_window", "candidate_below_min",
		vgen.With("scaled_below_min_s*", vgen.Is("raised_below_min_s*"))),
	fault("every tau taken for T", "hpcc_average", "whole_s*", vgen.StuckAt(1)),
	fault("tau one too long", "hpcc_average", "whole_s*", func(n *vgen.Nets, was vgen.Signal) vgen.Signal {
		return was.And(n.Net("tau_short_difference").AnyBit())
	}),
	fault("contexts kept over a reset", "hpcc_flow", "is_clear_s7", vgen.With("op_code_s*", vgen.Off(-2))),
	fault("tables kept over a reset", "hpcc_hop", "is_clear_s0", vgen.With("op_code", vgen.Off(-2))),
	// The half is added to W_ai at the weight of its last bit, 19.
	fault("W rounded down", "hpcc_window", "w_scaled_l1_0_s*", vgen.Off(-1<<19)),
	fault("Wc below its limit", "hpcc_window", "wc_below_min", vgen.With("commit_s*", vgen.Inverted)),
	fault("long sleep not seen", "hpcc_flow", "idle_s*", vgen.With("away_long", vgen.StuckAt(0))),
	fault("borrow of a sleep ignored", "hpcc_flow", "away_long", vgen.With("away_low_s*", vgen.Without(16))),
	fault("upper half of a clock compared in part", "hpcc_flow", "away_long",
		vgen.With("away_high_s*", vgen.Only(20, 0))),
	fault("generation not compared", "hpcc_flow", "closed_or_other_life", vgen.Left),
	fault("generation compared in part", "hpcc_flow", "closed_or_other_life",
		vgen.Inside("Ne", vgen.Operator(func(a, b vgen.Signal) vgen.Signal { return a.Bit(0).Ne(b.Bit(0)) }))),
	fault("generation not stored on start", "hpcc_flow", "write_generation_s*", vgen.With("start", vgen.StuckAt(0))),
	fault("generation stored on a close", "hpcc_flow", "write_generation_s*",
		vgen.With("start", func(n *vgen.Nets, was vgen.Signal) vgen.Signal { return was.Or(n.Net("stop")) })),
	fault("generation of the context in the result", "hpcc_flow", "cd_generation",
		vgen.With("stored_generation_s4", vgen.Is("generation_s4"))),
	fault("tag of another ACK", "hpcc_core", "m_tag", vgen.Is("tag_s56")),
	fault("init_done early", "hpcc_issue", "init_done_q", func(n *vgen.Nets, was vgen.Signal) vgen.Signal {
		return was.Or(n.Net("sweep_count").AnyBit())
	}),
	fault("register without reset", "fast_credit_fifo", "valid_q.reset", vgen.NoReset),
}

func TestMutationsAreCaught(t *testing.T) {
	needs(t, "verilator", "g++")
	hunt(t, smallConfig(t), mutations)
}

// serialMutations are faults of an engine with one lane: in hardware shared by stages, and by hops.
var serialMutations = []vgen.Fault{
	fault("rounding of the average dropped", "hpcc_average", "step_sum", vgen.Operand(1, vgen.StuckAt(0))),
	fault("tie to the later hop", "hop_max", "larger_q", vgen.Inside("Gt", vgen.Operator(vgen.Signal.Ge))),
	fault("tau of a hop that says nothing", "hop_max", "larger_q", vgen.With("s_live", vgen.StuckAt(0))),
	fault("record of a hop that stands still written", "hpcc_records", "wanted", vgen.With("react", vgen.StuckAt(0))),
	fault("a hop's place miscounted", "hpcc_hop", "queue_place_q", vgen.Off(2)),
	fault("U of the ACK before", "m_fifo", "averages.address", vgen.Off(-1)),
	fault("ACK released too early", "hpcc_issue", "s_ready_q", vgen.Made(func(of ...vgen.Signal) vgen.Signal {
		return of[0].Bit(1).And(of[1])
	}, "phase_q", "s_stays")),
	fault("contexts kept over a reset", "hpcc_window", "window_context.data", vgen.With("clear", vgen.StuckAt(0))),
	fault("tables kept over a reset", "hpcc_hop", "inv_bt_table.enable", vgen.With("clear", vgen.StuckAt(0))),
	fault("borrow of a sleep ignored", "hpcc_flow", "away_upper", vgen.With("away_low_s*", vgen.Without(30))),
	fault("time of an ACK not kept", "hpcc_flow", "flow_times.enable", vgen.With("phase", vgen.Without(5))),
	fault("generation not compared", "hpcc_flow", "missing_s*", vgen.Left),
	fault("generation not stored on start", "hpcc_flow", "flow_context.data",
		vgen.With("cw_generation", vgen.Made(func(of ...vgen.Signal) vgen.Signal {
			return of[0].Trunc(2)
		}, "flow_context_q"))),
	fault("tag of another ACK", "m_fifo", "verdicts.address", vgen.Off(-1)),
	fault("init_done early", "hpcc_issue", "init_done", func(n *vgen.Nets, was vgen.Signal) vgen.Signal {
		return was.Or(n.Net("cleared_q").Trunc(5).AllBits())
	}),
	fault("ACK withdrawn and not forgotten", "hpcc_issue", "s_stays", vgen.With("s_waits", vgen.StuckAt(0))),
	fault("ACK transferred without valid", "hpcc_issue", "s_taken", vgen.With("s_valid", vgen.StuckAt(1))),
	fault("records of an ACK withdrawn at last stored", "hpcc_core", "store_records",
		vgen.With("op_ack", vgen.StuckAt(1))),
	fault("context of an ACK withdrawn at last stored", "hpcc_flow", "flow_context.enable",
		vgen.With("s_taken", vgen.StuckAt(1))),
	fault("read withdrawn and not forgotten", "hpcc_issue", "cr_withdrawn", vgen.StuckAt(0)),
	fault("W_max before W_min", "hpcc_window", "w_new.enable", vgen.With("below_min_s*", vgen.StuckAt(0))),
}

func TestSerialMutationsAreCaught(t *testing.T) {
	needs(t, "verilator", "g++")
	hunt(t, smallConfig(t, "hops: {max: 2}", "hops: {max: 3, order: serial}"), serialMutations)
}

func TestMutationWithoutAPlaceIsRefused(t *testing.T) {
	_, err := Run(smallConfig(t), Options{Engine: "go",
		Open: engine.Faulty([]vgen.Fault{fault("none", "hop_max", "no_such_net", vgen.Inverted)}, 1)})
	assert.ErrorContains(t, err, `fault "none": module nic_small_hop_max has no place "no_such_net"; there is `)
}

// faulty changes the outputs of an engine.
type faulty struct {
	engine.Engine
	cycle int64
	edit  func(cycle int64, layout map[string]int, out []uint64)
	at    map[string]int // word of each output and tap
}

func openFaulty(edit func(cycle int64, at map[string]int, out []uint64)) func(string, engine.Design,
	engine.Options) (engine.Engine, error) {
	return func(name string, d engine.Design, o engine.Options) (engine.Engine, error) {
		e, err := engine.Open(name, d, o)
		if err != nil {
			return nil, err
		}
		f := &faulty{Engine: e, edit: edit, at: map[string]int{}}
		for _, s := range e.Layout().Outputs {
			f.at[s.Name] = s.Offset
		}
		for _, s := range e.Layout().Taps {
			f.at[s.Name] = s.Offset
		}
		return f, nil
	}
}

func (f *faulty) Run(cycles int, in, out []uint64) error {
	err := f.Engine.Run(cycles, in, out)
	w := f.Layout().OutWords
	for c := range cycles {
		f.edit(f.cycle, f.at, out[c*w:(c+1)*w])
		f.cycle++
	}
	return err
}

// TestEveryOutputIsCompared flips a bit of each output and tap, one at a time, in cycles in which it has a meaning.
func TestEveryOutputIsCompared(t *testing.T) {
	cfg := smallConfig(t)
	e, err := engine.Open("go", mustNIC(t, cfg, true).Frame().Design, engine.Options{})
	require.NoError(t, err)
	names := []string{}
	for _, s := range e.Layout().Outputs {
		names = append(names, s.Name)
	}
	for _, s := range e.Layout().Taps {
		names = append(names, s.Name)
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			rep, err := Run(cfg, Options{Engine: "go", Cycles: 100_000, Seed: 5, NoShrink: true,
				Open: openFaulty(func(cycle int64, at map[string]int, out []uint64) {
					if cycle > 2000 {
						out[at[name]] ^= 1
					}
				})})
			require.NoError(t, err)
			require.NotNil(t, rep.Divergence)
			assert.Equal(t, name, rep.Divergence.Path)
		})
	}
}

// TestFirstDivergence checks the report of a fault whose place is known.
func TestFirstDivergence(t *testing.T) {
	cfg := smallConfig(t)
	vcd := filepath.Join(t.TempDir(), "out.vcd")
	open := openFaulty(func(_ int64, at map[string]int, out []uint64) {
		// From alpha on everything is wrong whenever a result has a certain property; alpha comes first.
		if v := out[at["u_core.u_average.alpha_s7"]]; v > 1<<20 {
			out[at["u_core.u_average.alpha_s7"]] = v - 1
		}
	})
	rep, err := Run(cfg, Options{Engine: "go", Cycles: 50_000, Seed: 11, Open: open, VCD: vcd, ShrinkFor: time.Minute,
		ConfigName: "small.yaml"})
	require.NoError(t, err)
	require.NotNil(t, rep.Divergence)
	d := rep.Divergence
	assert.Equal(t, "alpha", d.Signal)
	assert.True(t, d.Tap)
	assert.Contains(t, d.Ack, "flow ")
	assert.Less(t, d.AckIssued, d.Cycle)
	assert.NotEmpty(t, d.Inputs)
	assert.Contains(t, d.Command, "hpccgen cosim --config small.yaml --engine go --seed 11 --cycles ")
	require.NotNil(t, d.Shrunk)
	assert.Less(t, d.Operations[1], 12, "of %d operations:\n%s", d.Operations[0], d.Shrunk)
	assert.Equal(t, "alpha", d.ShrunkSignal)
	t.Logf("%d operations to %d in %d tries:\n%s", d.Operations[0], d.Operations[1], d.ShrinkTries, d.Shrunk)

	again, err := Run(cfg, Options{Engine: "go", Cycles: d.Cycle + 1, Seed: d.Seed, Open: open, NoShrink: true})
	require.NoError(t, err)
	require.NotNil(t, again.Divergence, "the command must show it again")
	assert.Equal(t, d.Cycle, again.Divergence.Cycle)
}

func TestSeedsAreReproducible(t *testing.T) {
	cfg := smallConfig(t)
	a := check(t, cfg, Options{Engine: "go", Cycles: 20_000, Seed: 9, Jobs: 2})
	b := check(t, cfg, Options{Engine: "go", Cycles: 20_000, Seed: 9, Jobs: 2})
	assert.Equal(t, a.Coverage, b.Coverage)
	assert.Equal(t, a.Acks, b.Acks)
	c := check(t, cfg, Options{Engine: "go", Cycles: 20_000, Seed: 10, Jobs: 2})
	assert.NotEqual(t, a.Acks, c.Acks)
}
