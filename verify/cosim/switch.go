package cosim

import (
	"slices"

	"github.com/hdlpkg/hpccgen/model/csig"
	"github.com/hdlpkg/hpccgen/verify/stimulus/timeline"
	"github.com/hdlpkg/hpccgen/verify/stimulus/transit"
)

// switchSubject is a design of a switch: packets go in and come out, and software has a register bus.
type switchSubject struct {
	kind     switchKind
	f        frame
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

func newSwitch(kind switchKind, f frame, b *transit.Binding, dataBits, header, decision int) *switchSubject {
	return &switchSubject{kind: kind, f: f, binding: b, width: dataBits / 8, header: header, decision: int64(decision)}
}

func switchStreams(b *transit.Binding) []stream {
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

func (c *switchSubject) frame() *frame { return &c.f }

// switchSide is the golden model closed loop with a source.
type switchSide struct {
	*switchSubject
	cycle   func(in *csig.Inputs, out *csig.Outputs)
	source  transit.Source
	leg     *leg
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

func (s *switchSide) start(l *leg) { s.leg = l }

func (s *switchSide) items() int64 { return s.packets }

func (s *switchSide) step(in, want []uint64) bool {
	s.source.Next(&s.in)
	s.cycle(&s.in, &s.out)
	s.binding.PutInputs(in, &s.in)
	s.binding.PutOutputs(want, &s.out)
	s.source.Seen(&s.in, &s.out)
	return s.in.Rst
}

func (c *switchSubject) random(seed uint64, counted bool) (side, error) {
	if counted {
		return c.newSide(c.kind.counted(seed))
	}
	src, _ := c.kind.source(seed, 0, 0)
	return c.newSide(src)
}

func (c *switchSubject) report(rep *Report, sides []side) {
	sources := make([]transit.Source, len(sides))
	for i, s := range sides {
		sources[i] = s.(*switchSide).source
	}
	rep.Packets = rep.items
	c.kind.report(rep, sources)
}

func (c *switchSubject) record(seed uint64, cycle int64, before int) (script, int64, error) {
	src, start := c.kind.source(seed, cycle, before)
	rec := transit.Record(src, c.width)
	s, err := c.newSide(rec)
	if err != nil {
		return nil, 0, err
	}
	runTo(newLeg(&c.f, s), start, cycle+1)
	return switchScript{&rec.Script}, start, nil
}

func (c *switchSubject) play(s script) (side, error) {
	return c.newSide(transit.NewPlayer(s.(switchScript).Script))
}

func (c *switchSubject) pin(from script) (script, error) {
	best := from.(switchScript).Script
	p := transit.NewPlayer(best)
	taken := *best
	taken.Packets, taken.Writes, taken.Reads = nil, nil, nil
	p.Taken = &taken
	s, err := c.newSide(p)
	if err != nil {
		return nil, err
	}
	runTo(newLeg(&c.f, s), 0, best.Cycles)
	return switchScript{p.Taken.Clone()}, nil
}

// switchScript shrinks a stimulus of a switch.
type switchScript struct{ *transit.Script }

func (s switchScript) copy() script       { return switchScript{s.Clone()} }
func (s switchScript) content() any       { return s.Script }
func (s switchScript) length() int64      { return s.Cycles }
func (s switchScript) operations() int    { return s.Operations() }
func (s switchScript) cut(from, to int64) { s.Cut(from, to) }
func (s switchScript) until(cycle int64)  { s.Until(cycle) }

func switchEdit(edit func(s *transit.Script)) func(script) {
	return func(s script) { edit(s.(switchScript).Script) }
}

func (switchScript) free() []func(script) {
	return []func(script){
		switchEdit(func(s *transit.Script) { s.MStall, s.BStall, s.RStall, s.Pauses = nil, nil, nil, nil }),
		switchEdit(func(s *transit.Script) { s.MStall = nil }),
		switchEdit(func(s *transit.Script) { s.BStall, s.RStall = nil, nil }),
		switchEdit(func(s *transit.Script) { s.Pauses = nil }),
	}
}

func (switchScript) mute() []func(script) {
	return []func(script){
		switchEdit(func(s *transit.Script) { s.Reads = nil }),
		switchEdit(func(s *transit.Script) { s.Packets = nil }),
		switchEdit(func(s *transit.Script) { s.Writes = nil }),
	}
}

// groups are the egress ports.
func (s switchScript) groups() []uint32 {
	var ports []uint32
	for _, p := range s.Packets {
		ports = append(ports, uint32(p.Op.Meta.EgressPort))
	}
	slices.Sort(ports)
	return slices.Compact(ports)
}

func (s switchScript) dropGroups(ports []uint32) {
	s.Packets = slices.DeleteFunc(s.Packets, func(p timeline.At[transit.Packet]) bool {
		return slices.Contains(ports, uint32(p.Op.Meta.EgressPort))
	})
}

func (switchScript) lists() int { return 3 }

func (s switchScript) size(list int) int {
	return [...]int{len(s.Packets), len(s.Reads), len(s.Writes)}[list]
}

func (s switchScript) remove(list, from, to int) {
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
func (s switchScript) simpler() []func(script) {
	const few, headers = 12, 56
	var edits []func(script)
	if len(s.Packets) > few {
		return nil
	}
	for i := range s.Packets {
		edit := func(change func(p *transit.Packet)) {
			edits = append(edits, switchEdit(func(s *transit.Script) {
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
