package engine

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/internal/toolchain"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
	"github.com/hdlpkg/hpccgen/sim/cells"
)

// ram is a DP16KD of some widths and write modes, as a bench: every instance of it gets the same inputs.
type ram struct {
	model          string // name of the cell; a wrong cell has another than DP16KD
	a, b           int
	modeA, modeB   string
	resetMode      string
	outregA        bool // has the output register of port A; such a port gets no reset
	outregB        bool
	memory         [18432]bool
	outA, outB     uint64
	afterA, afterB uint64 // in the output registers
}

func (r *ram) String() string {
	return fmt.Sprintf("%d/%d %s %s %s, output registers %t %t", r.a, r.b, r.modeA, r.modeB, r.resetMode, r.outregA,
		r.outregB)
}

// newRAM makes a bench with the initial contents. outreg selects output registers: 1 of port A, 2 of B, 3 of both.
func newRAM(a, b int, modeA, modeB, resetMode string, outreg int) *ram {
	r := &ram{model: "DP16KD", a: a, b: b, modeA: modeA, modeB: modeB, resetMode: resetMode, outregA: outreg&1 == 1,
		outregB: outreg&2 == 2}
	for k := range r.memory {
		r.memory[k] = initial(k)
	}
	return r
}

// initial is bit k of the memory's initial contents.
func initial(k int) bool { return (k*k+k/7)%11 < 5 }

// verilog instantiates the cell.
func (r *ram) verilog(n int) string {
	mode := map[bool]string{true: "OUTREG", false: "NOREG"}
	params := []string{
		fmt.Sprintf(".DATA_WIDTH_A(%d), .DATA_WIDTH_B(%d), .WRITEMODE_A(%q), .WRITEMODE_B(%q), .RESETMODE(%q)", r.a,
			r.b, r.modeA, r.modeB, r.resetMode),
		fmt.Sprintf(".REGMODE_A(%q), .REGMODE_B(%q)", mode[r.outregA], mode[r.outregB]),
	}
	for row := range 64 {
		text := ""
		for word := 15; word >= 0; word-- {
			for bit := 19; bit >= 0; bit-- {
				if bit < 18 && initial(18*(16*row+word)+bit) {
					text += "1"
				} else {
					text += "0"
				}
			}
		}
		params = append(params, fmt.Sprintf(".INITVAL_%02X(320'b%s)", row, text))
	}
	var pins []string
	for _, p := range []string{"A", "B"} {
		l := strings.ToLower(p)
		pins = append(pins,
			fmt.Sprintf(
				".CLK%s(clk), .CE%s(ce_%s), .OCE%s(oce_%s), .WE%s(we_%s), .RST%s(reset_%s), .CS%s0(1'b0), .CS%s1(1'b0), .CS%s2(1'b0)", p, p, l, p, l, p, l, p, l, p, p, p))
		if p == "A" && r.outregA || p == "B" && r.outregB {
			pins[len(pins)-1] = strings.Replace(pins[len(pins)-1], "(reset_"+l+")", "(1'b0)", 1)
		}
		if p == "B" && r.a == 36 || r.b == 36 && p == "B" {
			pins[len(pins)-1] = strings.Replace(pins[len(pins)-1], ".WEB(we_b)", ".WEB(1'b0)", 1)
		}
		for i := range 18 {
			pins = append(pins, fmt.Sprintf(".DI%s%d(di_%s[%d]), .DO%s%d(do_%s%d[%d])", p, i, l, i, p, i, l, n, i))
		}
		for i := range 14 {
			pins = append(pins, fmt.Sprintf(".AD%s%d(ad_%s[%d])", p, i, l, i))
		}
	}
	return fmt.Sprintf("  %s #(%s) u%d (%s);\n", r.model, strings.Join(params, ", "), n, strings.Join(pins, ", "))
}

// access is one port's inputs in a cycle.
type access struct {
	enable, write, reset bool
	next                 bool // enable of the output register
	address              int
	data                 uint64
}

// behind lists the memory bits that an access of some width reaches, the lowest first: words of 18 bits, two bytes of
// nine bits each, of which widths below nine use eight.
func behind(width, address int) (list []int) {
	switch width {
	case 36:
		address &^= 31
	case 18:
		address &^= 15
	}
	for i := range width {
		switch width {
		case 36, 18:
			list = append(list, address/16*18+i)
		case 9:
			list = append(list, address/8*9+i)
		default:
			list = append(list, address/8*9+address%8/width*width+i)
		}
	}
	return list
}

