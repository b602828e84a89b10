package cosim

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
	"github.com/hdlpkg/hpccgen/verify/csig"
	"github.com/hdlpkg/hpccgen/verify/engine"
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
var switchMutations = []vgen.Fault{
	fault("wrong direction of the comparison", "csig_compare", "replaces",
		vgen.Inside("Lt", vgen.Operator(vgen.Signal.Gt))),
	fault("equal codes replaced", "csig_compare", "replaces", vgen.Inside("Lt", vgen.Operator(vgen.Signal.Le))),
	fault("largest codes compared without the top bit", "csig_compare", "packet_code",
		vgen.With("s_high", vgen.Without(27))),
	fault("reserved bit not kept", "csig_compare", "low_s*", vgen.With("s_low", vgen.Without(12))),
	fault("saturation of the bytes dropped", "csig_meter", "measured_s*", vgen.Left),
	fault("window ends a nanosecond late", "csig_meter", "now_less_1_carried", vgen.Off(-1)),
	fault("bandwidth below zero", "csig_signal", "value_s*", vgen.With("left", vgen.Without(32))),
	fault("product not rounded", "csig_scale", "rounded", vgen.Left),
	fault("saturation of the product dropped", "csig_scale", "saturated", vgen.Left),
	fault("valid late", "credit_fifo", "load", vgen.With("m_ready", vgen.StuckAt(0))),
	fault("a credit too many", "credit_fifo", "credits_taken.reset", vgen.Inverted),
	fault("lanes swapped", "csig_editor", "c_data",
		vgen.With("b_is_tag", func(_ *vgen.Nets, was vgen.Signal) vgen.Signal { return was.Bit(0).Repeat(2) })),
	fault("strip by the wrong amount", "csig_editor", "c_data", func(n *vgen.Nets, was vgen.Signal) vgen.Signal {
		n.Net("b_expanded")
		low := vgen.Mux(n.Net("move0"), n.Net("b_data").Slice(63, 32), was.Trunc(32))
		return vgen.Cat(was.Slice(63, 32), low)
	}),
	fault("tkeep of a removed tag", "csig_editor", "c_keep", func(n *vgen.Nets, was vgen.Signal) vgen.Signal {
		n.Net("b_expanded")
		return vgen.Cat(vgen.Mux(n.Net("move1"), n.Net("keep_behind").Trunc(4), was.Slice(7, 4)), was.Trunc(4))
	}),
	fault("beat behind the end absorbed twice", "csig_editor", "absorb", vgen.With("b_last", vgen.StuckAt(0))),
	fault("register without reset", "csig_editor", "a_valid.reset", vgen.NoReset),
	fault("inside a packet over a reset", "csig_editor", "in_packet.reset", vgen.NoReset),
	fault("stale bank", "csig_registers", "bank1_q", vgen.Is("bank1_q")),
	fault("bank changes a cycle early", "csig_registers", "change_bank", vgen.With("bound_count", vgen.Off(1))),
	fault("counter off by one", "csig_counters", "status_before", vgen.With("status_first_s*", vgen.StuckAt(0))),
	fault("counters kept over a reset", "csig_counters", "sweeping_q.reset", vgen.StuckAt(0)),
	fault("stacked not counted", "csig_counters", "stacked1_q", vgen.Is("stacked1_q")),
	fault("estimate kept over a reset", "csig_registers", "estimate_ok_q.reset", vgen.NoReset),
	fault("quantizer kept over a reset", "csig_registers", "quantizer2_ok_q.reset", vgen.NoReset),
	fault("capacity below 1000 accepted", "csig_registers", "port_fits_q",
		vgen.Inside("Ge", vgen.Operator(oneLess))),
	fault("window above a second accepted", "csig_registers", "estimate_fits_q",
		vgen.With("estimate_window_q", secondAndMore)),
	fault("decreasing bounds accepted", "csig_registers", "in_order", vgen.With("bound_rises", vgen.StuckAt(1))),
	fault("33 bounds accepted", "csig_registers", "in_order", vgen.With("table_full", vgen.StuckAt(0))),
	fault("meters forgotten a cycle early", "csig_switch", "forget", vgen.With("forget_sr",
		func(_ *vgen.Nets, was vgen.Signal) vgen.Signal { return was.Shl(1) })),
	fault("bytes of half a removed tag count", "csig_switch", "words_removed",
		vgen.With("expanded_s*", vgen.StuckAt(0))),
	fault("tag of the next packet taken from the bytes", "csig_switch", "words_removed_then", vgen.Is("words_removed")),
	fault("update without an estimate", "csig_lookup", "tables_ok_s*", vgen.With("estimate_ok", vgen.StuckAt(1))),
	fault("tkeep of beats in the middle", "csig_editor", "a_keep", vgen.With("s_beat_last", vgen.StuckAt(1))),
	fault("tkeep read in the middle of a packet", "csig_walk", "lane1_vlan_s*", vgen.With("lane1_has_byte1",
		func(n *vgen.Nets, _ vgen.Signal) vgen.Signal { return n.Net("s_keep").Bit(5) })),
	fault("bytes behind the end read", "csig_walk", "lane1_compact_s*", vgen.With("lane1_has_byte1", vgen.StuckAt(1))),
	fault("SecTAG behind the end read", "csig_walk", "lane0_sectag_s*", vgen.With("lane0_has_byte2", vgen.StuckAt(1))),
	fault("a packet that is dropped leaves", "csig_editor", "fills_a", vgen.With("drops", vgen.StuckAt(0))),
	fault("the rest of a packet that is dropped leaves", "csig_editor", "drops", vgen.With("a_drop", vgen.StuckAt(0))),
	fault("bytes of a packet that is dropped count", "csig_switch", "end_counts",
		vgen.With("dropped", vgen.StuckAt(0))),
	fault("strobes ignored", "csig_axil", "strobes_full_q", vgen.Inside("AllBits",
		func(n *vgen.Nets, _ vgen.Signal) vgen.Signal { return n.Net("s_axil_wstrb").AnyBit() })),
	fault("read always goes first", "csig_axil", "read_first", vgen.With("write_waits", vgen.StuckAt(0))),
	fault("write always goes first", "csig_axil", "read_first", vgen.With("reading_q", vgen.StuckAt(1))),
	fault("answer given up", "csig_axil", "bvalid_q", vgen.With("s_axil_bready", vgen.StuckAt(1))),
	fault("answer kept over a reset", "csig_axil", "rvalid_q.reset", vgen.NoReset),
}

