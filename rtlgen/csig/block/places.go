package block

import (
	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// Places selects the optional registers of a pipeline. A body reads its own field and passes the latency on, so that
// each register can be chosen independently of the others. The exception is a folded pipeline, which has none at Flow,
// Seen and Registers.
type Places struct {
	Flow      bool // from where beats wait to m_axis: the editor never stops, as a beat is taken when it can leave
	Seen      bool // from the input to csig_header, which sees a beat two cycles after its acceptance
	Length    bool // after the sum that is a packet's length
	Blocks    bool // after delay lines, and before multipliers: the clock is near the limit of these blocks
	Lookup    bool // after the port table, and between the steps of a choice by port or by type
	Bytes     bool // before and after the sum of a packet's bytes on the wire
	Meters    bool // after the memories of the meters, and before their write ports
	Windows   bool // between the comparisons of the raw meter and the decisions from them
	Scaled    bool // between rounding, the overflow check, and saturation
	Left      bool // after the base less the product
	Tables    bool // before the coders: value, table, and writes to tables
	Codes     bool // before the comparison of codes
	Order     bool // after it
	Counted   bool // from a decision to the counters
	Registers bool // between the bus and the registers, and after the memories of counters
}

// shallow has none of them: on small FPGAs each register counts.
var shallow = Places{}

// deep has all of them: the clock of a wide stream a large FPGA reaches only with little between two registers.
var deep = Places{
	Flow: true, Seen: true, Length: true, Blocks: true, Lookup: true, Bytes: true, Meters: true, Windows: true,
	Scaled: true, Left: true, Tables: true, Codes: true, Order: true, Counted: true, Registers: true,
}

// Pipe starts a pipeline in m, with registers at Blocks or not.
func (c *Shape) Pipe(m *vgen.Module) *lib.Pipe {
	p := lib.NewPipe(m)
	if c.At.Blocks {
		p.Fast()
	}
	return p
}

// LengthStage is the stage of m_length.
func (c *Shape) LengthStage() int { return 3 + bit(c.At.Length) }

// SeenAfter is how many cycles after its acceptance the header sees a beat. If it is not 0, ready and valid drive only
// the FIFO within their cycle, and only a register in the next.
func (c *Shape) SeenAfter() int { return 2 * bit(c.At.Seen) }

// CountedAfter is how many cycles after its decision a packet counts.
func (c *Shape) CountedAfter() int { return 2 * bit(c.At.Counted) }

// ReadAhead is how long before its use a state is read. In a deep pipeline the output of the memory has a register.
func (c *Shape) ReadAhead() int { return 2 + bit(c.At.Meters) }

// AnswerCycles is the number of cycles from an access taking effect to its answer: reading a counter takes as long.
func (c *Shape) AnswerCycles() int { return 3 + 3*bit(c.At.Registers) }

// BusToAct is the number of cycles from the strobe of an access to its effect: one register for the strobe, and one for
// the logic after it.
func (c *Shape) BusToAct() int { return 2 * bit(c.At.Registers) }
