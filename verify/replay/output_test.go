package replay

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/fixed"
)

func TestDecimalIsExact(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		f := fixed.UQ(rapid.IntRange(-4, 24).Draw(r, "int"), rapid.IntRange(4, 40).Draw(r, "frac"))
		raw := rapid.Uint64Range(0, f.MaxRaw().Uint64()).Draw(r, "raw")
		if got := string(appendDecimal(nil, f, raw)); got != f.Decimal(raw) {
			r.Fatalf("%s of %s: %s, want %s", f, "raw", got, f.Decimal(raw))
		}
	})
}

func TestRateBpsRoundsHalfUp(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		var cfg config.NIC
		cfg.Formats.Rate = fixed.UQ(8, rapid.IntRange(0, 40).Draw(r, "frac"))
		cfg.Telemetry.TickNs = rapid.Uint64Range(1, 1000).Draw(r, "tick")
		raw := rapid.Uint64Range(0, 1<<uint(cfg.Formats.Rate.Width())-1).Draw(r, "raw")
		v := cfg.Formats.Rate.Value(new(big.Int).SetUint64(raw))
		v.Mul(v, big.NewRat(8e9, int64(cfg.Telemetry.TickNs)))
		want, _ := fixed.UQ(64, 0).Raw(v)
		if got := RateBps(&cfg, raw); got != want.Uint64() {
			r.Fatalf("%d, want %s", got, want)
		}
	})
	assert.EqualValues(t, 100_000_000_000, RateBps(&config.NIC{Formats: config.Formats{Rate: fixed.UQ(8, 24)}, Telemetry: config.Telemetry{TickNs: 1}}, 25<<23))
}
