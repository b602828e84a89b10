package cosim

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/law/hpcc"
	"github.com/hdlpkg/hpccgen/verify/drive"
	"github.com/hdlpkg/hpccgen/verify/stimulus"
	"github.com/hdlpkg/hpccgen/verify/stimulus/timeline"
)

// nicSubject is an HPCC++ engine with model/law/hpcc.
type nicSubject struct {
	target *stimulus.Target
	frame  drive.Frame
	taps   []readTap
}

func newNIC(cfg *config.NIC, taps bool) (*nicSubject, error) {
	t, err := stimulus.NewTarget(cfg, taps)
	if err != nil {
		return nil, err
	}
	n := &nicSubject{target: t, frame: drive.NewFrame(t.Design, t.Binding.Layout, t.Taps)}
	for i := range t.Taps {
		r, err := readerOf(t.Taps[i].Name)
		if err != nil {
			return nil, err
		}
		n.taps = append(n.taps, r)
	}
	return n, nil
}

// Frame is that of the engine.
func (n *nicSubject) Frame() *drive.Frame { return &n.frame }

// nicSide is the golden model closed loop with a source.
type nicSide struct {
	*nicSubject
	model  *hpcc.Clocked
	source stimulus.Source
	cov    *stimulus.Coverage // nil: not counted
	leg    *drive.Leg
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
	m.OnEvent = func(issue int64, a *hpcc.Ack, r *hpcc.Result) {
		s.acks++
		late := m.Now() - 1 - issue // cycles since the issue: without slices an ACK acts when it is transferred
		if r.Kind.Reacts() {
			for i, read := range n.taps {
				if v, ok := read(&reaction, r); ok {
					s.leg.Expect(i, int64(n.frame.Taps[i].Latency)-late, v)
				}
			}
		}
		if observer != nil {
			observer.Issued(a, r)
		}
		if s.onAck != nil {
			s.onAck(s.leg.Cycle()-late, a, r)
		}
	}
	return s, nil
}

// Start keeps the leg.
func (s *nicSide) Start(l *drive.Leg) { s.leg = l }

// Items is the number of ACKs that were issued.
func (s *nicSide) Items() int64 { return s.acks }

// Step makes one cycle.
func (s *nicSide) Step(in, want []uint64) bool {
	s.source.Next(&s.in)
	s.model.Cycle(&s.in, &s.out)
	s.target.Binding.PutInputs(in, &s.in)
	s.target.Binding.PutOutputs(want, &s.out)
	s.source.Seen(&s.in, &s.out)
	return s.in.Rst
}

// Random is the model with the generator of a seed.
func (n *nicSubject) Random(seed uint64, counted bool) (drive.Side, error) {
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

// Report adds up ACKs and coverage.
func (n *nicSubject) Report(rep *Report, sides []drive.Side) {
	cov := stimulus.NewCoverage(n.target.Config)
	for _, s := range sides {
		cov.Merge(s.(*nicSide).cov)
	}
	rep.Acks, rep.Coverage, rep.Holes = rep.Items, cov.Rows(), cov.Holes()
}

// Record writes down what the generator does.
func (n *nicSubject) Record(seed uint64, cycle int64, before int) (timeline.Script, int64, error) {
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
	drive.NewLeg(&n.frame, s, "").From(start).RunTo(cycle+1, nil)
	return &rec.Script, start, nil
}

// recorded is a recorder through which the model still reaches the generator.
type recorded struct {
	*stimulus.Recorder
	gen *stimulus.Generator
}

func (r recorded) Issued(a *hpcc.Ack, res *hpcc.Result) { r.gen.Issued(a, res) }
func (r recorded) Reacted(t *hpcc.Taps)                 { r.gen.Reacted(t) }

// Play is the model with a script.
func (n *nicSubject) Play(s timeline.Script) (drive.Side, error) {
	return n.newSide(func(*hpcc.Clocked) stimulus.Source { return stimulus.NewPlayer(s.(*stimulus.Script)) })
}

// Pin moves an ACK to the cycle before its issue.
func (n *nicSubject) Pin(from timeline.Script) (timeline.Script, error) {
	best := from.(*stimulus.Script)
	p := stimulus.NewPlayer(best)
	taken := *best
	taken.Acks, taken.Writes, taken.Reads, taken.Tables = nil, nil, nil, nil
	p.Taken = &taken
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
	drive.NewLeg(&n.frame, s, "").RunTo(best.Cycles, nil)
	return p.Taken, nil
}

// readTap reads the value of one tap from the model; ok is false when this reaction says nothing about it.
type readTap func(t *hpcc.Taps, r *hpcc.Result) (v uint64, ok bool)

// readerOf finds the model's value for a tap of the design by its name.
func readerOf(name string) (readTap, error) {
	var hop int
	if n, _ := fmt.Sscanf(name, "u_hop%d", &hop); n == 1 && hop < hpcc.MaxHops {
		return func(t *hpcc.Taps, _ *hpcc.Result) (uint64, bool) { return t.UHop[hop], t.HopValid[hop] }, nil
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
