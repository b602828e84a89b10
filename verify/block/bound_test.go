package block

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/wide"
	"github.com/hdlpkg/hpccgen/rtlgen/lib"
)

// Every divider keeps the bound that it states, for its reciprocals and for the quotients that the design outputs. The
// bound is below 1e-4 for all kinds but the published table, whose bound is about half its eps.
func TestDividersKeepTheirBounds(t *testing.T) {
	cases := largeDividers(t)
	seen := make([]ErrorSeen, len(cases))
	var units []*Unit
	for i, d := range cases {
		var err error
		seen[i], err = d.Reciprocals(1<<22, 1)
		require.NoError(t, err)
		u := unitOf(t, d)
		u.Watch = watchQuotients(d, &seen[i])
		units = append(units, u)
	}
	run(t, units, Options{Engine: "go", Cycles: 20_000, Seed: 4})
	for i, d := range cases {
		e := seen[i]
		t.Logf("%-28s %-19s %v", d.Name, d.Config.Kind, e)
		assert.LessOrEqual(t, e.Reciprocal, e.Bound, d.Name)
		assert.LessOrEqual(t, e.Quotient, e.Bound, d.Name)
		assert.Greater(t, e.Quotients, int64(100), d.Name)
		switch d.Config.Kind {
		case config.ReciprocalTable:
			assert.Less(t, e.Bound, d.Config.Eps/2*1.25, d.Name)
			assert.Greater(t, e.Reciprocal, e.Bound/2, "%s: the bound is far above what happens", d.Name)
		default:
			assert.Less(t, e.Bound, 1e-4, d.Name)
		}
	}
}

// watchQuotients checks the quotients of a divider's module, matched to its operands by its latency.
func watchQuotients(d DividerCase, e *ErrorSeen) func(o *Observed) error {
	type operands struct {
		cycle int64
		num   wide.Uint128
		den   uint64
	}
	m := lib.Divider(d.Name, d.Config, d.Shape, d.Limbs)
	var flying []operands
	return func(o *Observed) error {
		if o.Reset {
			flying = nil
			return nil
		}
		if o.In[0].Lo == 1 {
			flying = append(flying, operands{o.Number, o.In[1], o.In[2].Lo})
		}
		if len(flying) > 0 && flying[0].cycle+int64(m.Latency()) == o.Number {
			e.Judge(d, flying[0].num, flying[0].den, o.Out[1].Lo)
			flying = append(flying[:0], flying[1:]...)
		}
		return nil
	}
}

// The measurement detects an injected error, and distinguishes half an ulp from more.
func TestErrorsAreMeasured(t *testing.T) {
	d := DividerCase{Name: "d", Config: config.Divider{Kind: config.RestoringPipelined},
		Shape: lib.DividerShape{NumBits: 30, DenBits: 10, QuotBits: 30}}
	var e ErrorSeen
	e.Judge(d, wide.From(1001), 2, 501) // 500.5, rounded up
	assert.Zero(t, e.Quotient)
	e.Judge(d, wide.From(1001), 2, 502) // one and a half ulps off
	assert.InDelta(t, 1/500.5, e.Quotient, 1e-12)
	e.Judge(d, wide.From(1001), 0, 7)
	e.Judge(d, wide.From(1001), 2, 1<<30-1)
	assert.EqualValues(t, 2, e.Quotients)

	coarse := DividerCase{Config: config.Divider{Kind: config.ReciprocalTable, Eps: 0.25, IndexBits: 4, EntryBits: 12},
		Shape: lib.DividerShape{NumBits: 8, DenBits: 12, QuotBits: 8}}
	seen, err := coarse.Reciprocals(1<<12, 1)
	require.NoError(t, err)
	assert.True(t, seen.All)
	assert.EqualValues(t, 1<<11, seen.Tried)
	assert.InDelta(t, seen.Bound, seen.Reciprocal, 1e-3)
}
