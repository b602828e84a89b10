package config

import (
	"math/bits"

	"github.com/hdlpkg/hpccgen/fixed"
)

// Engine is what all engines of a NIC have, whatever their law.
type Engine struct {
	Name       string `key:"name"` // design name, a Verilog identifier
	Hash       string // 16 hexadecimal digits over the canonical form of the configuration
	Prefix     string `key:"module_prefix"` // begins the name of every module; may be empty
	AsyncReset bool   `key:"reset"`         // rst_n, asynchronous and active low, instead of rst

	Flows     int  `key:"flows"`           // contexts held, 2 to 65536
	Profiles  int  `key:"profiles"`        // 1 to 16, a power of two
	SeqBits   int  `key:"sequence_bits"`   // 24 or 32: ack_seq, snd_nxt
	ClockBits int  `key:"clock_bits"`      // local clock, ticks; 60 to 64, so that it never wraps
	CountBits int  `key:"counter_bits"`    // event counters
	GenBits   int  `key:"generation_bits"` // generation of a flow's life, 0 to 8; 0: there is none
	AXILite   bool `key:"bus"`             // registers behind an AXI4-Lite slave in place of the ports of software
	TagBits   int  `key:"tag_bits"`        // tag that passes from an ACK to its result, 0 to 64; 0: there is none
}

// EngineDesign is a design of an engine, whatever its law: a *NIC or an *AIMD.
type EngineDesign interface {
	Design
	Frame() *Engine      // what all engines have
	Software() *Software // what software sees of it
	// Words are the table entries that software writes for settings. The error has every value at fault.
	Words(of Settings) ([]Word, error)
}

// Frame is the engine itself.
func (e *Engine) Frame() *Engine { return e }

// DesignKind is KindNIC.
func (e *Engine) DesignKind() string { return KindNIC }

// DesignName is Name.
func (e *Engine) DesignName() string { return e.Name }

// DesignHash is Hash.
func (e *Engine) DesignHash() string { return e.Hash }

// ModulePrefix is Prefix.
func (e *Engine) ModulePrefix() string { return e.Prefix }

// ResetAsync is AsyncReset.
func (e *Engine) ResetAsync() bool { return e.AsyncReset }

// FlowBits is the width of a flow index.
func (e *Engine) FlowBits() int { return bits.Len(uint(e.Flows - 1)) }

// ProfileBits is the width of a profile index: 0 when there is one profile.
func (e *Engine) ProfileBits() int { return bits.Len(uint(e.Profiles - 1)) }

// NIC is a validated configuration of an HPCC++ engine: what the generator builds and what the golden model computes.
// It is the result of Load or Parse; a value made by hand is not checked.
type NIC struct {
	Engine
	MaxHops int  `key:"hops.max"`   // 1 to 8
	Serial  bool `key:"hops.order"` // one hop after the other through one lane, instead of one lane a hop

	Multiplier Multiplier `key:"multiplier"` // of the target; empty where Serial

	Telemetry Telemetry `key:"telemetry"`
	StageBits int       `key:"stage_bits"` // incStage counter, 1 to 8
	RTTBits   int       // T in ticks

	RatesBps    []uint64 `key:"rates"` // link rates that the formats must hold, ascending
	MinRTTTicks uint64   // smallest T that the formats must hold
	MaxRTTTicks uint64   // largest
	MinWindow   uint64   `key:"window.min"` // smallest W, bytes, for which the error bounds are stated
	MaxWindow   uint64   `key:"window.max"` // largest W, bytes, that the formats must hold

	UMin float64 `key:"utilisation.min"` // smallest U, and
	UMax float64 `key:"utilisation.max"` // largest U and u', that the formats must hold

	// receiver mode (draft section 6.3.2, Figure 8): commit once per T instead of by sequence number
	CommitByTime bool `key:"mode"`
	Sojourn      bool `key:"queue"` // qlen fields carry the sojourn time (draft section 9.3)

	HopDivider      Divider `key:"dividers.hop"`      // busy time / elapsed time, per hop
	QuotientDivider Divider `key:"dividers.quotient"` // eta / U

	Formats Formats `key:"precision.formats"`
	Budget  Budget  // the proof that the formats are wide enough
}

// Telemetry gives widths (bits) and units of the records that the engine consumes.
type Telemetry struct {
	TSBits        int    `key:"timestamp_bits"`
	TxBits        int    `key:"tx_bits"`
	QlenBits      int    `key:"qlen_bits"`
	TickNs        uint64 `key:"tick"`    // unit of ts, of T and of the local clock, nanoseconds
	TxUnitBytes   uint64 `key:"tx_unit"` // unit of tx
	QlenUnitBytes uint64 // unit of qlen; with Sojourn, unit in ticks
	RateCodeBits  int    `key:"rate_code_bits"` // 1 to 6
	LinkIDBits    int    `key:"link_id_bits"`   // per hop; 0: no link identifier
	PathIDBits    int    `key:"path_id_bits"`   // per ACK; 0: no path identifier
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
	Kind DividerKind `key:"kind"`

	// ReciprocalTable
	Eps       float64 `key:"eps"`        // ratio of neighbouring entries minus one
	IndexBits int     `key:"index_bits"` // fraction bits of the mantissa that select the entry
	EntryBits int     `key:"entry_bits"` // fraction bits of an entry

	// NewtonRaphson
	TableBits  int `key:"table_bits"` // log2 of the number of seeds
	SeedBits   int `key:"seed_bits"`  // fraction bits of a seed
	Iterations int `key:"iterations"` // 1 or 2
	RecipBits  int `key:"recip_bits"` // fraction bits of the refined reciprocal
}

// Formats are the fixed-point formats of docs/numeric.md.
type Formats struct {
	InvB   fixed.Format `key:"inv_b"`  // ticks per unit of tx: 1/B
	InvBT  fixed.Format `key:"inv_bt"` // normalised inflight per unit of qlen: 1/(B T)
	U      fixed.Format `key:"u"`      // u of a hop, and U
	InvT   fixed.Format `key:"inv_t"`  // 1/T, per tick
	Alpha  fixed.Format `key:"alpha"`  // tau/T; Int is 1
	Eta    fixed.Format // target utilisation; Int is 1, Frac is U.Frac
	Quot   fixed.Format `key:"quotient"` // eta/U
	Window fixed.Format `key:"window"`   // W, Wc, W_ai, W_min, W_max: bytes
	Rate   fixed.Format `key:"rate"`     // R: bytes per tick
}
