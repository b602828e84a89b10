package config

import "github.com/hdlpkg/hpccgen/fixed"

// NIC is a validated configuration of an HPCC++ engine: what the generator builds and what the
// golden model computes. It is the result of Load or Parse; a value made by hand is not checked.
type NIC struct {
	Name     string // design name, a Verilog identifier
	Hash     string // 16 hexadecimal digits over the canonical form of the configuration
	Prefix   string // begins the name of every module; may be empty
	MaxHops  int    // 1 to 8
	Serial   bool   // one hop after the other through one lane, instead of one lane a hop
	Flows    int    // contexts held, 2 to 65536
	Profiles int    // 1 to 16, a power of two

	Telemetry Telemetry
	SeqBits   int // 24 or 32: ack_seq, snd_nxt, lastUpdateSeq
	ClockBits int // local clock, ticks; wider than Telemetry.TSBits
	StageBits int // incStage counter, 1 to 8
	RTTBits   int // T in ticks
	CountBits int // event counters

	RatesBps    []uint64 // link rates that the formats must hold, ascending
	MinRTTTicks uint64   // smallest T that the formats must hold
	MaxRTTTicks uint64   // largest
	MinWindow   uint64   // smallest W, bytes, for which the error bounds are stated
	MaxWindow   uint64   // largest W, bytes, that the formats must hold

	UMin float64 // smallest U, and
	UMax float64 // largest U and u', that the formats must hold

	CommitByTime bool // receiver mode (draft section 6.3.2, Figure 8): commit once per T instead of by sequence number
	Sojourn      bool // qlen fields carry the sojourn time (draft section 9.3)
	AsyncReset   bool // rst_n, asynchronous and active low, instead of rst

	HopDivider      Divider // busy time / elapsed time, per hop
	QuotientDivider Divider // eta / U

	Formats Formats
	Budget  Budget // the proof that the formats are wide enough
}

// Telemetry gives widths (bits) and units of the records that the engine consumes.
type Telemetry struct {
	TSBits, TxBits, QlenBits int
	TickNs                   uint64 // unit of ts, of T and of the local clock, nanoseconds
	TxUnitBytes              uint64 // unit of tx
	QlenUnitBytes            uint64 // unit of qlen; with Sojourn, unit in ticks
	RateCodeBits             int    // 1 to 6
	LinkIDBits               int    // per hop; 0: no link identifier
	PathIDBits               int    // per ACK; 0: no path identifier
}

// DividerKind names an architecture.
type DividerKind string

// The dividers. Docs/numeric.md gives the arithmetic of each.
const (
	RestoringSerial    DividerKind = "restoring_serial"
	RestoringPipelined DividerKind = "restoring_pipelined"
	ReciprocalTable    DividerKind = "reciprocal_table"
	NewtonRaphson      DividerKind = "newton_raphson"
)

// Divider is a divider's kind and the parameters that its kind uses.
type Divider struct {
	Kind DividerKind

	// ReciprocalTable
	Eps       float64 // ratio of neighbouring entries minus one
	IndexBits int     // fraction bits of the mantissa that select the entry
	EntryBits int     // fraction bits of an entry

	// NewtonRaphson
	TableBits  int // log2 of the number of seeds
	SeedBits   int // fraction bits of a seed
	Iterations int // 1 or 2
	RecipBits  int // fraction bits of the refined reciprocal
}

// Formats are the fixed-point formats of docs/numeric.md.
type Formats struct {
	InvB   fixed.Format // ticks per unit of tx: 1/B
	InvBT  fixed.Format // normalised inflight per unit of qlen: 1/(B T)
	U      fixed.Format // u of a hop, and U
	InvT   fixed.Format // 1/T, per tick
	Alpha  fixed.Format // tau/T; Int is 1
	Eta    fixed.Format // target utilisation; Int is 1, Frac is U.Frac
	Quot   fixed.Format // eta/U
	Window fixed.Format // W, Wc, W_ai, W_min, W_max: bytes
	Rate   fixed.Format // R: bytes per tick
}
