package ideal_test

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/model/ideal"
	"github.com/hdlpkg/hpccgen/model/internal/trace"
)

func window(bps, ns uint64) *big.Rat { // R T / 8
	w := new(big.Rat).SetUint64(bps)
	return w.Mul(w, new(big.Rat).SetUint64(ns)).Quo(w, big.NewRat(8e9, 1))
}

func params(t *testing.T, f trace.Flow) ideal.Params {
	eta, ok := new(big.Rat).SetString(f.Eta)
	require.True(t, ok)
	queueT := new(big.Rat).SetUint64(8e9 * f.BDPBytes)
	return ideal.Params{
		MaxHops: 5, TSBits: 24, TxBits: 20, SeqBits: 32, ClockBits: 40, TickNs: 1,
		TxUnitBytes: 128 * f.UnitMultiplier, QlenUnit: 80 * f.UnitMultiplier,
		T: f.BaseRTTNs, QueueT: queueT.Quo(queueT, new(big.Rat).SetUint64(f.MaxRateBps)),
		Eta: eta, MaxStage: f.MaxStage, Fast: f.Fast, StageLimit: 15,
		WInit: window(f.MaxRateBps, f.BaseRTTNs), WAI: window(f.RateAIBps, f.BaseRTTNs),
		WMin: window(f.MinRateBps, f.BaseRTTNs), WMax: window(f.MaxRateBps, f.BaseRTTNs),
	}
}

func ack(r trace.Row) ideal.Ack {
	a := ideal.Ack{AckSeq: r.AckSeq, SndNxt: r.SndNxt, Now: r.TNs}
	for _, h := range r.Hops {
		a.Hops = append(a.Hops, ideal.Hop{RateBps: h.RateBps, TS: h.TS, Tx: h.Tx, Qlen: h.Qlen})
	}
	return a
}

// replay gives the largest error of U and the largest relative error of R of a trace; with resync every row
// starts from the reference's state.
func replay[N ideal.Number[N]](t *testing.T, name string, rows int, resync bool,
	mutate func(*ideal.Params)) (worstU, worstR float64) {
	tr, err := trace.Load(name)
	require.NoError(t, err)
	var n N
	var flows []*ideal.Flow[N]
	for _, f := range tr.Flows {
		p := params(t, f)
		mutate(&p)
		flows = append(flows, ideal.New[N](p))
	}
	for i, row := range tr.Rows[:min(rows, len(tr.Rows))] {
		f := flows[row.Flow]
		if resync {
			rat := func(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }
			f.U, f.Stage = n.Of(rat(row.UBefore)), row.StageBefore
			f.Wc = n.Of(rat(row.RcBefore * float64(tr.Flows[row.Flow].BaseRTTNs) / 8e9))
		}
		r := f.Ack(ack(row))
		require.Equal(t, row.Kind, r.Kind, "row %d", i+1)
		if r.Kind == "first" {
			continue
		}
		require.Equal(t, row.Stage, r.Stage, "row %d", i+1)
		worstU = math.Max(worstU, math.Abs(r.U.Float()-row.U))
		worstR = math.Max(worstR, math.Abs(r.R.Float()*8e9-row.Rate)/row.Rate)
	}
	return worstU, worstR
}

func unchanged(*ideal.Params) {}

// The reference truncates R to an integer of bit/s, at least 1e8 of them.
const rTolerance = 1.1e-8

func TestTracesResynced(t *testing.T) {
	for _, name := range trace.Names {
		t.Run(name, func(t *testing.T) {
			u, r := replay[ideal.Float](t, name, math.MaxInt, true, unchanged)
			t.Logf("U within %.2g, R within %.2g", u, r)
			require.Less(t, u, 1e-12)
			require.Less(t, r, rTolerance)
		})
	}
}

func TestTracesExact(t *testing.T) {
	for _, name := range trace.Names {
		t.Run(name, func(t *testing.T) {
			u, r := replay[ideal.Exact](t, name, 2000, true, unchanged)
			require.Less(t, u, 1e-12)
			require.Less(t, r, rTolerance)
		})
	}
}

// Free running, errors of doubles stay as small: the loop does not amplify them.
func TestTracesFreeRunning(t *testing.T) {
	for _, name := range trace.Names {
		t.Run(name, func(t *testing.T) {
			u, r := replay[ideal.Float](t, name, math.MaxInt, false, unchanged)
			t.Logf("U within %.2g, R within %.2g", u, r)
			require.Less(t, u, 1e-9)
			require.Less(t, r, 1e-7)
		})
	}
}

// The comparison must be able to fail: each wrong constant shows.
func TestTracesShowWrongConstants(t *testing.T) {
	for name, mutate := range map[string]func(*ideal.Params){
		"T one tick longer":    func(p *ideal.Params) { p.T++ },
		"eta 1e-6 larger":      func(p *ideal.Params) { p.Eta = new(big.Rat).Add(p.Eta, big.NewRat(1, 1e6)) },
		"W_ai one byte larger": func(p *ideal.Params) { p.WAI = new(big.Rat).Add(p.WAI, big.NewRat(1, 1)) },
		"tx unit of 127 bytes": func(p *ideal.Params) { p.TxUnitBytes-- },
		"queue T' 0.1% longer": func(p *ideal.Params) { p.QueueT = new(big.Rat).Mul(p.QueueT, big.NewRat(1001, 1000)) },
	} {
		t.Run(name, func(t *testing.T) {
			u, r := replay[ideal.Float](t, "a_incast2_mi0", math.MaxInt, true, mutate)
			require.True(t, u > 1e-12 || r > rTolerance, "U within %g, R within %g: nothing noticed", u, r)
		})
	}
}
