package explore

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
)

func TestParseDividers(t *testing.T) {
	base := load(t, "nic-serial")
	for text, want := range map[string]Dividers{
		"restoring_serial": {config.Divider{Kind: config.RestoringSerial}, config.Divider{Kind: config.RestoringSerial}},
		"newton_raphson+reciprocal_table:eps=0.001:entry_bits=12": {
			config.Divider{Kind: config.NewtonRaphson}, config.Divider{Kind: config.ReciprocalTable, Eps: 0.001, EntryBits: 12}},
		"newton_raphson:iterations=1:table_bits=9:seed_bits=12:recip_bits=20": {
			config.Divider{Kind: config.NewtonRaphson, Iterations: 1, TableBits: 9, SeedBits: 12, RecipBits: 20},
			config.Divider{Kind: config.NewtonRaphson, Iterations: 1, TableBits: 9, SeedBits: 12, RecipBits: 20}},
		"base": {base.HopDivider, base.QuotientDivider},
	} {
		got, err := ParseDividers(text, base)
		require.NoError(t, err, text)
		assert.Equal(t, want, got, text)
		again, err := ParseDividers(got.String(), base)
		require.NoError(t, err, got.String())
		assert.Equal(t, got, again, "what is printed is read")
	}
	for text, why := range map[string]string{
		"":                               "no such kind; legal: restoring_serial, restoring_pipelined, reciprocal_table, newton_raphson, two of them with a + between (hop, quotient), or base",
		"newton":                         "no such kind",
		"restoring_serial+":              "no such kind",
		"restoring_serial:eps=1":         `"eps" is no parameter of this kind; legal: none`,
		"reciprocal_table:bits=3":        `"bits" is no parameter of this kind; legal: eps, index_bits, entry_bits`,
		"reciprocal_table:eps":           "eps is \"\"; legal: a number above 0",
		"reciprocal_table:eps=0":         "eps is \"0\"",
		"reciprocal_table:eps=nan":       "eps is \"nan\"",
		"reciprocal_table:index_bits=.5": "index_bits is \".5\"",
		"newton_raphson:seed_bits=-3":    "seed_bits is \"-3\"",
	} {
		_, err := ParseDividers(text, base)
		assert.ErrorContains(t, err, why, text)
	}
}

func TestParsePrecisionAndOrder(t *testing.T) {
	v, err := ParsePrecision("1e-3")
	assert.NoError(t, err)
	assert.Equal(t, 1e-3, v)
	v, err = ParsePrecision("base")
	assert.NoError(t, err)
	assert.Zero(t, v)
	for _, text := range []string{"", "0", "-1e-3", "1", "inf", "nan", "fine"} {
		_, err := ParsePrecision(text)
		assert.ErrorContains(t, err, "legal: a relative error below 1", text)
	}
	o, err := ParseOrder("serial", load(t, "nic-line"))
	assert.NoError(t, err)
	assert.Equal(t, Serial, o)
	o, err = ParseOrder("base", load(t, "nic-serial"))
	require.NoError(t, err)
	assert.Equal(t, Serial, o)
	_, err = ParseOrder("random", load(t, "nic-line"))
	assert.ErrorContains(t, err, "legal: parallel, serial")
}

// The base comes first, and nothing twice.
func TestCandidates(t *testing.T) {
	s := space(t, "nic-line", 1e-3, 1e-4)
	s.Precisions = append(s.Precisions, 1e-3, 0)
	list := s.candidates()
	assert.True(t, list[0].Base)
	assert.Equal(t, "parallel-restoring-pipelined-base", list[0].Name())
	names := map[string]bool{}
	for _, c := range list {
		assert.False(t, names[c.Name()], c.Name())
		assert.Regexp(t, `^[a-z0-9+.-]+$`, c.Name())
		names[c.Name()] = true
	}
	// Two orders, six dividers, three precisions; the base is one of them.
	assert.Len(t, list, 2*6*3)
}

// A point has the figures of its design; what the configuration refuses is a point with the configuration's words.
func TestPoints(t *testing.T) {
	s := space(t, "nic-serial", 1e-3)
	p, err := s.newPoint(1, s.base())
	require.NoError(t, err)
	assert.Equal(t, s.Base.Hash, p.Hash)
	assert.GreaterOrEqual(t, p.Bound, s.Base.Budget.WindowRel)
	assert.InEpsilon(t, s.Base.Budget.WindowRel, p.Bound, 0.01)
	assert.Equal(t, 1/float64(p.Interval), p.PerCycle())

	coarse, err := ParseDividers("reciprocal_table", s.Base)
	require.NoError(t, err)
	p, err = s.newPoint(2, Candidate{Order: Parallel, Dividers: coarse, MaxError: 1e-3})
	require.NoError(t, err)
	assert.Equal(t, Illegal, p.State)
	assert.Equal(t,
		"precision.max_error is 0.001; legal: 4.5e-3 or more; reason: the dividers alone are off by 0.0022; nearest: 4.5e-3", p.Why)
}

func TestRoundedUp(t *testing.T) {
	for v, want := range map[float64]float64{0: 0, 8.158349e-3: 8.16e-3, 8.16e-3: 8.16e-3, 1e-3: 1e-3, 9.999e-4: 1e-3,
		4.1501e-4: 4.16e-4, 1e100: 1e100} {
		assert.Equal(t, want, roundedUp(v), "%v", v)
	}
}
