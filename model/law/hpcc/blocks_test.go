package hpcc_test

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hdlpkg/hpccgen/model/engine"
	"github.com/hdlpkg/hpccgen/model/law/hpcc"
)

func TestEWMAExhaustivelyAtSmallWidths(t *testing.T) {
	const frac = 4
	for avg := range uint64(32) {
		for u := range uint64(32) {
			for alpha := range uint64(1<<frac + 1) {
				step := big.NewRat(int64(alpha)*(int64(u)-int64(avg)), 1<<frac)
				want := new(big.Rat).Add(ratU(avg), rhu(step))
				require.Equal(t, raw(want), hpcc.EWMA(avg, u, alpha, frac), "avg %d, u %d, alpha %d/16", avg, u, alpha)
			}
		}
	}
}

func TestEWMALiesBetween(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		frac := rapid.IntRange(0, 62).Draw(t, "frac")
		avg, u, alpha := rapid.Uint64().Draw(t, "avg"), rapid.Uint64().Draw(t, "u"), rapid.Uint64Range(0,
			1<<frac).Draw(t, "alpha")
		got := hpcc.EWMA(avg, u, alpha, frac)
		require.GreaterOrEqual(t, got, min(avg, u))
		require.LessOrEqual(t, got, max(avg, u))
		require.Equal(t, u, hpcc.EWMA(avg, u, 1<<frac, frac), "alpha 1 gives u")
		require.Equal(t, avg, hpcc.EWMA(avg, u, 0, frac), "alpha 0 keeps the average")
	})
}

func TestMaxHopKeepsTheFirstOfATie(t *testing.T) {
	for _, c := range []struct {
		u     []uint64
		valid []bool
		arg   int
		top   uint64
	}{
		{[]uint64{3, 5, 5, 4}, []bool{true, true, true, true}, 1, 5},
		{[]uint64{3, 5, 5, 4}, []bool{true, false, true, true}, 2, 5},
		{[]uint64{7, 7}, []bool{true, true}, 0, 7},
		{[]uint64{0, 0}, []bool{true, true}, 0, 0},
		{[]uint64{9, 0, 0}, []bool{false, true, true}, 1, 0},
		{[]uint64{0, 0, 1}, []bool{true, false, true}, 2, 1},
		{[]uint64{9, 1}, []bool{false, true}, 1, 1},
	} {
		arg, top := hpcc.MaxHop(c.u, c.valid)
		require.Equal(t, c.arg, arg, "%v", c)
		require.Equal(t, c.top, top, "%v", c)
	}
}

func TestStageStep(t *testing.T) {
	for _, c := range []struct {
		u, eta          uint64
		stage, maxStage uint32
		multiply        bool
		next            uint32
	}{
		{u: 94, eta: 95, stage: 0, maxStage: 5, next: 1},
		{u: 94, eta: 95, stage: 4, maxStage: 5, next: 5},
		{u: 94, eta: 95, stage: 5, maxStage: 5, multiply: true},
		{u: 94, eta: 95, stage: 6, maxStage: 5, multiply: true},
		{u: 95, eta: 95, stage: 0, maxStage: 5, multiply: true},
		{u: 96, eta: 95, stage: 3, maxStage: 5, multiply: true},
		{u: 94, eta: 95, stage: 0, maxStage: 0, multiply: true},
		{u: 94, eta: 95, stage: 15, maxStage: 99, next: 15}, // stays at its largest
	} {
		multiply, next := hpcc.StageStep(c.u, c.eta, c.stage, c.maxStage, 15)
		require.Equal(t, c.multiply, multiply, "%+v", c)
		require.Equal(t, c.next, next, "%+v", c)
	}
}

