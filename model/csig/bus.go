package csig

// busPhase is where an access of the AXI4-Lite interface is.
type busPhase uint8

const (
	busIdle   busPhase = iota
	busReady           // chosen in the cycle before: ready is high
	busWait            // taken, and acts in cycle actAt
	busAct             // the access acts in this cycle
	busAnswer          // it is answered from cycle answerAt on
)

const (
	// bucketDelay is from the cycle in which a BUCKET_COMMIT without bounds acts to its answer; each bound takes one away.
	bucketDelay = 68

	foldedCommitDelay = 28 // of a PORT_COMMIT and an ESTIMATE_COMMIT with a folded pipeline
	foldedCommit      = 18 // from the cycle in which one acts to that as of which it is in force
)

// bus is the AXI4-Lite interface: one access at a time.
type bus struct {
	phase    busPhase
	write    bool
	addr     uint16
	data     uint32
	strobes  uint8
	actAt    int64
	answerAt int64
	slverr   bool
	rdata    uint32
}

func (b *bus) outputs(now int64, out *BusOutputs) {
	ready := b.phase == busReady
	valid := b.phase == busAnswer && now >= b.answerAt
	out.AWReady, out.WReady, out.ARReady = ready && b.write, ready && b.write, ready && !b.write
	out.BValid, out.RValid = valid && b.write, valid && !b.write
	if out.BValid {
		out.BError = b.slverr
	}
	if out.RValid {
		out.RError, out.RData = b.slverr, b.rdata
	}
}

// edge is the clock edge at the end of cycle now, for what has to do with the handshakes.
func (b *bus) edge(now int64, in *BusInputs, act int) {
	switch b.phase {
	case busIdle:
		switch {
		case in.AWValid && in.WValid:
			b.phase, b.write, b.actAt = busReady, true, now+int64(act)
		case in.ARValid:
			b.phase, b.write, b.actAt = busReady, false, now+int64(act)
		}
	case busReady:
		b.phase = busWait
		if b.write {
			b.addr, b.data, b.strobes = in.AWAddr, in.WData, in.WStrb
		} else {
			b.addr = in.ARAddr
		}
	case busAnswer:
		if now >= b.answerAt && (b.write && in.BReady || !b.write && in.RReady) {
			b.phase = busIdle
		}
	}
	if b.phase == busWait && b.actAt == now+1 {
		b.phase = busAct
	}
}

// answer ends an access, with its answer from cycle at on.
func (b *bus) answer(at int64, slverr bool) {
	b.phase, b.slverr, b.answerAt = busAnswer, slverr, at
}