// enabled reports whether a write enables the byte of a bit: with 18 and 36 bits the lowest address bits are the
// enables.
func enabled(width, address, bit int) bool { return width < 18 || address>>(bit/9)&1 == 1 }

// port computes the effect of one port, on the memory before the cycle. Bits that the other port writes read as their
// inverse.
func (r *ram) port(width int, mode string, a access, out *uint64, lost map[int]bool) (writes map[int]bool) {
	writes = map[int]bool{}
	if a.enable && a.write && !(a.reset && r.resetMode == "SYNC") {
		for i, k := range behind(width, a.address) {
			if enabled(width, a.address, i) {
				writes[k] = a.data>>i&1 == 1
			}
		}
	}
	switch {
	case a.reset:
		*out = 0
	case a.enable && !(a.write && mode == "NORMAL"):
		*out = 0
		for i, k := range behind(width, a.address) {
			v := r.memory[k]
			if w, written := writes[k]; written && mode == "WRITETHROUGH" {
				v = w
			}
			if lost[k] {
				v = !v
			}
			if v {
				*out |= 1 << i
			}
		}
	}
	return writes
}

// touched lists the bits that a write changes, for the other port.
func (r *ram) touched(width int, a access) map[int]bool {
	list := map[int]bool{}
	if a.enable && a.write && !(a.reset && r.resetMode == "SYNC") {
		for i, k := range behind(width, a.address) {
			if enabled(width, a.address, i) {
				list[k] = true
			}
		}
	}
	return list
}

func (r *ram) cycle(a, b access) {
	a.reset, b.reset = a.reset && !r.outregA, b.reset && !r.outregB
	if a.next {
		r.afterA = r.outA
	}
	if b.next {
		r.afterB = r.outB
	}
	if r.a == 36 || r.b == 36 {
		b.write = false
	}
	lostA, lostB := r.touched(r.b, b), r.touched(r.a, a)
	writesA := r.port(r.a, r.modeA, a, &r.outA, lostA)
	writesB := r.port(r.b, r.modeB, b, &r.outB, lostB)
	for k, v := range writesA {
		r.memory[k] = v
	}
	for k, v := range writesB {
		r.memory[k] = v
	}
}

