package cosim

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/divider"
	"github.com/hdlpkg/hpccgen/model/wide"
	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
	"github.com/hdlpkg/hpccgen/verify/engine"
)

var dividers = []config.Divider{
	{Kind: config.RestoringSerial},
	{Kind: config.RestoringPipelined},
	{Kind: config.ReciprocalTable, Eps: 0.004, IndexBits: 10, EntryBits: 20},
	{Kind: config.ReciprocalTable, Eps: 0.05, IndexBits: 7, EntryBits: 12},
	{Kind: config.NewtonRaphson, TableBits: 6, SeedBits: 9, Iterations: 1, RecipBits: 16},
	{Kind: config.NewtonRaphson, TableBits: 5, SeedBits: 8, Iterations: 2, RecipBits: 24},
}

// runDivider compares a divider of the library with its model.
func runDivider(t *testing.T, eng string, d config.Divider, s lib.DividerShape, cases int, operands func(i int, v []uint64), fault func(uint64) uint64) *BlockReport {
	t.Helper()
	m := lib.Divider("divider", d, s, 18)
	e, err := engine.Open(eng, engine.Design{Top: m}, engine.Options{})
	require.NoError(t, err)
	defer func() { require.NoError(t, e.Close()) }()
	div, err := divider.New(d, s.NumBits, s.DenBits, s.Shift, s.QuotBits)
	require.NoError(t, err)
	rep, err := Block(e, BlockRun{
		Latency: m.Latency(), Interval: m.Interval(), In: []string{"s_num", "s_den"}, Out: []string{"m_quot"}, Cases: cases,
		Operands:  operands,
		Reference: func(v, want []uint64) { want[0] = fault(div(wide.From(v[0]), v[1])) },
		Gap: func(i int) int {
			if i%7 == 0 {
				return i % 5
			}
			return 0
		},
	})
	require.NoError(t, err)
	return rep
}

func asIs(v uint64) uint64 { return v }

// cornered draws operands of any magnitude, the ends of the range among them.
func cornered(seed uint64, s lib.DividerShape) func(int, []uint64) {
	r := rand.New(rand.NewPCG(seed, 0))
	draw := func(width int) uint64 {
		top := ^uint64(0) >> (64 - width)
		switch r.IntN(6) {
		case 0:
			return uint64(r.IntN(3))
		case 1:
			return top - uint64(r.IntN(3))
		case 2:
			return 1 << r.IntN(width)
		}
		return r.Uint64() & top >> r.IntN(width)
	}
	return func(_ int, v []uint64) { v[0], v[1] = draw(s.NumBits), draw(s.DenBits) }
}

func TestDividersExhaustive(t *testing.T) {
	s := lib.DividerShape{NumBits: 6, DenBits: 6, QuotBits: 9, Shift: 4}
	for _, d := range dividers {
		if d.Kind == config.NewtonRaphson { // as many fraction bits as denominators so narrow allow
			d.TableBits, d.SeedBits, d.RecipBits = 3, 6, 10
		}
		for _, s.Signed = range []bool{false, true} {
			if s.Signed && d.Kind != config.RestoringPipelined {
				continue
			}
			t.Run(fmt.Sprint(d, s.Signed), func(t *testing.T) {
				rep := runDivider(t, "go", d, s, 1<<12, func(i int, v []uint64) { v[0], v[1] = uint64(i&63), uint64(i>>6) }, asIs)
				if rep.Mismatch != nil {
					t.Error(rep.Mismatch)
				}
				assert.Equal(t, 1<<12, rep.Cases)
			})
		}
	}
}

// TestDividersWide uses the shapes of the line-rate preset.
func TestDividersWide(t *testing.T) {
	hop := lib.DividerShape{NumBits: 47, DenBits: 23, QuotBits: 31, Shift: 4, Signed: true}
	quot := lib.DividerShape{NumBits: 25, DenBits: 31, QuotBits: 32, Shift: 24, Signed: true}
	for _, eng := range []string{"go", "verilator"} {
		t.Run(eng, func(t *testing.T) {
			if eng == "verilator" {
				needs(t, "verilator", "g++")
			}
			for i, d := range dividers {
				if eng == "verilator" && i%2 == 1 {
					continue // one of each architecture is enough for a second look
				}
				for _, s := range []lib.DividerShape{hop, quot} {
					t.Run(fmt.Sprint(d, s.NumBits), func(t *testing.T) {
						rep := runDivider(t, eng, d, s, 3000, cornered(uint64(i), s), asIs)
						if rep.Mismatch != nil {
							t.Error(rep.Mismatch)
						}
					})
				}
			}
		})
	}
}

func TestBlockNotices(t *testing.T) {
	s := lib.DividerShape{NumBits: 8, DenBits: 8, QuotBits: 10, Shift: 2}
	d := dividers[1]
	rep := runDivider(t, "go", d, s, 500, cornered(1, s), func(v uint64) uint64 {
		if v == 3 {
			return 4
		}
		return v
	})
	require.NotNil(t, rep.Mismatch)
	assert.Equal(t, "m_quot", rep.Mismatch.Port)
	assert.EqualValues(t, 4, rep.Mismatch.Expected)
	assert.EqualValues(t, 3, rep.Mismatch.Actual)

	m := vgen.NewModule("late", "a register")
	in := m.Input("s_num", 8, "operand")
	m.Assign(m.Output("m_quot", 8, "the operand of the cycle before"), m.RegNext("q", in))
	e, err := engine.Open("go", engine.Design{Top: m}, engine.Options{})
	require.NoError(t, err)
	b := BlockRun{
		Latency: 1, Interval: 1, In: []string{"s_num"}, Out: []string{"m_quot"}, Cases: 100,
		Operands: func(i int, v []uint64) { v[0] = uint64(i) }, Reference: func(v, want []uint64) { want[0] = v[0] },
	}
	rep, err = Block(e, b)
	require.NoError(t, err)
	assert.Nil(t, rep.Mismatch)
	b.Latency = 2
	rep, err = Block(e, b)
	require.NoError(t, err)
	assert.NotNil(t, rep.Mismatch, "a wrong latency")
	b.In = []string{"nothing"}
	_, err = Block(e, b)
	assert.EqualError(t, err, "cosim: the block has no port nothing of at most 64 bits")
}
