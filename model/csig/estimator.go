package csig

import (
	"github.com/hdlpkg/hpccgen/model/wide"
)

// Meter is the state of one port's measurement. What its fields mean depends on the method.
type Meter struct {
	Seen    bool   // a packet has left since reset
	Time    uint64 // Raw: start of the window, ns; EWMA: last update, ns; DRE: number of the tick of the last update
	Pending uint64 // Raw: bytes of the window; EWMA, DRE: bytes since the last update
	Value   uint64 // Raw: bytes of the last window; EWMA, DRE: average at the last update times 2^Phase, in 2^-Frac bytes
	Phase   uint64 // EWMA, DRE: fraction of the last update's time, in half-lives
}

// LargestPacket is the most bytes that a packet counts as, overhead and removed bytes apart; ShortestFrame is the
// fewest, overhead apart, since the MAC pads what leaves to that.
const (
	LargestPacket = 65_535
	ShortestFrame = 60
)

// estimator has the meters of all ports.
type estimator struct {
	widths   Widths
	estimate Estimate
	factor   Scale // from the measured value to kbit/s
	average  average
	meters   []Meter
	fresh    []bool // by port: it has been seen in this section of the time
	section  uint64
	begun    bool // section is that of a packet
}

// sectionBits are the first bits of a time, its section.
const sectionBits = 3

func newEstimator(w Widths, ports int) estimator {
	return estimator{widths: w, meters: make([]Meter, ports), fresh: make([]bool, ports)}
}

// configure sets the method of measurement and restarts all meters.
func (e *estimator) configure(estimate Estimate, factor Scale) {
	e.estimate, e.factor, e.average = estimate, factor, newAverage(&estimate, &e.widths)
	clear(e.meters)
	clear(e.fresh)
	e.begun = false
}

// age lets the device's time come to that of a packet. Ports that have slept for a whole section are forgotten.
func (e *estimator) age(now uint64) {
	section := now >> (e.widths.Time - sectionBits)
	step := (section - e.section) & (1<<sectionBits - 1)
	switch {
	case e.begun && (step == 0 || step == 1<<sectionBits-1):
		return
	case e.begun:
		for i := range e.meters {
			e.meters[i].Seen = e.meters[i].Seen && step == 1 && e.fresh[i]
		}
		clear(e.fresh)
	}
	e.section, e.begun = section, true
}

// elapsed is the time from then to now; 0 when now is the older one.
func elapsed(now, then uint64, bits int) uint64 {
	d := (now - then) & wide.Mask(bits)
	if d >= 1<<(bits-1) {
		return 0
	}
	return d
}

// advance brings a port's meter to time now, at which a packet leaves. The packet itself does not count yet.
func (e *estimator) advance(port int, now uint64) {
	m := &e.meters[port]
	now &= wide.Mask(e.widths.Time)
	e.age(now)
	e.fresh[port] = true
	if e.estimate.Method == DRE {
		now >>= e.estimate.TickShift
	}
	switch {
	case !m.Seen:
		*m = Meter{Seen: true, Time: now}
	case e.estimate.Method == Raw:
		e.advanceRaw(m, now)
	default:
		e.average.advance(m, now)
	}
}

// advanceRaw closes the window when it has ended. After a pause of a whole window nothing was sent, and the next window
// starts with the packet.
func (e *estimator) advanceRaw(m *Meter, now uint64) {
	switch d, window := elapsed(now, m.Time, e.widths.Time), e.estimate.Window; {
	case d >= 2*window:
		m.Value, m.Pending, m.Time = 0, 0, now
	case d >= window:
		m.Value, m.Pending, m.Time = m.Pending, 0, (m.Time+window)&wide.Mask(e.widths.Time)
	}
}

// count adds a packet of so many bytes on the wire.
func (e *estimator) count(port int, bytes uint64) {
	m := &e.meters[port]
	m.Pending = min(m.Pending+bytes, wide.Mask(e.widths.Bytes))
}

// measured is the value of a port's meter.
func (e *estimator) measured(port int) uint64 {
	m := &e.meters[port]
	if e.estimate.Method == Raw {
		return m.Value
	}
	return e.average.measured(m)
}

// onWire is the number of bytes that a packet counts.
func onWire(bytes, removed int, overhead uint64) uint64 {
	return uint64(max(min(bytes, LargestPacket)-removed, ShortestFrame)) + overhead
}