// DP16KD against a memory of single bits in Go: pairs of all widths, including all write modes and reset modes, both
// ports on few addresses so that they collide.
func TestBlockRAMOfECP5(t *testing.T) {
	needTools(t, toolchain.Verilator, toolchain.CXX)
	var rams []*ram
	modes := []string{"NORMAL", "WRITETHROUGH", "READBEFOREWRITE"}
	for i, a := range []int{1, 2, 4, 9, 18, 36} {
		for j, b := range []int{1, 2, 4, 9, 18, 36} {
			if (i+j)%2 == 1 { // half of the pairs compile in half of the time
				continue
			}
			modeA := modes[(i+j)%3]
			if a != 36 && b == 36 { // A writes only
				modeA = "NORMAL"
			}
			outreg := (2*i + j) % 4
			if (a == 36 || b == 36) && outreg != 0 {
				outreg = 3
			}
			rams = append(rams, newRAM(a, b, modeA, modes[(i+2*j)%3], []string{"SYNC", "ASYNC"}[i%2], outreg))
		}
	}
	model, ok := cells.Model("DP16KD")
	require.True(t, ok)
	// Models that leave something of the output register out, to be found.
	models := []vgen.File{{Name: "dp16kd.v", Text: model}}
	for _, fault := range []struct{ part, broken string }{
		{`REGMODE_A == "OUTREG" ? r_a : q_a`, "q_a"}, {`REGMODE_B == "OUTREG" ? r_b : q_b`, "q_b"}, {"if (OCEA)", ""},
		{"if (OCEB)", "if (OCEA)"},
	} {
		r := newRAM(18, 9, "NORMAL", "NORMAL", "SYNC", 3)
		r.model = fmt.Sprintf("wrong_%d", len(models))
		rams = append(rams, r)
		models = append(models, brokenModel(t, string(model), "DP16KD", r.model, fault.part, fault.broken))
	}
	l, bench := ramBench(rams)
	e := mustOpen(t, "verilator", &Source{Top: "rams", Clock: true, Layout: l, Files: append(models, bench)}, Options{})

	const cycles = 4000
	random := rand.New(rand.NewPCG(1, 2))
	draw := func() access {
		a := access{enable: random.IntN(8) > 0, write: random.IntN(2) == 0, reset: random.IntN(40) == 0,
			next: random.IntN(4) > 0, address: random.IntN(1 << 14), data: random.Uint64() & (1<<18 - 1)}
		if random.IntN(4) > 0 {
			a.address &= 0x3f
		}
		return a
	}
	bit := func(v bool) uint64 {
		if v {
			return 1
		}
		return 0
	}
	in, out := make([]uint64, cycles*l.InWords), make([]uint64, cycles*l.OutWords)
	type pair struct{ a, b access }
	var inputs []pair
	for c := range cycles {
		p := pair{draw(), draw()}
		if p.a.write && p.b.write { // both writing one bit is not defined
			p.b.address = p.a.address ^ 1<<13
		}
		inputs = append(inputs, p)
		for i, a := range []access{p.a, p.b} {
			copy(in[c*l.InWords+6*i:], []uint64{bit(a.enable), bit(a.write), bit(a.reset), bit(a.next),
				uint64(a.address), a.data})
		}
	}
	require.NoError(t, e.Run(cycles, in, out))
	met := 0
	different := map[*ram]bool{}
	for c := 0; c < cycles-1; c++ {
		p := inputs[c]
		if p.a.write != p.b.write && p.a.address>>5 == p.b.address>>5 {
			met++
		}
		for n, r := range rams {
			a, b := p.a, p.b
			if r.a == 36 { // the upper half comes on the other port's pins
				a.data |= b.data << 18
			}
			r.cycle(a, b)
			next := p
			if c+1 < cycles {
				next = inputs[c+1]
			}
			wantA, wantB := r.outA, r.outB
			if r.resetMode == "ASYNC" { // seen at once
				if next.a.reset {
					wantA = 0
				}
				if next.b.reset {
					wantB = 0
				}
			}
			if r.outregA {
				wantA = r.afterA
			}
			if r.outregB {
				wantB = r.afterB
			}
			if r.b == 36 {
				wantA, wantB = wantB&(1<<18-1), wantB>>18
			} else if r.a == 36 {
				wantA = wantA & (1<<18 - 1)
			}
			got := out[(c+1)*l.OutWords+2*n:]
			differs := (r.a != 36 || r.b == 36) && wantA != got[0] || wantB != got[1]
			different[r] = different[r] || differs
			if r.model == "DP16KD" {
				require.False(t, differs, "%s: DOA %#x, should be %#x, DOB %#x, should be %#x after cycle %d: %+v", r,
					got[0], wantA, got[1], wantB, c, p)
			}
		}
	}
	assert.Greater(t, met, 100, "the ports meet")
	for _, r := range rams {
		assert.Equal(t, r.model != "DP16KD", different[r], "%s", r.model)
	}
}

// ramBench is a module of memories with the same inputs.
func ramBench(rams []*ram) (*vgen.Layout, vgen.File) {
	l := &vgen.Layout{}
	l.Inputs = slots(&l.InWords, "ce_a", 1, "we_a", 1, "reset_a", 1, "oce_a", 1, "ad_a", 14, "di_a", 18, "ce_b", 1,
		"we_b", 1, "reset_b", 1, "oce_b", 1, "ad_b", 14, "di_b", 18)
	var outs []any
	text, body := "module rams (input wire clk", ""
	for _, s := range l.Inputs {
		text += fmt.Sprintf(", input wire [%d:0] %s", s.Width-1, s.Name)
	}
	for n, r := range rams {
		outs = append(outs, fmt.Sprintf("do_a%d", n), 18, fmt.Sprintf("do_b%d", n), 18)
		text += fmt.Sprintf(", output wire [17:0] do_a%d, output wire [17:0] do_b%d", n, n)
		body += r.verilog(n)
	}
	l.Outputs = slots(&l.OutWords, outs...)
	return l, vgen.File{Name: "rams.v", Text: []byte(text + ");\n" + body + "endmodule\n")}
}

