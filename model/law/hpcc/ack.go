package hpcc

// MaxHops is the largest number of hops that any configuration has.
const MaxHops = 8

// Ack is one ACK with the telemetry of its path, hops in path order.
type Ack struct {
	Flow       uint32
	Generation uint8  // life of the flow to which the ACK belongs; GenBits bits
	Tag        uint64 // goes to the result unchanged; TagBits bits
	AckSeq     uint32 // cumulative, bytes; SeqBits bits
	SndNxt     uint32 // next byte to send, after this ACK is applied; SeqBits bits
	Now        uint64 // local clock, ticks; ClockBits bits
	Nhop       int    // records that follow, 0 to 15; above the configured number the ACK is rejected
	PathID     uint32 // PathIDBits bits
	Hop        [MaxHops]Record
}

// hops is the number of records, as wide as its port.
func (a *Ack) hops() int { return a.Nhop & 15 }

// Record is the telemetry of one hop.
type Record struct {
	LinkID   uint32 // LinkIDBits bits
	RateCode uint32 // index of the rate table
	TS       uint64 // egress time, ticks; TSBits bits
	Tx       uint64 // transmitted, units of tx; TxBits bits
	Qlen     uint32 // queue length, or sojourn time; QlenBits bits
}

// Result is the engine's decision on an ACK: the flow's state after it, and the pacing rate.
type Result struct {
	Flow       uint32
	Generation uint8  // of the ACK
	Tag        uint64 // of the ACK
	Kind       Kind
	Status     Status
	U          uint64 // average of normalised inflight, Formats.U
	W          uint64 // window, Formats.Window, bytes
	Wc         uint64 // reference window, Formats.Window, bytes
	Rate       uint64 // W/T, Formats.Rate, bytes per tick
	Stage      uint32 // incStage
}

// Taps are the intermediate values of one reaction, for locating a difference. Hops with
// HopValid false have UHop 0.
type Taps struct {
	UHop     [MaxHops]uint64 // u' of each hop, Formats.U
	HopValid [MaxHops]bool   // the hop takes part: below nhop, and time has passed
	ArgMax   int             // the hop whose u' is the maximum
	UMax     uint64          // u, Formats.U
	Tau      uint64          // time difference of that hop, ticks, before it is limited to T
	Alpha    uint64          // tau/T, Formats.Alpha
	U        uint64          // the new average, Formats.U
	Quotient uint64          // eta/U, Formats.Quot
	Window   uint64          // W, clamped, Formats.Window
	Rate     uint64          // R, Formats.Rate
	Stage    uint32          // incStage after the ACK
	Kind     Kind
	Status   Status
}
