package cosim

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/verify/csig"
	"github.com/hdlpkg/hpccgen/verify/stimulus/transit"
)

// TestEverySwitchOutputIsCompared flips a bit of each output and tap, one at a time, and of each byte of the data, in
// cycles in which it has a meaning.
func TestEverySwitchOutputIsCompared(t *testing.T) {
	cfg := switchConfig(t, "stream_bits: 64", "stream_bits: 128")
	s, err := csig.NewSubject(cfg, true)
	require.NoError(t, err)
	type flip struct {
		name string
		word int
		bit  uint64
	}
	var flips []flip
	for _, slot := range s.Frame().Layout.Outputs {
		switch slot.Name {
		case "m_axis_tdata":
			for i := range slot.Width / 8 {
				flips = append(flips, flip{slot.Name, i / 8, 0x10 << (8 * (i % 8))})
			}
		default:
			flips = append(flips, flip{slot.Name, 0, 1}, flip{slot.Name, 0, 1 << (slot.Width - 1)})
		}
	}
	for _, slot := range s.Frame().Layout.Taps {
		flips = append(flips, flip{slot.Name, 0, 1})
	}
	for _, f := range flips {
		rep, err := RunDesign(cfg, Options{Engine: "go", Cycles: 20_000, Seed: 5, NoShrink: true,
			Open: openFaulty(func(cycle int64, at map[string]int, out []uint64) {
				if cycle > 2000 {
					out[at[f.name]+f.word] ^= f.bit
				}
			})})
		require.NoError(t, err)
		require.NotNil(t, rep.Divergence, "%s, bit %#x of word %d", f.name, f.bit, f.word)
		assert.Equal(t, f.name, rep.Divergence.Path)
	}
}

// TestBytesLeftOutAreNotCompared changes what tkeep leaves out, and payload whose valid is low.
func TestBytesLeftOutAreNotCompared(t *testing.T) {
	cfg := switchConfig(t)
	s, err := csig.NewSubject(cfg, true)
	require.NoError(t, err)
	flips := 0
	rep, err := RunDesign(cfg, Options{Engine: "go", Cycles: 40_000, Seed: 5, NoShrink: true,
		Open: openFaulty(func(_ int64, at map[string]int, out []uint64) {
			if out[at["m_axis_tvalid"]] == 0 {
				out[at["m_axis_tuser"]] ^= 1
				out[at["m_axis_tlast"]] ^= 1
			} else if keep := out[at["m_axis_tkeep"]]; keep != 0xff {
				for i := range 8 {
					if keep>>i&1 == 0 {
						out[at["m_axis_tdata"]] ^= 0xff << (8 * i)
					}
				}
				flips++
			}
			if out[at["s_axil_rvalid"]] == 0 {
				out[at["s_axil_rdata"]]++
			}
			if out[at["s_axil_bvalid"]] == 0 {
				out[at["s_axil_bresp"]] ^= 2
			}
		})})
	require.NoError(t, err)
	assert.Zero(t, rep.Mismatches)
	assert.Positive(t, flips)
	assert.Len(t, s.Frame().Streams, 4)
}

