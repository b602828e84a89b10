package csig

import (
	"math/bits"
	"slices"

	"github.com/hdlpkg/hpccgen/config/registers"
)

// software is what writes have begun and is not in force yet.
type software struct {
	begun     bool // a table of buckets, and not void
	begunType uint8
	bounds    []uint64 // of the table begun

	swapAt int64 // cycle as of which the table committed is in use; never: none is on its way

	commitAt int64  // cycle as of which the committed values are in force; never: none pending
	commit   func() // puts it in force
}

func (s *software) reset() { *s = software{bounds: s.bounds[:0], swapAt: never, commitAt: never} }

// staged is the value of a staged register.
func (m *Clocked) staged(offset uint32) uint64 { return uint64(m.Staged().At(offset)) }

// factor is a staged factor. Its shift register follows its mantissa's.
func (m *Clocked) factor(offset uint32) Scale {
	return Scale{m.staged(offset), int(m.staged(offset + 4))}
}

// Read is the value of a counter.
func (m *Clocked) Read(r *registers.Register, port int) uint32 {
	if r.Offset == registers.NoPort {
		return uint32(m.noPort)
	}
	status := registers.Status((r.Offset - registers.Count) / 4)
	if status == registers.StatusStacked {
		return uint32(m.counters[port].Stacked)
	}
	return uint32(m.counters[port].By[status])
}

// enforce applies, at the end of cycle now, the commits that are in force as of the next one.
func (m *Clocked) enforce(now int64) {
	s := &m.software
	if s.commitAt <= now+1 {
		s.commit()
		s.commitAt = never
	}
	if s.swapAt <= now+1 {
		m.cfg.Bounds[s.begunType] = slices.Clone(s.bounds)
		s.swapAt = never
	}
}

// Command is a write to a register that does something, in cycle now.
func (m *Clocked) Command(now int64, offset, data uint32) (ok bool, answer int) {
	s := &m.software
	switch offset {
	case registers.PortCommit:
		return m.inForce(now, m.port(data))
	case registers.EstimateCommit:
		return m.inForce(now, m.estimate())
	case registers.BucketStart:
		s.begun, s.begunType, s.bounds = data < Types, uint8(data), s.bounds[:0]
		return s.begun, 0
	case registers.BucketPush:
		return s.push(uint64(data)), 0
	case registers.BucketCommit:
		ok = s.begun && len(s.bounds) > 0
		s.begun = false
		if !ok {
			return false, 0
		}
		absent := m.timing.Absent * (Buckets - len(s.bounds))
		s.swapAt = now + int64(m.timing.Buckets+absent)
		return true, m.timing.BucketsAnswer + absent
	case registers.QuantizerCommit:
		q := Quantizer{m.staged(registers.QuantizerBase), m.staged(registers.QuantizerStep)}
		if ok = data < Types && q.Step != 0; ok {
			m.cfg.Quantize[data] = q
		}
	}
	return ok, 0
}

func (s *software) push(bound uint64) bool {
	n := len(s.bounds)
	s.begun = s.begun && n < Buckets && (n == 0 && bound == 0 || n > 0 && bound >= s.bounds[n-1])
	if s.begun {
		s.bounds = append(s.bounds, bound)
	}
	return s.begun
}

// port returns the commit of the staged values to a port; nil if they are not legal.
func (m *Clocked) port(port uint32) (commit func()) {
	p := boundPort{
		Port:  Port{Trusted: m.staged(registers.PortTrust) != 0, Capacity: m.staged(registers.PortCapacity)},
		ratio: m.factor(registers.PortRatio), depth: m.factor(registers.PortDepth),
	}
	legal := legalCapacity(p.Capacity) && m.legalFactor(p.ratio) && m.legalFactor(p.depth)
	if port >= uint32(len(m.ports)) || !legal {
		return nil
	}
	for t := range p.Action {
		p.Action[t] = Action(m.staged(registers.PortActions) >> (2 * t) & 3)
		if checkAction(t, p.Action[t]) != nil {
			return nil
		}
	}
	for t := range p.Locator {
		l := m.staged(registers.PortLocator(t))
		p.Locator[t] = Locator{Compact: uint16(l), Expanded: uint16(l >> 16)}
	}
	return func() { m.ports[port] = &p }
}

// estimate returns the commit of the staged values to the measurement; nil if they are not legal.
func (m *Clocked) estimate() (commit func()) {
	e, factor := m.cfg.Estimate, m.factor(registers.EstimateFactor)
	e.Window, e.Overhead = m.staged(registers.EstimateWindow), m.staged(registers.EstimateOverhead)
	if e.Method == Raw && !legalWindow(e.Window) || !m.legalFactor(factor) {
		return nil
	}
	return func() {
		m.estimator.configure(e, factor)
		m.estimateOK = true
	}
}

// inForce has a commit in cycle now in force when it is to be.
func (m *Clocked) inForce(now int64, commit func()) (ok bool, answer int) {
	if commit == nil {
		return false, 0
	}
	m.software.commit, m.software.commitAt = commit, now+int64(m.timing.Commit)
	return true, m.timing.CommitAnswer
}

// legalFactor reports whether a mantissa has exactly its number of bits.
func (m *Clocked) legalFactor(s Scale) bool { return bits.Len64(s.Mantissa) == m.cfg.Widths.Recip }
