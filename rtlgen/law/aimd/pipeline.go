package aimd

import (
	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/engine"
	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

var code = engine.Status

func build(k *engine.Core, c *config.AIMD) {
	m, p, o := k.M, k.P, k.Op
	event, cw, mem := k.Event.(*Event), k.Write.(*Write), &k.Groups.(*groups).Flow
	m.Ignore(event.Now, "the law knows round trips by their sequence numbers")
	in := func(name string, s vgen.Signal) lib.Value { return p.Value(name, k.EventStage, s) }
	ackSeq, sndNxt, mark := in("ack_seq", event.AckSeq), in("snd_nxt", event.SndNxt), in("mark", event.Mark)
	generation := in("generation_in", k.Generation)

	// The stored context passes a register after that of the memory.
	const read, found = 1, 3
	m.Assign(mem.ReadAddr, o.Flow(read))
	var old struct{ open, started, marked, profile, w, seq, generation lib.Value }
	stored := func(name string, s vgen.Signal) lib.Value {
		if !s.Exists() {
			return lib.Value{}
		}
		return p.Reg("stored_"+name, found-1, s)
	}
	old.open, old.started, old.marked = stored("open", mem.Read.Open), stored("started", mem.Read.Started),
		stored("marked", mem.Read.Marked)
	old.profile, old.w, old.seq = stored("profile", mem.Read.Profile), stored("w", mem.Read.W), stored("seq", mem.Read.Seq)
	old.generation = stored("generation", mem.Read.Generation)
	t := engine.NewTables(m, p, o)
	profiles := func(name string, table, bits, stage int) lib.Value {
		write := k.Tables.Copy(table, c.ProfileBits(), bits)
		return t.Entry(name, "of each profile", c.Profiles, stage, write, p.At(old.profile, stage))
	}
	ww := c.Window.Width()

	m.StageDoc(found+1, "is the ACK of the flow's generation? How far is it beyond the last update?")
	beyond := o.Beyond(found)
	closed := engine.Closed(old.open.Signal, p.At(generation, found), old.generation.Signal)
	missing := p.Reg("missing", found, vgen.AnyOf(closed, beyond))
	ahead := p.Reg("ahead", found, p.At(ackSeq, found).Sub(old.seq.Signal))
	wai := profiles("w_ai", tableWAI, ww, found)

	s := ahead.Stage
	m.StageDoc(s+1, "end of a round trip? S = rhu(w / 2) if a mark was seen, or w + W_ai")
	over := ahead.AnyBit().And(ahead.Top().Not()).Named("round_over")
	mine := o.Is(engine.Ack, s).And(missing.Not()).Named("mine")
	started := p.At(old.started, s)
	first := p.Reg("first", s, mine.And(started.Not()), vgen.Reset(0))
	update := p.Reg("update", s, mine.And(started).And(over), vgen.Reset(0))
	status := p.Reg("status", s, vgen.FirstOf(code(engine.StatusNoCommit),
		vgen.When(missing.Signal, code(engine.StatusRejectedFlow)), vgen.When(started.Not(), code(engine.StatusFirst)),
		vgen.When(over, code(engine.StatusOK))))
	halved := p.Reg("halved", s, p.At(old.marked, s).Or(p.At(mark, s)))
	half := p.Reg("w_half", s, lib.RoundHalfUp("w_rounded", p.At(old.w, s), 1))
	raised := p.Reg("w_raised", s, p.At(old.w, s).Zext(ww+1).Add(wai.Zext(ww+1)))
	sum := p.Reg("sum", halved.Stage, vgen.Mux(halved.Signal, half.Fit(ww+1), raised.Signal))

	m.StageHint(sum.Stage, "S; W_min and W_max of the flow's profile")
	m.StageDoc(sum.Stage+1, "Is S below W_min or above W_max?")
	wmin, wmax := profiles("w_min", tableWMin, ww, sum.Stage-1), profiles("w_max", tableWMax, ww, sum.Stage-1)
	low, high := lib.Less("below", sum.Signal, wmin.Signal), lib.Less("above", wmax.Signal, sum.Signal)
	below, above := p.Reg("below_min", sum.Stage, low), p.Reg("above_max", sum.Stage, high)
	s = below.Stage
	window := p.Reg("window", s, vgen.FirstOf(p.At(sum, s).Trunc(ww),
		vgen.When(below.Signal, p.At(wmin, s)), vgen.When(above.Signal, p.At(wmax, s))))

	s = window.Stage
	m.StageDoc(s, "W is S within its limits")
	m.StageDoc(s+1, "Write back; w as it is now, and 1/T for R = w / T")
	write := o.Is(engine.Write, s)
	begins, updates := p.At(first, s), p.At(update, s)
	acts := o.Is(engine.Ack, s).And(p.At(missing, s).Not()).Named("acts")
	put := o.Put(m, s, o.Flow(s), acts.Or(write).Or(o.Is(engine.Clear, s)), mem.WriteEn, mem.WriteAddr)
	k.Loops(engine.Loop{Read: read, Write: put})
	life := engine.LifeWrite{Start: write.And(k.Life.Start), Close: write.And(k.Life.Close), Generation: k.Life.Generation}
	again := life.Start.Or(life.Close).Named("other_life")
	sets := func(field int) vgen.Signal { return write.And(k.Sets(field)) }
	after := vgen.Mux(updates, window.Signal, p.At(old.w, s)).Named("w_after")
	marked := vgen.FirstOf(p.At(old.marked, s), vgen.When(begins, p.At(mark, s)),
		vgen.When(acts, p.At(halved, s).And(updates.Not())))
	keep := func(name string, to, word vgen.Signal) {
		m.Assign(to, p.Step("write_"+name, s, word.Where(o.Is(engine.Clear, s).Not())).Signal)
	}
	keep("open", mem.Write.Open, life.Open(p.At(old.open, s)))
	keep("started", mem.Write.Started, p.At(old.started, s).Or(begins).And(again.Not()))
	keep("marked", mem.Write.Marked, marked.And(again.Not()))
	keep("w", mem.Write.W, vgen.Mux(sets(setW), cw.W, after))
	keep("seq", mem.Write.Seq, vgen.FirstOf(p.At(old.seq, s), vgen.When(begins.Or(updates), p.At(sndNxt, s)),
		vgen.When(sets(setSeq), cw.Seq)))
	if old.profile.Exists() {
		keep("profile", mem.Write.Profile, vgen.Mux(sets(setProfile), cw.Profile, p.At(old.profile, s)))
	} else {
		m.Ignore(k.Sets(setProfile), "there is one profile")
	}
	if old.generation.Exists() {
		keep("generation", mem.Write.Generation, life.Renew(p.At(old.generation, s)))
	}

	// R = W / T. A decision for no flow is zero.
	w := p.Reg("w_now", s, after)
	inv := profiles("inv_rtt", tableInvT, c.InvT.Width(), s)
	product := p.MulApart("rate_product", p.Operand(w), p.Operand(inv), lib.LimbsOf(c.Multiplier))
	rate := p.RoundSaturated("rate", product, c.Window.Frac+c.InvT.Frac-c.Rate.Frac, c.Rate.Width())
	s = rate.Stage
	kind := p.Value("kind", update.Stage, vgen.Cat(update.Signal, first.Signal))
	clamps := p.Value("clamps", update.Stage, update.Signal)
	k.Hold("result", s, w, kind, status, missing, below, above, clamps)
	known := p.At(missing, s).Not()
	wOut, rateOut := p.Reg("w_out", s, p.At(w, s).Where(known)), p.Reg("rate_out", s, rate.Where(known))
	end := wOut.Stage
	k.Decide(end, kind, status, vgen.When(p.At(below, s).And(p.At(clamps, s)), code(engine.StatusClampedMin)),
		vgen.When(p.At(above, s).And(p.At(clamps, s)), code(engine.StatusClampedMax)))
	d := k.Decision.(*Decision)
	m.Assign(d.W, wOut.Signal)
	m.Assign(d.Rate, rateOut.Signal)
	m.Tap("halved", halved.Signal, halved.Stage, "the window halves")
	m.Tap("sum", sum.Signal, sum.Stage, "S, before clamping")
	m.Tap("window", window.Signal, window.Stage, "W after clamping, "+c.Window.String())

	// What a context read sees: of an index of no flow, zeros.
	cd := k.Context.(*Context)
	answer := func(to vgen.Signal, v lib.Value) {
		if to.Exists() && beyond.Exists() {
			v.Signal = v.Where(beyond.Not())
		}
		k.Answer(to, v.Signal, found)
	}
	answer(cd.Open, old.open)
	answer(cd.Started, old.started)
	answer(cd.Marked, old.marked)
	answer(cd.Profile, old.profile)
	answer(cd.W, old.w)
	answer(cd.Seq, old.seq)
	answer(cd.Generation, old.generation)
}