func TestMulAdd(t *testing.T) {
	w, clamp := hpcc.MulAddClamp(3, 5, 1, 10, 0, 100) // 7.5 rounds up
	require.Equal(t, uint64(18), w)
	require.Equal(t, hpcc.Inside, clamp)
	w, clamp = hpcc.MulAddClamp(3, 5, 1, 10, 18, 18)
	require.Equal(t, uint64(18), w)
	require.Equal(t, hpcc.Inside, clamp, "a limit itself is inside")
	w, clamp = hpcc.MulAddClamp(3, 5, 1, 10, 19, 100)
	require.Equal(t, uint64(19), w)
	require.Equal(t, hpcc.Raised, clamp)
	w, clamp = hpcc.MulAddClamp(^uint64(0), ^uint64(0), 0, ^uint64(0), 1, 17)
	require.Equal(t, uint64(17), w, "the sum is exact before it is limited")
	require.Equal(t, hpcc.Lowered, clamp)

	require.Equal(t, uint64(18), hpcc.MulAddSat(3, 5, 1, 10, 18))
	require.Equal(t, uint64(17), hpcc.MulAddSat(3, 5, 1, 10, 17))
	require.Equal(t, uint64(255), hpcc.MulAddSat(^uint64(0), ^uint64(0), 3, ^uint64(0), 255))
}

func TestAlphaIsLimitedToOne(t *testing.T) {
	require.Equal(t, uint64(16), hpcc.Alpha(100, 100, 0, 4, 4), "tau at T")
	require.Equal(t, uint64(16), hpcc.Alpha(101, 100, 0, 4, 4), "tau above T")
	require.Equal(t, uint64(16), hpcc.Alpha(99, 100, 3, 4, 4), "1/T rounded up")
	require.Equal(t, uint64(8), hpcc.Alpha(50, 100, 5, 5, 4)) // 250/32 = 7.8
	require.Equal(t, uint64(0), hpcc.Alpha(0, 100, 5, 5, 4))
}

func TestHopInflightSaturates(t *testing.T) {
	require.Equal(t, uint64(8+20), hpcc.HopInflight(3, 5, 1, 20, 100)) // 7.5 rounds up
	require.Equal(t, uint64(100), hpcc.HopInflight(3, 5, 1, 93, 100))
	require.Equal(t, uint64(1<<31-1), hpcc.HopInflight(1<<32-1, 1<<63, 0, 1<<31-1, 1<<31-1), "a sum beyond 64 bits")
}

// Whatever the state and the telemetry: W lies within its limits, U between its old value and u, nothing of another
// flow changes, and the stage moves by at most one.
func TestReactionProperties(t *testing.T) {
	base := load(t, "nic-line")
	rapid.Check(t, func(t *rapid.T) {
		d, tables, c, a := someStep(t, base)
		p := tables.Profile[c.Profile]
		next, r, taps := engine.Next(d, tables, c, a)
		if !r.Kind.Reacts() {
			return
		}
		require.GreaterOrEqual(t, r.U, min(c.U, taps.UMax))
		require.LessOrEqual(t, r.U, max(c.U, taps.UMax))
		if p.WMin <= p.WMax {
			require.GreaterOrEqual(t, r.W, p.WMin)
			require.LessOrEqual(t, r.W, p.WMax)
		}
		if r.Kind == hpcc.KindFast {
			require.Equal(t, c.Wc, next.Wc)
			require.Equal(t, c.Stage, next.Stage)
			require.Equal(t, c.Seq, next.Seq)
		} else {
			require.Equal(t, r.W, next.Wc)
			require.Contains(t, []uint32{0, c.Stage, c.Stage + 1}, next.Stage)
			require.Equal(t, uint64(a.SndNxt), next.Seq)
		}
		top := uint64(0)
		for i, u := range taps.UHop {
			require.True(t, taps.HopValid[i] || u == 0)
			top = max(top, u)
		}
		require.Equal(t, top, taps.UMax)
	})
}

// A flow's results do not depend on what other flows do in between.
func TestFlowsAreIndependent(t *testing.T) {
	cfg := load(t, "nic-line")
	alone, among := loadTrace(t, cfg, "b_incast16_mi0"), loadTrace(t, cfg, "b_incast16_mi0")
	for i := range among.trace.Rows {
		a := among.ack(&among.trace.Rows[i])
		together := among.Event(a)
		if a.Flow == 3 {
			require.Equal(t, together, alone.Event(a), "row %d", i+1)
		}
	}
}
