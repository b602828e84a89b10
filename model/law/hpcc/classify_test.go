package hpcc_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/law/hpcc"
)

const halfTS = 1 << 23 // half of the 24-bit timestamp range of nic-line

// row is one row of the classification table of docs/numeric.md: how to make an ordinary ACK meet its condition.
type row struct {
	name   string
	meet   func(r *rig, a *hpcc.Ack)
	kind   hpcc.Kind
	status hpcc.Status
	stores bool
}

// rows are in the table's order, so that of two conditions the earlier decides.
var rows = []row{
	{"flow not open", func(r *rig, a *hpcc.Ack) {
		r.WriteContext(hpcc.ContextWrite{Flow: a.Flow, Mask: hpcc.MaskClose})
	}, hpcc.KindNone, hpcc.StatusRejectedFlow, false},
	{"another generation", func(_ *rig, a *hpcc.Ack) { a.Generation = 1 }, hpcc.KindNone, hpcc.StatusRejectedFlow, false},
	{"nhop above MaxHops", func(_ *rig, a *hpcc.Ack) { a.Nhop = 6 }, hpcc.KindNone, hpcc.StatusRejectedHops, false},
	{"nhop 0", func(_ *rig, a *hpcc.Ack) { a.Nhop = 0 }, hpcc.KindNone, hpcc.StatusNoTelemetry, false},
	{"rate code unknown", func(_ *rig, a *hpcc.Ack) { a.Hop[2].RateCode = 2 }, hpcc.KindNone, hpcc.StatusRejectedRate,
		false},
	{"no stored telemetry", func(r *rig, a *hpcc.Ack) {
		r.WriteContext(hpcc.ContextWrite{Flow: a.Flow, Mask: hpcc.MaskStart})
	}, hpcc.KindFirst, hpcc.StatusFirst, true},
	{"path_id differs", func(_ *rig, a *hpcc.Ack) { a.PathID++ }, hpcc.KindFirst, hpcc.StatusPathChanged, true},
	{"idle", func(_ *rig, a *hpcc.Ack) { a.Now = 1000 + halfTS + 1 }, hpcc.KindFirst, hpcc.StatusIdle, true},
	{"stale", func(_ *rig, a *hpcc.Ack) { a.Hop[1].TS = 1001 + halfTS }, hpcc.KindNone, hpcc.StatusStale, false},
	{"every dts 0", func(_ *rig, a *hpcc.Ack) {
		for h := range 3 {
			a.Hop[h].TS = 1000 + uint64(h)
		}
	}, hpcc.KindNone, hpcc.StatusNoTime, false},
	{"no commit and fast off", func(r *rig, a *hpcc.Ack) {
		r.WriteContext(hpcc.ContextWrite{Flow: a.Flow, Mask: hpcc.MaskProfile, Profile: 1})
		a.AckSeq = 4000
	}, hpcc.KindNone, hpcc.StatusNoCommit, false},
	{"commit", func(*rig, *hpcc.Ack) {}, hpcc.KindUpdate, hpcc.StatusOK, true},
}

func TestClassificationRows(t *testing.T) {
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			r := newRig(t, line(t))
			a := rigAck(500)
			row.meet(r, &a)
			expect(t, r, a, row)
		})
	}
}

// expect sends a and checks the outcome, and that a row that does nothing leaves the context alone.
func expect(t *testing.T, r *rig, a hpcc.Ack, row row) {
	t.Helper()
	before := r.Context(rigFlow)
	got := r.Event(a)
	after := r.Context(rigFlow)
	require.Equal(t, row.kind, got.Kind)
	require.Equal(t, row.status, got.Status)
	require.Equal(t, a.Flow, got.Flow)
	if row.kind == hpcc.KindNone {
		require.Equal(t, before, after, "nothing changes")
	}
	if row.kind == hpcc.KindFirst {
		want := before
		want.HasTelemetry, want.PathID, want.Nhop = true, a.PathID, uint8(a.Nhop)
		want.LastTime, want.Seq = a.Now, uint64(a.SndNxt)
		for h := range a.Nhop {
			want.L[h] = hpcc.Stored{TS: a.Hop[h].TS, Tx: a.Hop[h].Tx, Qlen: a.Hop[h].Qlen, LinkID: a.Hop[h].LinkID}
		}
		require.Equal(t, want, after)
	}
	if row.status == hpcc.StatusRejectedFlow {
		require.Equal(t, hpcc.Result{Flow: a.Flow, Generation: a.Generation, Status: row.status}, got, "all zero")
		return
	}
	require.Equal(t, after.U, got.U)
	require.Equal(t, after.W, got.W)
	require.Equal(t, after.Wc, got.Wc)
	require.Equal(t, after.Stage, got.Stage)
	f := r.cfg.Formats
	cut := f.Window.Frac + f.InvT.Frac - f.Rate.Frac
	require.Equal(t, (after.W*(1<<(f.InvT.Frac-13))+1<<(cut-1))>>cut, got.Rate, "W/T with T = 2^13")
}

