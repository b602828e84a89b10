package transit

import (
	model "github.com/hdlpkg/hpccgen/model/transit"
	"github.com/hdlpkg/hpccgen/verify/drive"
	"github.com/hdlpkg/hpccgen/verify/stimulus/timeline"
)

// Subject compares a packet pipeline with its golden model: packets enter and leave, and software has a register
// bus.
type Subject struct {
	*Design
	frame drive.Frame
}

// NewSubject is the subject of a design.
func NewSubject(d *Design) *Subject {
	return &Subject{d, drive.NewFrame(d.Target.Design, d.Binding.Layout, d.Taps)}
}

// Frame is that of the device.
func (c *Subject) Frame() *drive.Frame { return &c.frame }

// Side is the golden model closed loop with a source.
type Side struct {
	*Subject
	Coverage
	Gen *Generator // behind the source; nil: a script is played

	device  Device
	source  Source
	leg     *drive.Leg
	decided func(dropped bool, result func() string) // may be nil
	in      model.Inputs
	out     model.Outputs
}

// newSide makes the model's side; gen is nil where the source plays a script.
func (c *Subject) newSide(gen *Generator, source Source) (s *Side, err error) {
	s = &Side{Subject: c, Gen: gen, source: source}
	if s.device, err = c.Open(s); err == nil {
		s.Coverage.init(c.Design)
	}
	return s, err
}

// generated is the model's side with the generator of a seed, from the start of the episode that holds a cycle, or of
// one so many episodes before it; start is the first cycle there.
func (c *Subject) generated(seed uint64, cycle int64, before int) (s *Side, start int64, err error) {
	g := &Generator{Design: c.Design, episodes: c.Episodes(seed)}
	if s, err = c.newSide(g, g); err != nil {
		return nil, 0, err
	}
	g.device, g.cov = s.device, &s.Coverage
	return s, g.goTo(cycle, before), nil
}

// Decided takes note of what becomes of the oldest packet that is not decided on, which result describes. It returns
// what the generator knows of it, nil when a script is played.
func (s *Side) Decided(dropped bool, result func() string) (f *Flight) {
	if s.Gen != nil {
		f = s.Gen.decided(dropped)
	}
	s.Packets++
	if s.decided != nil {
		s.decided(dropped, result)
	}
	return f
}

// Start stores the leg.
func (s *Side) Start(l *drive.Leg) { s.leg = l }

// Items is the number of packets decided on.
func (s *Side) Items() int64 { return s.Packets }

// Step makes one cycle.
func (s *Side) Step(in, want []uint64) bool {
	s.source.Next(&s.in)
	s.device.Cycle(&s.in, &s.out)
	s.Binding.PutInputs(in, &s.in)
	s.Binding.PutOutputs(want, &s.out)
	s.source.Seen(&s.in, &s.out)
	return s.in.Rst
}

// Random is the model with the traffic of a seed.
func (c *Subject) Random(seed uint64) (drive.Side, error) {
	s, _, err := c.generated(seed, 0, 0)
	return s, err
}

// Report adds up packets and coverage.
func (c *Subject) Report(rep *drive.Report, sides []drive.Side) {
	cov := &sides[0].(*Side).Coverage
	for _, s := range sides[1:] {
		cov.merge(&s.(*Side).Coverage)
	}
	rep.Packets, rep.BeatsIn, rep.BeatsOut, rep.Throughput = rep.Items, cov.BeatsIn, cov.BeatsOut, cov.Throughput
	rep.Coverage, rep.Holes = cov.Rows(), cov.Holes()
}

// Record records the source's actions.
func (c *Subject) Record(seed uint64, cycle int64, before int) (timeline.Script, int64, error) {
	s, start, err := c.generated(seed, cycle, before)
	if err != nil {
		return nil, 0, err
	}
	rec := Record(s.source, c.Width())
	s.source = rec
	drive.NewLeg(&c.frame, s, "").From(start).RunTo(cycle+1, nil)
	return &rec.Script, start, nil
}

// Play is the model with a script.
func (c *Subject) Play(s timeline.Script) (drive.Side, error) {
	return c.newSide(nil, NewPlayer(s.(*Script)))
}

// Pin moves a packet to the cycle of its first beat, and an access to that of its offer.
func (c *Subject) Pin(from timeline.Script) (timeline.Script, error) {
	best := from.(*Script)
	p := NewPlayer(best)
	taken := *best
	taken.Packets, taken.Writes, taken.Reads = nil, nil, nil
	p.Taken = &taken
	s, err := c.newSide(nil, p)
	if err != nil {
		return nil, err
	}
	drive.NewLeg(&c.frame, s, "").RunTo(best.Cycles, nil)
	return p.Taken.Copy(), nil
}