// The model of DP16KD rejects what it does not cover.
func TestBlockRAMRefusesOfECP5(t *testing.T) {
	needTools(t, toolchain.Verilator, toolchain.CXX)
	model, ok := cells.Model("DP16KD")
	require.True(t, ok)
	source := func(r *ram, part, other string) *Source {
		l, bench := ramBench([]*ram{r})
		require.Contains(t, string(bench.Text), part)
		bench.Text = []byte(strings.Replace(string(bench.Text), part, other, 1))
		return &Source{Top: "rams", Clock: true, Layout: l, Files: []vgen.File{{Name: "dp16kd.v", Text: model}, bench}}
	}
	for _, c := range []struct {
		r                 *ram
		part, other, want string
	}{
		{newRAM(18, 9, "NORMAL", "NORMAL", "SYNC", 0), ".DATA_WIDTH_A(18)", ".DATA_WIDTH_A(3)",
			"DP16KD_width_without_a_model"},
		{newRAM(36, 36, "NORMAL", "NORMAL", "SYNC", 3), `.REGMODE_A("OUTREG")`, `.REGMODE_A("NOREG")`,
			"DP16KD_output_register_without_a_model"},
		{newRAM(18, 9, "NORMAL", "NORMAL", "SYNC", 1), `.REGMODE_A("OUTREG")`, `.REGMODE_A("BOTH")`,
			"DP16KD_output_register_without_a_model"},
	} {
		_, err := OpenSource("verilator", source(c.r, c.part, c.other), Options{CacheDir: sharedCache})
		assert.ErrorContains(t, err, c.want)
	}
	s := source(newRAM(18, 9, "NORMAL", "NORMAL", "SYNC", 1), ".RSTA(1'b0)", ".RSTA(reset_a)")
	e := mustOpen(t, "verilator", s, Options{})
	in, out := make([]uint64, s.Layout.InWords), make([]uint64, s.Layout.OutWords)
	require.NoError(t, e.Run(1, in, out))
	in[2] = 1
	assert.ErrorContains(t, e.Run(1, in, out), "$stop", "a reset of a port with an output register")
}

// brokenModel is the model of a cell under another name, with a part of it replaced.
func brokenModel(t *testing.T, model, cell, name, part, broken string) vgen.File {
	t.Helper()
	require.Contains(t, model, part)
	text := strings.Replace(model, part, broken, 1)
	return vgen.File{Name: name + ".v", Text: []byte(strings.Replace(text, "module "+cell+" ", "module "+name+" ", 1))}
}

// MULT18X18D against products in Go, signed and not.
func TestMultiplierOfECP5(t *testing.T) {
	needTools(t, toolchain.Verilator, toolchain.CXX)
	l := &vgen.Layout{}
	l.Inputs = slots(&l.InWords, "a", 18, "b", 18, "signs", 2, "source", 1)
	l.Outputs = slots(&l.OutWords, "p", 36)
	source := func(parameters string) *Source {
		model, ok := cells.Model("MULT18X18D")
		require.True(t, ok)
		return &Source{Top: "mul", Layout: l, Files: []vgen.File{
			{Name: "mul.v",
				Text: []byte(
					"module mul (input wire [17:0] a, input wire [17:0] b, input wire [1:0] signs, input wire source, output wire [35:0] p);\n  MULT18X18D " + parameters +
						" u (.SIGNEDA(signs[0]), .SIGNEDB(signs[1]), .SOURCEA(source), .SOURCEB(1'b0), " + multiplierPins("p") +
						");\nendmodule\n")}, {Name: "mult18x18d.v", Text: model},
		}}
	}
	e := mustOpen(t, "verilator", source(""), Options{})
	random := rand.New(rand.NewPCG(3, 4))
	const cases = 2000
	in, out := make([]uint64, cases*4), make([]uint64, cases)
	extremes := []uint64{0, 1, 1<<17 - 1, 1 << 17, 1<<18 - 1}
	for c := range cases {
		copy(in[4*c:], []uint64{random.Uint64N(1 << 18), random.Uint64N(1 << 18), random.Uint64N(4), 0})
		if c < 100 {
			in[4*c], in[4*c+1], in[4*c+2] = extremes[c%5], extremes[c/5%5], uint64(c/25)
		}
	}
	require.NoError(t, e.Run(cases, in, out))
	for c := range cases {
		operand := func(v uint64, signed bool) int64 {
			if signed {
				return int64(v<<46) >> 46
			}
			return int64(v)
		}
		want := operand(in[4*c], in[4*c+2]&1 == 1) * operand(in[4*c+1], in[4*c+2]&2 == 2)
		require.Equal(t, uint64(want)&(1<<36-1), out[c], "%v", in[4*c:4*c+4])
	}

	in[3] = 1
	assert.ErrorContains(t, e.Run(1, in, out), "$stop", "an operand from the neighbour")
	_, err := OpenSource("verilator", source(`#(.REG_OUTPUT_CLK("CLK1"))`), Options{CacheDir: sharedCache})
	assert.ErrorContains(t, err, "MULT18X18D_register_without_a_model")
	_, err = OpenSource("verilator", source(`#(.REG_PIPELINE_CLK("CLK0"))`), Options{CacheDir: sharedCache})
	assert.ErrorContains(t, err, "MULT18X18D_register_without_a_model")
	_, err = OpenSource("verilator", source(`#(.CAS_MATCH_REG("TRUE"))`), Options{CacheDir: sharedCache})
	assert.ErrorContains(t, err, "CAS_MATCH_REG", "a parameter that the model does not know")
}

