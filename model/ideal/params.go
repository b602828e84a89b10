// Package ideal implements the drafts' algorithm (draft-an-ccwg-hpcc-00, Figures 4 to 6 and 8) in floating-point or
// exact rational arithmetic: no formats, no rounding, no saturation. It is the reference for the engine's error.
//
// It works on windows, as the draft does, and decides the same table of cases as docs/numeric.md; only counters are
// modular, since the telemetry is.
package ideal

import "math/big"

// Params are the constants of one flow and of its telemetry.
type Params struct {
	MaxHops                int // more are rejected
	TSBits, TxBits         int // widths of the telemetry's counters
	SeqBits, ClockBits     int // of sequence numbers and of the local clock
	TickNs                 uint64
	TxUnitBytes, QlenUnit  uint64   // QlenUnit in bytes; with Sojourn in ticks
	Sojourn                bool     // qlen is the time that the packet waited (draft, section 9.3)
	T                      uint64   // base round-trip time, ticks
	QueueT                 *big.Rat // of the queue term, ticks; nil: T
	Eta                    *big.Rat
	MaxStage               int
	Fast                   bool     // react to every ACK, not only at commits
	CommitByTime           bool     // receiver mode (draft, Figure 8)
	WInit, WAI, WMin, WMax *big.Rat // bytes
	StageLimit             int      // largest value of incStage
}

// Ack is one ACK with its telemetry, hops in path order.
type Ack struct {
	AckSeq, SndNxt uint32
	Now            uint64 // ticks
	PathID         uint32
	Hops           []Hop
}

// Hop is the telemetry of one hop. RateBps 0 is a link of unknown rate.
type Hop struct {
	LinkID       uint32
	RateBps      uint64
	TS, Tx, Qlen uint64
}

// Result is the result of an ACK.
type Result[N Number[N]] struct {
	Kind, Status string // the names of docs/numeric.md
	U            N
	W, Wc        N // bytes
	R            N // bytes per tick
	Stage        int

	// Of a reaction only:
	UHop     []N    // u' by hop; 0 for a hop that says nothing
	HopValid []bool // time has passed at the hop
	ArgMax   int    // the hop whose u' is the maximum; -1 where nothing reacts
	Tau      uint64 // time difference of that hop, ticks, before it is limited to T
}
