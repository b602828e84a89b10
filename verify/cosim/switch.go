package cosim

import (
	"github.com/hdlpkg/hpccgen/model/csig"
	"github.com/hdlpkg/hpccgen/verify/drive"
	"github.com/hdlpkg/hpccgen/verify/stimulus/timeline"
	"github.com/hdlpkg/hpccgen/verify/stimulus/transit"
)

// switchSubject is a design of a switch: packets go in and come out, and software has a register bus.
type switchSubject struct {
	kind     switchKind
	frame    drive.Frame
	binding  *transit.Binding
	width    int   // bytes of a beat
	header   int   // bytes of a packet with which its header ends
	decision int64 // cycles from a packet's header to its decision
}

// switchKind is what kinds of such designs differ in.
type switchKind interface {
	// model makes the golden model. It tells the side of each packet that it decides, in order (switchSide.decide).
	model(s *switchSide) (cycle func(in *csig.Inputs, out *csig.Outputs), err error)
	// source is the stimulus of a seed, from the start of the episode that holds a cycle or of one so many before it.
	source(seed uint64, cycle int64, before int) (src transit.Source, start int64)
	// counted is the stimulus of a seed from its start, which is to be reported.
	counted(seed uint64) transit.Source
	report(rep *Report, sources []transit.Source)
}

func newSwitch(kind switchKind, f drive.Frame, b *transit.Binding, dataBits, header, decision int) *switchSubject {
	return &switchSubject{kind: kind, frame: f, binding: b, width: dataBits / 8, header: header, decision: int64(decision)}
}

// Frame is that of the device.
func (c *switchSubject) Frame() *drive.Frame { return &c.frame }

// switchSide is the golden model closed loop with a source.
type switchSide struct {
	*switchSubject
	cycle   func(in *csig.Inputs, out *csig.Outputs)
	source  transit.Source
	leg     *drive.Leg
	packets int64
	decided func(result func() string) // may be nil
	in      csig.Inputs
	out     csig.Outputs
}

// newSide makes the model's side.
func (c *switchSubject) newSide(source transit.Source) (s *switchSide, err error) {
	s = &switchSide{switchSubject: c, source: source}
	s.cycle, err = c.kind.model(s)
	return s, err
}

// decide takes note of a packet's decision; result describes it.
func (s *switchSide) decide(result func() string) {
	s.packets++
	if s.decided != nil {
		s.decided(result)
	}
}

// expect notes what a tap must show of a packet whose header was complete so many cycles ago.
func (s *switchSide) expect(tap int, late int64, v uint64) {
	s.leg.Expect(tap, int64(s.frame.Taps[tap].Latency)-late, v)
}

// Start keeps the leg.
func (s *switchSide) Start(l *drive.Leg) { s.leg = l }

// Items is the number of packets decided on.
func (s *switchSide) Items() int64 { return s.packets }

// Step makes one cycle.
func (s *switchSide) Step(in, want []uint64) bool {
	s.source.Next(&s.in)
	s.cycle(&s.in, &s.out)
	s.binding.PutInputs(in, &s.in)
	s.binding.PutOutputs(want, &s.out)
	s.source.Seen(&s.in, &s.out)
	return s.in.Rst
}

// Random is the model with the traffic of a seed.
func (c *switchSubject) Random(seed uint64, counted bool) (drive.Side, error) {
	if counted {
		return c.newSide(c.kind.counted(seed))
	}
	src, _ := c.kind.source(seed, 0, 0)
	return c.newSide(src)
}

// Report adds up packets and what the kind counts.
func (c *switchSubject) Report(rep *Report, sides []drive.Side) {
	sources := make([]transit.Source, len(sides))
	for i, s := range sides {
		sources[i] = s.(*switchSide).source
	}
	rep.Packets = rep.Items
	c.kind.report(rep, sources)
}

// Record writes down what the source does.
func (c *switchSubject) Record(seed uint64, cycle int64, before int) (timeline.Script, int64, error) {
	src, start := c.kind.source(seed, cycle, before)
	rec := transit.Record(src, c.width)
	s, err := c.newSide(rec)
	if err != nil {
		return nil, 0, err
	}
	drive.NewLeg(&c.frame, s, "").From(start).RunTo(cycle+1, nil)
	return &rec.Script, start, nil
}

// Play is the model with a script.
func (c *switchSubject) Play(s timeline.Script) (drive.Side, error) {
	return c.newSide(transit.NewPlayer(s.(*transit.Script)))
}

// Pin moves a packet to the cycle of its first beat, and an access to that of its offer.
func (c *switchSubject) Pin(from timeline.Script) (timeline.Script, error) {
	best := from.(*transit.Script)
	p := transit.NewPlayer(best)
	taken := *best
	taken.Packets, taken.Writes, taken.Reads = nil, nil, nil
	p.Taken = &taken
	s, err := c.newSide(p)
	if err != nil {
		return nil, err
	}
	drive.NewLeg(&c.frame, s, "").RunTo(best.Cycles, nil)
	return p.Taken.Clone(), nil
}