// Every pair of rows at once: the earlier decides.
func TestClassificationPrecedence(t *testing.T) {
	for i, first := range rows {
		for _, second := range rows[i+1:] {
			if first.name == "idle" && second.name == "stale" || first.name == "nhop 0" ||
				first.name == "nhop above MaxHops" && second.name == "nhop 0" {
				continue // covered below, or the two exclude each other
			}
			if second.name == "nhop 0" || second.name == "nhop above MaxHops" || second.name == "every dts 0" &&
				first.name == "stale" {
				continue
			}
			t.Run(first.name+" before "+second.name, func(t *testing.T) {
				r := newRig(t, line(t))
				a := rigAck(500)
				second.meet(r, &a)
				first.meet(r, &a)
				before := r.Context(rigFlow)
				got := r.Event(a)
				assert.Equal(t, first.kind, got.Kind)
				assert.Equal(t, first.status, got.Status)
				if first.kind == hpcc.KindNone {
					assert.Equal(t, before, r.Context(rigFlow))
				}
			})
		}
	}
}

func TestClassificationPrecedenceOfHopCounts(t *testing.T) {
	for _, nhop := range []int{0, 6, 15} {
		r := newRig(t, line(t))
		a := rigAck(500)
		a.Nhop = nhop
		a.PathID++
		a.Hop[0].RateCode = 3
		want := hpcc.StatusRejectedHops
		if nhop == 0 {
			want = hpcc.StatusNoTelemetry
		}
		require.Equal(t, want, r.Event(a).Status)
		r.WriteContext(hpcc.ContextWrite{Flow: rigFlow, Mask: hpcc.MaskClose})
		require.Equal(t, hpcc.StatusRejectedFlow, r.Event(a).Status)
	}
}

func TestFlowBelowTheNumberOfFlows(t *testing.T) {
	cfg := line(t)
	cfg.Flows = 1000
	r := newRig(t, cfg)
	a := rigAck(500)
	a.Flow = 1000
	require.Equal(t, hpcc.Result{Flow: 1000, Status: hpcc.StatusRejectedFlow}, r.Event(a))
	r.WriteContext(hpcc.ContextWrite{Flow: 1000, Mask: hpcc.MaskStart})
	require.Equal(t, hpcc.StatusRejectedFlow, r.Event(a).Status, "it cannot be opened")
	require.Equal(t, hpcc.ContextData{Flow: 1000}, r.ReadContext(1000))
}

func TestPathChanges(t *testing.T) {
	for name, change := range map[string]func(*hpcc.Ack){
		"link_id of the last hop": func(a *hpcc.Ack) { a.Hop[2].LinkID = 99 },
		"link_id of the first":    func(a *hpcc.Ack) { a.Hop[0].LinkID = 99 },
		"one hop less":            func(a *hpcc.Ack) { a.Nhop = 2 },
		"one hop more":            func(a *hpcc.Ack) { a.Nhop = 4; a.Hop[3] = hpcc.Record{RateCode: 1} },
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, line(t))
			a := rigAck(500)
			change(&a)
			expect(t, r, a, row{kind: hpcc.KindFirst, status: hpcc.StatusPathChanged})
		})
	}
	t.Run("link_id of a hop beyond nhop does not count", func(t *testing.T) {
		r := newRig(t, line(t))
		a := rigAck(500)
		a.Hop[3].LinkID = 99
		require.Equal(t, hpcc.KindUpdate, r.Event(a).Kind)
	})
	t.Run("without link identifiers a link does not count", func(t *testing.T) {
		cfg := line(t)
		cfg.Telemetry.LinkIDBits = 0
		r := newRig(t, cfg)
		a := rigAck(500)
		a.Hop[0].LinkID = 99
		require.Equal(t, hpcc.KindUpdate, r.Event(a).Kind)
	})
}

func TestRateCodeBeyondNhopDoesNotCount(t *testing.T) {
	r := newRig(t, line(t))
	a := rigAck(500)
	a.Hop[3].RateCode = 15
	require.Equal(t, hpcc.KindUpdate, r.Event(a).Kind)
}

func TestIdleAtItsEdge(t *testing.T) {
	for now, want := range map[uint64]hpcc.Status{
		1000 + halfTS:     hpcc.StatusOK,
		1000 + halfTS + 1: hpcc.StatusIdle,
		999:               hpcc.StatusIdle, // the local clock's difference is modular as well
	} {
		r := newRig(t, line(t))
		a := rigAck(500)
		a.Now = now
		require.Equal(t, want, r.Event(a).Status, "now = %d", now)
	}
}