// multiplierPins connects the operands a and b and the product of a MULT18X18D.
func multiplierPins(product string) string {
	var pins []string
	for i := range 36 {
		pins = append(pins, fmt.Sprintf(".P%d(%s[%d])", i, product, i))
		if i < 18 {
			pins = append(pins, fmt.Sprintf(".A%d(a[%d]), .B%d(b[%d]), .C%d(1'b0)", i, i, i, i, i))
		}
	}
	return strings.Join(pins, ", ")
}

// delayed is a MULT18X18D with some of its registers: how many cycles each operand and the product wait.
type delayed struct {
	model   string // name of the cell; a wrong cell has another than MULT18X18D
	a, b, p int
}

// The registers of MULT18X18D delay operands and products.
func TestMultiplierRegistersOfECP5(t *testing.T) {
	needTools(t, toolchain.Verilator, toolchain.CXX)
	const cell = "MULT18X18D"
	list := []delayed{{cell, 0, 0, 1}, {cell, 1, 1, 0}, {cell, 1, 1, 1}, {cell, 1, 0, 0}, {cell, 0, 1, 1}}
	model, ok := cells.Model(cell)
	require.True(t, ok)
	models := []vgen.File{{Name: "mult18x18d.v", Text: model}}
	for _, part := range []string{`REG_INPUTA_CLK == "CLK0" ? a_register : a`,
		`REG_INPUTB_CLK == "CLK0" ? b_register : b`, `REG_OUTPUT_CLK == "CLK0" ? p_register : product[35:0]`} {
		d := delayed{fmt.Sprintf("wrong_%d", len(models)), 1, 1, 1}
		_, without, _ := strings.Cut(part, " : ")
		list = append(list, d)
		models = append(models, brokenModel(t, string(model), cell, d.model, part, without))
	}
	l := &vgen.Layout{}
	l.Inputs = slots(&l.InWords, "a", 18, "b", 18, "enable", 1, "reset", 1)
	var outs []any
	header, body := "module muls (input wire clk, input wire [17:0] a, input wire [17:0] b, input wire enable, input wire reset", ""
	clock := []string{"NONE", "CLK0"}
	for n, d := range list {
		p := fmt.Sprintf("p%d", n)
		outs = append(outs, p, 36)
		header += ", output wire [35:0] " + p
		body += fmt.Sprintf(
			"  %s #(.REG_INPUTA_CLK(%q), .REG_INPUTB_CLK(%q), .REG_OUTPUT_CLK(%q)) u%d (.CLK0(clk), .CE0(1'b1), .CE1(1'b1), .CE2(1'b1), .CE3(enable), "+
				".RST0(1'b0), .RST1(1'b0), .RST2(1'b0), .RST3(reset), .SIGNEDA(1'b%d), .SIGNEDB(1'b%d), .SOURCEA(1'b0), .SOURCEB(1'b0), %s);\n",
			d.model, clock[d.a], clock[d.b], clock[d.p], n, n&1, n&1, multiplierPins(p))
	}
	l.Outputs = slots(&l.OutWords, outs...)
	bench := vgen.File{Name: "muls.v", Text: []byte(header + ");\n" + body + "endmodule\n")}
	e := mustOpen(t, "verilator", &Source{Top: "muls", Clock: true, Layout: l, Files: append(models, bench)}, Options{})
	const cycles = 500
	random := rand.New(rand.NewPCG(3, 4))
	in, out := make([]uint64, cycles*4), make([]uint64, cycles*l.OutWords)
	for c := range cycles {
		copy(in[4*c:], []uint64{random.Uint64N(1 << 18), random.Uint64N(1 << 18), 1, 0})
	}
	require.NoError(t, e.Run(cycles, in, out))
	for n, d := range list {
		different := 0
		for c := 3; c < cycles; c++ {
			a, b := int64(in[4*(c-d.p-d.a)]), int64(in[4*(c-d.p-d.b)+1])
			if n&1 == 1 {
				a, b = a<<46>>46, b<<46>>46
			}
			if out[c*l.OutWords+n] != uint64(a*b)&(1<<36-1) {
				different++
			}
		}
		assert.Equal(t, d.model != cell, different > 0, "%+v", d)
	}

	in[2] = 0
	assert.ErrorContains(t, e.Run(1, in, out), "$stop", "an enable that is low")
	in[2], in[3] = 1, 1
	assert.ErrorContains(t, e.Run(1, in, out), "$stop", "a reset")
}