// switchMutations are faults of every kind that a generator could make; each must be noticed.
var switchMutations = []Mutation{
	{"wrong direction of the comparison", "csig_compare", regexp.MustCompile(`local_code < packet_code`),
		"local_code > packet_code"},
	{"equal codes replaced", "csig_compare", regexp.MustCompile(`local_code < packet_code`), "local_code <= packet_code"},
	{"largest codes compared without the top bit", "csig_compare", regexp.MustCompile(`s_high\[27:8\] :`),
		"{1'b0, s_high[26:8]} :"},
	{"reserved bit not kept", "csig_compare", regexp.MustCompile(`\{s_low\[15:12\], s_bucket`),
		"{s_low[15:13], 1'b0, s_bucket"},
	{"saturation of the bytes dropped", "csig_meter",
		regexp.MustCompile(`value\[(\d+):0\] \| \{\d+\{value\[\d+\]\}\};`), "value[$1:0];"},
	{"window ends a nanosecond late", "csig_meter",
		regexp.MustCompile(`(now_less_1_carried = \{now_s\d+, 1'b1\} \+ \{.*, )1'b1\};`), "${1}1'b0};"},
	{"bandwidth below zero", "csig_signal", regexp.MustCompile(`left\[31:0\] & \{32\{~left\[32\]\}\}`), "left[31:0]"},
	{"product not rounded", "csig_scale", regexp.MustCompile(` \+ \{38'd0, shifted1_s\d+\[0\]\};`), ";"},
	{"saturation of the product dropped", "csig_scale",
		regexp.MustCompile(`rounded\[31:0\] \| \{32\{\|rounded\[38:32\]\}\}`), "rounded[31:0]"},
	{"valid late", "credit_fifo", regexp.MustCompile(`not_empty & \(~valid_q \| m_ready\)`), "not_empty & ~valid_q"},
	{"a credit too many", "credit_fifo", regexp.MustCompile(`credits_taken <= (\{\(ADDR_BITS\+1\)\{1'b)0`),
		"credits_taken <= ${1}1"},
	{"lanes swapped", "csig_editor", regexp.MustCompile(`b_update & b_is_tag\[1\]`), "b_update & b_is_tag[0]"},
	{"strip by the wrong amount", "csig_editor",
		regexp.MustCompile(`move0 \? \(b_expanded \? a_data\[31:0\] : b_data\[63:32\]\)`), "move0 ? b_data[63:32]"},
	{"tkeep of a removed tag", "csig_editor",
		regexp.MustCompile(`move1 \? \(b_expanded \? keep_behind\[7:4\] : keep_behind\[3:0\]\)`), "move1 ? keep_behind[3:0]"},
	{"beat behind the end absorbed twice", "csig_editor", regexp.MustCompile(`absorb = b_strip & ~b_last & a_short`),
		"absorb = b_strip & a_short"},
	{"register without reset", "csig_editor", regexp.MustCompile(`\n +a_valid <= 1'b0;`), ""},
	{"inside a packet over a reset", "csig_editor", regexp.MustCompile(`\n +in_packet <= 1'b0;`), ""},
	{"stale bank", "csig_registers", regexp.MustCompile(`bank1_q <= bank1_q \^ change_bank1;`), "bank1_q <= bank1_q;"},
	{"bank changes a cycle early", "csig_registers", regexp.MustCompile(`committing_q & \(bound_count == 7'd31\)`),
		"committing_q & (bound_count == 7'd30)"},
	{"counter off by one", "csig_counters",
		regexp.MustCompile(`status_first_s\d+ \? status_sum_s\d+ : (status_word_s\d+)`), "$1"},
	{"counters kept over a reset", "csig_counters", regexp.MustCompile(`sweeping_q <= 1'b1;`), "sweeping_q <= 1'b0;"},
	{"stacked not counted", "csig_counters", regexp.MustCompile(`stacked1_q \+ \{31'd0, stacked1_counts\}`), "stacked1_q"},
	{"estimate kept over a reset", "csig_registers", regexp.MustCompile(`estimate_ok_q <= 1'b0;`),
		"estimate_ok_q <= estimate_ok_q;"},
	{"quantizer kept over a reset", "csig_registers", regexp.MustCompile(`quantizer2_ok_q <= 1'b0;`),
		"quantizer2_ok_q <= quantizer2_ok_q;"},
	{"capacity below 1000 accepted", "csig_registers", regexp.MustCompile(`port_capacity_q\[9:0\] >= 10'd1000`),
		"port_capacity_q[9:0] >= 10'd999"},
	{"window above a second accepted", "csig_registers", regexp.MustCompile(`>= 30'h3b9aca01`), ">= 30'h3b9aca02"},
	{"decreasing bounds accepted", "csig_registers", regexp.MustCompile(`bound_rises & ~table_full`), "~table_full"},
	{"33 bounds accepted", "csig_registers", regexp.MustCompile(`bound_rises & ~table_full`), "bound_rises"},
	{"meters forgotten a cycle early", "csig_switch", regexp.MustCompile(`forget = forget_sr\[1\];`),
		"forget = forget_sr[0];"},
	{"bytes of half a removed tag count", "csig_switch", regexp.MustCompile(`\(expanded_s\[?\d+\]? \? 2'd2 : 2'd1\)`),
		"2'd1"},
	{"tag of the next packet taken from the bytes", "csig_switch",
		regexp.MustCompile(`header_s\d+ \? words_removed : words_removed_q`), "words_removed"},
	{"update without an estimate", "csig_lookup", regexp.MustCompile(`(tables_ok_s\d+ <= )estimate_ok & `), "$1"},
	{"tkeep of beats in the middle", "csig_editor", regexp.MustCompile(`s_beat_keep \| \{8\{~s_beat_last\}\}`),
		"s_beat_keep"},
	{"tkeep read in the middle of a packet", "csig_walk",
		regexp.MustCompile(`(lane1_vlan_s\d+ <= )\(s_keep\[5\] \| ~s_last\)`), "${1}s_keep[5]"},
	{"bytes behind the end read", "csig_walk",
		regexp.MustCompile(`(lane1_compact_s\d+ <= )\(s_keep\[5\] \| ~s_last\) & `), "$1"},
	{"SecTAG behind the end read", "csig_walk",
		regexp.MustCompile(`(lane0_sectag_s\d+ <= [^;]*) & \(s_keep\[2\] \| ~s_last\)`), "$1"},
	{"a packet that is dropped leaves", "csig_editor", regexp.MustCompile(`fills_a = take & ~drops`), "fills_a = take"},
	{"the rest of a packet that is dropped leaves", "csig_editor",
		regexp.MustCompile(`drops = in_packet \? a_drop : s_decision_drop`), "drops = s_decision_drop & ~in_packet"},
	{"bytes of a packet that is dropped count", "csig_switch", regexp.MustCompile(`(end_counts = end_s\d+) & ~dropped`),
		"$1"},
	{"strobes ignored", "csig_axil", regexp.MustCompile(`strobes_full_q <= &s_axil_wstrb`),
		"strobes_full_q <= |s_axil_wstrb"},
	{"read always goes first", "csig_axil", regexp.MustCompile(`s_axil_arvalid & ~\(write_waits & reading_q\)`),
		"s_axil_arvalid"},
	{"write always goes first", "csig_axil", regexp.MustCompile(`~\(write_waits & reading_q\)`), "~write_waits"},
	{"answer given up", "csig_axil", regexp.MustCompile(`bvalid_q \? ~s_axil_bready :`), "bvalid_q ? 1'b0 :"},
	{"answer kept over a reset", "csig_axil", regexp.MustCompile(`\n +rvalid_q <= 1'b0;`), ""},
}

