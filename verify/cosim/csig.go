package cosim

import (
	"fmt"
	"slices"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/csig"
	"github.com/hdlpkg/hpccgen/verify/stimulus/timeline"
	"github.com/hdlpkg/hpccgen/verify/stimulus/transit"
)

// csigSubject is a csig_switch with model/csig.
type csigSubject struct {
	target *transit.Target
	f      frame
	taps   []readCSIGTap
}

func newCSIG(cfg *config.CSIG) (*csigSubject, error) {
	t, err := transit.NewTarget(cfg, true)
	if err != nil {
		return nil, err
	}
	return csigTarget(t)
}

func csigTarget(t *transit.Target) (*csigSubject, error) {
	c := &csigSubject{target: t, f: newFrame(t.Design, t.Binding.Layout, t.Taps, csigStreams(t.Binding))}
	for _, tap := range t.Taps {
		read, ok := csigTaps[tap.Name]
		if !ok {
			return nil, fmt.Errorf("the design has a tap %q that the golden model does not know", tap.Name)
		}
		if tap.Latency < t.Timing.Code {
			return nil, fmt.Errorf("the tap %q shows what it shows %d cycles after the header cycle, before the value is there (%d)", tap.Name, tap.Latency, t.Timing.Code)
		}
		c.taps = append(c.taps, read)
	}
	return c, nil
}

func csigStreams(b *transit.Binding) []stream {
	var streams []stream
	for _, s := range b.OutputStreams() {
		g := stream{valid: s.Valid, ports: s.Ports}
		if s.Data >= 0 {
			g.lanes = []lane{{data: s.Data, keep: s.Keep}}
		}
		streams = append(streams, g)
	}
	return streams
}

// readCSIGTap reads the value of one tap from the model; ok is false when it says nothing about this packet.
type readCSIGTap func(ev *csig.Event) (v uint64, ok bool)

// csigTaps are the taps of packets that are compared.
var csigTaps = map[string]readCSIGTap{
	"value":   func(ev *csig.Event) (uint64, bool) { return ev.Value, true },
	"bucket":  func(ev *csig.Event) (uint64, bool) { return uint64(ev.Code), ev.Place.Size.Len() == 4 },
	"quantum": func(ev *csig.Event) (uint64, bool) { return uint64(ev.Code), ev.Place.Size.Len() == 8 },
}

func (c *csigSubject) frame() *frame { return &c.f }

// csigSide is the golden model closed loop with a source.
type csigSide struct {
	*csigSubject
	model   *csig.Clocked
	source  transit.Source
	cov     *transit.Coverage // nil: not counted
	leg     *leg
	packets int64
	decided func(cycle int64, ev *csig.Event) // may be nil
	in      csig.Inputs
	out     csig.Outputs
}

// newSide makes the model's side.
func (c *csigSubject) newSide(source transit.Source) (*csigSide, error) {
	m, err := csig.NewClocked(c.target.Config, c.target.Timing)
	if err != nil {
		return nil, err
	}
	s := &csigSide{csigSubject: c, model: m, source: source}
	observer, _ := source.(interface{ Decided(ev *csig.Event) })
	m.OnCode = func(_ int64, ev *csig.Event) {
		for i, read := range c.taps {
			if v, ok := read(ev); ok {
				s.leg.expect(i, int64(c.f.taps[i].Latency-c.target.Timing.Code), v)
			}
		}
	}
	m.OnDecision = func(_ int64, ev *csig.Event) {
		s.packets++
		if observer != nil {
			observer.Decided(ev)
		}
		if s.decided != nil {
			s.decided(s.leg.cycle, ev)
		}
	}
	return s, nil
}

func (s *csigSide) start(l *leg) { s.leg = l }

func (s *csigSide) items() int64 { return s.packets }

func (s *csigSide) step(in, want []uint64) bool {
	s.source.Next(&s.in)
	s.model.Cycle(&s.in, &s.out)
	s.target.Binding.PutInputs(in, &s.in)
	s.target.Binding.PutOutputs(want, &s.out)
	s.source.Seen(&s.in, &s.out)
	return s.in.Rst
}

func (c *csigSubject) random(seed uint64, counted bool) (side, error) {
	cov := transit.NewCoverage(c.target.Config, c.target.Timing)
	gen := transit.New(c.target.Config, c.target.Timing, seed, cov)
	s, err := c.newSide(gen)
	if err != nil {
		return nil, err
	}
	gen.Meter = s.model.Meter
	if counted {
		s.cov = cov
	}
	return s, nil
}

func (c *csigSubject) report(rep *Report, sides []side) {
	cov := transit.NewCoverage(c.target.Config, c.target.Timing)
	for _, s := range sides {
		cov.Merge(s.(*csigSide).cov)
	}
	rep.Packets, rep.BeatsIn, rep.BeatsOut = rep.items, cov.BeatsIn(), cov.BeatsOut()
	rep.Throughput, rep.Coverage, rep.Holes = cov.Throughput(), cov.Rows(), cov.Holes()
}

