package aimd

import (
	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/engine"
)

// Event is an ACK on stream s.
type Event struct {
	Flow       uint32
	Generation uint8
	Tag        uint64
	Now        uint64 // local clock, ticks
	AckSeq     uint32 // cumulative, bytes
	SndNxt     uint32 // next byte to send
	Mark       bool   // the ACK echoes ECN congestion
}

// Context is the state of a flow.
type Context struct {
	engine.Life
	Started bool  // an event of this life has been taken
	Marked  bool  // a mark has been seen since the last commit
	Profile uint8 // row of the tables
	W       uint64
	Seq     uint32 // snd_nxt of the last commit
}

// Mask bits of a context write: the fields that it changes.
const (
	MaskProfile uint8 = 1 << iota
	MaskW
	MaskSeq
	MaskStart // open the flow in the given generation
	MaskClose // close the flow; wins over MaskStart
)

// Write is a transfer on stream cw.
type Write struct {
	Flow       uint32
	Mask       uint8
	Profile    uint8
	W          uint64
	Seq        uint32
	Generation uint8 // of MaskStart
}

// Data is a transfer on stream cd.
type Data struct {
	Flow uint32
	Context
}

// Decision is a transfer on stream m.
type Decision struct {
	Flow       uint32
	Generation uint8
	Tag        uint64
	Kind       Kind
	Status     engine.Status
	W, Rate    uint64
}

// Taps are the intermediate values of a commit.
type Taps struct {
	Halved            bool
	Sum, Window, Rate uint64
}

// Kind is the effect of an event on its flow.
type Kind uint8

// The kinds.
const (
	KindNone   Kind = iota // nothing but the mark is kept
	KindFirst              // the first round begins
	KindUpdate             // commit: W changes
)

// String is the kind's name in traces and replays.
func (k Kind) String() string { return [...]string{"none", "first", "update"}[k] }

// Tables are the constants that software writes, by table and profile.
type Tables [tables][256]uint64

// The tables on stream tw.
const (
	TableWAI config.Table = iota
	TableWMin
	TableWMax
	TableInvT
	tables
)
