package csig

import (
	"slices"

	"github.com/hdlpkg/hpccgen/telemetry"
)

// Types is the number of signal types with a signal: those of telemetry.CSIGMinABW to CSIGMaxNQD. Tags can name up to
// MaxTypes.
const (
	Types    = 4
	MaxTypes = 16
	Buckets  = 32 // largest number of buckets of a type (draft section 5.3.3)
	MaxPorts = 256
)

// Widths of a device in bits. They are fixed when it is generated.
type Widths struct {
	Time  int // timestamps, in ns; 32 to 64
	Bytes int // counts of bytes on the wire; 16 to 40
	Frac  int // fraction of a byte in the EWMA and the DRE; 0 to 16
	Recip int // mantissa of factors; Ratio + 4 to Ratio + 8, at most 32
	Ratio int // fraction of ABW/C, where 2^Ratio is one; 12 to 28
	Qlen  int // queue depth, in bytes; 8 to 48
}

// DefaultWidths suit ports up to 1.6T and windows up to 1 s.
func DefaultWidths() Widths {
	return Widths{Time: 48, Bytes: 40, Frac: 16, Recip: 32, Ratio: 24, Qlen: 32}
}

// ValueBits is the width of a signal's value, of lower bounds, base and step, and of capacities.
const ValueBits = 32

// MinCapacity is the smallest capacity of a port in kbit/s. With it, a window of 1 us and mantissas of 14 bits all
// factors have a shift of at least 0.
const MinCapacity = 1000

// Method is how the available bandwidth is measured (draft section 5.1.1).
type Method uint8

// The methods.
const (
	Raw  Method = iota // bytes of the last whole window
	EWMA               // updated in proportion to the time that an update covers
	DRE                // counter that packets add to and that every tick decays (CONGA)
)

var methodNames = [...]string{"raw", "ewma", "dre"}

// String is the name of the method.
func (m Method) String() string { return nameOf("method", methodNames[:], uint8(m)) }

// Estimate configures the measurement of bandwidth.
type Estimate struct {
	Method Method
	// Window is delta_t of Raw in ns, 1 us to 1 s (draft section 5.3.2).
	Window uint64
	// EWMA: the time constant is 2^TimeShift ns (10 to 30), updates are at least 2^GapShift ns apart.
	TimeShift, GapShift int
	// DRE: a tick is 2^TickShift ns (up to 30) and takes 2^-DecayShift (1 to 6) of the counter; the time constant is
	// 2^(TickShift+DecayShift) ns, 2^10 at least.
	TickShift, DecayShift int
	// Overhead is the bytes of each packet on the wire that the device does not see: FCS, preamble, gap.
	Overhead uint64
}

// WireOverhead is FCS (4), preamble (8) and inter-packet gap (12).
const WireOverhead = 24

// Action is the treatment by an egress port of tags of a signal type (draft sections 6.1 to 6.3).
type Action uint8

// The actions.
const (
	Pass   Action = iota // leave the tag as it is
	Strip                // remove the tag
	Update               // compare and replace
)

var actionNames = [...]string{"pass", "strip", "update"}

// String is the name of the action.
func (a Action) String() string { return nameOf("action", actionNames[:], uint8(a)) }

// Port configures one port, ingress and egress.
type Port struct {
	Trusted  bool             // tags that arrive here are believed; else they are stripped
	Capacity uint64           // in kbit/s
	Action   [MaxTypes]Action // on egress, by signal type
	Locator  [Types]Locator   // on egress, by signal type
}

// drops reports whether the port must drop a packet: the packet is ambiguous, and either its ingress port is not
// trusted, or this port strips the type of its tag (any type, when its tag is not known).
func (p *Port) drops(trusted bool, at telemetry.Place, tag telemetry.CSIG) bool {
	switch {
	case !at.Ambiguous:
		return false
	case !trusted:
		return true
	case at.Find == telemetry.FindTag:
		return p.Action[tag.Type] == Strip
	}
	return slices.Contains(p.Action[:], Strip)
}

// Locator is the locator metadata of a port, for tags of both sizes.
type Locator struct{ Compact, Expanded uint16 }

// Of is the locator for tags of a size.
func (l Locator) Of(size telemetry.CSIGSize) uint16 {
	if size == telemetry.CSIGExpanded {
		return l.Expanded
	}
	return l.Compact
}

// Quantizer codes values of expanded tags uniformly. Without any field set it is none.
type Quantizer struct{ Base, Step uint64 }

// Config is everything about a device.
type Config struct {
	Widths   Widths
	Tags     telemetry.Tags
	Split    telemetry.CSIGSplit
	Estimate Estimate
	Port     []Port
	// Bounds are the lower bounds of each type's buckets: up to 32, the first 0, none below the one before it. A type
	// without bounds passes compact tags, as one without quantizer passes expanded ones.
	Bounds   [Types][]uint64
	Quantize [Types]Quantizer
}

// code codes the value of a type for tags of a size.
func (c *Config) code(t uint8, size telemetry.CSIGSize, value uint64) uint32 {
	if size == telemetry.CSIGExpanded {
		return c.Quantize[t].Code(value)
	}
	return Bucket(c.Bounds[t], value)
}

// hasTable reports whether the device can code a type for tags of a size.
func (c *Config) hasTable(t uint8, size telemetry.CSIGSize) bool {
	if size == telemetry.CSIGExpanded {
		return c.Quantize[t].Step != 0
	}
	return len(c.Bounds[t]) != 0
}

// DefaultConfig is a device of so many equal ports, all trusted and updating the draft's signals, with the raw
// measurement over 128 us, the buckets of Appendix A, and the quanta of section 4.1.3.2: 8 Mbit/s and 128 ns. The
// locator of a port is its number.
func DefaultConfig(ports int, capacity uint64) Config {
	c := Config{
		Widths:   DefaultWidths(),
		Tags:     telemetry.DefaultTags(),
		Estimate: Estimate{Method: Raw, Window: 128_000, Overhead: WireOverhead},
		Port:     make([]Port, ports),
	}
	for i := range c.Port {
		p := &c.Port[i]
		*p = Port{Trusted: true, Capacity: capacity, Action: UpdateAll(false)}
		for t := range p.Locator {
			p.Locator[t] = Locator{uint16(i) & 0x3f, uint16(i) & 0x7fff}
		}
	}
	c.Bounds = AppendixA(c.Widths.Ratio)
	c.Quantize = [Types]Quantizer{{0, 8000}, {0, 1 << (c.Widths.Ratio - 20)}, {0, 128}, {0, 128}}
	return c
}

// UpdateAll is the action table of a port that updates the three signals of the draft and, when nqd is set, that of
// UEC, and passes others.
func UpdateAll(nqd bool) (a [MaxTypes]Action) {
	for t := range Types {
		if t != telemetry.CSIGMaxNQD || nqd {
			a[t] = Update
		}
	}
	return a
}

// StripAll is the action table of a port that strips every tag: one at the edge of the CSIG domain, or towards a device
// that drops tagged packets.
func StripAll() (a [MaxTypes]Action) {
	for t := range a {
		a[t] = Strip
	}
	return a
}