// generator is the source of a seed, at the start of the episode that holds a cycle or of one before it.
func (c *csigSubject) generator(seed uint64, cycle int64, before int) (gen *transit.Generator, start int64) {
	gen = transit.New(c.target.Config, c.target.Timing, seed, nil)
	return gen, gen.GoTo(cycle, before)
}

func (c *csigSubject) record(seed uint64, cycle int64, before int) (script, int64, error) {
	gen, start := c.generator(seed, cycle, before)
	rec := transit.Record(gen, c.target.Config.DataBits/8)
	s, err := c.newSide(recordedPackets{rec, gen})
	if err != nil {
		return nil, 0, err
	}
	runTo(newLeg(&c.f, s), start, cycle+1)
	return csigScript{&rec.Script}, start, nil
}

// recordedPackets is a recorder through which the model still reaches the generator.
type recordedPackets struct {
	*transit.Recorder
	gen *transit.Generator
}

func (r recordedPackets) Decided(ev *csig.Event) { r.gen.Decided(ev) }

func (c *csigSubject) play(s script) (side, error) {
	return c.newSide(transit.NewPlayer(s.(csigScript).Script))
}

func (c *csigSubject) pin(from script) (script, error) {
	best := from.(csigScript).Script
	p := transit.NewPlayer(best)
	taken := *best
	taken.Packets, taken.Writes, taken.Reads = nil, nil, nil
	p.Taken = &taken
	s, err := c.newSide(p)
	if err != nil {
		return nil, err
	}
	runTo(newLeg(&c.f, s), 0, best.Cycles)
	return csigScript{p.Taken.Clone()}, nil
}

// csigScript shrinks a stimulus of a csig_switch.
type csigScript struct{ *transit.Script }

func (s csigScript) copy() script       { return csigScript{s.Clone()} }
func (s csigScript) content() any       { return s.Script }
func (s csigScript) length() int64      { return s.Cycles }
func (s csigScript) operations() int    { return s.Operations() }
func (s csigScript) cut(from, to int64) { s.Cut(from, to) }
func (s csigScript) until(cycle int64)  { s.Until(cycle) }

func csigEdit(edit func(s *transit.Script)) func(script) {
	return func(s script) { edit(s.(csigScript).Script) }
}

func (csigScript) free() []func(script) {
	return []func(script){
		csigEdit(func(s *transit.Script) { s.MStall, s.BStall, s.RStall, s.Pauses = nil, nil, nil, nil }),
		csigEdit(func(s *transit.Script) { s.MStall = nil }),
		csigEdit(func(s *transit.Script) { s.BStall, s.RStall = nil, nil }),
		csigEdit(func(s *transit.Script) { s.Pauses = nil }),
	}
}

func (csigScript) mute() []func(script) {
	return []func(script){
		csigEdit(func(s *transit.Script) { s.Reads = nil }),
		csigEdit(func(s *transit.Script) { s.Packets = nil }),
		csigEdit(func(s *transit.Script) { s.Writes = nil }),
	}
}

// groups are the egress ports.
func (s csigScript) groups() []uint32 {
	var ports []uint32
	for _, p := range s.Packets {
		ports = append(ports, uint32(p.Op.Meta.EgressPort))
	}
	slices.Sort(ports)
	return slices.Compact(ports)
}

func (s csigScript) dropGroups(ports []uint32) {
	s.Packets = slices.DeleteFunc(s.Packets, func(p timeline.At[transit.Packet]) bool {
		return slices.Contains(ports, uint32(p.Op.Meta.EgressPort))
	})
}

func (csigScript) lists() int { return 3 }

func (s csigScript) size(list int) int {
	return [...]int{len(s.Packets), len(s.Reads), len(s.Writes)}[list]
}

func (s csigScript) remove(list, from, to int) {
	switch list {
	case 0:
		s.Packets = slices.Delete(s.Packets, from, to)
	case 1:
		s.Reads = slices.Delete(s.Reads, from, to)
	case 2:
		s.Writes = slices.Delete(s.Writes, from, to)
	}
}

// simpler shortens each packet, and makes what follows the headers zero, as long as there are few.
func (s csigScript) simpler() []func(script) {
	const few, headers = 12, 56
	var edits []func(script)
	if len(s.Packets) > few {
		return nil
	}
	for i := range s.Packets {
		edit := func(change func(p *transit.Packet)) {
			edits = append(edits, csigEdit(func(s *transit.Script) {
				if i < len(s.Packets) {
					change(&s.Packets[i].Op)
				}
			}))
		}
		for _, n := range []int{64, headers} {
			edit(func(p *transit.Packet) {
				if len(p.Bytes) > n && !p.Open {
					p.Bytes = slices.Clone(p.Bytes[:n])
				}
			})
		}
		edit(func(p *transit.Packet) {
			if len(p.Bytes) > headers {
				p.Bytes = slices.Clone(p.Bytes)
				clear(p.Bytes[headers:])
			}
		})
	}
	return edits
}
