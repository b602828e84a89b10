package hpcc

import (
	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/engine"
)

// The engine of package engine over this law.
type (
	Timing  = engine.Timing
	Inputs  = engine.Inputs[Ack, ContextWrite]
	Outputs = engine.Outputs[ContextData, Result]
	Model   = engine.Model[Ack, Context, ContextWrite, ContextData, Result, Tables, Taps]
	Clocked = engine.Clocked[Ack, Context, ContextWrite, ContextData, Result, Tables, Taps]
)

// New makes a model of cfg after reset: no rate is known, no flow is open. The error is NewDesign's.
func New(cfg *config.NIC) (*Model, error) {
	d, err := NewDesign(cfg)
	if err != nil {
		return nil, err
	}
	return engine.New(&cfg.Engine, d)
}

// NewClocked makes the engine as if the cycle before had reset asserted. The errors are NewDesign's, or name the timing
// that cannot be.
func NewClocked(cfg *config.NIC, t Timing) (*Clocked, error) {
	d, err := NewDesign(cfg)
	if err != nil {
		return nil, err
	}
	return engine.NewClocked(&cfg.Engine, d, t)
}

// Header is the frame's part of an ACK.
func (d *Design) Header(a *Ack) engine.Header {
	return engine.Header{Flow: a.Flow, Generation: a.Generation, Tag: a.Tag}
}

// Life is the frame's part of a context.
func (d *Design) Life(c *Context) *engine.Life { return &c.Life }

// Scope is the frame's part of a context write.
func (d *Design) Scope(w *ContextWrite) engine.Scope {
	return engine.Scope{
		Flow: w.Flow, Start: w.Mask&MaskStart != 0, Close: w.Mask&MaskClose != 0, Generation: w.Generation,
	}
}

// Status is the status of a result.
func (d *Design) Status(r *Result) uint8 { return uint8(r.Status) }

// Reject sets the result of an ACK of a flow that does not exist or is not open, or of another life of it.
func (d *Design) Reject(h engine.Header, r *Result) {
	*r = Result{Flow: h.Flow, Generation: h.Generation, Tag: h.Tag, Status: StatusRejectedFlow}
}
