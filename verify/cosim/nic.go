package cosim

import (
	"fmt"
	"slices"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/hpcc"
	"github.com/hdlpkg/hpccgen/verify/stimulus"
	"github.com/hdlpkg/hpccgen/verify/stimulus/timeline"
)

// nicSubject is an HPCC++ engine with model/hpcc.
type nicSubject struct {
	target *stimulus.Target
	f      frame
	taps   []readTap
}

func newNIC(cfg *config.NIC, taps bool) (*nicSubject, error) {
	t, err := stimulus.NewTarget(cfg, taps)
	if err != nil {
		return nil, err
	}
	var streams []stream
	for _, s := range t.Binding.OutputStreams() {
		streams = append(streams, stream{valid: s.Valid, ports: s.Ports})
	}
	n := &nicSubject{target: t, f: newFrame(t.Design, t.Binding.Layout, t.Taps, streams)}
	for i := range t.Taps {
		r, err := readerOf(t.Taps[i].Name)
		if err != nil {
			return nil, err
		}
		n.taps = append(n.taps, r)
	}
	return n, nil
}

func (n *nicSubject) frame() *frame { return &n.f }

// nicSide is the golden model closed loop with a source.
type nicSide struct {
	*nicSubject
	model  *hpcc.Clocked
	source stimulus.Source
	cov    *stimulus.Coverage // nil: not counted
	leg    *leg
	acks   int64
	onAck  func(cycle int64, a *hpcc.Ack, r *hpcc.Result) // may be nil
	in     hpcc.Inputs
	out    hpcc.Outputs
}

// newSide makes the model's side. attach is given the model and makes the source.
func (n *nicSubject) newSide(attach func(m *hpcc.Clocked) stimulus.Source) (*nicSide, error) {
	m, err := hpcc.NewClocked(n.target.Config, n.target.Timing)
	if err != nil {
		return nil, err
	}
	s := &nicSide{nicSubject: n, model: m, source: attach(m)}
	observer, _ := s.source.(interface {
		Issued(a *hpcc.Ack, r *hpcc.Result)
		Reacted(t *hpcc.Taps)
	})
	var reaction hpcc.Taps
	m.OnReact = func(_ int64, t *hpcc.Taps) {
		if observer != nil {
			observer.Reacted(t)
		}
		reaction = *t
	}
	m.OnAck = func(_ int64, a *hpcc.Ack, r *hpcc.Result) {
		s.acks++
		if r.Kind.Reacts() {
			for i, read := range n.taps {
				if v, ok := read(&reaction, r); ok {
					s.leg.expect(i, int64(n.f.taps[i].Latency), v)
				}
			}
		}
		if observer != nil {
			observer.Issued(a, r)
		}
		if s.onAck != nil {
			s.onAck(s.leg.cycle, a, r)
		}
	}
	return s, nil
}

func (s *nicSide) start(l *leg) { s.leg = l }

func (s *nicSide) items() int64 { return s.acks }

func (s *nicSide) step(in, want []uint64) bool {
	s.source.Next(&s.in)
	s.model.Cycle(&s.in, &s.out)
	s.target.Binding.PutInputs(in, &s.in)
	s.target.Binding.PutOutputs(want, &s.out)
	s.source.Seen(&s.in, &s.out)
	return s.in.Rst
}

func (n *nicSubject) random(seed uint64, counted bool) (side, error) {
	var cov *stimulus.Coverage
	if counted {
		cov = stimulus.NewCoverage(n.target.Config)
	}
	s, err := n.newSide(func(m *hpcc.Clocked) stimulus.Source {
		return stimulus.New(n.target.Config, n.target.Timing, seed, m.Model().Context, cov)
	})
	if err != nil {
		return nil, err
	}
	s.cov = cov
	return s, nil
}

func (n *nicSubject) report(rep *Report, sides []side) {
	cov := stimulus.NewCoverage(n.target.Config)
	for _, s := range sides {
		cov.Merge(s.(*nicSide).cov)
	}
	rep.Acks, rep.Coverage, rep.Holes = rep.items, cov.Rows(), cov.Holes()
}

func (n *nicSubject) record(seed uint64, cycle int64, before int) (script, int64, error) {
	var gen *stimulus.Generator
	var rec *stimulus.Recorder
	var start int64
	s, err := n.newSide(func(m *hpcc.Clocked) stimulus.Source {
		gen = stimulus.New(n.target.Config, n.target.Timing, seed, m.Model().Context, nil)
		start = gen.GoTo(cycle, before)
		rec = stimulus.Record(gen)
		return recorded{rec, gen}
	})
	if err != nil {
		return nil, 0, err
	}
	runTo(newLeg(&n.f, s), start, cycle+1)
	return nicScript{&rec.Script}, start, nil
}

// recorded is a recorder through which the model still reaches the generator.
type recorded struct {
	*stimulus.Recorder
	gen *stimulus.Generator
}

func (r recorded) Issued(a *hpcc.Ack, res *hpcc.Result) { r.gen.Issued(a, res) }
func (r recorded) Reacted(t *hpcc.Taps)                 { r.gen.Reacted(t) }

func (n *nicSubject) play(s script) (side, error) {
	return n.newSide(func(*hpcc.Clocked) stimulus.Source { return stimulus.NewPlayer(s.(nicScript).Script) })
}

