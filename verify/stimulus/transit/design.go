package transit

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/config/registers"
	"github.com/hdlpkg/hpccgen/config/timing"
	model "github.com/hdlpkg/hpccgen/model/transit"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
	"github.com/hdlpkg/hpccgen/verify/engine"
)

// Design is a packet pipeline as its verification sees it: the generated design, and the parts of its stimulus that are
// its own.
type Design struct {
	*Target
	Registers *registers.Map
	Mixes     []string                      // of packets: a phase has one
	Writes    func(p Plan) int              // about as many as software makes before a plan's device works
	Open      func(s *Side) (Device, error) // of each run
}

// Device is the golden model of a run with what only its design knows of the stimulus. It draws from the generator of
// its side, and queues writes there (Generator.Set). When a script is played there is no generator, and Cycle is all
// that is called. The rows of its coverage are added as it is opened (Side.Group).
type Device interface {
	// Cycle is the golden model, which tells the side of packets (Side.Decided, Show).
	Cycle(in *model.Inputs, out *model.Outputs)
	// Begin forgets the episode before, and queues what software writes first.
	Begin(p Plan)
	// Phase draws the packets of a phase; Prepare, which follows it, what software writes for them.
	Phase()
	Prepare()
	// Hold reports whether the next packet must wait. It is asked in each cycle in which there could be one.
	Hold() bool
	// Packet makes the next packet, all but Open. Its slices are there to be used again.
	Packet(p *Packet)
	// Operate queues something that software does while packets are in flight; Address is that of a read.
	Operate()
	Address() uint16
	// Written is called with each write that was taken.
	Written(w *Write)
}

// Plan selects what an episode's software writes at its start.
type Plan uint8

// The plans.
const (
	Whole   Plan = iota // the configuration's values, as drivers write them
	Drawn               // settings at random, in any order
	Partial             // some of that
	Nothing             // reset values
	plans
)

// Target is a generated packet pipeline: what to run, its published timing, and where its ports and taps
// lie.
type Target struct {
	Design engine.Design
	Timing any // a pointer to the record that the golden model is given
	Shape
	Binding *Binding
	Taps    []vgen.Tap // as in Layout.Taps; Latency counts from the packet's header cycle
}

// Shape is the timing that a packet pipeline publishes, and the sizes of its streams (docs/csig.md, Hardware).
type Shape struct {
	Sizes
	timing.Transit
	Header int // the header cycle is that of the beat with the last of so many bytes, or the packet's last beat
	// Decision is from a packet's header cycle, or from the last cycle of its Spacing, if that is later, until its
	// decision is offered to the editor.
	Decision int
}

// NewTarget makes the target of a generated design, with or without its taps.
func NewTarget(
	d config.Design, top *vgen.Module, async bool, timing any, s Shape, taps bool,
) (*Target, error) {
	t := &Target{Timing: timing, Shape: s}
	t.Design = engine.Design{Top: top, Taps: taps, Name: d.DesignName(), Config: d.DesignHash()}
	if async {
		t.Design.Reset = vgen.AsyncLow
	}
	layout := vgen.NewLayout(top, taps)
	if taps {
		t.Taps = vgen.Taps(top)
	}
	var err error
	if t.Binding, err = Bind(s.Sizes, &layout); err == nil {
		t.Binding.Noise = true
	}
	return t, err
}

// Tap reads the value of a tap from a golden model's record of a packet; ok is false when it has no such value.
type Tap[E any] func(ev *E) (v uint64, ok bool)

// TapsOf finds what reads each tap of a design; find returns nil for an unknown name.
func TapsOf[E any](t *Target, find func(name string) Tap[E]) (list []Tap[E], err error) {
	for _, tap := range t.Taps {
		read := find(tap.Name)
		if read == nil {
			return nil, fmt.Errorf("the design has a tap %q that the golden model does not know", tap.Name)
		}
		list = append(list, read)
	}
	return list, nil
}

// Show leaves with a side what taps must show of a packet whose header was complete so many cycles ago.
func Show[E any](s *Side, taps []Tap[E], late int64, ev *E) {
	for i, read := range taps {
		if v, ok := read(ev); ok {
			s.leg.Expect(i, int64(s.Taps[i].Latency)-late, v)
		}
	}
}
