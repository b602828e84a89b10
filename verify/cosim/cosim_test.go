package cosim

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
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

// needs skips a test whose tools are missing, and says which; in CI it fails.
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

// mutations are faults of every kind that a generator could make; each must be noticed.
var mutations = []Mutation{
	{"truncated instead of rounded", "hpcc_average", regexp.MustCompile(`(weight_rounding = .*)weight\[\d+\]\};`),
		"${1}1'b0};"},
	{"saturation dropped", "hpcc_hop",
		regexp.MustCompile(`inflight = (inflight_sum\[\d+:0\]) \| \{\d+\{inflight_sum\[\d+\]\}\};`), "inflight = $1;"},
	{"valid late", "fast_credit_fifo", regexp.MustCompile(`not_empty & \(~both_valid \| m_ready\)`),
		"not_empty & ~read_valid"},
	{"hops swapped", "hop_max",
		regexp.MustCompile(`(largest_l1_0_later_s2 \?) largest_l1_0_right_of_s2 : largest_l1_0_left_of_s2`),
		"$1 largest_l1_0_left_of_s2 : largest_l1_0_right_of_s2"},
	{"tie to the later hop", "hop_max", regexp.MustCompile(`(largest_l1_0_later_difference = [^;]*);`), "$1 - 1'b1;"},
	{"tau of a hop that says nothing", "hop_max", regexp.MustCompile(`(hop1_u_s1 <= \{s_hop1_u, )s_hop1_live\}`),
		"${1}1'b0}"},
	{"stale context", "hpcc_issue",
		regexp.MustCompile(`(second_sees = \{second_seen\[\d+:0\],) goes & second_follows\}`), "$1 1'b0}"},
	{"flows compared in part", "hpcc_issue", regexp.MustCompile(`second_compared & second_compared_upper`),
		"second_compared"},
	{"time stamps compared in part", "hop_record", regexp.MustCompile(`(same = )same_0_s\d+ & `), "$1"},
	{"negative remainder ignored", "hop_divider", regexp.MustCompile(`(fitted_s9 = )~rem_s9\[\d+\]`), "${1}1'b1"},
	{"largest quotient rounded", "hop_divider",
		regexp.MustCompile(`(round_up_s\d+ <= ~)\((trial_s\d+\[\d+\]) \| largest\)`), "$1$2"},
	{"limit of the other sum", "hpcc_window",
		regexp.MustCompile(`(candidate_below_min = multiply_s\[\d+\] \? )scaled_below_min`), "${1}raised_below_min"},
	{"every tau taken for T", "hpcc_average", regexp.MustCompile(`(whole_s <= \{[^,]*, )[^;]*\};`), "${1}1'b1};"},
	{"tau one too long", "hpcc_average", regexp.MustCompile(`(whole_s <= \{[^,]*, ~tau_short_difference\[\d+\])\};`),
		"$1 & |tau_short_difference};"},
	{"contexts kept over a reset", "hpcc_flow", regexp.MustCompile(`(is_clear_s7 <= .*== 3'd)4`), "${1}6"},
	{"tables kept over a reset", "hpcc_hop", regexp.MustCompile(`(is_clear_s0 = .*== 3'd)4`), "${1}6"},
	{"W rounded down", "hpcc_window", regexp.MustCompile(`(\bw_ai_s\d+, 1'b)1\}`), "${1}0}"},
	{"Wc below its limit", "hpcc_window", regexp.MustCompile(`(wc_below_min = candidate_below_min) & `), "$1 & ~"},
	{"long sleep not seen", "hpcc_flow", regexp.MustCompile(`(idle_s\d+ <= )away_long \| `), "$1"},
	{"borrow of a sleep ignored", "hpcc_flow", regexp.MustCompile(`(away_long = \(away_high_s\d+\[0\]) \^ [^)]*\)`),
		"$1)"},
	{"upper half of a clock compared in part", "hpcc_flow", regexp.MustCompile(`\(\|away_high_s5\[\d+:1\]\)`),
		"(|away_high_s5[20:1])"},
	{"generation not compared", "hpcc_flow",
		regexp.MustCompile(`(closed_or_other_life = ~stored_open_s\[\d+\]) \| [^;]*;`), "$1;"},
	{"generation compared in part", "hpcc_flow", regexp.MustCompile(`\(generation_(s\d+) != stored_generation_s\d+\)`),
		"(generation_$1[0] != stored_generation_$1[0])"},
	{"generation not stored on start", "hpcc_flow", regexp.MustCompile(`(write_generation_s\d+ <= \()start \?`),
		"${1}1'b0 ?"},
	{"generation stored on a close", "hpcc_flow", regexp.MustCompile(`(write_generation_s\d+ <= \()start \?`),
		"$1(start | stop) ?"},
	{"generation of the context in the result", "hpcc_flow",
		regexp.MustCompile(`(cd_generation = )stored_generation_s4`), "${1}generation_s4"},
	{"tag of another ACK", "hpcc_core", regexp.MustCompile(`(tag_s\d{3} <= )tag_s\d{3};`), "${1}tag_s56;"},
	{"init_done early", "hpcc_issue", regexp.MustCompile(`(init_done_q <= ~clears);`), "$1 | (|sweep_count);"},
	{"register without reset", "fast_credit_fifo", regexp.MustCompile(`\n +valid_q <= 1'b0;`), ""},
}

