package config

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func load(t require.TestingT, preset string) *NIC {
	c, err := Load(preset)
	require.NoError(t, err)
	return c
}

// profile is that of the traces with T of 4160 ns.
func profile() Profile {
	return Profile{
		BaseRTTNs: 4160, Eta: big.NewRat(95, 100), MaxStage: 5, Fast: true,
		WAI: big.NewRat(78, 1), WMin: big.NewRat(52, 1), WMax: big.NewRat(52000, 1),
	}
}

func TestRateEntry(t *testing.T) {
	c := load(t, "nic-line")
	w, err := c.RateEntry(3, 100e9, 1)
	require.NoError(t, err)
	// 128 B at 100G take 10.24 ns.
	assert.Equal(t, TableWrite{TableRate, 3, 1<<27 | 10737418}, w)

	w, err = c.RateEntry(0, 25e9, 2)
	require.NoError(t, err)
	assert.Equal(t, uint64(1<<27|85899346), w.Data, "81.92 ns: rounded half up from 85899345.92")

	for _, e := range []struct {
		code      int
		bps, unit uint64
		want      string
	}{
		{16, 1e9, 1, "rate code 16: legal: 0 to 15 (rate_code_bits is 4)"},
		{-1, 1e9, 1, "rate code -1: legal: 0 to 15 (rate_code_bits is 4)"},
		{0, 0, 1, "rate code 0: the rate is 0 bit/s: it must be above 0"},
		{0, 1e9, 0, "rate code 0: the unit multiplier is 0: it must be at least 1"},
		{2, 25e9, 8, "rate code 2, 25G with unit multiplier 8: InvB is 327.68: legal: up to 128 (UQ7.20)"},
		{2, 1 << 62, 1,
			"rate code 2, 4611686018427387904 with unit multiplier 1: InvB is 2.22045e-07 and rounds to 0: legal: from 9.53674e-07 (UQ7.20)"},
	} {
		_, err := c.RateEntry(e.code, e.bps, e.unit)
		assert.EqualError(t, err, e.want)
	}
	w, err = c.ForgetRate(7)
	require.NoError(t, err)
	assert.Equal(t, TableWrite{TableRate, 7, 0}, w)
	_, err = c.ForgetRate(16)
	assert.Error(t, err)
}

func TestQueueEntry(t *testing.T) {
	c := load(t, "nic-line")
	w, err := c.QueueEntry(3, 2, 100e9, 1, profile())
	require.NoError(t, err)
	// 80 B at 100G take 6.4 ns, of 4160: 2^36 * 6.4 / 4160 = 105722271.90.
	assert.Equal(t, TableWrite{TableQueue, 3*8 + 2, 105722272}, w)

	p := profile()
	p.QueueRTTNs = big.NewRat(2080, 1)
	w, err = c.QueueEntry(3, 2, 100e9, 1, p)
	require.NoError(t, err)
	assert.Equal(t, uint64(211444544), w.Data, "half the T' is twice the entry")

	_, err = c.QueueEntry(3, 8, 100e9, 1, p)
	assert.EqualError(t, err, "profile 8: legal: 0 to 7 (profiles is 8)")
	p.QueueRTTNs = new(big.Rat)
	_, err = c.QueueEntry(3, 1, 100e9, 1, p)
	assert.EqualError(t, err, "profile 1: the round-trip time of the queue term is 0 ns: it must be above 0")
	p.QueueRTTNs = big.NewRat(10, 1)
	_, err = c.QueueEntry(3, 1, 100e9, 1, p)
	assert.EqualError(t, err,
		"rate code 3, profile 1, 100G with unit multiplier 1 and T' = 10 ns: InvBT is 0.64: legal: up to 0.25 (UQ-2.36)")
}

func TestQueueEntryOfSojournTime(t *testing.T) {
	c, err := Parse("f.yaml",
		[]byte("design: nic\nqueue: sojourn\ntelemetry: {qlen_unit: 8ns, tick: 2ns}\nbase_rtt: {min: 2us}\n"))
	require.NoError(t, err)
	assert.Equal(t, uint64(4), c.Telemetry.QlenUnitBytes, "in ticks")
	w, err := c.QueueEntry(1, 0, 100e9, 1, profile())
	require.NoError(t, err)
	want, ok := c.Formats.InvBT.Raw(big.NewRat(8, 4160))
	require.True(t, ok)
	assert.Equal(t, want.Uint64(), w.Data)
	slow, err := c.QueueEntry(1, 0, 10e9, 1, profile())
	require.NoError(t, err)
	assert.Equal(t, w, slow, "a sojourn time needs no rate")
}