// secondAndMore takes a nanosecond more than a second for a second.
func secondAndMore(_ *vgen.Nets, was vgen.Signal) vgen.Signal {
	return vgen.Mux(was.Is(1_000_000_001), was.Like(1_000_000_000), was)
}

// oneLess is a comparison with a limit that is one less.
func oneLess(a, b vgen.Signal) vgen.Signal { return a.Ge(b.Sub(b.Like(1))) }

// foldedMutations are faults that have another place in a folded pipeline, and replace those of the same name.
var foldedMutations = []vgen.Fault{
	fault("saturation of the bytes dropped", "csig_meter", "measured", vgen.Left),
	fault("window above a second accepted", "csig_registers", "window_fits", vgen.With("bus_wdata", secondAndMore)),
}

// memoryMutations are faults of what only a switch with more ports has: memories for the state of ports.
var memoryMutations = []vgen.Fault{
	fault("same port twice in a row", "csig_meter", "bytes_s3", vgen.With("near1_s*", vgen.StuckAt(0))),
	fault("same port with one between", "csig_meter", "bytes_then", vgen.With("near2_s*", vgen.StuckAt(0))),
}

// deepMutations are faults of what only a deep pipeline has, and those that have another place in it.
var deepMutations = []vgen.Fault{
	fault("bank changes a cycle early", "csig_registers", "change_bank_q", vgen.With("bound_count", vgen.Off(1))),
	fault("capacity below 1000 accepted", "csig_registers", "capacity_enough_low_q",
		vgen.Operator(oneLess)),
	fault("window above a second accepted", "csig_registers", "window_too_long_low_q",
		vgen.With("estimate_window_q", secondAndMore)),
	fault("packet just before not counted", "csig_counters", "status_sum_s4",
		vgen.With("status_last_s*", vgen.StuckAt(0))),
	fault("counter of the packet before the last forgotten", "csig_counters", "status_before_s*",
		vgen.With("status_second_s*", vgen.StuckAt(0))),
	fault("counter of the third packet before forgotten", "csig_counters", "status_other_s*",
		vgen.With("status_third_s*", vgen.StuckAt(0))),
	fault("counter of the fourth packet before forgotten", "csig_counters", "status_others_s*",
		vgen.With("status_fourth_s*", vgen.StuckAt(0))),
	fault("counter read misses the last packet", "csig_counters", "status_read",
		vgen.With("status_read_hit", vgen.StuckAt(0))),
	fault("packet without port counted as one with", "csig_switch", "counts_sr",
		vgen.With("no_port_s*", vgen.StuckAt(0))),
	fault("same port three before", "csig_meter", "bytes_before", vgen.With("near3_s*", vgen.StuckAt(0))),
	fault("same port four before", "csig_meter", "bytes_before", vgen.With("near4_s*", vgen.StuckAt(0))),
	fault("same port five before", "csig_meter", "bytes_before", vgen.With("near5_s*", vgen.StuckAt(0))),
	fault("bytes go on over the end of a window", "csig_meter", "bytes_cleared_s*",
		vgen.With("restarts_s*", vgen.Is("leaves_anew_s5"))),
	fault("bytes of the packet just before forgotten", "csig_meter", "bytes_low_next",
		vgen.With("bytes_not_last_s*", vgen.StuckAt(1))),
	fault("last window of the packet just before forgotten", "csig_meter", "bytes_s6",
		vgen.With("near1_s*", vgen.StuckAt(0))),
	fault("anew, compared with a start before it moved", "csig_meter", "anew_of_start",
		vgen.All(vgen.With("misses_start_1_s*", vgen.Is("misses_start_0_s4")),
			vgen.With("misses_start_3_s*", vgen.Is("misses_start_2_s4")))),
	fault("start that has moved not compared with", "csig_meter", "compares_moved_s*", vgen.StuckAt(0)),
	fault("window of another port anew", "csig_meter", "last_starts", vgen.With("near1_s*", vgen.StuckAt(1))),
	fault("window of another port, two before, ends", "csig_meter", "second_ends",
		vgen.With("near2_s*", vgen.StuckAt(1))),
	fault("start of the packet just before not taken over", "csig_meter", "start_next",
		vgen.With("now_s6", vgen.Is("now_s5"))),
	fault("larger and smaller codes mixed up", "csig_compare", "replaces", vgen.With("is_max_s*", vgen.Inverted)),
	fault("tag of the next packet taken from the bytes left", "csig_switch", "left_s*",
		vgen.With("words_removed_q", func(n *vgen.Nets, was vgen.Signal) vgen.Signal {
			return vgen.Cat(n.Net("words_removed").Top(), was.Bit(0))
		})),
	fault("window moved once for twice", "csig_meter", "start_next", vgen.With("twice_s*", vgen.Is("once_s5"))),
	fault("window moved not for once", "csig_meter", "start_next", vgen.With("once_s*", vgen.Is("stay_s5"))),
	fault("window anew, then moved from the old start", "csig_meter", "start_next",
		vgen.With("now_more_1_s*", vgen.Is("once_s5"))),
	fault("what was taken gives room a cycle early", "csig_pace", "next_waiting",
		vgen.With("taken", vgen.Is("m_take"))),
}