func TestStaleAtItsEdge(t *testing.T) {
	for dts, want := range map[uint64]hpcc.Status{
		halfTS - 1: hpcc.StatusOK, halfTS: hpcc.StatusStale, halfTS + 1: hpcc.StatusStale, 1<<24 - 1: hpcc.StatusStale,
	} {
		r := newRig(t, line(t))
		a := rigAck(500)
		a.Hop[0].TS = (1000 + dts) & (1<<24 - 1)
		got := r.Event(a).Status
		if got == hpcc.StatusClampedMax {
			got = hpcc.StatusOK
		}
		require.Equal(t, want, got, "dts = %d", dts)
	}
}

// One hop without progress says nothing and keeps its record; the bytes that it counted belong to the next difference.
func TestHopWithoutTime(t *testing.T) {
	r := newRig(t, line(t))
	a := rigAck(500)
	a.Hop[1].TS = 1001
	a.Hop[1].Tx += 10
	kept := r.Context(rigFlow).L[1]
	require.Equal(t, hpcc.KindUpdate, r.Event(a).Kind)
	require.Equal(t, kept, r.Context(rigFlow).L[1])
	require.Equal(t, a.Hop[0].TS, r.Context(rigFlow).L[0].TS)
	taps := r.Taps()
	require.Equal(t, [8]bool{true, false, true}, taps.HopValid)
	require.Zero(t, taps.UHop[1])
}

// ack_seq against lastUpdateSeq is a comparison of serial numbers.
func TestCommitBySequence(t *testing.T) {
	for _, bits := range []int{24, 32} {
		half := uint32(1) << (bits - 1)
		for ahead, want := range map[uint32]hpcc.Kind{
			0: hpcc.KindFast, 1: hpcc.KindUpdate, half - 1: hpcc.KindUpdate, half: hpcc.KindFast,
			half + 1: hpcc.KindFast, 2*half - 1: hpcc.KindFast,
		} {
			for _, last := range []uint32{0, 4000, half - 1, half, 2*half - 1} {
				cfg := line(t)
				cfg.SeqBits = bits
				r := newRig(t, cfg)
				r.WriteContext(hpcc.ContextWrite{Flow: rigFlow, Mask: hpcc.MaskSeq, Seq: uint64(last)})
				a := rigAck(500)
				a.AckSeq = (last + ahead) & (2*half - 1)
				require.Equal(t, want, r.Event(a).Kind, "%d bits, %d after %d", bits, ahead, last)
				if want == hpcc.KindUpdate {
					require.Equal(t, uint64(9000), r.Context(rigFlow).Seq)
				} else {
					require.Equal(t, uint64(last), r.Context(rigFlow).Seq)
				}
			}
		}
	}
}

// The receiver commits when more than T has passed since the last commit (draft, Figure 8).
func TestCommitByTime(t *testing.T) {
	cfg := line(t)
	cfg.CommitByTime = true
	for dt, want := range map[uint64]hpcc.Kind{1: hpcc.KindFast, 8192: hpcc.KindFast, 8193: hpcc.KindUpdate} {
		r := newRig(t, cfg)
		require.Equal(t, uint64(1000), r.Context(rigFlow).Seq, "the first ACK sets the time")
		a := rigAck(dt)
		a.AckSeq = 0
		require.Equal(t, want, r.Event(a).Kind, "%d ticks", dt)
		wantTime := uint64(1000)
		if want == hpcc.KindUpdate {
			wantTime = 1000 + dt
		}
		require.Equal(t, wantTime, r.Context(rigFlow).Seq)
	}
	r := newRig(t, cfg) // across the wrap of the local clock
	r.WriteContext(hpcc.ContextWrite{Flow: rigFlow, Mask: hpcc.MaskSeq, Seq: ^uint64(7000 - 1)})
	require.Equal(t, hpcc.KindFast, r.Event(rigAck(100)).Kind)
	r.WriteContext(hpcc.ContextWrite{Flow: rigFlow, Mask: hpcc.MaskSeq, Seq: ^uint64(7000 - 1)})
	require.Equal(t, hpcc.KindUpdate, r.Event(rigAck(200)).Kind)
}