func TestProfileEntries(t *testing.T) {
	c := load(t, "nic-line")
	list, err := c.ProfileEntries(6, profile())
	require.NoError(t, err)
	assert.Equal(t, []TableWrite{
		{TableRTT, 6, 4160},
		{TableInvRTT, 6, 8457781752}, // 2^45 / 4160 = 8457781752.1
		{TableEta, 6, 15938355},      // 0.95 * 2^24 = 15938355.2
		{TableStage, 6, 1<<4 | 5},
		{TableWAI, 6, 78 << 12},
		{TableWMin, 6, 52 << 12},
		{TableWMax, 6, 52000 << 12},
	}, list)

	for _, e := range []struct {
		change func(*Profile)
		want   string
	}{
		{func(p *Profile) { p.BaseRTTNs = 0 }, "profile 6: T is 0 ns, less than half a tick of 1 ns"},
		{func(p *Profile) { p.BaseRTTNs = 131072 }, "profile 6: T is 131072 ticks: legal: 1 to 131071 (17 bits)"},
		{func(p *Profile) { p.BaseRTTNs = 512 },
			"profile 6: T is 512 ticks: 1/T is 0.00195312: legal: up to 0.00195312 (UQ-9.45); T must be above 512.0 ticks"},
		{func(p *Profile) { p.Eta = big.NewRat(3, 2) }, "profile 6: eta is 1.5: legal: above 0, at most 1"},
		{func(p *Profile) { p.Eta = nil }, "profile 6: eta is not given: legal: above 0, at most 1"},
		{func(p *Profile) { p.MaxStage = 16 }, "profile 6: maxStage is 16: legal: 0 to 15 (stage_bits is 4)"},
		{func(p *Profile) { p.WAI = nil }, "profile 6: W_ai is not given: legal: 0 to 16777215.999755859375 bytes"},
		{func(p *Profile) { p.WMax = big.NewRat(1<<24, 1) },
			"profile 6: W_max is 16777216 bytes: legal: 0 to 16777215.999755859375 bytes (UQ24.12)"},
		{func(p *Profile) { p.WMin = big.NewRat(-1, 3) },
			"profile 6: W_min is -0.333333333 bytes: legal: 0 to 16777215.999755859375 bytes"},
		{func(p *Profile) { p.WMin = big.NewRat(52001, 1) }, "profile 6: W_min is 52001 bytes, above W_max, 52000 bytes"},
		{func(p *Profile) { p.MaxStage, p.Eta = -1, new(big.Rat) },
			"profile 6: eta is 0: legal: above 0, at most 1; maxStage is -1: legal: 0 to 15 (stage_bits is 4)"},
	} {
		p := profile()
		e.change(&p)
		_, err := c.ProfileEntries(6, p)
		assert.EqualError(t, err, e.want)
	}
	_, err = c.ProfileEntries(8, profile())
	assert.EqualError(t, err, "profile 8: legal: 0 to 7 (profiles is 8)")
}

// Every entry that is handed out is within half an ulp of the formula in docs/numeric.md, written here once more,
// and fits the port.
func TestEntriesAreRounded(t *testing.T) {
	c := load(t, "nic-serial")
	rapid.Check(t, func(t *rapid.T) {
		bps := rapid.Uint64Range(5e9, 200e9).Draw(t, "bps")
		unit := rapid.Uint64Range(1, 3).Draw(t, "unit")
		rtt := rapid.Uint64Range(500, 70_000).Draw(t, "rtt")
		near := func(data uint64, frac int, exact *big.Rat) {
			scaled := new(big.Rat).Mul(exact, pow2(frac))
			difference := new(big.Rat).Sub(new(big.Rat).SetInt(new(big.Int).SetUint64(data)), scaled)
			require.LessOrEqual(t, difference.Abs(difference).Cmp(big.NewRat(1, 2)), 0)
		}
		if w, err := c.RateEntry(1, bps, unit); err == nil {
			require.Equal(t, uint64(1), w.Data>>c.Formats.InvB.Width())
			near(w.Data-1<<c.Formats.InvB.Width(), c.Formats.InvB.Frac, big.NewRat(int64(128*8e9*unit), int64(bps)))
		}
		p := profile()
		p.BaseRTTNs = rtt
		if w, err := c.QueueEntry(1, 1, bps, unit, p); err == nil {
			near(w.Data, c.Formats.InvBT.Frac, new(big.Rat).Quo(big.NewRat(int64(80*8e9*unit), int64(bps)),
				big.NewRat(int64(rtt), 1)))
		}
		list, err := c.ProfileEntries(1, p)
		for _, w := range list {
			require.Less(t, w.Data, uint64(1)<<c.TableDataBits())
			require.Less(t, w.Index, 1<<c.TableIndexBits())
		}
		require.Equal(t, rtt <= 512 || rtt > 65535, err != nil)
	})
}

func TestWidths(t *testing.T) {
	c := load(t, "nic-line")
	assert.Equal(t, 10, c.FlowBits())
	assert.Equal(t, 3, c.ProfileBits())
	assert.Equal(t, 28, c.RateEntryBits())
	assert.Equal(t, 5, c.StageEntryBits())
	assert.Equal(t, 7, c.TableIndexBits())
	assert.Equal(t, 36, c.TableDataBits())
	assert.Equal(t, 17, c.RTTBits)
	assert.Equal(t, 128, c.TableEntries(TableQueue))
	assert.Equal(t, 16, c.TableEntries(TableRate))
	assert.Equal(t, 8, c.TableEntries(TableEta))

	c, err := Parse("f.yaml", []byte("design: nic\nflows: 2\nprofiles: 1\n"))
	require.NoError(t, err)
	assert.Equal(t, 1, c.FlowBits())
	assert.Equal(t, 0, c.ProfileBits())
	assert.Equal(t, 4, c.TableIndexBits())
	c.Flows = 65536
	assert.Equal(t, 16, c.FlowBits())
	c.Flows = 65
	assert.Equal(t, 7, c.FlowBits())
}
