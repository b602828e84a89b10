package hpcc_test

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
)

// Senders of line rate that meet at one port, each with a window of B T: u is their number, and the window falls to its
// share at once. What a commit makes of each round is within the bounds, until the queue is gone.
func TestIncastIsWithinTheBounds(t *testing.T) {
	for _, c := range []struct {
		name             string
		senders          int64
		bps, rtt, factor uint64
	}{
		{"240 of 25G", 240, 25e9, 12_000, 1},
		{"240 of 100G, units of 4", 240, 100e9, 12_000, 4},
		{"1000 of 100G, units of 4", 1000, 100e9, 3_300, 4},
		{"1000 of 400G, units of 16", 1000, 400e9, 3_300, 16},
	} {
		for _, preset := range []string{"nic-line", "nic-table"} {
			t.Run(preset+" "+c.name, func(t *testing.T) {
				incast(t, load(t, preset), c.senders, c.bps, c.rtt, c.factor)
			})
		}
	}
}

func incast(t *testing.T, cfg *config.NIC, senders int64, bps, rtt, factor uint64) {
	one := *cfg
	one.Flows, one.Profiles = 2, 1
	claim := cfg.Budget.Claim
	bdp := window(bps, rtt)
	s := aStep{bps: bps, factor: factor, u: big.NewRat(1, 1), wc: bdp, profile: config.Profile{
		BaseRTTNs: rtt, Eta: big.NewRat(95, 100), WMin: new(big.Rat).SetUint64(cfg.MinWindow), WMax: bdp,
		WAI: config.FairIncrease(bdp, big.NewRat(95, 100), int(senders)),
	}}
	top := 0.0
	for range 8 {
		inflight := new(big.Rat).Mul(s.wc, big.NewRat(senders, 1))
		queue := inflight.Sub(inflight, bdp)
		units := func(bytes *big.Rat, unit uint64) uint64 {
			n := new(big.Rat).Quo(bytes, new(big.Rat).SetUint64(unit*factor))
			return new(big.Int).Div(n.Num(), n.Denom()).Uint64()
		}
		h := aHop{dts: rtt, dtx: units(bdp, cfg.Telemetry.TxUnitBytes)}
		if queue.Sign() > 0 {
			h.qlen = units(queue, cfg.Telemetry.QlenUnitBytes)
		}
		require.Less(t, h.qlen, uint64(1)<<cfg.Telemetry.QlenBits, "the switch's field holds the queue")
		s.hops = []aHop{h}
		got, want := s.run(t, &one)
		u, w, r := stepErrors(cfg, got, want)
		top = max(top, want.U.Float())
		require.LessOrEqual(t, u, claim.UAbs, "U is %v", want.U.Float())
		require.LessOrEqual(t, w, claim.WindowRel, "W is %v bytes", want.W.Float())
		require.LessOrEqual(t, r, claim.RateRel)
		s.u, s.wc = want.U.Rat(), want.W.Rat()
	}
	require.InEpsilon(t, float64(senders), top, 0.02, "the largest u")
	share := 0.95 * floatOf(bdp) / float64(senders)
	require.InEpsilon(t, share, floatOf(s.wc), 0.1, "a fair share in the end")
}

func floatOf(x *big.Rat) float64 { v, _ := x.Float64(); return v }