func TestCountersCountByStatus(t *testing.T) {
	cfg := line(t)
	cfg.CountBits = 2
	r := newRig(t, cfg)
	send := func(change func(*hpcc.Ack)) {
		a := rigAck(500)
		change(&a)
		r.Event(a)
	}
	for range 5 {
		send(func(a *hpcc.Ack) { a.Nhop = 9 })
	}
	send(func(a *hpcc.Ack) { a.Nhop = 0 })
	send(func(a *hpcc.Ack) { a.Hop[0].RateCode = 2 })
	send(func(a *hpcc.Ack) { a.Flow = 5 })
	send(func(a *hpcc.Ack) { a.Hop[0].TS = 999 })
	send(func(a *hpcc.Ack) { a.PathID++ })
	for _, status := range []hpcc.Status{
		hpcc.StatusRejectedHops, hpcc.StatusRejectedRate, hpcc.StatusRejectedFlow, hpcc.StatusStale, hpcc.StatusNoTelemetry,
		hpcc.StatusPathChanged,
	} {
		require.EqualValues(t, 1, r.Counters()[status], "%s, modulo 4", status)
	}
}

func TestContextWriteChangesSelectedFieldsOnly(t *testing.T) {
	all := hpcc.ContextWrite{Profile: 3, U: 1 << 20, Wc: 1 << 21, W: 1 << 22, Stage: 9, Seq: 77}
	want := map[uint8]func(*hpcc.Context){
		hpcc.MaskProfile:                func(c *hpcc.Context) { c.Profile = 3 },
		hpcc.MaskU:                      func(c *hpcc.Context) { c.U = 1 << 20 },
		hpcc.MaskWc:                     func(c *hpcc.Context) { c.Wc = 1 << 21 },
		hpcc.MaskW:                      func(c *hpcc.Context) { c.W = 1 << 22 },
		hpcc.MaskStage:                  func(c *hpcc.Context) { c.Stage = 9 },
		hpcc.MaskSeq:                    func(c *hpcc.Context) { c.Seq = 77 },
		hpcc.MaskStart:                  func(c *hpcc.Context) { c.HasTelemetry = false },
		hpcc.MaskClose:                  func(c *hpcc.Context) { c.Open, c.HasTelemetry = false, false },
		hpcc.MaskStart | hpcc.MaskClose: func(c *hpcc.Context) { c.Open, c.HasTelemetry = false, false },
		0:                               func(*hpcc.Context) {},
	}
	for mask, change := range want {
		r := newRig(t, line(t))
		expected := r.Context(rigFlow)
		change(&expected)
		w := all
		w.Mask = mask
		r.WriteContext(w)
		require.Equal(t, expected, r.Context(rigFlow), "mask %08b", mask)
		require.Equal(t, hpcc.ContextData{
			Flow: rigFlow, Open: expected.Open, HasTelemetry: expected.HasTelemetry, Profile: expected.Profile,
			U: expected.U, Wc: expected.Wc,
			W: expected.W, Stage: expected.Stage, Seq: expected.Seq, PathID: expected.PathID, Nhop: expected.Nhop,
		}, r.ReadContext(rigFlow))
	}
}

func TestTableWritesAreCutToTheEntry(t *testing.T) {
	cfg := line(t)
	d, err := hpcc.NewDesign(cfg)
	require.NoError(t, err)
	tables := d.NewTables()
	for table := config.TableRate; table <= 15; table++ {
		d.WriteTable(tables, config.TableWrite{Table: table, Index: 1<<30 | 1, Data: ^uint64(0)})
	}
	f := cfg.Formats
	ones := func(bits int) uint64 { return 1<<bits - 1 }
	require.Equal(t, hpcc.RateEntry{Valid: true, InvB: ones(f.InvB.Width())}, tables.Rate[1])
	require.Equal(t, ones(f.InvBT.Width()), tables.Queue[1])
	require.Equal(t, hpcc.ProfileEntry{
		T: ones(cfg.RTTBits), InvT: ones(f.InvT.Width()), Eta: ones(f.Eta.Width()), MaxStage: 15, Fast: true,
		WAI: ones(f.Window.Width()), WMin: ones(f.Window.Width()), WMax: ones(f.Window.Width()),
	}, tables.Profile[1])
	other := d.NewTables()
	for i := range tables.Rate {
		if i != 1 {
			require.Equal(t, other.Rate[i], tables.Rate[i])
		}
	}
	d.WriteTable(tables, config.TableWrite{Table: config.TableRate, Index: 1, Data: 5})
	require.Equal(t, hpcc.RateEntry{InvB: 5}, tables.Rate[1], "a code can be made unknown again")
}

func TestNames(t *testing.T) {
	require.Equal(t, "update", hpcc.KindUpdate.String())
	require.Equal(t, "kind(9)", hpcc.Kind(9).String())
	require.Equal(t, "clamped_max", hpcc.StatusClampedMax.String())
	require.Equal(t, "rejected_flow", hpcc.StatusRejectedFlow.String())
	require.Equal(t, "status(77)", hpcc.Status(77).String())
}