func TestMutationsAreCaught(t *testing.T) {
	needs(t, "verilator", "g++")
	hunt(t, smallConfig(t), mutations)
}

// serialMutations are faults of an engine with one lane: in what is shared by stages, and by hops.
var serialMutations = []Mutation{
	{"rounding of the average dropped", "hpcc_average", regexp.MustCompile(`(step_sum <= phase\[\d+\] \? )\d+'h\w+`),
		"${1}1'b0"},
	{"tie to the later hop", "hop_max", regexp.MustCompile(`(\{s_u, s_live\}) > u_q`), "$1 >= u_q"},
	{"tau of a hop that says nothing", "hop_max", regexp.MustCompile(`(\{s_u, )s_live\} > u_q`), "${1}1'b0} > u_q"},
	{"record of a hop that stands still written", "hpcc_records", regexp.MustCompile(`\(~react \| record_q\[\d+\]\)`),
		"1'b1"},
	{"a hop's place miscounted", "hpcc_hop", regexp.MustCompile(`(queue_place_q \+ \d+'d)1;`), "${1}3;"},
	{"U of the ACK before", "m_fifo", regexp.MustCompile(`averages\[average_ptr\]`), "averages[average_ptr - 1'b1]"},
	{"ACK released too early", "hpcc_issue", regexp.MustCompile(`s_ready_q <= phase_q\[\d+\]`), "s_ready_q <= phase_q[1]"},
	{"contexts kept over a reset", "hpcc_window",
		regexp.MustCompile(`(window_context_wdata = [^;]*) & \{\d+\{~clear\}\};`), "$1;"},
	{"tables kept over a reset", "hpcc_hop", regexp.MustCompile(`clear (\| \(write_table & tw_queue_select\))`),
		"1'b0 $1"},
	{"borrow of a sleep ignored", "hpcc_flow", regexp.MustCompile(`~away_low_s\d+\[\d+\]`), "1'b1"},
	{"time of an ACK not kept", "hpcc_flow", regexp.MustCompile(`(if \(clear \| write_.*) \| phase\[5\]\)`), "$1)"},
	{"generation not compared", "hpcc_flow", regexp.MustCompile(`(missing_s3 <= ~flow_context_q\[\d+\]) \| [^;]*;`),
		"$1;"},
	{"generation not stored on start", "hpcc_flow", regexp.MustCompile(`\bstart \? cw_generation :`),
		"1'b0 ? cw_generation :"},
	{"tag of another ACK", "m_fifo", regexp.MustCompile(`verdicts\[verdict_ptr\]`), "verdicts[verdict_ptr - 1'b1]"},
	{"init_done early", "hpcc_issue", regexp.MustCompile(`(init_done = cleared_q\[\d+\]);`), "$1 | &cleared_q[4:0];"},
	{"ACK withdrawn and not forgotten", "hpcc_issue",
		regexp.MustCompile(`s_stays = op_ack_q & ~\(s_waits & ~s_valid\)`), "s_stays = op_ack_q"},
	{"ACK transferred without valid", "hpcc_issue", regexp.MustCompile(`s_taken = s_ready_q & s_valid`),
		"s_taken = s_ready_q"},
	{"records of an ACK withdrawn at last stored", "hpcc_core",
		regexp.MustCompile(`(store_records = u_flow_store) & op_ack`), "$1"},
	{"context of an ACK withdrawn at last stored", "hpcc_flow",
		regexp.MustCompile(`(phase\[\d+\] & \(\(store_s\d+) & s_taken`), "$1"},
	{"read withdrawn and not forgotten", "hpcc_issue", regexp.MustCompile(`cr_withdrawn = cr_ready_q & ~cr_valid`),
		"cr_withdrawn = 1'b0"},
	{"W_max before W_min", "hpcc_window", regexp.MustCompile(`(above_max_s\d+) & ~below_min_s\d+`), "$1"},
}

func TestSerialMutationsAreCaught(t *testing.T) {
	needs(t, "verilator", "g++")
	hunt(t, smallConfig(t, "hops: {max: 2}", "hops: {max: 3, order: serial}"), serialMutations)
}

func TestMutationThatChangesNothingIsRefused(t *testing.T) {
	_, err := Run(smallConfig(t),
		Options{Engine: "icarus", Open: Mutation{"none", "hop_max", regexp.MustCompile(`no such text`), ""}.Open})
	assert.EqualError(t, err, "mutation none: no such text matches 0 times in nic_small_hop_max.v; it must match once")
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

// TestFirstDivergence holds what a report says about a fault whose place is known.
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
