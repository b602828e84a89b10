package axil

import "github.com/hdlpkg/hpccgen/config/registers"

// Device is what software sees of a design besides its constant and its staged registers.
type Device interface {
	// Reset brings the design to its state after reset.
	Reset()
	// Read is the value of a register that the design changes: a counter, of a port where there is one for each.
	Read(r *registers.Register, port int) uint32
	// Command is a write to a register that does something, in cycle now. It reports whether it was in order. The answer
	// comes so many cycles later; 0: as after any other access; Open: when the design says so.
	Command(now int64, offset, data uint32) (ok bool, answer int)
}

// Open is the answer of a command that ends with a call of [Bus.End].
const Open = -1

// forever is a cycle after the last one.
const forever = 1 << 60

// phase is where an access of the AXI4-Lite interface is.
type phase uint8

const (
	idle      phase = iota
	taking          // chosen in the cycle before: ready is high, and the access is taken if its valids still are
	waiting         // taken, and acts in cycle actAt
	acting          // the access acts in this cycle
	answering       // it is answered from cycle answerAt on
)

// Bus is the AXI4-Lite interface, which has one access at a time, and the registers that are staged.
type Bus struct {
	act, answer int // cycles from the choice of an access until it acts, and from there to its answer
	space       *registers.Map
	dev         Device
	staged      Staged

	phase    phase
	write    bool // the kind of the access that was chosen
	wrote    bool // the kind of the last one that was taken
	addr     uint16
	data     uint32
	strobes  uint8
	actAt    int64
	answerAt int64
	slverr   bool
	rdata    uint32
}

// Staged are the registers that software reads as it has written them, by offset.
type Staged [128]uint32

// At is the value of the register at an offset.
func (s *Staged) At(offset uint32) uint32 { return s[offset/4] }

// Set gives the register at an offset its value.
func (s *Staged) Set(offset, v uint32) { s[offset/4] = v }

// New is the interface of a design with a register map. An access acts so many cycles after it was chosen, and is
// answered so many later.
func New(act, answer int, space *registers.Map, dev Device) Bus {
	return Bus{act: act, answer: answer, space: space, dev: dev}
}

// Reset is the state after reset.
func (b *Bus) Reset() { *b = New(b.act, b.answer, b.space, b.dev) }

// Staged are the registers that are staged, as of this cycle.
func (b *Bus) Staged() *Staged { return &b.staged }

// Outputs sets the outputs of cycle now, from the state at its start.
func (b *Bus) Outputs(now int64, out *Outputs) {
	ready := b.phase == taking
	valid := b.phase == answering && now >= b.answerAt
	out.AWReady, out.WReady, out.ARReady = ready && b.write, ready && b.write, ready && !b.write
	out.BValid, out.RValid = valid && b.write, valid && !b.write
	if out.BValid {
		out.BError = b.slverr
	}
	if out.RValid {
		out.RError, out.RData = b.slverr, b.rdata
	}
}

// Edge is the clock edge at the end of cycle now, for what has to do with the handshakes. Of a write and a read at once
// it takes the kind that it did not take last.
func (b *Bus) Edge(now int64, in *Inputs) {
	switch b.phase {
	case idle:
		write, read := in.AWValid && in.WValid, in.ARValid
		if write || read {
			b.phase, b.actAt = taking, now+int64(b.act)
			b.write = write && !(read && b.wrote)
		}
	case taking:
		switch {
		case b.write && in.AWValid && in.WValid:
			b.phase, b.wrote, b.addr, b.data, b.strobes = waiting, true, in.AWAddr, in.WData, in.WStrb
		case !b.write && in.ARValid:
			b.phase, b.wrote, b.addr = waiting, false, in.ARAddr
		default: // withdrawn: as if it had never been chosen
			b.phase = idle
		}
	case answering:
		if now >= b.answerAt && (b.write && in.BReady || !b.write && in.RReady) {
			b.phase = idle
		}
	}
	if b.phase == waiting && b.actAt == now+1 {
		b.phase = acting
	}
}

// end ends an access. Its answer comes so many cycles later.
func (b *Bus) end(now int64, answer int, ok bool) {
	b.phase, b.slverr, b.answerAt = answering, !ok, now+int64(answer)
}

// ActRead is the read that acts in cycle now, if one does. What this cycle changes it does not see.
func (b *Bus) ActRead(now int64) {
	if b.phase != acting || b.write {
		return
	}
	r, port, found := b.space.At(uint32(b.addr))
	ok := found && r.Readable()
	switch {
	case !ok:
		b.rdata = 0
	case r.Volatile:
		b.rdata = b.dev.Read(r, port)
	case r.Writable():
		b.rdata = b.staged.At(r.Offset)
	default:
		b.rdata = r.Reset()
	}
	b.end(now, b.answer, ok)
}

// ActWrite is the write that acts in cycle now, if one does. It is called when everything else of the cycle has been
// done.
func (b *Bus) ActWrite(now int64) {
	if b.phase != acting || !b.write {
		return
	}
	r, _, found := b.space.At(uint32(b.addr))
	ok, answer := found && r.Writable() && b.strobes == 15, 0
	switch {
	case !ok:
	case r.Readable() && !r.Volatile:
		b.staged.Set(r.Offset, b.data&r.Mask())
	default:
		ok, answer = b.dev.Command(now, r.Offset, b.data)
	}
	switch answer {
	case Open:
		b.phase, b.slverr, b.answerAt = answering, false, forever
	case 0:
		b.end(now, b.answer, ok)
	default:
		b.end(now, answer, ok)
	}
}

// End ends the command that was left open: its answer comes in cycle at.
func (b *Bus) End(at int64) { b.answerAt = at }
