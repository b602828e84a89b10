package engine

import (
	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/axil"
)

// Stream is a stream during one cycle, but for ready. The payload matters only while Valid is high.
type Stream[T any] struct {
	Valid   bool
	Payload T
}

// Inputs are the input ports during one cycle. An engine with registers has SAXIL in place of CW, CR, TW and CDReady.
type Inputs[E, W any] struct {
	Rst     bool // reset asserted, whatever its polarity at the port
	S       Stream[E]
	CW      Stream[W]
	CR      Stream[uint32] // flow
	TW      Stream[config.TableWrite]
	MReady  bool
	CDReady bool

	SAXIL axil.Inputs
}

// Outputs are the output ports during one cycle. Cycle leaves the payload of a stream alone while its valid is low. An
// engine with registers has SAXIL and IRQ, and of the others SReady and M alone; the rest is inside.
type Outputs[D, R any] struct {
	SReady, CWReady, CRReady, TWReady bool

	InitDone bool // contexts and tables are cleared
	M        Stream[R]
	CD       Stream[D]
	Counters Counters

	SAXIL axil.Outputs
	IRQ   bool
}

// Statuses is the number of statuses that a decision can have: the port m_status has four bits.
const Statuses = 16

// Counters count events by status, modulo 2^CountBits. A law decides which of them are ports.
type Counters [Statuses]uint64

func (c *Counters) count(status uint8, mask uint64) { c[status] = (c[status] + 1) & mask }