// memoryMutations are faults of what only a switch with more ports has: memories for the state of ports.
var memoryMutations = []Mutation{
	{"same port twice in a row", "csig_meter", regexp.MustCompile(`near1_s\[?\d+\]? \? bytes_next : bytes_then`),
		"bytes_then"},
	{"same port with one between", "csig_meter", regexp.MustCompile(`near2_s\[?\d+\]? \? bytes_made1 : `), ""},
}

// deepMutations are faults of what only a deep pipeline has.
var deepMutations = []Mutation{
	{"packet just before not counted", "csig_counters", regexp.MustCompile(`\{status_last_s3, ~status_last_s3\}`), "2'd1"},
	{"counter of the packet before the last forgotten", "csig_counters",
		regexp.MustCompile(`status_second_s2 \? status_sum_s4 : status_others`), "status_others"},
	{"counter of the third packet before forgotten", "csig_counters",
		regexp.MustCompile(`status_third_s1 \? status_sum_s4 : (status_sum_s5)`), "$1"},
	{"counter of the fourth packet before forgotten", "csig_counters",
		regexp.MustCompile(`status_third_s1 \| status_fourth_s1`), "status_third_s1"},
	{"counter read misses the last packet", "csig_counters", regexp.MustCompile(`status_read_hit \? status_sum_s6 : `),
		""},
	{"packet without port counted as one with", "csig_switch",
		regexp.MustCompile(`(counts_sr\[0\], decided) & ~no_port_s\[?\d+\]?`), "$1"},
	{"same port three before", "csig_meter", regexp.MustCompile(`near3_s\[?\d+\]? \? bytes_made1 : `), ""},
	{"same port four before", "csig_meter", regexp.MustCompile(`near4_s\[?\d+\]? \? bytes_made2 : `), ""},
	{"same port five before", "csig_meter", regexp.MustCompile(`near5_s\[?\d+\]? \? bytes_made3 : `), ""},
	{"bytes go on over the end of a window", "csig_meter", regexp.MustCompile(`~restarts_s5`), "~leaves_anew_s5"},
	{"bytes of the packet just before forgotten", "csig_meter", regexp.MustCompile(`bytes_not_last_s5 \?`), "1'b1 ?"},
	{"last window of the packet just before forgotten", "csig_meter",
		regexp.MustCompile(`near1_s\[?\d+\]? \? bytes_next`), "1'b0 ? bytes_next"},
	{"anew, compared with a start before it moved", "csig_meter",
		regexp.MustCompile(`compares_moved_s4 & ~misses_start_1_s4 & ~misses_start_3_s4`),
		"compares_moved_s4 & ~misses_start_0_s4 & ~misses_start_2_s4"},
	{"start that has moved not compared with", "csig_meter",
		regexp.MustCompile(`(compares_moved_s4 <= .*) & second_ends;`), "$1 & 1'b0;"},
	{"window of another port anew", "csig_meter", regexp.MustCompile(`last_starts = near1_s\[4\] & `), "last_starts = "},
	{"window of another port, two before, ends", "csig_meter", regexp.MustCompile(`second_ends = near2_s\[3\] & `),
		"second_ends = "},
	{"start of the packet just before not taken over", "csig_meter",
		regexp.MustCompile(`now_s6 & \{\d+\{leaves_last_s5\}\}`), "now_s5 & {32{leaves_last_s5}}"},
	{"larger and smaller codes mixed up", "csig_compare",
		regexp.MustCompile(`(is_max_s\[?2\]?) \? larger_s2 : smaller_s2`), "$1 ? smaller_s2 : larger_s2"},
	{"tag of the next packet taken from the bytes left", "csig_switch",
		regexp.MustCompile(`words_removed_q\[1\] \? (length_)`), "words_removed[1] ? $1"},
	{"window moved once for twice", "csig_meter", regexp.MustCompile(`twice_s5 & \{\d+\{leaves_twice_s5\}\}`),
		"once_s5 & {32{leaves_twice_s5}}"},
	{"window moved not for once", "csig_meter", regexp.MustCompile(`once_s5 & \{\d+\{leaves_once_s5\}\}`),
		"stay_s5 & {32{leaves_once_s5}}"},
	{"window anew, then moved from the old start", "csig_meter",
		regexp.MustCompile(`now_more_1_s6 & \{\d+\{leaves_more_s5\}\}`), "once_s5 & {32{leaves_more_s5}}"},
	{"what was taken gives room a cycle early", "csig_pace", regexp.MustCompile(`\{\{(\d+)\{taken\}\}, s_accept\}`),
		"{{$1{m_take}}, s_accept}"},
}

