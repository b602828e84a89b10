package vgen_test

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// An operator over constants is folded while building; over inputs it is run. Both
// must give the same, at any width.
func TestFoldingAndRunningAgree(t *testing.T) {
	type binary = func(a, b vgen.Signal) vgen.Signal
	same := []binary{
		vgen.Signal.Add, vgen.Signal.Sub, vgen.Signal.And, vgen.Signal.Or, vgen.Signal.Xor,
		vgen.Signal.Eq, vgen.Signal.Ne, vgen.Signal.Lt, vgen.Signal.Le, vgen.Signal.Gt, vgen.Signal.Ge,
		vgen.Signal.LtS, vgen.Signal.LeS, vgen.Signal.GtS, vgen.Signal.GeS,
		func(a, b vgen.Signal) vgen.Signal { return vgen.Mux(a.Lt(b), a, b) },
	}
	free := []binary{
		vgen.Signal.Mul, vgen.Signal.MulS, vgen.Signal.ShlBy, vgen.Signal.ShrBy, vgen.Signal.SraBy,
		func(a, b vgen.Signal) vgen.Signal { return vgen.Cat(b, a, b) },
		func(a, b vgen.Signal) vgen.Signal { return vgen.Cat(a.Sext(a.Width()+b.Width()), b.Repeat(3)) },
		func(a, b vgen.Signal) vgen.Signal {
			return vgen.Cat(a.AnyBit(), b.AllBits(), a.Parity(), b.Not().Zext(b.Width()+9))
		},
		func(a, b vgen.Signal) vgen.Signal { return vgen.Select(b, []vgen.Signal{a, a.Not()}, a.Shr(1)) },
		func(a, b vgen.Signal) vgen.Signal { return vgen.Cat(a.Shl(b.Width()), a.Sra(b.Width()), b) },
	}
	rapid.Check(t, func(t *rapid.T) {
		value := func(w int, label string) *big.Int {
			v := new(big.Int).SetBytes(rapid.SliceOfN(rapid.Byte(), (w+7)/8, (w+7)/8).Draw(t, label))
			return v.And(v, new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), uint(w)), big.NewInt(1)))
		}
		width := rapid.IntRange(1, 300)
		wa, wb := width.Draw(t, "wa"), width.Draw(t, "wb")
		i := rapid.IntRange(0, len(same)+len(free)-1).Draw(t, "operator")
		var op binary
		if i < len(same) {
			op, wb = same[i], wa
		} else {
			op = free[i-len(same)]
		}
		a, b := value(wa, "a"), value(wb, "b")
		folded, ok := op(vgen.ConstBig(wa, a), vgen.ConstBig(wb, b)).IsConst()
		require.True(t, ok)

		m := vgen.NewModule("top", "")
		y := op(m.Input("a", wa, ""), m.Input("b", wb, ""))
		m.Assign(m.Output("y", y.Width(), ""), y)
		sim, err := vgen.NewSim(m)
		require.NoError(t, err)
		sim.SetBig("a", a)
		sim.SetBig("b", b)
		require.Equal(t, folded.Text(16), sim.GetBig("y").Text(16))
		require.NoError(t, sim.Err())
	})
}

// Yosys finds the three memories and the three reads of a table as memories, none as
// registers or latches.
func TestMemoriesAreInferred(t *testing.T) {
	top := sequential()
	dir := t.TempDir()
	sources := writeRTL(t, top, dir, false)
	script := "read_verilog"
	for _, s := range sources {
		script += " " + s
	}
	script += "; hierarchy -top sequential; proc; opt_clean; memory -nomap; opt_clean; select -assert-count 6 sequential/t:$mem_v2; " +
		"select -assert-none t:$dlatch t:$adlatch t:$sr"
	command(t, dir, tool(t, "yosys"), "-q", "-p", script)

	table := vgen.NewModule("table_of_squares", "")
	words := make([]uint64, 256)
	for i := range words {
		words[i] = uint64(i * i)
	}
	rom := table.ROM("squares", 16, words)
	table.Assign(table.Output("q", 16, ""), rom.Read("square_q", table.Input("addr", 8, "")))
	lint(t, table, vgen.EmitOptions{})
	dir = t.TempDir()
	writeRTL(t, table, dir, false)
	command(t, dir, tool(t, "yosys"), "-q", "-p",
		"read_verilog table_of_squares.v; proc; opt_clean; memory -nomap; select -assert-count 1 t:$mem_v2")
}

// A bundle's direction may be given at the struct instead of at each field.
func TestDirectionOfAStruct(t *testing.T) {
	type counters struct {
		Good vgen.Signal `port:"good" width:"8"`
		Ack  vgen.Signal `port:"ack" dir:"in" width:"1"`
	}
	type ports struct {
		Count counters `port:"n_" dir:"out"`
	}
	m := vgen.NewModule("top", "")
	p := vgen.Ports[ports](m, nil)
	m.Assign(p.Count.Good, p.Count.Ack.Repeat(8))
	require.NoError(t, vgen.Check(m))
	info := vgen.Manifest(m)[0].Ports
	assert.Equal(t, "out n_good, in n_ack", info[0].Dir+" "+info[0].Name+", "+info[1].Dir+" "+info[1].Name)
}
