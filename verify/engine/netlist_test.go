package engine

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/internal/toolchain"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// cellsDesign has parts for which FPGAs have dedicated cells: a product of several multiplier blocks with registers
// between, block RAM read while it is written, RAM of LUTs, a ROM, carries, registers with enable and with reset to
// one.
func cellsDesign() *vgen.Module {
	top := vgen.NewModule("cells", "One of each kind of cell.")
	valid := top.Input("s_valid", 1, "a pair comes")
	a := top.Input("s_a", 20, "a number")
	b := top.Input("s_b", 20, "a number")
	from := top.Input("s_from", 8, "address to read")

	// Registers between the products and the sums: see ice40Multipliers of package synth.
	low := top.RegNext("low_q", a.Slice(15, 0).Mul(b.Slice(15, 0)))
	mid := top.RegNext("mid_q", a.Slice(19, 16).Mul(b.Slice(15, 0)))
	high := top.RegNext("high_q", a.Mul(b.Slice(19, 16)))
	sum := top.RegNext("sum_q", low.Zext(36).Add(mid.Zext(36).Shl(16)))
	again := top.RegNext("again_q", high)
	top.Assign(top.Output("m_product", 40, "the product, two cycles later"), sum.Zext(40).Add(again.Zext(40).Shl(16)))

	words := top.Memory("words", 256, 20, "what came last, by the low byte of a")
	words.Write(valid, a.Slice(7, 0), b)
	top.Assign(top.Output("m_word", 20, "what was there before this cycle"), words.Read("word_q", from))
	few := top.Memory("few", 16, 5, "the same, small")
	few.Write(valid, a.Slice(3, 0), b.Slice(4, 0))
	top.Assign(top.Output("m_few", 5, "what is there"), few.ReadAsync(from.Slice(3, 0)))

	contents := make([]uint64, 256)
	for i := range contents {
		contents[i] = uint64(i*i*7+3) & 0x1ff
	}
	rom := top.ROM("squares", 9, contents)
	top.Assign(top.Output("m_rom", 9, "an entry of the ROM"), rom.Read("rom_q", from))

	count := top.Reg("count_q", 12, vgen.Reset(0xa5f), vgen.Enable(valid))
	top.Next(count, count.Add(vgen.Const(12, 1)))
	top.Assign(top.Output("m_count", 12, "pairs so far"), count)
	return top
}

// A netlist of each family agrees with the interpreter.
func TestNetlistsAgree(t *testing.T) {
	const cycles = 4000
	d := Design{Top: cellsDesign()}
	ref := openDesign(t, "go", d, Options{})
	l := ref.Layout()
	in := stimulus(l, cycles, 9)
	random := rand.New(rand.NewPCG(5, 6))
	for c := range cycles { // addresses that collide
		at := in[c*l.InWords:]
		at[4] = at[2]&0xff ^ uint64(random.IntN(2))
	}
	want := make([]uint64, cycles*l.OutWords)
	require.NoError(t, ref.Run(cycles, in, want))
	for _, family := range Families() {
		t.Run(family, func(t *testing.T) {
			e := openDesign(t, "netlist", d, Options{Hardware: Hardware{Family: family}})
			assert.Equal(t, "netlist", e.Name())
			assert.Equal(t, l, e.Layout())
			got := make([]uint64, len(want))
			require.NoError(t, e.Run(cycles, in, got))
			for c := 2; c < cycles; c++ { // reset is in the second cycle
				require.Equal(t, want[c*l.OutWords:(c+1)*l.OutWords], got[c*l.OutWords:(c+1)*l.OutWords], "cycle %d", c)
			}
			s, err := SourceOfNetlist(d, Options{CacheDir: sharedCache, Hardware: Hardware{Family: family}})
			require.NoError(t, err)
			text := string(s.Files[0].Text)
			for _, cell := range map[string][]string{
				"ice40": {"SB_LUT4 ", "SB_CARRY ", "SB_RAM40_4K "}, "up5k": {"SB_LUT4 ", "SB_MAC16 "},
				"ecp5": {"LUT4 ", "CCU2C ", "DP16KD ", "MULT18X18D ", "TRELLIS_DPR16X4 "},
			}[family] {
				assert.Contains(t, text, cell)
			}
		})
	}
}

// blocksDesign has registers that an ECP5's blocks can take in, and some that they must not.
func blocksDesign() *vgen.Module {
	top := vgen.NewModule("blocks", "Registers beside memories and multipliers.")
	on := top.Input("s_on", 1, "an enable")
	bank := top.Input("s_bank", 1, "which half of the memories is written; the other is read")
	at := top.Input("s_at", 9, "address to write")
	from := top.Input("s_from", 9, "address to read")
	a := top.Input("s_a", 36, "data, operand")
	b := top.Input("s_b", 18, "an operand")
	c := top.Input("s_c", 24, "an operand")
	e := top.Input("s_e", 24, "an operand")
	f := top.Input("s_f", 16, "an operand")
	g := top.Input("s_g", 16, "an operand")

	word := func(name string, depth, bits, width int) vgen.Signal {
		m := top.Memory(name, depth, width, "words").NoCollision()
		m.Write(on, vgen.Cat(bank, at.Slice(bits-2, 0)), a.Slice(width-1, 0))
		return m.Read(name+"_q", vgen.Cat(bank.Not(), from.Slice(bits-2, 0)))
	}
	out := func(name string, s vgen.Signal) { top.Assign(top.Output("m_"+name, s.Width(), name), s) }
	out("wide", top.RegNext("wide_q2", word("wide", 512, 9, 36), vgen.Enable(on)))
	out("two", top.RegNext("two_q2", word("two", 1024, 10, 30)))
	shared := word("shared", 1024, 10, 18)
	out("shared", top.RegNext("shared_q2", shared).Xor(shared))
	out("reset", top.RegNext("reset_q2", word("cleared", 1024, 10, 18), vgen.Reset(0)))

	narrow := top.RegNext("narrow_q", a.Slice(17, 0)).Mul(top.RegNext("other_q", b))
	out("narrow", top.RegNext("narrow_p", narrow))
	out("large", top.RegNext("large_q", c).Mul(top.RegNext("factor_q", e)))
	held := top.RegNext("held_q", a.Slice(35, 18), vgen.Enable(on)).Mul(top.RegNext("holding_q", b, vgen.Enable(on)))
	out("held", top.RegNext("held_p", held, vgen.Enable(on)))
	seen := top.RegNext("seen_q", f)
	out("seen", seen)
	out("product", top.RegNext("product_p", seen.Mul(top.RegNext("unseen_q", g))))
	return top
}

