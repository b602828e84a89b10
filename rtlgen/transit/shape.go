package transit

import (
	"maps"
	"math/bits"

	"github.com/hdlpkg/hpccgen/rtlgen/axil"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// Widths, in bits, that are the same in all packet pipelines.
const (
	StatusBits  = 4  // status of a packet
	CounterBits = 32 // packet counters
	LengthBits  = 16 // bytes of a packet, at most 65,535
)

// Shape is the size of a packet pipeline. A design's own shape embeds it.
type Shape struct{ ports, dataBits, timeBits, qlenBits int }

// NewShape is the shape of a pipeline with so many ports and bits a beat, and with times in ns and queue depths in
// bytes of so many bits.
func NewShape(ports, dataBits, timeBits, qlenBits int) Shape {
	return Shape{ports: ports, dataBits: dataBits, timeBits: timeBits, qlenBits: qlenBits}
}

// BeatBytes is the number of bytes in a beat.
func (s Shape) BeatBytes() int { return s.dataBits / 8 }

// PortBits is the width of a port number in tuser, IndexBits that of a port that exists.
func (s Shape) PortBits() int  { return bits.Len(uint(s.ports)) }
func (s Shape) IndexBits() int { return max(1, bits.Len(uint(s.ports-1))) }

// CountBits is the width of the number of a packet counter: port, then status.
func (s Shape) CountBits() int { return s.IndexBits() + StatusBits }

// SweepCycles is how long the packet counters take to clear after reset.
func (s Shape) SweepCycles() int { return 1 << s.CountBits() }

// UserFields are the fields of s_axis_tuser.
func (s Shape) UserFields() []UserField { return UserFields(s.ports, s.timeBits, s.qlenBits) }

// UserDoc describes both ports tuser, a line each.
func (s Shape) UserDoc() (in, out string) {
	return userDoc("s_axis_tuser", s.UserFields()), userDoc("m_axis_tuser", SentUserFields(s.ports))
}

// Widths are the width keys of what every packet pipeline has.
func (s Shape) Widths() vgen.Widths {
	w := vgen.Widths{
		"data": s.dataBits, "keep": s.BeatBytes(), "port": s.PortBits(), "index": s.IndexBits(), "time": s.timeBits,
		"qlen": s.qlenBits, "status": StatusBits, "count": s.CountBits(), "counter": CounterBits,
		"user": userWidth(s.UserFields()), "muser": userWidth(SentUserFields(s.ports)),
	}
	maps.Copy(w, axil.Widths)
	return w
}