func TestSwitchMutationsAreCaught(t *testing.T) {
	needs(t, "verilator", "g++")
	hunt(t, switchConfig(t, "bytes: 20", "bytes: 16"), switchMutations)
	hunt(t, switchConfig(t, "bytes: 20", "bytes: 16", "ports: 3", "ports: 6"), memoryMutations)
}

// TestSwitchMutationsInOtherPipelines looks for the same faults in a folded pipeline and in a deep one, as far as
// their Verilog has the place.
func TestSwitchMutationsInOtherPipelines(t *testing.T) {
	if os.Getenv("HPCCGEN_LONG") == "" {
		t.Skip("builds two designs with each mutant; with HPCCGEN_LONG=1 (make mutate)")
	}
	needs(t, "verilator", "g++")
	for _, c := range []struct {
		name string
		cfg  *config.CSIG
	}{
		{"folded", switchConfig(t, "bytes: 20", "bytes: 16", "expanded: 0x88b6", "expanded: none", "stream_bits: 64",
			"stream_bits: 64\npipeline: folded")},
		{"deep", switchConfig(t, "bytes: 20", "bytes: 16", "stream_bits: 64", "stream_bits: 128")},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := csig.NewSubject(c.cfg, true)
			require.NoError(t, err)
			source, err := s.Frame().Design.Source()
			require.NoError(t, err)
			all := slices.Concat(switchMutations, memoryMutations)
			var there []Mutation
			if c.name == "deep" {
				for _, m := range deepMutations { // none of these may be missing
					_, err := m.Apply(source.Files)
					require.NoError(t, err)
				}
				all = append(all, deepMutations...)
			}
			for _, m := range all {
				if _, err := m.Apply(source.Files); err != nil {
					t.Logf("not in this pipeline: %v", err)
					continue
				}
				there = append(there, m)
			}
			require.Greater(t, 2*len(there), len(all), "faults that have a place in this pipeline")
			hunt(t, c.cfg, there)
		})
	}
}

// rare are the mutants that need what happens once in a million cycles, with a seed that has it early.
var rare = map[string]uint64{"SecTAG behind the end read": 6, "tag of the next packet taken from the bytes": 9}

// hunt requires that each mutant is noticed, and that the build that holds them all is right without one. There are
// eight runs, the last of which tell how far the stimulus is from missing one.
func hunt(t *testing.T, cfg config.Design, list []Mutation) {
	run := func(t *testing.T, number int, cycles int64, seed uint64) *Report {
		rep, err := RunDesign(cfg, Options{Engine: "verilator", Cycles: cycles, Seed: seed, NoShrink: true,
			Open: Mutants(list).Open(number)})
		require.NoError(t, err)
		return rep
	}
	require.Zero(t, run(t, 0, 100_000, 5).Mismatches)
	for i, m := range list {
		t.Run(m.Name, func(t *testing.T) {
			t.Parallel()
			first := max(5, rare[m.Name])
			for n := range uint64(8) {
				seed := 5 + (first-5+n)%8
				if rep := run(t, i+1, 1_000_000, seed); rep.Mismatches > 0 {
					t.Logf("%s: %s is %s, not %s, in cycle %d of seed %d", m.Name, rep.Divergence.Path,
						rep.Divergence.Actual, rep.Divergence.Expected, rep.Divergence.Cycle, seed)
					return
				}
			}
			t.Error("nobody noticed")
		})
	}
}