// Registers folded into the blocks of an ECP5 change no output in any cycle.
func TestFoldedNetlist(t *testing.T) {
	const cycles = 4000
	d := Design{Top: blocksDesign()}
	ref := openDesign(t, "go", d, Options{})
	l := ref.Layout()
	in := stimulus(l, cycles, 9)
	want, got := make([]uint64, cycles*l.OutWords), make([]uint64, cycles*l.OutWords)
	for c := range cycles { // few addresses, so that written words are read
		for _, i := range l.Inputs {
			if i.Width == 9 {
				in[c*l.InWords+i.Offset] &= 7
			}
		}
	}
	require.NoError(t, ref.Run(cycles, in, want))
	o := Options{Hardware: Hardware{Family: "ecp5"}}
	e := openDesign(t, "netlist", d, o)
	require.NoError(t, e.Run(cycles, in, got))
	for c := 2; c < cycles; c++ {
		require.Equal(t, want[c*l.OutWords:(c+1)*l.OutWords], got[c*l.OutWords:(c+1)*l.OutWords], "cycle %d", c)
	}

	o.CacheDir = sharedCache
	s, err := SourceOfNetlist(d, o)
	require.NoError(t, err)
	text := string(s.Files[0].Text)
	for parameter, n := range map[string]int{
		`.REGMODE_A("OUTREG")`: 1, `.REGMODE_B("OUTREG")`: 3, // wide, and two of two
		`.REG_INPUTA_CLK("CLK0")`: 5, `.REG_INPUTB_CLK("CLK0")`: 5, // narrow, and the four of large
		`.REG_OUTPUT_CLK("CLK0")`: 2, // narrow and product
	} {
		assert.Equal(t, n, strings.Count(text, parameter), parameter)
	}
}

func TestNetlistErrors(t *testing.T) {
	d := Design{Top: wideCounter(false)}
	_, err := Open("netlist", d, Options{Hardware: Hardware{Family: "gowin"}})
	assert.EqualError(t, err, `unknown FPGA family "gowin"; the netlist engine has ice40, up5k, ecp5`)
	_, err = Open("netlist", Design{Top: wideCounter(false), Taps: true}, Options{})
	assert.Equal(t, errTapsOfNetlist, err)
	_, err = Open("netlist", d, Options{Start: StartOnes})
	assert.EqualError(t, err, "the engine netlist cannot start from ones; it can from zero")

	// A Yosys without its models, with a cell that has no model, and no Yosys at all.
	folder := t.TempDir()
	yosys := filepath.Join(folder, "bin", "yosys")
	require.NoError(t, os.MkdirAll(filepath.Join(folder, "share", "yosys", "ice40"), 0o755))
	require.NoError(t, os.MkdirAll(filepath.Dir(yosys), 0o755))
	require.NoError(t, os.WriteFile(yosys, []byte("#!/bin/sh\necho Yosys\n"), 0o755))
	f := families[0]
	netlist := []byte(
		"module top(a);\n  SB_NEW #(\n    .X(1)\n  ) u (\n    .A(a)\n  );\n  SB_OLD \\v[0]  (\n    .A(a)\n  );\nendmodule\n")
	_, err = f.models(yosys, netlist)
	assert.ErrorContains(t, err, "looked for "+filepath.Join(folder, "bin", "share", "ice40", "cells_sim.v"))
	require.NoError(t, os.WriteFile(filepath.Join(folder, "share", "yosys", "ice40", "cells_sim.v"), []byte("`define Q 1\nmodule SB_OLD (input A);\n  SB_PART u (.A(A));\n  specify\n  endspecify\nendmodule\nmodule SB_PART (input A);\nendmodule\n"), 0o644))
	_, err = f.models(yosys, netlist)
	assert.EqualError(t, err, "there is no simulation model of the cells SB_NEW")
	files, err := f.models(yosys, []byte("  SB_OLD \\v[0]  (\n"))
	require.NoError(t, err)
	require.Len(t, files, 1)
	assert.Equal(t, "`define NO_ICE40_DEFAULT_ASSIGNMENTS\n`define Q 1\nmodule SB_OLD (input A);\n  SB_PART u (.A(A));\nendmodule\nmodule SB_PART (input A);\nendmodule\n", string(files[0].Text))

	for _, name := range []string{"PATH", "HPCCGEN_TOOLS"} {
		t.Setenv(name, t.TempDir())
	}
	_, err = Open("netlist", d, Options{CacheDir: t.TempDir()})
	var missing toolchain.Missing
	require.ErrorAs(t, err, &missing)
	assert.Equal(t, "yosys", missing.Tool)
}
