package config

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestVary(t *testing.T) {
	base, err := Load("nic-line")
	require.NoError(t, err)

	same, yaml, err := base.Vary(Variant{Serial: base.Serial, Hop: base.HopDivider, Quotient: base.QuotientDivider})
	require.NoError(t, err)
	assert.Equal(t, base, same, "a variant that changes nothing is the configuration itself")
	assert.Equal(t, string(base.Canonical()), string(yaml))

	table := Divider{Kind: ReciprocalTable, Eps: 0.001}
	c, yaml, err := base.Vary(Variant{Serial: true, Hop: table, Quotient: Divider{Kind: NewtonRaphson}, MaxError: 2e-3})
	require.NoError(t, err)
	assert.True(t, c.Serial)
	assert.Equal(t, 0.001, c.HopDivider.Eps)
	assert.NotZero(t, c.HopDivider.IndexBits, "the default of the kind")
	assert.Equal(t, NewtonRaphson, c.QuotientDivider.Kind)
	assert.LessOrEqual(t, c.Budget.WindowRel, 2e-3)
	assert.Equal(t, base.Flows, c.Flows)
	assert.Contains(t, string(yaml), "max_error: 0.002\n")
	again, err := Parse("again", yaml)
	require.NoError(t, err)
	assert.Equal(t, c, again, "the file is the variant")
	assert.Equal(t, "restoring_pipelined", string(base.HopDivider.Kind), "the base stays")
}

// Every preset and every kind of divider can be varied, or says why not.
func TestVaryRefuses(t *testing.T) {
	base, err := Load("nic-line")
	require.NoError(t, err)
	coarse := Divider{Kind: ReciprocalTable}
	_, yaml, err := base.Vary(Variant{Hop: coarse, Quotient: coarse, MaxError: 1e-4})
	var problems Problems
	require.ErrorAs(t, err, &problems)
	require.Len(t, problems, 1)
	assert.Contains(t, problems[0].What, "precision.max_error is 0.0001")
	assert.Contains(t, problems[0].Reason, "the dividers alone are off by")
	assert.NotEmpty(t, yaml)
	_, _, err = base.Vary(Variant{Hop: Divider{Kind: "guess"}, Quotient: coarse})
	assert.ErrorContains(t, err, "dividers.hop.kind")
	_, _, err = base.Vary(Variant{Hop: coarse, Quotient: coarse, MaxError: math.NaN()})
	assert.Error(t, err)
	_, _, err = base.Vary(Variant{Hop: coarse, Quotient: coarse, MaxError: 7})
	assert.ErrorContains(t, err, "precision.max_error")
}
