package csig

import "github.com/hdlpkg/hpccgen/model/wide"

// Meter is the state of one port's measurement. What its fields mean depends on the method.
type Meter struct {
	Seen    bool   // a packet has left since reset
	Time    uint64 // Raw: start of the window; EWMA: last update; DRE: number of the last tick
	Pending uint64 // Raw: bytes of the window; EWMA: bytes since the last update
	Value   uint64 // what is measured: Raw in bytes, EWMA and DRE in 2^-Frac bytes
}

// elapsed is the time from then to now; 0 when now is the older one.
func elapsed(now, then uint64, bits int) uint64 {
	d := (now - then) & wide.Mask(bits)
	if d >= 1<<(bits-1) {
		return 0
	}
	return d
}

// advance brings the meter to time now, at which a packet leaves. The packet itself does not count yet.
func (c *Config) advance(m *Meter, now uint64) {
	now &= wide.Mask(c.Widths.Time)
	switch c.Estimate.Method {
	case Raw:
		c.advanceRaw(m, now)
	case EWMA:
		c.advanceEWMA(m, now)
	case DRE:
		c.advanceDRE(m, now)
	}
}

// advanceRaw closes the window when it has ended. After a pause of a whole window nothing was sent, and the next window starts with the packet.
func (c *Config) advanceRaw(m *Meter, now uint64) {
	if !m.Seen {
		*m = Meter{Seen: true, Time: now}
		return
	}
	switch d, window := elapsed(now, m.Time, c.Widths.Time), c.Estimate.Window; {
	case d >= 2*window:
		m.Value, m.Pending, m.Time = 0, 0, now
	case d >= window:
		m.Value, m.Pending, m.Time = m.Pending, 0, (m.Time+window)&wide.Mask(c.Widths.Time)
	}
}

// advanceEWMA keeps 1 - d/T of the average and adds what was sent in the d ns since the last update.
func (c *Config) advanceEWMA(m *Meter, now uint64) {
	if !m.Seen {
		*m = Meter{Seen: true, Time: now}
		return
	}
	d := elapsed(now, m.Time, c.Widths.Time)
	if d < 1<<c.Estimate.GapShift {
		return
	}
	if d >= 1<<c.Estimate.TimeShift {
		m.Value = 0
	} else {
		m.Value -= Scale{d, c.Estimate.TimeShift}.Of(m.Value, m.Value)
	}
	m.Value = min(m.Value+m.Pending<<c.Widths.Frac, c.meterLimit())
	m.Pending, m.Time = 0, now
}

// advanceDRE decays the counter once for each tick that has passed.
func (c *Config) advanceDRE(m *Meter, now uint64) {
	tick := now >> c.Estimate.TickShift
	if !m.Seen {
		*m = Meter{Seen: true, Time: tick}
		return
	}
	n := elapsed(tick, m.Time, c.Widths.Time-c.Estimate.TickShift)
	if n == 0 {
		return
	}
	m.Time = tick
	for ; n > 0 && m.Value>>c.Estimate.DecayShift != 0; n-- {
		m.Value -= m.Value >> c.Estimate.DecayShift
	}
}

// count adds a packet of so many bytes on the wire.
func (c *Config) count(m *Meter, bytes uint64) {
	if c.Estimate.Method == DRE {
		m.Value = min(m.Value+bytes<<c.Widths.Frac, c.meterLimit())
		return
	}
	m.Pending = min(m.Pending+bytes, wide.Mask(c.Widths.Bytes))
}

func (c *Config) meterLimit() uint64 { return wide.Mask(c.Widths.Bytes + c.Widths.Frac) }
