package cosim

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
	"github.com/hdlpkg/hpccgen/verify/engine"
)

// tiny is an engine whose netlist is made in seconds: one divider, few flows.
const tiny = `
design: nic
name: nic_tiny
hops: {max: 2, order: serial}
flows: 4
profiles: 1
telemetry: {timestamp_bits: 12, tick: 1ns, tx_bits: 10, tx_unit: 128B, qlen_bits: 8, qlen_unit: 80B, rate_code_bits: 1, link_id_bits: 1, path_id_bits: 2}
sequence_bits: 24
clock_bits: 60
stage_bits: 2
counter_bits: 8
rates: [25G]
base_rtt: {min: 1us, max: 2us}
precision: {max_error: 5e-2}
dividers: {hop: {kind: restoring_serial}, quotient: {kind: restoring_serial}}
`

// netlistOf compares a design's netlist for a family with the golden model.
func netlistOf(t *testing.T, d config.Design, family string, cycles int64) *Report {
	t.Helper()
	needs(t, "yosys", "verilator", "g++")
	rep, err := RunDesign(d, Options{Engine: "netlist", Hardware: engine.Hardware{Family: family}, Cycles: cycles,
		Seed: 5, NoShrink: true})
	require.NoError(t, err)
	if v := rep.Divergence; v != nil {
		t.Errorf("%s, %s: %s is %s, the model says %s, cycle %d\n%s", rep.Design, family, v.Signal, v.Actual,
			v.Expected, v.Cycle, v.Command)
	}
	t.Logf("%s, %s: %d cycles, %d ACKs, %d packets, %.0f cycles/s", rep.Design, family, rep.Cycles, rep.Acks,
		rep.Packets, rep.CyclesPerSecond)
	assert.Positive(t, rep.Acks+rep.Packets)
	return rep
}

// TestNetlists compares netlists of small designs, each kind and each family at least once, and with HPCCGEN_LONG=1
// those of every preset.
func TestNetlists(t *testing.T) {
	parse := func(text string) config.Design {
		d, err := config.ParseDesign("tiny.yaml", []byte(text))
		require.NoError(t, err)
		return d
	}
	t.Run("nic, ice40", func(t *testing.T) { netlistOf(t, parse(tiny), "ice40", 20_000) })
	t.Run("nic, up5k", func(t *testing.T) {
		if os.Getenv("HPCCGEN_LONG") != "1" {
			t.Skip(
				"the cells of ice40: this design has no multiplier, and those of up5k are compared in verify/engine; with HPCCGEN_LONG=1 (make netlist-long)")
		}
		netlistOf(t, parse(tiny), "up5k", 20_000)
	})
	t.Run("csig, ecp5", func(t *testing.T) {
		netlistOf(t, switchConfig(t, "ports: 3", "ports: 2", "expanded: 0x88b6", "expanded: none"), "ecp5", 20_000)
	})
}

// TestNetlistsOfPresets takes minutes for each.
func TestNetlistsOfPresets(t *testing.T) {
	if os.Getenv("HPCCGEN_LONG") != "1" {
		t.Skip("synthesizes every preset for every family; with HPCCGEN_LONG=1 (make netlist-long)")
	}
	for _, p := range config.Presets() {
		for _, family := range engine.Families() {
			t.Run(p.Name+", "+family, func(t *testing.T) {
				d, err := config.LoadDesign(p.Name)
				require.NoError(t, err)
				netlistOf(t, d, family, 50_000)
			})
		}
	}
}

// mutant runs a netlist in which LUTs are replaced, one chosen by one more input.
type mutant struct {
	engine.Engine
	layout *vgen.Layout // without the selector
	number uint64
	in     []uint64
}

func (m *mutant) Layout() *vgen.Layout { return m.layout }

func (m *mutant) Run(cycles int, in, out []uint64) error {
	from, to := m.layout.InWords, m.layout.InWords+1
	m.in = slices.Grow(m.in[:0], cycles*to)[:cycles*to]
	for c := range cycles {
		copy(m.in[c*to:], in[c*from:(c+1)*from])
		m.in[c*to+from] = m.number
	}
	return m.Engine.Run(cycles, m.in, out)
}

var lutText = regexp.MustCompile(`SB_LUT4 #\(\s*\.LUT_INIT\(16'h([0-9a-f]+)\)\s*\) (\\\S+|\w+)\s*\(`)

var constantPin = regexp.MustCompile(`\.I([0-3])\(1'h([01])\)`)

