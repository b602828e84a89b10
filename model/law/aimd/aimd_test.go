package aimd_test

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/fixed"
	"github.com/hdlpkg/hpccgen/model/engine"
	"github.com/hdlpkg/hpccgen/model/law/aimd"
)

// small has windows of 16 bytes with one fraction bit, times of 16 ticks and sequence numbers of 8 bits.
func small() *config.AIMD {
	return &config.AIMD{
		Engine: config.Engine{Flows: 5, Profiles: 2, SeqBits: 8, GenBits: 2, TagBits: 4, CountBits: 2},
		Window: fixed.UQ(7, 1), InvT: fixed.UQ(0, 8), Rate: fixed.UQ(3, 2),
	}
}

const flow = 3

var opening = aimd.Write{
	Flow: flow, Mask: aimd.MaskProfile | aimd.MaskW | aimd.MaskStart, Profile: 1, W: 20, Generation: 1,
}

// newModel opens a flow with profile 1: W_ai 3, W_min 4, W_max 40 bytes, T 16 ticks; W is 10 bytes.
func newModel(t testing.TB, cfg *config.AIMD) *aimd.Model {
	m, err := engine.New(&cfg.Engine, aimd.NewDesign(cfg))
	require.NoError(t, err)
	for table, data := range map[config.Table]uint64{
		aimd.TableWAI: 2 * 3, aimd.TableWMin: 2 * 4, aimd.TableWMax: 2 * 40, aimd.TableInvT: 16,
	} {
		m.WriteTable(config.TableWrite{Table: table, Index: 1, Data: data})
	}
	m.WriteContext(opening)
	return m
}

func ack(seq, next uint32, mark bool) aimd.Event {
	return aimd.Event{Flow: flow, Generation: 1, Tag: 9, AckSeq: seq, SndNxt: next, Mark: mark}
}

func decision(kind aimd.Kind, status engine.Status, w, rate uint64) aimd.Decision {
	return aimd.Decision{Flow: flow, Generation: 1, Tag: 9, Kind: kind, Status: status, W: w, Rate: rate}
}

// The rate of 10 bytes in 16 ticks is 0.625, 2.5 units of 2^-2: halves go up.
func TestRounds(t *testing.T) {
	m := newModel(t, small())
	for i, step := range []struct {
		e    aimd.Event
		want aimd.Decision
	}{
		{ack(0, 100, false), decision(aimd.KindFirst, engine.StatusFirst, 20, 3)},
		{ack(100, 110, false), decision(aimd.KindNone, engine.StatusNoCommit, 20, 3)},
		{ack(101, 120, false), decision(aimd.KindUpdate, engine.StatusOK, 26, 3)}, // 13 bytes
		{ack(110, 130, true), decision(aimd.KindNone, engine.StatusNoCommit, 26, 3)},
		{ack(121, 140, false), decision(aimd.KindUpdate, engine.StatusOK, 13, 2)}, // 6.5 bytes: 1.625
		{ack(141, 150, true), decision(aimd.KindUpdate, engine.StatusClampedMin, 8, 1)},
		{ack(151, 160, false), decision(aimd.KindUpdate, engine.StatusOK, 14, 2)}, // the mark is forgotten
	} {
		require.Equal(t, step.want, m.Event(step.e), "step %d", i)
	}
	m.WriteContext(aimd.Write{Flow: flow, Mask: aimd.MaskW, W: 80})
	require.Equal(t, decision(aimd.KindUpdate, engine.StatusClampedMax, 80, 10), m.Event(ack(161, 170, false)))
	require.Equal(t, aimd.Taps{Sum: 86, Window: 80, Rate: 10}, m.Taps())
	m.WriteContext(aimd.Write{Flow: flow, Mask: aimd.MaskW, W: 27})
	require.EqualValues(t, 14, m.Event(ack(171, 180, true)).W, "13.5 bytes: half of it rounds up")
	require.Equal(t, aimd.Taps{Halved: true, Sum: 14, Window: 14, Rate: 2}, m.Taps())
	for w, sum := range map[uint64]uint64{16: 8, 74: 80} {
		m.WriteContext(aimd.Write{Flow: flow, Mask: aimd.MaskW, W: w})
		e := ack(m.Context(flow).Seq+1, 0, w == 16)
		require.Equal(t, engine.StatusOK, m.Event(e).Status, "%d is a limit itself", sum)
		require.Equal(t, sum, m.Context(flow).W)
	}
}

// A mark on the first event belongs to the round that it begins.
func TestMarkOnTheFirst(t *testing.T) {
	m := newModel(t, small())
	m.Event(ack(0, 100, true))
	require.True(t, m.Context(flow).Marked)
	require.EqualValues(t, 10, m.Event(ack(101, 120, false)).W)
	require.False(t, m.Context(flow).Marked)
}