// TestFirstSwitchDivergence holds what a report says about a fault whose place is known.
func TestFirstSwitchDivergence(t *testing.T) {
	cfg := switchConfig(t)
	vcd := filepath.Join(t.TempDir(), "out.vcd")
	open := openFaulty(func(_ int64, at map[string]int, out []uint64) {
		// Packets that are updated have the wrong locator or value; the internal value is right.
		if out[at["m_axis_tvalid"]] == 1 && out[at["m_axis_tuser"]]>>2&15 == 4 {
			out[at["m_axis_tdata"]] ^= 1 << 63
		}
	})
	rep, err := RunDesign(cfg, Options{Engine: "go", Cycles: 50_000, Seed: 11, Open: open, VCD: vcd,
		ShrinkFor: 8 * time.Second, ConfigName: "small.yaml"})
	require.NoError(t, err)
	require.NotNil(t, rep.Divergence)
	d := rep.Divergence
	assert.Equal(t, "m_axis_tdata", d.Signal)
	assert.False(t, d.Tap)
	assert.Contains(t, d.Packet, "egress port")
	assert.Contains(t, d.Result, "status updated, find tag")
	assert.Positive(t, d.PacketHeader)
	assert.Less(t, d.PacketHeader, d.Cycle)
	assert.NotEmpty(t, d.Inputs)
	assert.Contains(t, d.Command, "hpccgen cosim --config small.yaml --engine go --seed 11 --cycles ")
	assert.FileExists(t, vcd)
	require.IsType(t, &transit.Script{}, d.Shrunk)
	script := d.Shrunk.(*transit.Script)
	assert.Len(t, script.Packets, 1, "%s", script)
	assert.Less(t, d.Operations[1], 60, "a port, the estimate, a table of up to 32 bounds; of %d operations:\n%s",
		d.Operations[0], d.Shrunk)
	t.Logf("%d operations to %d in %d tries:\n%s", d.Operations[0], d.Operations[1], d.ShrinkTries, d.Shrunk)

	again, err := RunDesign(cfg, Options{Engine: "go", Cycles: d.Cycle + 1, Seed: d.Seed, Open: open, NoShrink: true})
	require.NoError(t, err)
	require.NotNil(t, again.Divergence, "the command must show it again")
	assert.Equal(t, d.Cycle, again.Divergence.Cycle)
	text, err := json.Marshal(script)
	require.NoError(t, err)
	assert.True(t, strings.Contains(string(text), `"packets"`))
}

// TestSwitchDivergenceInsideIsNamed has a fault of an internal value: the tap comes before what it leads to.
func TestSwitchDivergenceInsideIsNamed(t *testing.T) {
	needs(t, "iverilog", "vvp")
	m := Mutation{"value one too large", "csig_signal", regexp.MustCompile(`(value_s\d+ <= )(.*);`), "${1}($2) | 32'd1;"}
	rep, err := RunDesign(switchConfig(t), Options{Engine: "icarus", Cycles: 60_000, Seed: 5, NoShrink: true,
		Open: m.Open})
	require.NoError(t, err)
	require.NotNil(t, rep.Divergence)
	assert.True(t, rep.Divergence.Tap)
	assert.Equal(t, "value", rep.Divergence.Signal)
	assert.Contains(t, rep.Divergence.Result, "local value")
}

func TestSwitchRunsAreReproducible(t *testing.T) {
	cfg := switchConfig(t)
	a := checkSwitch(t, cfg, Options{Engine: "go", Cycles: 20_000, Seed: 9, Jobs: 2})
	b := checkSwitch(t, cfg, Options{Engine: "go", Cycles: 20_000, Seed: 9, Jobs: 2})
	assert.Equal(t, a.Coverage, b.Coverage)
	assert.Equal(t, a.Throughput, b.Throughput)
	c := checkSwitch(t, cfg, Options{Engine: "go", Cycles: 20_000, Seed: 10, Jobs: 2})
	assert.NotEqual(t, a.BeatsIn, c.BeatsIn)
}
