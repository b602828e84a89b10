package config

import (
	"fmt"
	"math/big"
	"math/bits"
	"slices"
)

// SignalErrors are bounds of the errors of a port's signals against the draft's formulas in exact arithmetic, as long
// as no count saturates: docs/csig.md, Errors. The per-hop delay is exact.
type SignalErrors struct {
	Capacity uint64   // kbit/s
	Meter    *big.Rat // kbit/s: what EWMA and DRE add
	ABW      *big.Rat // kbit/s
	ABWC     *big.Rat // units of 2^-RatioBits
	NQD      *big.Rat // ns, at a queue of 10 ms
	NQDShare *big.Rat // of the value; with half a nanosecond the error of any
}

// shownQueue is the queue for which NQD's error is shown, in ns.
const shownQueue = 10e6

// ErrorsAt gives the bounds at a capacity in kbit/s, all of which may be in use.
func (c *CSIG) ErrorsAt(capacity uint64) SignalErrors {
	one, half := ratUint(1), big.NewRat(1, 2)
	sum := func(a, b *big.Rat) *big.Rat { return new(big.Rat).Add(a, b) }
	product := func(a, b *big.Rat) *big.Rat { return new(big.Rat).Mul(a, b) }
	d := new(big.Rat).Inv(new(big.Rat).Sub(pow2(c.RecipBits), one))
	full := ratUint(capacity)

	meter := new(big.Rat)
	if c.Method != CSIGRaw {
		// A share of what is in use, and the roundings of the updates in which half is forgotten.
		updates := pow2(c.TimeShift - c.GapShift)
		if c.Method == CSIGDRE {
			updates = pow2(c.DecayShift)
		}
		roundings := sum(product(big.NewRat(17, 32), updates), ratUint(2))
		meter = sum(product(full, pow2(-averageBits)), product(roundings, c.estimate()))
	}
	off := product(meter, sum(one, d))
	unit := new(big.Rat).Quo(pow2(c.RatioBits), full)
	return SignalErrors{
		Capacity: capacity, Meter: meter,
		ABW:      sum(sum(half, product(full, d)), off),
		ABWC:     sum(sum(half, product(pow2(c.RatioBits), d)), product(unit, off)),
		NQD:      sum(half, product(ratUint(shownQueue), d)),
		NQDShare: d,
	}
}

// averageBits: an average is off by less than 2^-averageBits of it, roundings apart.
const averageBits = 20

// ErrorRows gives the bounds of every capacity that a port has, for printing.
func (c *CSIG) ErrorRows() []Row {
	capacities := c.Capacities()
	from := "half a unit; C d with d = 1/(2^" + fmt.Sprint(c.RecipBits) + " - 1), the factor"
	if c.Method != CSIGRaw {
		from += fmt.Sprintf("; 2^-%d of what is in use and roundings, the average", averageBits)
	}
	var rows []Row
	for _, capacity := range capacities {
		e, at := c.ErrorsAt(capacity), " at "+bpsString(capacity*1000)
		share := new(big.Rat).Mul(e.ABWC, new(big.Rat).Mul(pow2(-c.RatioBits), ratUint(100)))
		rows = append(rows,
			Row{"ABW" + at, upwards(e.ABW) + " kbit/s", from},
			Row{"ABW/C" + at, fmt.Sprintf("%s of 2^-%d (%s%%)", upwards(e.ABWC), c.RatioBits, upwards(share)),
				"half a unit, the factor" + map[bool]string{true: ", the meter"}[c.Method != CSIGRaw]})
	}
	d := c.ErrorsAt(capacities[0])
	return append(rows,
		Row{"per-hop delay", "0", "exact up to 2^32 - 1 ns"},
		Row{"queue depth over capacity", fmt.Sprintf("0.5 ns + %s of the value; %s ns at 10 ms", upwards(d.NQDShare),
			upwards(d.NQD)), "half a unit, the factor"},
		c.meterRow(capacities[len(capacities)-1]))
}

// Capacities lists the capacities of the ports in kbit/s, each once, ascending.
func (c *CSIG) Capacities() []uint64 {
	var list []uint64
	for _, p := range c.Port {
		list = append(list, p.CapacityKbps)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// PortBits is the width of a port number, which can name one that does not exist.
func (c *CSIG) PortBits() int { return bits.Len(uint(c.Ports)) }

// meterRow says how far the meter counts.
func (c *CSIG) meterRow(capacity uint64) Row {
	most := new(big.Rat).Sub(pow2(c.ByteBits), ratUint(1))
	measured := new(big.Rat).Mul(ratUint(capacity), ratUint(c.MeasuredNs()))
	measured.Quo(measured, ratUint(8e6))
	times, _ := new(big.Rat).Quo(most, measured).Float64()
	return Row{"bytes counted", most.RatString(),
		fmt.Sprintf("saturates there: %.3g times what %s sends in the %d ns measured", times, bpsString(capacity*1000),
			c.MeasuredNs())}
}

// upwards writes a bound with three places, rounded up.
func upwards(v *big.Rat) string {
	if v.Sign() == 0 {
		return "0"
	}
	scale, digits := new(big.Rat).Set(v), 0
	for hundred := ratUint(100); scale.Cmp(hundred) < 0; digits++ {
		scale.Mul(scale, ratUint(10))
	}
	whole := new(big.Rat).SetInt(new(big.Int).SetUint64(ceil(scale)))
	for range digits {
		whole.Quo(whole, ratUint(10))
	}
	if digits > 8 {
		f, _ := whole.Float64()
		return fmt.Sprintf("%.2e", f)
	}
	return whole.FloatString(digits)
}