// pin moves an ACK to the cycle before its issue.
func (n *nicSubject) pin(from script) (script, error) {
	best := from.(nicScript).Script
	p := stimulus.NewPlayer(best)
	p.Taken = &stimulus.Script{Cycles: best.Cycles, Resets: best.Resets, MStall: best.MStall, CStall: best.CStall}
	s, err := n.newSide(func(*hpcc.Clocked) stimulus.Source { return p })
	if err != nil {
		return nil, err
	}
	next := 0 // ACK taken and not yet issued
	s.onAck = func(cycle int64, a *hpcc.Ack, _ *hpcc.Result) {
		// An ACK can wait in the input slice as well; a reset drops it there.
		for acks := p.Taken.Acks; next < len(acks); next++ {
			if acks[next].Op == *a {
				acks[next].Cycle = cycle - 1
				next++
				return
			}
		}
	}
	runTo(newLeg(&n.f, s), 0, best.Cycles)
	return nicScript{p.Taken}, nil
}

// nicScript shrinks a stimulus of an HPCC++ engine.
type nicScript struct{ *stimulus.Script }

func (s nicScript) copy() script       { return nicScript{s.Clone()} }
func (s nicScript) content() any       { return s.Script }
func (s nicScript) length() int64      { return s.Cycles }
func (s nicScript) operations() int    { return s.Operations() }
func (s nicScript) cut(from, to int64) { s.Cut(from, to) }
func (s nicScript) until(cycle int64)  { s.Until(cycle) }

func nicEdit(edit func(s *stimulus.Script)) func(script) {
	return func(s script) { edit(s.(nicScript).Script) }
}

func (nicScript) free() []func(script) {
	return []func(script){
		nicEdit(func(s *stimulus.Script) { s.MStall, s.CStall = nil, nil }),
		nicEdit(func(s *stimulus.Script) { s.MStall = nil }),
		nicEdit(func(s *stimulus.Script) { s.CStall = nil }),
	}
}

func (nicScript) mute() []func(script) {
	return []func(script){
		nicEdit(func(s *stimulus.Script) { s.Reads = nil }),
		nicEdit(func(s *stimulus.Script) { s.Acks = nil }),
	}
}

func (nicScript) simpler() []func(script) { return nil }

// groups are the flows.
func (s nicScript) groups() []uint32 {
	var flows []uint32
	for _, a := range s.Acks {
		flows = append(flows, a.Op.Flow)
	}
	slices.Sort(flows)
	return slices.Compact(flows)
}

func (s nicScript) dropGroups(flows []uint32) {
	s.Acks = slices.DeleteFunc(s.Acks, func(a timeline.At[hpcc.Ack]) bool { return slices.Contains(flows, a.Op.Flow) })
	s.Writes = slices.DeleteFunc(s.Writes, func(w timeline.At[hpcc.ContextWrite]) bool { return slices.Contains(flows, w.Op.Flow) })
}

func (nicScript) lists() int { return 4 }

func (s nicScript) size(list int) int {
	return [...]int{len(s.Acks), len(s.Reads), len(s.Writes), len(s.Tables)}[list]
}

func (s nicScript) remove(list, from, to int) {
	switch list {
	case 0:
		s.Acks = slices.Delete(s.Acks, from, to)
	case 1:
		s.Reads = slices.Delete(s.Reads, from, to)
	case 2:
		s.Writes = slices.Delete(s.Writes, from, to)
	case 3:
		s.Tables = slices.Delete(s.Tables, from, to)
	}
}

// readTap reads the value of one tap from the model; ok is false when this reaction says nothing about it.
type readTap func(t *hpcc.Taps, r *hpcc.Result) (v uint64, ok bool)

// readerOf finds the model's value for a tap of the design by its name.
func readerOf(name string) (readTap, error) {
	var hop int
	if n, _ := fmt.Sscanf(name, "u_hop%d", &hop); n == 1 && hop < hpcc.MaxHops {
		return func(t *hpcc.Taps, _ *hpcc.Result) (uint64, bool) { return t.UHop[hop], t.HopValid[hop] }, nil
	}
	if name == "tau" || name == "arg_max" { // of the hop chosen, when there is one
		f := tapValues[name]
		return func(t *hpcc.Taps, r *hpcc.Result) (uint64, bool) { return f(t, r), t.UMax > 0 }, nil
	}
	if f, ok := tapValues[name]; ok {
		return func(t *hpcc.Taps, r *hpcc.Result) (uint64, bool) { return f(t, r), true }, nil
	}
	return nil, fmt.Errorf("the design has a tap %q that the golden model does not know", name)
}

// tapValues are the taps that every reaction sets. Those behind the commit show the result.
var tapValues = map[string]func(t *hpcc.Taps, r *hpcc.Result) uint64{
	"u_max":    func(t *hpcc.Taps, _ *hpcc.Result) uint64 { return t.UMax },
	"arg_max":  func(t *hpcc.Taps, _ *hpcc.Result) uint64 { return uint64(t.ArgMax) },
	"tau":      func(t *hpcc.Taps, _ *hpcc.Result) uint64 { return t.Tau },
	"alpha":    func(t *hpcc.Taps, _ *hpcc.Result) uint64 { return t.Alpha },
	"u_new":    func(t *hpcc.Taps, _ *hpcc.Result) uint64 { return t.U },
	"quotient": func(t *hpcc.Taps, _ *hpcc.Result) uint64 { return t.Quotient },
	"window":   func(t *hpcc.Taps, _ *hpcc.Result) uint64 { return t.Window },
	"rate":     func(_ *hpcc.Taps, r *hpcc.Result) uint64 { return r.Rate },
	"stage":    func(_ *hpcc.Taps, r *hpcc.Result) uint64 { return uint64(r.Stage) },
	"kind":     func(_ *hpcc.Taps, r *hpcc.Result) uint64 { return uint64(r.Kind) },
	"status":   func(_ *hpcc.Taps, r *hpcc.Result) uint64 { return uint64(r.Status) },
}
