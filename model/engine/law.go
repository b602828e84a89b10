package engine

import "github.com/hdlpkg/hpccgen/config"

// Law is a congestion control in integers, bit for bit. Its methods are pure: they depend on their arguments and on
// the design, and change nothing but what the arguments point to. Payloads come from the ports as they are; a law cuts
// its own fields to their widths.
type Law[E, C, W, D, R, T, P any] interface {
	// Header is the frame's part of an event.
	Header(e *E) Header
	// Life is the frame's part of a context. The zero value of C is a flow after reset.
	Life(c *C) *Life
	// Scope is the frame's part of a context write.
	Scope(w *W) Scope
	// Status is the status of a decision, below Statuses.
	Status(r *R) uint8

	// Reject sets the decision on an event that belongs to no life of a flow: status rejected_flow, and zeros.
	Reject(h Header, r *R)
	// Step takes an event of the life that its flow is in, and leaves the flow's next state in c. r comes as what
	// Reject set. A law that reacts fills the taps and returns true; else it leaves them alone.
	Step(t *T, c *C, e *E, r *R, taps *P) (reacts bool)

	// Apply makes the changes of a context write but for those to Life, which the frame has made before.
	Apply(c *C, w *W)
	// Data is the result of a context read. The context of a flow that does not exist is zero.
	Data(flow uint32, c *C) D

	// Compose is the context write that a register interface makes of the fields in the order of config.Software, and the
	// generation after them.
	Compose(flow uint32, mask uint8, fields []uint64) W
	// Fields are what a context read shows, in the order of config.Software.
	Fields(d *D) []uint64

	// NewTables are the tables after reset: zeros.
	NewTables() *T
	// WriteTable is a transfer on stream tw. A table that the law does not have takes no effect.
	WriteTable(t *T, w config.TableWrite)
}

// Header is the frame's part of an event. The decision carries it back.
type Header struct {
	Flow       uint32
	Generation uint8  // life of the flow to which the event belongs
	Tag        uint64 // of no meaning to the engine
}

// Life holds whether a flow is open, and its generation.
type Life struct {
	Open       bool
	Generation uint8
}

// Scope is the flow of a context write, and what becomes of its life.
type Scope struct {
	Flow       uint32
	Start      bool  // open the flow in the given generation
	Close      bool  // close it; wins over Start
	Generation uint8 // of Start
}

// Next is Step on values, for an event of the life that its flow is in.
func Next[E, C, W, D, R, T, P any](l Law[E, C, W, D, R, T, P], t *T, c C, e E) (C, R, P) {
	var r R
	var taps P
	l.Reject(l.Header(&e), &r)
	l.Step(t, &c, &e, &r, &taps)
	return c, r, taps
}