// reachable is the bit of a truth table that is next to the one given and that the LUT's constant inputs select; pins
// is the text of its connections.
func reachable(pins []byte, bit int) int {
	end := bytes.Index(pins, []byte(");"))
	for _, m := range constantPin.FindAllSubmatch(pins[:end], -1) {
		input := int(m[1][0] - '0')
		bit = bit&^(1<<input) | int(m[2][0]-'0')<<input
	}
	return bit
}

// withMutants replaces LUTs of an iCE40 netlist, drawn at random, by ones of which the input "mutant" flips a bit of
// the truth table. It returns which bit of which LUT each number flips.
func withMutants(t *testing.T, s *engine.Source, count int) (*engine.Source, []string) {
	t.Helper()
	text := s.Files[0].Text
	luts := lutText.FindAllSubmatchIndex(text, -1)
	require.Greater(t, len(luts), count)
	random := rand.New(rand.NewPCG(1, 2))
	chosen := map[int]int{}
	var names []string
	for _, at := range random.Perm(len(luts))[:count] {
		chosen[at] = len(names) + 1
		names = append(names, "")
	}
	var b bytes.Buffer
	last := 0
	for i, m := range luts {
		number, ok := chosen[i]
		if !ok {
			continue
		}
		bit := reachable(text[m[1]:], random.IntN(16))
		name := string(text[m[4]:m[5]])
		names[number-1] = fmt.Sprintf("bit %d of %s", bit, name)
		b.Write(text[last:m[0]])
		fmt.Fprintf(&b, "lut_mutant #(.LUT_INIT(16'h%s), .BIT(%d), .NUMBER(%d)) %s (\n    .mutant(mutant),",
			text[m[2]:m[3]], bit, number, name)
		last = m[1]
	}
	b.Write(text[last:])
	netlist := strings.Replace(b.String(), "module "+s.Top+"(", "module "+s.Top+"(mutant, ", 1)
	netlist = strings.Replace(netlist, ");\n", ");\n  input [15:0] mutant;\n", 1)
	changed := *s
	changed.Files = append([]vgen.File{{Name: s.Files[0].Name, Text: []byte(netlist)}, {Name: "lut_mutant.v", Text: []byte(`
module lut_mutant (input [15:0] mutant, input I0, I1, I2, I3, output O);
  parameter [15:0] LUT_INIT = 0;
  parameter BIT = 0;
  parameter NUMBER = 0;
  wire [15:0] table_of = LUT_INIT ^ (mutant == NUMBER ? 16'd1 << BIT : 16'd0);
  assign O = table_of[{I3, I2, I1, I0}];
endmodule
`)}}, s.Files[1:]...)
	l := *s.Layout
	l.Inputs = append(append([]vgen.Slot{}, l.Inputs...), vgen.Slot{Name: "mutant", Width: 16, Offset: l.InWords,
		Words: 1})
	l.InWords++
	changed.Layout = &l
	return &changed, names
}

// TestBrokenNetlists flips a bit of the truth table of one LUT at a time. Not every bit matters: some combinations of
// inputs never occur, or not in so few cycles.
func TestBrokenNetlists(t *testing.T) {
	needs(t, "yosys", "verilator", "g++")
	d, err := config.ParseDesign("tiny.yaml", []byte(tiny))
	require.NoError(t, err)
	const count, cycles = 120, 15_000
	sub := mustNIC(t, d.(*config.NIC), false)
	source, err := engine.SourceOfNetlist(sub.Frame().Design, engine.Options{})
	require.NoError(t, err)
	changed, names := withMutants(t, source, count)
	differs := func(number uint64) bool {
		o := Options{Engine: "netlist", Cycles: cycles, Seed: 5, NoShrink: true, Open: func(_ string, _ engine.Design,
			o engine.Options) (engine.Engine, error) {
			e, err := engine.OpenSource("verilator", changed, o)
			return &mutant{Engine: e, layout: source.Layout, number: number}, err
		}}
		rep, err := RunDesign(d, o)
		require.NoError(t, err)
		return rep.Mismatches > 0
	}
	require.False(t, differs(0), "without a change")
	noticed := 0
	for n := range uint64(count) {
		if differs(n + 1) {
			noticed++
		} else {
			t.Logf("not noticed: %s", names[n])
		}
	}
	t.Logf("%d of %d noticed", noticed, count)
	assert.GreaterOrEqual(t, noticed, count/3)
}
