package csig

import (
	"math/bits"
	"slices"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/config/registers"
)

// stagedWords is how many words the part of the map has in which registers are staged.
const stagedWords = 64

// registerFile is what is behind the AXI4-Lite interface, but for the counters.
type registerFile struct {
	space  *registers.Map
	staged [stagedWords]uint32 // by offset / 4

	begun     bool // a table of buckets, and not void
	begunType uint8
	bounds    []uint64 // of the table begun

	swapAt int64 // cycle as of which the table committed is in use; never: none is on its way

	commitAt int64  // cycle as of which what is committed is in force; never: nothing is on its way
	commit   func() // puts it in force
}

func (r *registerFile) init(c *config.CSIG) { r.space = registers.New(c) }

func (r *registerFile) reset() {
	r.staged = [stagedWords]uint32{}
	r.staged[registers.EstimateOverhead/4] = WireOverhead
	r.begun, r.bounds, r.swapAt = false, r.bounds[:0], never
	r.commitAt = never
}

// at is a staged register.
func (r *registerFile) at(offset uint32) uint64 { return uint64(r.staged[offset/4]) }

// factor is a staged factor. Its shift register follows its mantissa's.
func (r *registerFile) factor(offset uint32) Scale {
	return Scale{r.at(offset), int(r.at(offset + 4))}
}

// busRead is the read that acts in cycle now, if one does. What this cycle changes it does not see.
func (m *Clocked) busRead(now int64) {
	b := &m.bus
	if b.phase != busAct || b.write {
		return
	}
	r, port, found := m.registers.space.At(uint32(b.addr))
	if !found || !r.Readable() {
		b.rdata = 0
		b.answer(now+int64(m.timing.Answer), true)
		return
	}
	b.rdata = m.read(r, port)
	b.answer(now+int64(m.timing.Answer), false)
}

func (m *Clocked) read(r *registers.Register, port int) uint32 {
	switch {
	case r.Writable():
		return uint32(m.registers.at(r.Offset))
	case r.Offset == registers.NoPort:
		return uint32(m.noPort)
	case r.Offset < registers.Count:
		return r.Reset()
	}
	status := registers.Status((r.Offset - registers.Count) / 4)
	if status == registers.StatusStacked {
		return uint32(m.counters[port].Stacked)
	}
	return uint32(m.counters[port].By[status])
}

// busWrite is the write that acts in cycle now, if one does, and the table that is in use from the next cycle on. It is called when everything else of the
// cycle has been done.
func (m *Clocked) busWrite(now int64) {
	b, f := &m.bus, &m.registers
	if b.phase == busAct && b.write {
		r, _, found := f.space.At(uint32(b.addr))
		ok := found && r.Writable() && b.strobes == 15
		if ok && r.Readable() {
			f.staged[r.Offset/4] = b.data & r.Mask()
		} else if ok {
			ok = m.command(r.Offset, b.data, now)
		}
		b.answer(now+int64(m.timing.Answer), !ok)
		if ok && r.Offset == registers.BucketCommit {
			b.answerAt = now + int64(bucketDelay-len(f.bounds))
		}
		if ok && m.folded && (r.Offset == registers.PortCommit || r.Offset == registers.EstimateCommit) {
			b.answerAt = now + foldedCommitDelay
		}
	}
	if f.commitAt <= now+1 {
		f.commit()
		f.commitAt = never
	}
	if f.swapAt <= now+1 {
		m.cfg.Bounds[f.begunType] = slices.Clone(f.bounds)
		f.swapAt = never
	}
}

// command is a write to a register that does something, in cycle now. It answers whether it was in order.
func (m *Clocked) command(offset, data uint32, now int64) bool {
	f := &m.registers
	switch offset {
	case registers.PortCommit:
		return m.commitPort(data, now)
	case registers.EstimateCommit:
		return m.commitEstimate(now)
	case registers.BucketStart:
		f.begun, f.begunType, f.bounds = data < Types, uint8(data), f.bounds[:0]
		return f.begun
	case registers.BucketPush:
		return f.push(uint64(data))
	case registers.BucketCommit:
		ok := f.begun && len(f.bounds) > 0
		f.begun = false
		if ok {
			f.swapAt = now + int64(Buckets+1-len(f.bounds))
		}
		return ok
	case registers.QuantizerCommit:
		q := Quantizer{f.at(registers.QuantizerBase), f.at(registers.QuantizerStep)}
		if data >= Types || q.Step == 0 {
			return false
		}
		m.cfg.Quantize[data] = q
		return true
	}
	return false
}

func (f *registerFile) push(bound uint64) bool {
	n := len(f.bounds)
	f.begun = f.begun && n < Buckets && (n == 0 && bound == 0 || n > 0 && bound >= f.bounds[n-1])
	if f.begun {
		f.bounds = append(f.bounds, bound)
	}
	return f.begun
}

func (m *Clocked) commitPort(port uint32, now int64) bool {
	f := &m.registers
	p := boundPort{
		Port:  Port{Trusted: f.at(registers.PortTrust) != 0, Capacity: f.at(registers.PortCapacity)},
		ratio: f.factor(registers.PortRatio), depth: f.factor(registers.PortDepth),
	}
	if port >= uint32(len(m.ports)) || !legalCapacity(p.Capacity) || !m.legalFactor(p.ratio) || !m.legalFactor(p.depth) {
		return false
	}
	for t := range p.Action {
		p.Action[t] = Action(f.at(registers.PortActions) >> (2 * t) & 3)
		if checkAction(t, p.Action[t]) != nil {
			return false
		}
	}
	for t := range p.Locator {
		l := f.at(registers.PortLocator0 + 4*uint32(t))
		p.Locator[t] = Locator{Compact: uint16(l), Expanded: uint16(l >> 16)}
	}
	m.inForce(now, func() { m.ports[port] = &p })
	return true
}

func (m *Clocked) commitEstimate(now int64) bool {
	f := &m.registers
	e, factor := m.cfg.Estimate, f.factor(registers.EstimateFactor)
	e.Window, e.Overhead = f.at(registers.EstimateWindow), f.at(registers.EstimateOverhead)
	if e.Method == Raw && !legalWindow(e.Window) || !m.legalFactor(factor) {
		return false
	}
	m.inForce(now, func() {
		m.estimator.configure(e, factor)
		m.estimateOK = true
	})
	return true
}

// inForce has what is committed in cycle now in force when it is to be.
func (m *Clocked) inForce(now int64, commit func()) {
	f := &m.registers
	f.commit, f.commitAt = commit, now+1
	if m.folded {
		f.commitAt = now + foldedCommit
	}
}

// legalFactor tells whether a mantissa has exactly its number of bits.
func (m *Clocked) legalFactor(s Scale) bool { return bits.Len64(s.Mantissa) == m.cfg.Widths.Recip }
