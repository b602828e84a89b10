package stimulus

import "github.com/hdlpkg/hpccgen/verify/stimulus/random"

// makeEvent makes the next event of stream s and returns its scenario. While no flow is open it mostly makes
// none.
func (g *Generator[E, W]) makeEvent(e *E) (scenario int, made bool) {
	r := &g.R
	scenario = g.bins.plain
	if g.corners > 0 && r.OneIn(g.corners) {
		scenario = r.N(len(g.bins.Scenarios))
		if g.bins.Scenarios[scenario].Impossible {
			scenario = g.bins.plain
		}
	}
	f := g.Pick()
	if f == nil {
		if !r.OneIn(16) {
			return scenario, false
		}
		scenario = g.bins.badFlow
	}
	if scenario == g.bins.badFlow {
		g.badFlow(e)
		return scenario, true
	}
	if g.cycle-f.made > int64(g.settled) {
		g.draw.Refresh(f)
	}
	f.made = g.cycle
	flow, generation, tag := g.draw.Header(e)
	if scenario == g.bins.noise {
		g.draw.Noise(e)
		*flow = f.Index
		return scenario, true
	}
	g.draw.Event(f, scenario, e)
	*flow, *generation, *tag = f.Index, f.Generation, g.AnyTag()
	if scenario == g.bins.formerLife {
		*generation = (*generation - 1 - uint8(r.N(1<<g.cfg.GenBits-1))) & uint8(random.Mask(g.cfg.GenBits))
	}
	return scenario, true
}

// badFlow is an event of a flow that is not open or beyond the contexts.
func (g *Generator[E, W]) badFlow(e *E) {
	g.draw.Noise(e)
	flow, _, _ := g.draw.Header(e)
	if beyond := 1<<g.cfg.FlowBits() - g.cfg.Flows; beyond > 0 && g.R.OneIn(2) {
		*flow = uint32(g.cfg.Flows + g.R.N(beyond))
		return
	}
	for range 4 {
		*flow = uint32(g.R.N(g.cfg.Flows))
		if !g.open(*flow) {
			return
		}
	}
}

// AnyTag is one that no other event is likely to have.
func (g *Generator[E, W]) AnyTag() uint64 {
	if g.cfg.TagBits == 0 {
		return 0
	}
	return g.R.Next() & random.Mask(g.cfg.TagBits)
}

// NextLife is a generation for a flow that was in the given one: mostly the next, as software would count.
func (g *Generator[E, W]) NextLife(last uint8) uint8 {
	next := last + 1
	if g.R.OneIn(4) {
		next = uint8(g.R.Next())
	}
	return next & uint8(random.Mask(g.cfg.GenBits))
}