func TestSequenceNumbersAreSerial(t *testing.T) {
	for distance := range uint32(256) {
		for _, last := range []uint32{0, 1, 127, 128, 250, 255} {
			m := newModel(t, small())
			m.Event(ack(0, last, false))
			got := m.Event(ack(last+distance, 0, false))
			require.Equal(t, distance >= 1 && distance < 128, got.Kind == aimd.KindUpdate, "%d after %d", distance, last)
		}
	}
}

func TestRejectedAndLives(t *testing.T) {
	m := newModel(t, small())
	rejected := func(e aimd.Event) {
		t.Helper()
		before := m.Context(flow)
		require.Equal(t, aimd.Decision{Flow: e.Flow, Generation: e.Generation, Status: engine.StatusRejectedFlow}, m.Event(e))
		require.Equal(t, before, m.Context(flow))
	}
	for range 5 {
		rejected(aimd.Event{Flow: flow, Generation: 2})
	}
	rejected(aimd.Event{Flow: 7})
	require.EqualValues(t, 6%4, m.Counters()[engine.StatusRejectedFlow], "counters have two bits")

	m.Event(ack(0, 100, true))
	m.WriteContext(aimd.Write{Flow: flow, Mask: aimd.MaskStart, Generation: 2})
	require.Equal(t, aimd.Context{
		Life: engine.Life{Open: true, Generation: 2}, Profile: 1, W: 20, Seq: 100,
	}, m.Context(flow), "a start forgets that there were events, and marks")
	require.Equal(t, aimd.KindFirst, m.Event(aimd.Event{Flow: flow, Generation: 2, AckSeq: 101}).Kind)
	m.WriteContext(aimd.Write{Flow: flow, Mask: aimd.MaskClose, Generation: 3})
	require.Equal(t, aimd.Context{Life: engine.Life{Generation: 2}, Profile: 1, W: 20}, m.Context(flow))
	m.WriteContext(aimd.Write{Flow: flow, Mask: aimd.MaskStart | aimd.MaskClose, Generation: 3})
	require.Equal(t, aimd.Context{
		Life: engine.Life{Generation: 3}, Profile: 1, W: 20,
	}, m.Context(flow), "a close wins")
	require.Equal(t, aimd.Data{Flow: 7}, m.ReadContext(7))
	require.Equal(t, aimd.Data{Flow: flow, Context: m.Context(flow)}, m.ReadContext(flow))
}

func TestOperandsAreCut(t *testing.T) {
	m := newModel(t, small())
	ones := ^uint64(0)
	m.WriteContext(aimd.Write{
		Flow: flow, Mask: aimd.MaskProfile | aimd.MaskW | aimd.MaskSeq, Profile: 255, W: ones, Seq: ^uint32(0),
	})
	c := m.Context(flow)
	require.Equal(t, aimd.Context{Life: c.Life, Profile: 1, W: 255, Seq: 255}, c)
	for table := range config.Table(16) {
		m.WriteTable(config.TableWrite{Table: table, Index: 2, Data: ones})
	}
	for table, entries := range m.Tables() {
		want := uint64(255)
		require.Equal(t, want, entries[0], "table %d", table)
	}
	e := aimd.Event{Flow: flow, Generation: 0xf1, Tag: 0xf9, AckSeq: 0x1_00, SndNxt: 0x1_64}
	require.Equal(t, decision(aimd.KindFirst, engine.StatusFirst, 255, 31), m.Event(e), "the rate saturates")
	require.EqualValues(t, 100, m.Context(flow).Seq)
}

