package csig

import (
	"errors"
	"fmt"

	"github.com/hdlpkg/hpccgen/telemetry"
)

// problems collects the errors in a configuration.
type problems []error

func (p *problems) add(what string, args ...any) {
	*p = append(*p, fmt.Errorf("csig: "+what, args...))
}

func (p *problems) within(what string, v, low, high int) {
	if v < low || v > high {
		p.add("%s is %d, legal are %d to %d", what, v, low, high)
	}
}

// Check reports everything that is wrong with the configuration.
func (c *Config) Check() error {
	var p problems
	c.checkWidths(&p)
	if c.Estimate.Method == Raw && !legalWindow(c.Estimate.Window) {
		p.add("window is %d ns, legal are 1000 to 1000000000 (1 us to 1 s)", c.Estimate.Window)
	}
	if c.Estimate.Overhead > 255 {
		p.add("overhead is %d bytes a packet, legal are 0 to 255", c.Estimate.Overhead)
	}
	if len(c.Port) == 0 {
		p.add("no ports")
	}
	for i := range c.Port {
		if err := c.checkPort(i, &c.Port[i]); err != nil {
			p = append(p, err)
		}
	}
	for t := range Types {
		if err := errors.Join(checkBounds(t, c.Bounds[t]), checkQuantizer(t, c.Quantize[t])); err != nil {
			p = append(p, err)
		}
	}
	return errors.Join(p...)
}

// checkDesign reports errors in the parameters that are fixed when a device is generated.
func (c *Config) checkDesign(ports, dataBits int) error {
	var p problems
	p.within("number of ports", ports, 1, MaxPorts)
	switch dataBits {
	case 64, 128, 256, 512:
	default:
		p.add("width of packet streams is %d, legal are 64, 128, 256 and 512", dataBits)
	}
	c.checkWidths(&p)
	return errors.Join(p...)
}

// checkWidths is about widths, shifts and tags.
func (c *Config) checkWidths(p *problems) {
	w := &c.Widths
	p.within("width of time", w.Time, 32, 64)
	p.within("width of byte counts", w.Bytes, 16, 40)
	p.within("fraction of byte counts", w.Frac, 0, 16)
	p.within("fraction of ABW/C", w.Ratio, 12, 28)
	p.within("width of queue depths", w.Qlen, 8, 48)
	if least, most := w.Ratio+4, min(w.Ratio+8, 32); w.Recip < least || w.Recip > most {
		p.add(
			"width of factors is %d, legal are %d to %d: 4 to 8 bits more than the fraction of ABW/C, so that its factor has a shift of 0 to 63", w.Recip, least, most)
	}
	c.Estimate.checkShifts(p)
	if err := c.Tags.Check(); err != nil {
		*p = append(*p, err)
	}
}

func (e *Estimate) checkShifts(p *problems) {
	switch e.Method {
	case Raw:
	case EWMA:
		p.within("shift of the EWMA's time constant", e.TimeShift, 10, 30)
		p.within("shift of the EWMA's shortest update", e.GapShift, 0, max(e.TimeShift-1, 0))
	case DRE:
		p.within("shift of the DRE's tick", e.TickShift, 0, 30)
		p.within("shift of the DRE's decay", e.DecayShift, 1, 6)
		p.within("shift of the DRE's time constant, tick and decay together,", e.TickShift+e.DecayShift, 10, 30)
	default:
		p.add("%s is no method, legal are raw, ewma, dre", e.Method)
	}
}

func legalWindow(ns uint64) bool { return ns >= 1000 && ns <= 1e9 }

func (c *Config) checkPort(i int, port *Port) error {
	var p problems
	if !legalCapacity(port.Capacity) {
		p.add("port %d: capacity is %d kbit/s, legal are %d to %d", i, port.Capacity, MinCapacity, uint64(1)<<ValueBits-1)
	}
	for t, a := range port.Action {
		if err := checkAction(t, a); err != nil {
			p.add("port %d: %w", i, err)
		}
	}
	for t, l := range port.Locator {
		if err := c.checkLocator(t, l); err != nil {
			p.add("port %d: %w", i, err)
		}
	}
	return errors.Join(p...)
}

func legalCapacity(c uint64) bool { return c >= MinCapacity && c < 1<<ValueBits }

func checkAction(t int, a Action) error {
	if a > Update {
		return fmt.Errorf("type %d: %s is no action, legal are pass, strip, update", t, a)
	}
	if a == Update && t >= Types {
		return fmt.Errorf("type %d: update, but there is no such signal; legal are pass and strip", t)
	}
	return nil
}

func (c *Config) checkLocator(t int, l Locator) error {
	for _, size := range []telemetry.CSIGSize{telemetry.CSIGCompact, telemetry.CSIGExpanded} {
		if bits := c.Split.Layout(size).Locator; l.Of(size)>>bits != 0 {
			return fmt.Errorf("type %d: %s locator is %d, the largest value of its %d bits is %d", t, size, l.Of(size),
				bits, 1<<bits-1)
		}
	}
	return nil
}

// checkBounds lets pass that there is no table.
func checkBounds(t int, bounds []uint64) error {
	if len(bounds) == 0 {
		return nil
	}
	return checkTable(t, bounds)
}

func checkTable(t int, bounds []uint64) error {
	var p problems
	if len(bounds) == 0 || len(bounds) > Buckets {
		p.add("type %d: %d buckets, legal are 1 to %d", t, len(bounds), Buckets)
		return p[0]
	}
	if bounds[0] != 0 {
		p.add("type %d: the first lower bound is %d, want 0: every value must have a bucket", t, bounds[0])
	}
	for i, b := range bounds {
		if b >= 1<<ValueBits {
			p.add("type %d: lower bound %d is %d, the largest value is %d", t, i, b, uint64(1)<<ValueBits-1)
		}
		if i > 0 && b < bounds[i-1] {
			p.add("type %d: lower bound %d is %d, below the %d before it", t, i, b, bounds[i-1])
		}
	}
	return errors.Join(p...)
}

// checkQuantizer lets pass that there is none.
func checkQuantizer(t int, q Quantizer) error {
	if q == (Quantizer{}) {
		return nil
	}
	return checkStep(t, q)
}

func checkStep(t int, q Quantizer) error {
	var p problems
	if q.Step == 0 || q.Step >= 1<<ValueBits {
		p.add("type %d: the quantizer's step is %d, legal are 1 to %d", t, q.Step, uint64(1)<<ValueBits-1)
	}
	if q.Base >= 1<<ValueBits {
		p.add("type %d: the quantizer's base is %d, legal are 0 to %d", t, q.Base, uint64(1)<<ValueBits-1)
	}
	return errors.Join(p...)
}

func nameOf(kind string, names []string, v uint8) string {
	if int(v) < len(names) {
		return names[v]
	}
	return fmt.Sprintf("%s(%d)", kind, v)
}
