package vgen_test

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

const widestConstant = 200

// patterns are values of a width whose top bits matter: all ones, the top bit alone, and one that looks random in
// every word.
func patterns(width int) []*big.Int {
	r := rand.New(rand.NewPCG(uint64(width), 7))
	all := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), uint(width)), big.NewInt(1))
	top := new(big.Int).Lsh(big.NewInt(1), uint(width-1))
	drawn := new(big.Int)
	for range (width + 63) / 64 {
		drawn.Lsh(drawn, 64).Or(drawn, new(big.Int).SetUint64(r.Uint64()))
	}
	return []*big.Int{all, top, drawn.And(drawn, all).Or(drawn, top)}
}

// part is the output for a constant of a width: a value, or the pattern at the address, now or that of
// the cycle before.
type part struct {
	value *big.Int // nil: by address
	late  bool
}

// constants builds a module of constants of a width, of every kind, with an output for each.
func constants(w int) (*vgen.Module, []part) {
	m := vgen.NewModule(fmt.Sprintf("constants%d", w), "Constants of every kind")
	word := m.Input("word", 2, "address of tables and memories")
	zero := m.Input("zero", 1, "0, which no tool knows")
	var parts []part
	show := func(s vgen.Signal, v *big.Int, late bool) {
		m.Assign(m.Output(fmt.Sprintf("out%d", len(parts)), w, ""), s)
		parts = append(parts, part{v, late})
	}
	p := patterns(w)
	zeros := zero.Repeat(w)
	show(vgen.ConstBig(w, p[2]), p[2], false)
	show(zeros.Sub(vgen.ConstBig(w, p[0])), big.NewInt(1), false)
	show(vgen.ConstBig(w, p[1]).Named("PARAMETER").Xor(zeros), p[1], false)
	show(m.RegNext("reset", zeros, vgen.ResetBig(p[2])), p[2], false)
	rom := m.ROM("table", w, p)
	mem := m.Memory("memory", 4, w, "written from a table of constants")
	mem.Write(vgen.Const(1, 1), word, rom.ReadAsync(word))
	show(mem.ReadAsync(word), nil, false)
	rows := m.ROM("rows", w, []vgen.Signal{vgen.ConstBig(w, p[0]), vgen.ConstBig(w, p[1]), vgen.ConstBig(w, p[2])})
	show(rows.Read("row", word), nil, true)
	if w <= 64 {
		show(vgen.Const(w, p[2].Uint64()).Or(zeros), p[2], false)
	}
	return m, parts
}

// Constants, parameters, resets, rows of ROMs and words of memories are whole at every width from 1 to 200 bits: in
// the interpreter, and in the text as Verilator, Icarus and Yosys read it. Without HPCCGEN_LONG these have every
// seventh width and those next to multiples of 32.
func TestConstantsOfEveryWidth(t *testing.T) {
	m := vgen.NewModule("constants", "Constants of every kind at every width")
	in := []vgen.Signal{m.Input("word", 2, "address of tables and memories"), m.Input("zero", 1, "0, which no tool knows")}
	parts := map[int][]part{}
	for w := 1; w <= widestConstant; w++ {
		if near := (w + 1) % 32; os.Getenv("HPCCGEN_LONG") == "" && w%7 != 1 && near > 2 {
			continue
		}
		sub, list := constants(w)
		parts[w] = list
		u := m.Instance(fmt.Sprintf("u_%d", w), sub)
		m.Assign(u.Port("word"), in[0])
		m.Assign(u.Port("zero"), in[1])
		for i := range list {
			m.Assign(m.Output(fmt.Sprintf("out%d_%d", w, i), w, ""), u.Port(fmt.Sprintf("out%d", i)))
		}
	}
	l := vgen.NewLayout(m, false)
	require.Equal(t, 3, l.InWords)
	const cycles, settled = 14, 6
	word := func(cycle int) int { return cycle & 3 }
	var rows []uint64
	for c := range cycles {
		rows = append(rows, 1, uint64(word(c)), 0)
	}
	out := allLegs(t, m, false, cycles, settled, rows)
	for c := settled; c < cycles; c++ {
		for _, s := range l.Outputs {
			var w, k int
			_, err := fmt.Sscanf(s.Name, "out%d_%d", &w, &k)
			require.NoError(t, err)
			p := parts[w][k]
			want := p.value
			if want == nil {
				row := word(c)
				if p.late {
					row = word(c - 1)
				}
				want = new(big.Int)
				if row < 3 {
					want = patterns(w)[row]
				}
			}
			got := bigOf(out[c*l.OutWords+s.Offset:][:s.Words])
			require.Zero(t, want.Cmp(got), "width %d, part %d, cycle %d: want %x, got %x", w, k, c, want, got)
		}
	}
}
