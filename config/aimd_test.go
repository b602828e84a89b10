package config

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/fixed"
)

func aimd(t *testing.T, text string) *AIMD {
	c, err := ParseDesign("f.yaml", []byte("design: nic\nlaw: aimd\n"+text))
	require.NoError(t, err)
	return c.(*AIMD)
}

func TestAIMDDefaults(t *testing.T) {
	c := aimd(t, "")
	assert.Equal(t, &AIMD{
		Engine: Engine{Name: "nic", Prefix: "nic_", Hash: c.Hash, Flows: 1024, Profiles: 8, SeqBits: 32, ClockBits: 64,
			CountBits: 32, GenBits: 2},
		TickNs: 1, Multiplier: "18x18", Window: fixed.UQ(24, 12), InvT: fixed.UQ(-9, 45), Rate: fixed.UQ(8, 24),
	}, c)
	again, err := ParseDesign("again", c.Canonical())
	require.NoError(t, err)
	assert.Equal(t, c, again)
	assert.Empty(t, validate(t, c.Canonical()), "the schema accepts it")
}

func TestAIMDMessages(t *testing.T) {
	const law = "design: nic\nlaw: aimd\n"
	const whyRate = "; " +
		"reason: R is W times 1/T, rounded: with fewer it is always 0, and the product has no more; nearest: "
	for _, c := range []struct{ name, text, want string }{
		{"a law that does not exist", "design: nic\nlaw: aimb\n",
			"f.yaml:2:6: law is \"aimb\"; legal: hpcc or aimd; reason: these laws are built in; nearest: aimd"},
		{"keys of another law", law + "mode: sender\nprecision: {max_error: 1e-4}\n",
			"f.yaml:3:1: mode is given, with law: aimd; legal: with law: hpcc; reason: a law has its own keys only; " +
				"nearest: leave it out\n" +
				"f.yaml:4:1: precision is given, with law: aimd; legal: with law: hpcc; " +
				"reason: a law has its own keys only; nearest: leave it out"},
		{"a key of this law with the default", "design: nic\nformats: {}\n",
			"f.yaml:2:1: formats is given, with law: hpcc; legal: with law: aimd; " +
				"reason: a law has its own keys only; nearest: leave it out"},
		{"no key", law + "profile: 4\n",
			"f.yaml:3:1: unknown key \"profile\"; " +
				"legal: design, name, module_prefix, law, flows, profiles, tick, sequence_bits, " +
				"clock_bits, counter_bits, generation_bits, tag_bits, reset, bus, multiplier, formats; nearest: profiles"},
		{"a sum beyond 64 bits", law + "formats: {window: UQ40.24}\n",
			"f.yaml:3:19: formats.window is UQ40.24: 64 bits; legal: UQi.f of 1 to 63 bits; " +
				"reason: W + W_ai is one bit wider; nearest: UQ40.23"},
		{"without a fraction", law + "formats: {window: UQ64.0}\n",
			"f.yaml:3:19: formats.window is UQ64.0: 64 bits; legal: UQi.f of 1 to 63 bits; " +
				"reason: W + W_ai is one bit wider; nearest: UQ63.0"},
		{"beyond 64 bits", law + "formats: {inv_t: UQ20.45}\n",
			"f.yaml:3:18: formats.inv_t is UQ20.45: 65 bits; legal: UQi.f of 1 to 64 bits; " +
				"reason: a value must fit a 64-bit table entry or context field; nearest: UQ20.44"},
		{"finer than the product", law + "formats: {window: UQ24.0, inv_t: UQ-9.20, rate: UQ8.21}\n",
			"f.yaml:3:49: formats.rate is UQ8.21, with window UQ24.0 and inv_t UQ-9.20; " +
				"legal: 0 to 20 fraction bits" + whyRate + "UQ8.20"},
		{"coarser than the product", law + "formats: {window: UQ8.0, inv_t: UQ-20.40, rate: UQ8.12}\n",
			"f.yaml:3:49: formats.rate is UQ8.12, with window UQ8.0 and inv_t UQ-20.40; " +
				"legal: 13 to 40 fraction bits" + whyRate + "UQ8.13"},
		{"a rate by default", law + "formats: {window: UQ8.0, inv_t: UQ-40.50}\n",
			"f.yaml:3:19: formats.rate is UQ8.24, with window UQ8.0 and inv_t UQ-40.50; " +
				"legal: 33 to 50 fraction bits" + whyRate + "UQ8.33"},
	} {
		t.Run(c.name, func(t *testing.T) { assert.Equal(t, c.want, parseText(c.text)) })
	}
}

func TestAIMDProfileEntries(t *testing.T) {
	c := aimd(t, "tick: 8ns\nformats: {window: UQ20.4, inv_t: UQ-3.20, rate: UQ8.8}\n")
	p := Profile{BaseRTTNs: 1000, WAI: big.NewRat(3, 32), WMin: big.NewRat(64, 1), WMax: big.NewRat(1<<20-1, 1)}
	got, err := c.ProfileEntries(5, p)
	require.NoError(t, err)
	assert.Equal(t, []TableWrite{{0, 5, 2}, {1, 5, 64 << 4}, {2, 5, (1<<20 - 1) << 4}, {3, 5, 8389}}, got,
		"1/T is 2^20/125")

	_, err = c.ProfileEntries(8, p)
	assert.EqualError(t, err, "profile 8: legal: 0 to 7 (profiles is 8)")
	_, err = c.ProfileEntries(1, Profile{WAI: big.NewRat(-1, 1), WMin: big.NewRat(5, 1), WMax: big.NewRat(4, 1)})
	assert.EqualError(t, err, "profile 1: T is 0 ns: legal: above 0; "+
		"W_ai is -1 bytes: legal: 0 to 1048575.9375 bytes; "+
		"W_min is 5 bytes, above W_max, 4 bytes")
	p.BaseRTTNs, p.WMax = 60, nil
	_, err = c.ProfileEntries(1, p)
	assert.EqualError(t, err, "profile 1: T is 60 ns: 1/T is 0.133333: legal: up to 0.124999 (UQ-3.20); "+
		"W_max is not given: legal: 0 to 1048575.9375 bytes")
	p.BaseRTTNs, p.WMax = 1<<28, big.NewRat(1<<20, 1)
	_, err = c.ProfileEntries(1, p)
	assert.EqualError(t, err,
		"profile 1: T is 268435456 ns: 1/T is 2.98023e-08 and rounds to 0: legal: from 9.53674e-07 (UQ-3.20); "+
			"W_max is 1048576 bytes: legal: 0 to 1048575.9375 bytes (UQ20.4)")
}
