package csig

import (
	"math/bits"

	"github.com/hdlpkg/hpccgen/model/wide"
)

// average is the arithmetic of EWMA and DRE (docs/csig.md, Meters).
type average struct {
	dre       bool
	timeBits  int    // of a port's Time
	shift     int    // EWMA: TimeShift
	phaseBits int    // F
	rate      uint64 // C: what one unit of Time adds to Phase
	due, late uint64 // units of Time
	frac      int    // of a byte
	limit     uint64 // of the measured value
}

// ewmaRate is log2(e) in 2^-ewmaRateBits, dreRateBits the fraction of the DRE's rate.
const (
	ewmaRate     = 5909
	ewmaRateBits = 12
	dreRateBits  = 30
)

// lateShift: a port that has not been updated for so many averaging times, as a power of two, is idle.
const lateShift = 5

func newAverage(e *Estimate, w *Widths) average {
	a := average{frac: w.Frac, limit: wide.Mask(w.Bytes + w.Frac)}
	switch e.Method {
	case EWMA:
		a.timeBits, a.shift = w.Time, e.TimeShift
		a.phaseBits, a.rate = e.TimeShift+ewmaRateBits, ewmaRate
		a.due, a.late = 1<<e.GapShift, 1<<(e.TimeShift+lateShift)
	case DRE:
		a.dre, a.timeBits = true, w.Time-e.TickShift
		a.phaseBits, a.rate = dreRateBits, dreRate(e.DecayShift)
		a.due, a.late = 1, 1<<(e.DecayShift+lateShift)
	}
	return a
}

// advance brings a meter that has been seen to time now, in its units.
func (a *average) advance(m *Meter, now uint64) {
	d := elapsed(now, m.Time, a.timeBits)
	switch {
	case d >= a.late:
		*m = Meter{Seen: true, Time: now}
		return
	case d < a.due:
		return
	}
	sum := m.Phase + a.rate*d
	halvings, phase := int(sum>>a.phaseBits), sum&wide.Mask(a.phaseBits)
	weight, octave := a.up(m.Phase), halvings
	if !a.dre {
		gain, j := a.gain(d)
		weight, octave = wide.Mul(gain, a.up(phase)).Round(lineBits).Lo, j
	}
	added := wide.Mul(m.Pending<<a.frac, weight).Round(lineBits + octave)
	value := wide.From(m.Value).Round(halvings).Add(added).Sat(2*a.limit + 1)
	*m = Meter{Seen: true, Time: now, Value: value, Phase: phase}
}

// measured is the value of a meter, in 2^-frac bytes.
func (a *average) measured(m *Meter) uint64 {
	v := wide.Mul(m.Value, lines().down.at(m.Phase, a.phaseBits)).Round(lineBits).Sat(a.limit)
	if a.dre {
		v = min(v+m.Pending<<a.frac, a.limit)
	}
	return v
}

func (a *average) up(phase uint64) uint64 { return lines().up.at(phase, a.phaseBits) }

// gain is what bytes sent evenly over d ns count in the average at their end: the gain times 2^-octave.
func (a *average) gain(d uint64) (gain uint64, octave int) {
	if d>>a.shift == 0 {
		return lines().gain[0].at(d, a.shift), 0
	}
	octave = bits.Len64(d>>a.shift) - 1
	width := a.shift + octave
	return lines().gain[1+octave].at(d&wide.Mask(width), width), octave
}
