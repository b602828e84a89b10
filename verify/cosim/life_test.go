package cosim

import (
	"fmt"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/law/hpcc"
	"github.com/hdlpkg/hpccgen/verify/drive"
	"github.com/hdlpkg/hpccgen/verify/engine"
	law "github.com/hdlpkg/hpccgen/verify/law/hpcc"
	"github.com/hdlpkg/hpccgen/verify/stimulus/timeline"
)

// decisions plays a script on an engine, in lockstep with the model, and gives what became of each ACK.
func decisions(t *testing.T, cfg *config.NIC, s *law.Script) []hpcc.Result {
	t.Helper()
	n := mustNIC(t, cfg, true)
	var all []hpcc.Result
	n.OnEvent = func(_ *hpcc.Ack, r *hpcc.Result) { all = append(all, *r) }
	played, err := n.Play(s)
	require.NoError(t, err)
	eng, err := engine.Open("go", n.Frame().Design, engine.Options{})
	require.NoError(t, err)
	defer eng.Close()
	o, err := drive.Lockstep(drive.NewLeg(n.Frame(), played, "go"), eng, s.Cycles, nil)
	require.NoError(t, err)
	require.Empty(t, o.First, "the design does what the model does")
	return all
}

// begun is a script that writes the tables of a profile and a link of 100G and opens flow 3.
func begun(t *testing.T, cfg *config.NIC) (s *law.Script, opening hpcc.ContextWrite) {
	t.Helper()
	p := config.Profile{BaseRTTNs: cfg.MinRTTTicks, Eta: big.NewRat(95, 100), MaxStage: 1, Fast: true,
		WAI: big.NewRat(100, 1), WMin: big.NewRat(100, 1), WMax: big.NewRat(20000, 1)}
	tables, err := cfg.ProfileEntries(0, p)
	require.NoError(t, err)
	rate, err := cfg.RateEntry(1, 100e9, 1)
	require.NoError(t, err)
	queue, err := cfg.QueueEntry(1, 0, 100e9, 1, p)
	require.NoError(t, err)
	s = &law.Script{Resets: []timeline.Span{{From: 0, To: 2}}}
	for _, w := range append(tables, rate, queue) {
		s.Tables = append(s.Tables, timeline.At[config.TableWrite]{Cycle: 2, Op: w})
	}
	opening = hpcc.ContextWrite{Flow: 3, Mask: ^hpcc.MaskClose, U: 1 << cfg.Formats.U.Frac, Wc: 1 << 20, W: 1 << 20}
	s.Writes = append(s.Writes, timeline.At[hpcc.ContextWrite]{Cycle: 2, Op: opening})
	return s, opening
}

// An ACK of an earlier generation, with other sequence numbers, changes nothing in the new one: neither after the
// close, nor after the write that opens the flow again and has overtaken it, nor later. Without a generation it would
// begin the new life, which then would not commit for long.
func TestFormerLives(t *testing.T) {
	for _, order := range []string{"hops: {max: 2}", "hops: {max: 2, order: serial}"} {
		for name, reopen := range map[string][]hpcc.ContextWrite{
			"close, open": {{Flow: 3, Mask: hpcc.MaskClose}, {}},
			"open alone":  {{}},
		} {
			for _, overtaken := range []bool{false, true} {
				t.Run(fmt.Sprint(order, name, overtaken), func(t *testing.T) {
					cfg := smallConfig(t, "hops: {max: 2}", order)
					s, opening := begun(t, cfg)
					ack := func(cycle, n, seq int, generation uint8) {
						a := hpcc.Ack{Flow: 3, Generation: generation, Tag: uint64(len(s.Acks)), AckSeq: uint32(seq),
							SndNxt: uint32(seq + 4000), Now: uint64(1000 * n), Nhop: 1}
						a.Hop[0] = hpcc.Record{RateCode: 1, TS: uint64(1000 * n), Tx: uint64(90 * n)}
						s.Acks = append(s.Acks, timeline.At[hpcc.Ack]{Cycle: int64(cycle), Op: a})
					}
					const old, fresh = 1 << 23, 1000 // sequence numbers of the two lives
					ack(8000, 1, old, 0)
					ack(8000, 2, old+2000, 0)
					at := 9000
					if overtaken { // they wait while the writes go first
						at = 10004
						if cfg.Serial {
							at = 10100
						}
					}
					for i := range 6 {
						ack(10000, 3+i, old+3000+100*i, 0)
					}
					for _, w := range reopen {
						if w.Mask == 0 {
							w = opening
							w.Generation = 1
						}
						s.Writes = append(s.Writes, timeline.At[hpcc.ContextWrite]{Cycle: int64(at), Op: w})
					}
					ack(14000, 20, old+3600, 0)
					ack(14000, 21, fresh, 1)
					ack(14000, 22, old+3700, 0)
					ack(14000, 23, fresh+5000, 1)
					s.Cycles = 20000

					all := decisions(t, cfg, s)
					require.Len(t, all, len(s.Acks))
					last := all[len(all)-4:]
					rejected := 0
					for _, r := range all[2:8] {
						if r.Status == hpcc.StatusRejectedFlow {
							rejected++
						}
					}
					assert.Equal(t, overtaken, rejected < 6, "only what comes before the writes is of its own life")
					assert.Positive(t, rejected)
					for i, r := range all {
						assert.Equal(t, s.Acks[i].Op.Generation, r.Generation)
						assert.EqualValues(t, i, r.Tag)
					}
					assert.Equal(t, hpcc.StatusRejectedFlow, last[0].Status)
					assert.Equal(t, hpcc.KindFirst, last[1].Kind)
					assert.Equal(t, hpcc.StatusFirst, last[1].Status)
					assert.Equal(t, hpcc.StatusRejectedFlow, last[2].Status)
					assert.Equal(t, hpcc.KindUpdate, last[3].Kind, "the new life commits with its first round trip")
				})
			}
		}
	}
}

// A flow without ACKs for any longer time is idle, whatever multiple of any clock's range the time is.
func TestSleeps(t *testing.T) {
	for _, order := range []string{"hops: {max: 2}", "hops: {max: 2, order: serial}"} {
		t.Run(order, func(t *testing.T) {
			cfg := smallConfig(t, "hops: {max: 2}", order, "clock_bits: 60\n", "")
			s, _ := begun(t, cfg)
			sleeps := []uint64{1 << 25, 1 << 32, 1<<40 + 1000, 1<<48 + 1, 1<<62 + 5000}
			for k := cfg.Telemetry.TSBits; k < 64; k++ {
				sleeps = append(sleeps, 1<<k+uint64(k)*500)
			}
			var now uint64
			ack := func() {
				n := uint64(len(s.Acks))
				a := hpcc.Ack{Flow: 3, AckSeq: uint32(1000 * n), SndNxt: uint32(1000*n + 1), Now: now, Nhop: 1}
				a.Hop[0] = hpcc.Record{RateCode: 1, TS: n * 1000 & 0xffff, Tx: 9 * n & 0xfff}
				s.Acks = append(s.Acks, timeline.At[hpcc.Ack]{Cycle: 8000, Op: a})
			}
			ack()
			for _, d := range sleeps {
				now += 1000
				ack()
				now += d
				ack()
			}
			s.Cycles = 20000
			all := decisions(t, cfg, s)
			require.Len(t, all, 1+2*len(sleeps))
			for i, d := range sleeps {
				assert.Equal(t, hpcc.KindUpdate, all[1+2*i].Kind)
				assert.Equal(t, hpcc.StatusIdle, all[2+2*i].Status, "asleep for %d ticks", d)
			}
		})
	}
}
