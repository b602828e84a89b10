package csig

import (
	"math/big"

	"github.com/hdlpkg/hpccgen/model/wide"
)

// Meter is the state of one port's measurement. What its fields mean depends on the method.
type Meter struct {
	Seen    bool   // a packet has left since reset
	Time    uint64 // Raw: start of the window, ns; EWMA: last update, ns; DRE: number of the tick of the last update
	Pending uint64 // Raw: bytes of the window; EWMA, DRE: bytes since the last update
	Value   uint64 // Raw: bytes of the last window; EWMA, DRE: average at the last update, in 2^-Frac bytes
}

// Recent is the number of the device's packets after one that updated a port's Value during which it is not updated
// again (EWMA and DRE): what a pipeline may have in flight.
const Recent = 16

// LargestPacket is the most bytes that a packet counts as, overhead apart.
const LargestPacket = 65_535

// estimator has the meters of all ports.
type estimator struct {
	widths   Widths
	estimate Estimate
	factor   Scale    // from what is measured to kbit/s
	decay    []uint64 // DRE: F(n), in 2^-Recip
	packets  uint64   // of the device so far, those without a port apart
	meters   []Meter
	updated  []uint64 // by port: the number of the packet that updated the meter last
}

func newEstimator(w Widths, ports int) estimator {
	return estimator{widths: w, meters: make([]Meter, ports), updated: make([]uint64, ports)}
}

// configure sets what is measured how, and starts all meters anew.
func (e *estimator) configure(estimate Estimate, factor Scale) {
	if estimate.Method == DRE && (e.decay == nil || estimate.DecayShift != e.estimate.DecayShift) {
		e.decay = decayFactors(estimate.DecayShift, e.widths.Recip)
	}
	e.estimate, e.factor = estimate, factor
	clear(e.meters)
}

// decayFactors are (1 - 2^-shift)^n in 2^-bits, rounded half up, for every n for which it is not taken for 0.
func decayFactors(shift, bits int) []uint64 {
	f := make([]uint64, 1<<(shift+4))
	keep := new(big.Int).SetUint64(1<<shift - 1)
	power := big.NewInt(1) // keep^n
	half := big.NewInt(1)
	for n := range f {
		// power / 2^(shift n) * 2^bits, of which the shift to the right is negative for the first n
		right := shift*n - bits
		x := new(big.Int).Set(power)
		if right <= 0 {
			x.Lsh(x, uint(-right))
		} else {
			x.Add(x, half.Lsh(big.NewInt(1), uint(right-1)))
			x.Rsh(x, uint(right))
		}
		f[n] = x.Uint64()
		power.Mul(power, keep)
	}
	return f
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
	e.packets++
	m := &e.meters[port]
	now &= wide.Mask(e.widths.Time)
	if e.estimate.Method == DRE {
		now >>= e.estimate.TickShift
	}
	if !m.Seen {
		*m = Meter{Seen: true, Time: now}
		e.updated[port] = e.packets
		return
	}
	if e.estimate.Method == Raw {
		e.advanceRaw(m, now)
		return
	}
	if e.packets-e.updated[port] <= Recent {
		return
	}
	if e.estimate.Method == EWMA && e.advanceEWMA(m, now) || e.estimate.Method == DRE && e.advanceDRE(m, now) {
		e.updated[port] = e.packets
	}
}

// advanceRaw closes the window when it has ended. After a pause of a whole window nothing was sent, and the next window starts with the packet.
func (e *estimator) advanceRaw(m *Meter, now uint64) {
	switch d, window := elapsed(now, m.Time, e.widths.Time), e.estimate.Window; {
	case d >= 2*window:
		m.Value, m.Pending, m.Time = 0, 0, now
	case d >= window:
		m.Value, m.Pending, m.Time = m.Pending, 0, (m.Time+window)&wide.Mask(e.widths.Time)
	}
}

// advanceEWMA keeps 1 - d/T of the average and adds what was sent in the d ns since the last update. It answers whether the meter was updated.
func (e *estimator) advanceEWMA(m *Meter, now uint64) bool {
	d := elapsed(now, m.Time, e.widths.Time)
	if d < 1<<e.estimate.GapShift {
		return false
	}
	if d >= 1<<e.estimate.TimeShift {
		m.Value = 0
	} else {
		m.Value -= Scale{d, e.estimate.TimeShift}.Of(m.Value, m.Value)
	}
	m.Value = e.sum(m)
	m.Pending, m.Time = 0, now
	return true
}

// advanceDRE adds what was sent since the last update to the counter, and decays it by the ticks that have passed. It answers
// whether the meter was updated.
func (e *estimator) advanceDRE(m *Meter, tick uint64) bool {
	n := elapsed(tick, m.Time, e.widths.Time-e.estimate.TickShift)
	if n == 0 {
		return false
	}
	v := uint64(0)
	if n < uint64(len(e.decay)) {
		v = Scale{e.decay[n], e.widths.Recip}.Of(e.sum(m), e.limit())
	}
	*m = Meter{Seen: true, Time: tick, Value: v}
	return true
}

// count adds a packet of so many bytes on the wire.
func (e *estimator) count(port int, bytes uint64) {
	m := &e.meters[port]
	m.Pending = min(m.Pending+bytes, wide.Mask(e.widths.Bytes))
}

// measured is what a port's meter says.
func (e *estimator) measured(port int) uint64 {
	m := &e.meters[port]
	if e.estimate.Method == DRE {
		return e.sum(m)
	}
	return m.Value
}

// sum is Value and Pending together, of EWMA and DRE.
func (e *estimator) sum(m *Meter) uint64 { return min(m.Value+m.Pending<<e.widths.Frac, e.limit()) }

// limit is the largest Value of EWMA and DRE.
func (e *estimator) limit() uint64 { return wide.Mask(e.widths.Bytes + e.widths.Frac) }

// onWire is what a packet counts as.
func onWire(bytes, removed int, overhead uint64) uint64 {
	return uint64(min(bytes, LargestPacket)-removed) + overhead
}
