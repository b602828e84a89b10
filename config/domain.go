package config

import (
	"fmt"
	"math/big"
)

// Domain is the set of steps for which a Claim holds. Link rates, T and windows are those of the configuration.
type Domain struct {
	UMin, UMax float64 // U before and after the step and every u' are at most UMax; U after it is at least UMin
	LinkMax    float64 // dtx/(B dts), what a link sends of what it can, is at most this
	EtaMin     float64 // eta is at least this, and at most 1
	RateMinBps float64 // R is at least this; R is at most the fastest rate
}

// The normal range: U where flows meet, not where one runs into saturation; links that do not send above their rate
// by more than the granularity of ts and tx makes of it; senders of 10 Mbit/s or more.
const (
	normalUMin, normalUMax = 1.0 / 16, 32.0
	normalLinkMax          = 4.0
	normalRateMinBps       = 10e6
	etaMin                 = 0.5
)

// whole is all that the configuration asks for.
func (c *NIC) whole() Domain {
	return Domain{UMin: c.UMin, UMax: c.UMax, LinkMax: c.UMax, EtaMin: etaMin, RateMinBps: c.rateMinBps()}
}

// normal is the part of whole that ordinary traffic stays in.
func (c *NIC) normal() Domain {
	return Domain{
		UMin: max(c.UMin, normalUMin), UMax: min(c.UMax, normalUMax), LinkMax: min(c.UMax, normalLinkMax),
		EtaMin: etaMin, RateMinBps: max(c.rateMinBps(), normalRateMinBps),
	}
}

// rateMinBps is the rate of the smallest window over the largest T.
func (c *NIC) rateMinBps() float64 {
	v := ratUint(c.MinWindow)
	v.Mul(v, big.NewRat(8e9, 1)).Quo(v, ratUint(c.MaxRTTTicks)).Quo(v, ratUint(c.Telemetry.TickNs))
	return below(v)
}

// text says what the domain is, for the rows of a budget.
func (d Domain) text() string {
	return fmt.Sprintf(
		"U from %g to %g, u' up to %g, a link's tx up to %g times its rate, eta from %g to 1, R from %sbit/s",
		d.UMin, d.UMax, d.UMax, d.LinkMax, d.EtaMin, rateString(new(big.Rat).SetInt64(int64(d.RateMinBps))))
}