func TestSwitchMutationsAreCaught(t *testing.T) {
	needs(t, "verilator", "g++")
	hunt(t, switchConfig(t, "bytes: 20", "bytes: 16"), switchMutations)
	hunt(t, switchConfig(t, "bytes: 20", "bytes: 16", "ports: 3", "ports: 6"), memoryMutations)
}

// TestSwitchMutationsInOtherPipelines looks for the same faults in a folded pipeline and in a deep one, where
// their modules have the place.
func TestSwitchMutationsInOtherPipelines(t *testing.T) {
	if os.Getenv("HPCCGEN_LONG") == "" {
		t.Skip("builds two designs with each mutant; with HPCCGEN_LONG=1 (make mutate)")
	}
	needs(t, "verilator", "g++")
	for _, c := range []struct {
		name string
		cfg  *config.CSIG
		own  []vgen.Fault
	}{
		{"folded", switchConfig(t, "bytes: 20", "bytes: 16", "expanded: 0x88b6", "expanded: none", "stream_bits: 64",
			"stream_bits: 64\npipeline: folded"), foldedMutations},
		{"deep", switchConfig(t, "bytes: 20", "bytes: 16", "stream_bits: 64", "stream_bits: 128"), deepMutations},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := csig.NewSubject(c.cfg, true)
			require.NoError(t, err)
			place := func(f vgen.Fault) error {
				_, err := vgen.Broken(s.Frame().Design.Top, f)
				return err
			}
			there := slices.Clone(c.own)
			for _, f := range c.own { // none of these may be missing
				require.NoError(t, place(f))
			}
			all := slices.Concat(switchMutations, memoryMutations)
			for _, f := range all {
				// A deep pipeline fills tkeep up twice, in front and in the editor: no single fault of it shows.
				twice := c.name == "deep" && f.Name == "tkeep of beats in the middle"
				if twice || slices.ContainsFunc(c.own, func(own vgen.Fault) bool { return own.Name == f.Name }) {
					continue
				}
				if err := place(f); err != nil {
					t.Logf("not in this pipeline: %v", err)
					continue
				}
				there = append(there, f)
			}
			require.Greater(t, 2*len(there), len(all), "faults that have a place in this pipeline")
			hunt(t, c.cfg, there)
		})
	}
}

// rare are the mutants that need what happens once in a million cycles, with a seed that has it early.
var rare = map[string]uint64{"SecTAG behind the end read": 6, "tag of the next packet taken from the bytes": 9}

// hunt requires that each mutant is noticed, and that the build that holds them all is right without one. There are
// eight runs, the last of which show how close the stimulus is to missing one.
func hunt(t *testing.T, cfg config.Design, list []vgen.Fault) {
	run := func(t *testing.T, number int, cycles int64, seed uint64) *Report {
		rep, err := RunDesign(cfg, Options{Engine: "verilator", Cycles: cycles, Seed: seed, NoShrink: true,
			Open: engine.Faulty(list, number)})
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

// TestFirstSwitchDivergence checks the report of a fault whose place is known.
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

// TestSwitchDivergenceInsideIsNamed has a fault of an internal value: the tap comes before the outputs that depend on
// it.
func TestSwitchDivergenceInsideIsNamed(t *testing.T) {
	needs(t, "iverilog", "vvp")
	f := fault("value one too large", "csig_signal", "value_s*",
		func(_ *vgen.Nets, was vgen.Signal) vgen.Signal { return was.Or(was.Like(1)) })
	rep, err := RunDesign(switchConfig(t), Options{Engine: "icarus", Cycles: 60_000, Seed: 5, NoShrink: true,
		Open: engine.Faulty([]vgen.Fault{f}, 1)})
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
