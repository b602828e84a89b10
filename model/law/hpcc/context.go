package hpcc

import (
	"github.com/hdlpkg/hpccgen/model/engine"
	"github.com/hdlpkg/hpccgen/model/wide"
)

// Context is the state of one flow. Its zero value is a flow after reset: not open.
type Context struct {
	engine.Life
	HasTelemetry bool // L, PathID, Nhop and LastTime hold something
	Profile      uint8
	Nhop         uint8
	PathID       uint32
	Stage        uint32 // incStage
	Seq          uint64 // lastUpdateSeq; with CommitByTime lastUpdateTime
	LastTime     uint64 // local clock when telemetry was last stored
	U, W, Wc     uint64
	L            [MaxHops]Stored
}

// Stored is the telemetry kept of one hop.
type Stored struct {
	TS, Tx       uint64
	Qlen, LinkID uint32
}

// Mask bits of a context write: the fields that it changes.
const (
	MaskProfile uint8 = 1 << iota
	MaskU
	MaskWc
	MaskW
	MaskStage
	MaskSeq
	MaskStart // open the flow in the given generation and forget its telemetry
	MaskClose // close the flow and forget its telemetry; wins over MaskStart
)

// ContextWrite is a transfer on stream cw.
type ContextWrite struct {
	Flow       uint32
	Mask       uint8
	Profile    uint8
	U, Wc, W   uint64
	Stage      uint32
	Seq        uint64 // SeqBits bits; with CommitByTime ClockBits bits
	Generation uint8  // of MaskStart; GenBits bits
}

// ContextData is a transfer on stream cd. Of a flow at or above the number of flows everything but
// Flow is zero.
type ContextData struct {
	Flow         uint32
	Open         bool
	HasTelemetry bool
	Profile      uint8
	U, Wc, W     uint64
	Stage        uint32
	Seq          uint64
	PathID       uint32
	Nhop         uint8
	Generation   uint8
}

// Apply makes the changes of a context write but for those to Life.
func (d *Design) Apply(c *Context, w *ContextWrite) {
	if w.Mask&MaskProfile != 0 {
		c.Profile = w.Profile & uint8(d.profileMask)
	}
	if w.Mask&MaskU != 0 {
		c.U = w.U & d.uMask
	}
	if w.Mask&MaskWc != 0 {
		c.Wc = w.Wc & d.windowMask
	}
	if w.Mask&MaskW != 0 {
		c.W = w.W & d.windowMask
	}
	if w.Mask&MaskStage != 0 {
		c.Stage = w.Stage & d.stageMask
	}
	if w.Mask&MaskSeq != 0 {
		c.Seq = w.Seq & d.markMask()
	}
	if w.Mask&(MaskStart|MaskClose) != 0 {
		c.HasTelemetry = false
	}
}

// markMask is the width of what marks a commit: a sequence number or a time.
func (d *Design) markMask() uint64 {
	if d.commitByTime {
		return d.clockMask
	}
	return d.seqMask
}

// Data is the result of a context read.
func (d *Design) Data(flow uint32, c *Context) ContextData {
	return ContextData{
		Flow: flow, Open: c.Open, HasTelemetry: c.HasTelemetry, Profile: c.Profile, U: c.U, Wc: c.Wc, W: c.W,
		Stage: c.Stage, Seq: c.Seq, PathID: c.PathID, Nhop: c.Nhop, Generation: c.Generation,
	}
}

// Compose is the context write of fields in the order of the register map.
func (d *Design) Compose(flow uint32, mask uint8, f []uint64) ContextWrite {
	return ContextWrite{Flow: flow, Mask: mask, Profile: uint8(f[0]), U: f[1], Wc: f[2], W: f[3], Stage: uint32(f[4]),
		Seq: f[5], Generation: uint8(f[6])}
}

// Fields are those of a context read in the order of the register map.
func (d *Design) Fields(c *ContextData) []uint64 {
	return []uint64{wide.Bit(c.Open), wide.Bit(c.HasTelemetry), uint64(c.Profile), c.U, c.Wc, c.W, uint64(c.Stage), c.Seq,
		uint64(c.PathID), uint64(c.Nhop), uint64(c.Generation)}
}
