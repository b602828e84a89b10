package block

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/wide"
	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
	"github.com/hdlpkg/hpccgen/verify/drive"
	"github.com/hdlpkg/hpccgen/verify/engine"
)

// dividersOf has every kind of divider with a shape; the pipelined one alone with a signed remainder.
func dividersOf(s lib.DividerShape) (list []DividerCase) {
	for i, d := range []config.Divider{
		{Kind: config.RestoringSerial},
		{Kind: config.RestoringPipelined},
		{Kind: config.ReciprocalTable, Eps: 0.004, IndexBits: 10, EntryBits: 20},
		{Kind: config.ReciprocalTable, Eps: 0.05, IndexBits: 7, EntryBits: 12},
		{Kind: config.NewtonRaphson, TableBits: 6, SeedBits: 9, Iterations: 1, RecipBits: 16},
		{Kind: config.NewtonRaphson, TableBits: 5, SeedBits: 8, Iterations: 2, RecipBits: 24},
	} {
		if d.Kind == config.NewtonRaphson && s.DenBits < 8 { // as many fraction bits as denominators so narrow allow
			d.TableBits, d.SeedBits, d.RecipBits = 3, 6, 10
		}
		for _, signed := range []bool{false, true} {
			if signed && d.Kind != config.RestoringPipelined {
				continue
			}
			s.Signed = signed
			name := fmt.Sprintf("divider%d_%d_%v", i, s.NumBits, signed)
			list = append(list, DividerCase{Name: name, Config: d, Shape: s, Limbs: lib.Square(18)})
		}
	}
	return list
}

func TestDividersExhaustive(t *testing.T) {
	var units []*Unit
	for _, d := range dividersOf(lib.DividerShape{NumBits: 6, DenBits: 6, QuotBits: 9, Shift: 4}) {
		u, err := d.Unit(true)
		require.NoError(t, err)
		units = append(units, u)
	}
	run(t, units, Options{Engine: "go", Cycles: 150_000, Seed: 1})
	for _, u := range units {
		assert.True(t, u.Finished(), "%s: not every operand was tried", u.Name)
	}
}

// TestDividersWide uses the shapes of the line-rate preset.
func TestDividersWide(t *testing.T) {
	for _, e := range engines {
		t.Run(e, func(t *testing.T) {
			var units []*Unit
			for _, s := range []lib.DividerShape{
				{NumBits: 47, DenBits: 23, QuotBits: 31, Shift: 4}, {NumBits: 25, DenBits: 31, QuotBits: 32, Shift: 24},
			} {
				for _, d := range dividersOf(s) {
					units = append(units, unitOf(t, d))
				}
			}
			run(t, units, Options{Engine: e, Cycles: 12_000, Seed: 1})
		})
	}
}

// A single wrong result, and an unexpected one, are found in the cycle in which they appear, whether operands come in
// every cycle or every other one; a latency other than the block's is found too.
func TestEachCycleOfAPipelineIsJudged(t *testing.T) {
	echo := func(interval int) *vgen.Module {
		m := vgen.NewModule("echo", "two registers")
		m.SetTiming(1, interval)
		valid, operand := m.Input("s_valid", 1, "an operand"), m.Input("s_operand", 8, "operand")
		m.Assign(m.Output("m_valid", 1, "of the cycle before"), m.RegNext("valid_q", valid, vgen.Reset(0)))
		m.Assign(m.Output("m_result", 8, "operand of the cycle before"), m.RegNext("q", operand))
		return m
	}
	same := func(op, out []wide.Uint128) { out[0] = op[0] }
	find := func(interval int, flip func(cycle int64, due bool) (word int)) *Mismatch {
		u := Pipeline("echo", echo(interval), Drawn(8), same)
		err := Run([]*Unit{u}, Options{Engine: "go", Cycles: 2*drive.BatchCycles + 51, Seed: 1,
			Open: func(name string, d engine.Design, o engine.Options) (engine.Engine, error) {
				e, err := engine.Open(name, d, o)
				return &flippingWord{Engine: e, flip: flip}, err
			}})
		var m *Mismatch
		if !errors.As(err, &m) {
			require.NoError(t, err)
		}
		return m
	}
	const valid, result, none = 0, 1, -1
	for interval := 1; interval <= 2; interval++ {
		require.Nil(t, find(interval, func(int64, bool) int { return none }))
		for _, c := range []int64{3, 4, 500, 501, drive.BatchCycles - 2, drive.BatchCycles - 1, drive.BatchCycles,
			drive.BatchCycles + 1, 2*drive.BatchCycles - 1, 2 * drive.BatchCycles} {
			m := find(interval, func(cycle int64, _ bool) int {
				if cycle == c {
					return valid
				}
				return none
			})
			require.NotNil(t, m, "nobody noticed a wrong m_valid in cycle %d", c)
			assert.Equal(t, c, m.Cycle)
			assert.Equal(t, "m_valid", m.Port)
			at := int64(-1) // of the first result from c on
			m = find(interval, func(cycle int64, due bool) int {
				if due && cycle >= c && (at < 0 || at == cycle) {
					at = cycle
					return result
				}
				return none
			})
			require.NotNil(t, m, "nobody noticed a wrong result in cycle %d", at)
			assert.Equal(t, at, m.Cycle)
			assert.Equal(t, "m_result", m.Port)
		}
	}
	late := echo(1)
	late.SetTiming(2, 1)
	var m *Mismatch
	require.ErrorAs(t, Run([]*Unit{Pipeline("late", late, Drawn(8), same)}, Options{Engine: "go", Cycles: 500,
		Seed: 1}), &m)
}

// flippingWord is an engine with a wrong bit in an output of some cycles.
type flippingWord struct {
	engine.Engine
	now  int64
	flip func(cycle int64, due bool) (word int)
}

func (f *flippingWord) Run(cycles int, in, out []uint64) error {
	err := f.Engine.Run(cycles, in, out)
	w := f.Layout().OutWords
	for c := range cycles {
		if word := f.flip(f.now, out[c*w] == 1); word >= 0 {
			out[c*w+word] ^= 1
		}
		f.now++
	}
	return err
}
