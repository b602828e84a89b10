package inband

// access is where an access of the AXI4-Lite interface is (docs/csig.md, Register bus).
type access uint8

const (
	idle   access = iota
	taking        // chosen in the cycle before: its ready is high
	acting        // it acts in this cycle
	answering
)

// answerDelay is the number of cycles from the one in which an access acts to the first of its answer.
const answerDelay = 3

// bus is the AXI4-Lite interface, which has one access at a time.
type bus struct {
	state    access
	write    bool
	addr     uint16
	data     uint32
	strobes  uint8
	validAt  int64
	slverr   bool
	readData uint32
}

func (b *bus) outputs(now int64, out *BusOutputs) {
	take, valid := b.state == taking, b.state == answering && now >= b.validAt
	*out = BusOutputs{AWReady: take && b.write, WReady: take && b.write, ARReady: take && !b.write, BValid: valid && b.write, RValid: valid && !b.write}
	switch {
	case out.BValid:
		out.BError = b.slverr
	case out.RValid:
		out.RError, out.RData = b.slverr, b.readData
	}
}

// edge is the clock edge at the end of cycle now.
func (b *bus) edge(now int64, in *BusInputs) {
	switch b.state {
	case idle:
		if b.write = in.AWValid && in.WValid; b.write || in.ARValid {
			b.state = taking
		}
	case taking:
		b.state, b.addr = acting, in.ARAddr
		if b.write {
			b.addr, b.data, b.strobes = in.AWAddr, in.WData, in.WStrb
		}
	case acting:
		b.state, b.validAt = answering, now+answerDelay
	case answering:
		if now >= b.validAt && (b.write && in.BReady || !b.write && in.RReady) {
			b.state = idle
		}
	}
}
