package stimulus

import (
	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/engine"
	"github.com/hdlpkg/hpccgen/verify/bind"

	rtl "github.com/hdlpkg/hpccgen/rtlgen/engine"
)

// Law is the part of an engine's verification that a congestion control adds. The types are those of its golden model:
// event, context, context write, context data, decision, tables, taps.
type Law[E, C, W, D, R, T, P any] struct {
	Design config.Design
	Engine *config.Engine // what all engines have, of Design
	Model  engine.Law[E, C, W, D, R, T, P]
	Build  func() (*rtl.Engine, error)
	// Ports are those of the law, by its document; Bind adds the frame's.
	Ports bind.Table
	// Units says what the fields of its records, and its taps, stand for.
	Units bind.Units
	Bins  Bins
	Setup Setup
	// Draw makes what only the law knows of a generator's stimulus. Peek is the context of a flow.
	Draw func(g *Generator[E, W], peek func(flow uint32) C) Draw[E, W]

	// Story makes the story of a directed test, and Says what the value of an output port means: "13.25 Gbit/s"; "" where
	// that is the number itself.
	Story func() (*Story[E, W], error)
	Says  func(port string, v uint64) string

	Kind func(r *R) uint8 // of a decision

	// Tap reads the model's value for a tap of the design that is not the field of that name of the taps, or of the
	// decision. It may be nil, and gives nil for other taps. ok is false when a reaction says nothing about the tap.
	Tap func(name string) func(t *P, r *R) (v uint64, ok bool)

	// Observe counts bins of the law's own for a decision on an event, React for a reaction. The context is that of the
	// event's flow after the decision.
	Observe func(c *Coverage, e *E, r *R, of *C)
	React   func(c *Coverage, t *P)
}

// Draw makes what only a law knows of the stimulus of a Generator: what events, tables and contexts hold.
type Draw[E, W any] interface {
	// Program queues the table writes with which an episode starts (Generator.Queue), and sets Generator.Used.
	Program(size int)
	// Open gives a flow of the episode its first state, and makes the context write that opens it.
	Open(f *Flow) W
	// Refresh copies the engine's stored state of a flow.
	Refresh(f *Flow)
	// Event makes the next event of a flow, for a scenario by its index in Bins. The frame's fields are the
	// generator's.
	Event(f *Flow, scenario int, e *E)
	// Header is where the frame's fields of an event are.
	Header(e *E) (flow *uint32, generation *uint8, tag *uint64)
	// Scope is the frame's part of a context write, and the mask of its fields.
	Scope(w *W) (s engine.Scope, mask uint8)

	// Rewrite is a table write, and Write a context write, while events are in flight.
	Rewrite() config.TableWrite
	Write() W
	// Written and TableWritten are called with writes that the engine has taken; f is nil for a flow that the episode
	// lacks.
	Written(f *Flow, w *W)
	TableWritten(w config.TableWrite)

	// Noise fills all fields of an event with random bits.
	Noise(e *E)
	// Scribble and ScribbleWrite change a payload that means nothing.
	Scribble(e *E)
	ScribbleWrite(w *W)
	// WildWrite is a table write of any bits, AnyWrite a context write that changes most fields.
	WildWrite() config.TableWrite
	AnyWrite() W
}

// Flow is a flow of an episode.
type Flow struct {
	Index      uint32
	Number     int   // of the episode's flows, from 0
	Open       bool  // a context write that opens it was taken
	Generation uint8 // that it was opened in
	Profile    int

	made int64 // cycle in which its last event was made
}

// Temper is the kind of constants that an episode writes.
type Temper int

// The tempers.
const (
	Sane  Temper = iota // as a network would have them
	Tight               // at the ends of their ranges
	Wild                // any bits in any table
	tempers
)
