package synth

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

func recorded(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name)
	require.NoError(t, err)
	return string(text)
}

// Logs of nextpnr-ice40 0.4 and nextpnr-ecp5 0.7.
func TestUtilisation(t *testing.T) {
	large := recorded(t, "toolarge_up5k.log")
	resources := utilisation(large)
	assert.Equal(t, Use{6002, 5280}, resources["ICESTORM_LC"])
	assert.Equal(t, Use{0, 8}, resources["ICESTORM_DSP"])
	assert.Len(t, resources, 15)
	assert.Equal(t, []Shortage{{"logic cells", Use{6002, 5280}}}, shortages(resources))
	assert.Regexp(t, noRoom, errorLine(large))

	ecp5 := utilisation(recorded(t, "packed_ecp5.log"))
	assert.Equal(t, Use{26, 24288}, ecp5["TRELLIS_COMB"])
	assert.Equal(t, Use{2, 28}, ecp5["MULT18X18D"])
	assert.Empty(t, shortages(ecp5))

	var c Cells
	ECP5.fit(&c, ecp5)
	assert.Equal(t, Use{26, 24288}, c.Logic)
	assert.Equal(t, Use{0, 28}, c.DSP, "what is used comes from the netlist")

	assert.Empty(t, utilisation("Info: nothing\n"))
	assert.Empty(t, errorLine("Info: nothing\n"))
}

// small is the design of the recorded timing: two instances of an accumulator.
var small = []vgen.File{{Name: "t.v", Text: []byte(`
module add(input clk, input [7:0] a, output reg [7:0] q);
    always @(posedge clk) q <= q + a * a;
endmodule
// module ghost(); add u_three (.clk(clk)); endmodule
module t(input clk, input [7:0] a, output [7:0] q);
    wire [7:0] m;
    add u_one (.clk(clk), .a(a), .q(m));
    add #(.W(8), .D((2))) u_two (.clk(clk), .a(m), .q(q));
endmodule
`)}}

func TestTiming(t *testing.T) {
	h := readHierarchy("t", small)
	fmax, paths, err := readTiming([]byte(recorded(t, "timing_hx8k.json")), h)
	require.NoError(t, err)
	assert.Equal(t, map[string]Fmax{"clk": {Reached: 140.311, Target: 80, Met: true}}, fmax)
	require.Len(t, paths, 1, "paths from and to pins are no clock's")
	p := paths[0]
	assert.Equal(t, "clk clk", p.From+" "+p.To)
	assert.InDelta(t, 7.126, p.DelayNs, 1e-9)
	assert.InDelta(t, 1000/140.311, p.DelayNs, 2e-3)
	assert.InDelta(t, p.DelayNs, p.LogicNs+p.RoutingNs, 1e-9)
	assert.Len(t, p.Hops, 19)
	assert.Equal(t, Hop{Kind: "clk-to-q", DelayNs: 0.54, Instance: "u_one", Module: "add",
		Cell: "u_one.q_SB_DFF_Q_6_D_SB_LUT4_O_LC", Port: "O"}, p.Hops[0])
	assert.Equal(t, "add (u_one) -> add (u_two)", p.Route())
	assert.Equal(t, 2, p.Modules[0].Cells)

	_, paths, err = readTiming([]byte(recorded(t, "timing_ecp5.json")), h)
	require.NoError(t, err)
	assert.NotEmpty(t, paths)
	_, _, err = readTiming([]byte("{"), h)
	assert.ErrorContains(t, err, "the report of nextpnr")
}

func TestClockName(t *testing.T) {
	for name, want := range map[string]string{
		"posedge clk$SB_IO_IN_$glb_clk": "clk", "$glbnet$clk$TRELLIS_IO_IN": "clk", "posedge $glbnet$clk": "clk",
		"negedge u_core.dut_clk": "u_core.dut_clk",
		"clk_$glb_clk":           "clk", "clk": "clk",
	} {
		assert.Equal(t, want, clockName(name), name)
	}
}

func TestLocate(t *testing.T) {
	h := readHierarchy("t", small)
	for cell, want := range map[string][2]string{
		"u_one.q_SB_DFF_Q":       {"u_one", "add"},
		"u_two":                  {"", "t"},
		`$flatten\u_two.$add$t`:  {"u_two", "add"},
		"u_three.q":              {"", "t"},
		"q_SB_DFF_Q":             {"", "t"},
		"u_one.u_two.q_SB_DFF_Q": {"u_one", "add"},
	} {
		instance, module := h.locate(cell)
		assert.Equal(t, want, [2]string{instance, module}, cell)
	}
	assert.Equal(t, map[string]string{"u_one": "add", "u_two": "add"}, h.instances["t"])
	extra := append([]vgen.File{{Name: "o.v", Text: []byte("module other(); endmodule")}}, small...)
	assert.Equal(t, small, readHierarchy("t", extra).needed())
}

func TestMessages(t *testing.T) {
	large := &TooLarge{Design: "nic_line", Part: UP5K, Over: []Shortage{{"logic cells", Use{9000, 5280}},
		{"block RAMs", Use{44, 30}}}}
	assert.EqualError(t, large,
		"nic_line is too large for ice40 up5k sg48: it needs 9000 logic cells of 5280, 44 block RAMs of 30")
	_, paths, err := readTiming([]byte(recorded(t, "timing_hx8k.json")), readHierarchy("t", small))
	require.NoError(t, err)
	slow := &TimingFailure{Design: "t", Part: HX8K, Clock: "clk", Fmax: Fmax{Reached: 140.311, Target: 500},
		Path: paths[0]}
	assert.EqualError(t, slow,
		"t in ice40 hx8k ct256: timing not met: clock clk reaches 140.31 MHz of 500.00 MHz; its critical path takes 7.13 ns (3.79 ns of it wires): add (u_one) -> add (u_two)")
}

func TestScan(t *testing.T) {
	ports := []vgen.PortInfo{{Name: "clk", Dir: "in", Width: 1, Role: "clock"}, {Name: "a", Dir: "in", Width: 8},
		{Name: "q", Dir: "out", Width: 4}, {Name: "v", Dir: "out", Width: 1}}
	file, cells := scan(Module{Top: "m", Ports: ports})
	text := string(file.Text)
	assert.Contains(t, text, ".clk(clk)")
	assert.Contains(t, text, ".a(s[7:0])")
	assert.Contains(t, text, ".q(d[3:0])")
	assert.Contains(t, text, ".v(d[4:4])")
	assert.Equal(t, Cells{LUT: Use{Used: 4}, FF: Use{Used: 13}, Logic: Use{Used: 13}}, cells)
	file, _ = scan(Module{Top: "m", Ports: ports[:1]})
	assert.False(t, strings.Contains(string(file.Text), "-2:"))
}

// Variants of a module with parameters have names that include their values.
func TestReadVariants(t *testing.T) {
	heads := "attribute \\hdlname \"\\\\fifo\"\nmodule $paramod$67ca4d18\\fifo\n\n  parameter \\DEPTH 33\n\n" +
		"  parameter \\WIDTH 8\n\n  attribute \\src \"a.v:1\"\n  wire input 1 \\clk\nend\n" +
		"module $paramod\\slice\\WIDTH=s32'00000111\n  parameter \\WIDTH 7\nend\nmodule \\top\nend\n"
	assert.Equal(t, map[string]string{
		`$paramod$67ca4d18\fifo`: "fifo DEPTH=33 WIDTH=8", `$paramod\slice\WIDTH=s32'00000111`: "slice WIDTH=7",
	}, readVariants(heads))
}