// Over any number of rounds W stays within an ulp of the law in exact arithmetic, and R within the bound of the
// contract of w/T.
func TestErrorAgainstExactArithmetic(t *testing.T) {
	largest := new(big.Rat)
	rapid.Check(t, func(t *rapid.T) {
		num := func(low, high int, name string) int { return rapid.IntRange(low, high).Draw(t, name) }
		cfg := small()
		cfg.Window, cfg.InvT = fixed.UQ(20, num(0, 12, "W")), fixed.UQ(0, num(20, 40, "1/T"))
		cfg.Rate = fixed.UQ(20, num(0, 20, "R"))
		d := aimd.NewDesign(cfg)
		bytes := func(n int) uint64 { return uint64(n) << cfg.Window.Frac }
		low, add, rtt := num(1, 2000, "W_min"), num(0, 5000, "W_ai"), num(2, 100_000, "T")
		high := low + num(0, 500_000, "W_max")
		invT, _ := cfg.InvT.Raw(big.NewRat(1, int64(rtt)))
		tables := d.NewTables()
		for table, entry := range []uint64{bytes(add), bytes(low), bytes(high), invT.Uint64()} {
			tables[table][0] = entry
		}
		w := num(low, high, "W")
		c := aimd.Context{Life: engine.Life{Open: true}, Started: true, W: bytes(w)}
		exact := new(big.Rat).SetInt64(int64(w))
		for range num(1, 40, "rounds") {
			mark := rapid.Bool().Draw(t, "mark")
			if mark {
				exact.Mul(exact, big.NewRat(1, 2))
			} else {
				exact.Add(exact, new(big.Rat).SetInt64(int64(add)))
			}
			if bound := new(big.Rat).SetInt64(int64(low)); exact.Cmp(bound) < 0 {
				exact = bound
			}
			if bound := new(big.Rat).SetInt64(int64(high)); exact.Cmp(bound) > 0 {
				exact = bound
			}
			var r aimd.Decision
			c, r, _ = engine.Next(d, tables, c, aimd.Event{AckSeq: c.Seq + 1, SndNxt: c.Seq + 1, Mark: mark})
			got := cfg.Window.Value(new(big.Int).SetUint64(r.W))
			off := difference(got, exact)
			if off.Quo(off, cfg.Window.Ulp()).Cmp(largest) > 0 {
				largest.Set(off)
			}
			require.LessOrEqual(t, off.Cmp(big.NewRat(1, 1)), 0, "W is %s, not %s", got.FloatString(6), exact.FloatString(6))
			rate := new(big.Rat).Quo(got, new(big.Rat).SetInt64(int64(rtt)))
			bound := new(big.Rat).Add(cfg.Rate.Ulp(), new(big.Rat).Mul(got, cfg.InvT.Ulp()))
			offRate := difference(cfg.Rate.Value(new(big.Int).SetUint64(r.Rate)), rate)
			require.LessOrEqual(t, offRate.Mul(offRate, big.NewRat(2, 1)).Cmp(bound), 0, "R for T = %d", rtt)
		}
	})
	require.Positive(t, largest.Cmp(big.NewRat(1, 2)), "the bound is near: roundings add up, %s ulp",
		largest.FloatString(3))
}

func difference(a, b *big.Rat) *big.Rat {
	d := new(big.Rat).Sub(a, b)
	return d.Abs(d)
}

// The frame keeps ACKs of a flow apart and in order, whatever the law.
func TestClocked(t *testing.T) {
	cfg := small()
	timing := engine.Timing{
		Latency: 5, Interval: 1, Hazard: 3, Credits: 8,
		Sweep: 8, InputDepth: 2, Told: 1, ToldRead: 1, Count: 5, Output: 1,
	}
	c, err := engine.NewClocked(&cfg.Engine, aimd.NewDesign(cfg), timing)
	require.NoError(t, err)
	same := newModel(t, cfg)
	var in aimd.Inputs
	var out aimd.Outputs
	in.MReady = true
	// Software opens the flow by the streams.
	tables := []config.TableWrite{
		{Table: aimd.TableWAI, Index: 1, Data: 6}, {Table: aimd.TableWMin, Index: 1, Data: 8},
		{Table: aimd.TableWMax, Index: 1, Data: 80}, {Table: aimd.TableInvT, Index: 1, Data: 16},
	}
	sent, results := 0, []aimd.Decision(nil)
	events := []aimd.Event{
		ack(0, 100, false), ack(101, 120, true), ack(110, 130, false), ack(121, 140, false), ack(150, 151, false),
	}
	var issued []int64
	c.OnEvent = func(cycle int64, _ *aimd.Event, _ *aimd.Decision) { issued = append(issued, cycle) }
	for c.Now() < 120 {
		in.TW.Valid = len(tables) > 0
		if in.TW.Valid {
			in.TW.Payload = tables[0]
		}
		in.CW.Valid = len(tables) == 0 && c.Now() < 50
		in.CW.Payload = opening
		in.S.Valid = c.Now() > 70 && sent < len(events)
		if in.S.Valid {
			in.S.Payload = events[sent]
		}
		c.Cycle(&in, &out)
		if in.TW.Valid && out.TWReady {
			tables = tables[1:]
		}
		if in.S.Valid && out.SReady {
			sent++
		}
		if out.M.Valid {
			results = append(results, out.M.Payload)
		}
	}
	var want []aimd.Decision
	for _, e := range events {
		want = append(want, same.Event(e))
	}
	require.Equal(t, want, results)
	require.Len(t, issued, len(events))
	for i := range issued[1:] {
		require.Greater(t, issued[i+1]-issued[i], int64(timing.Hazard))
	}
}
