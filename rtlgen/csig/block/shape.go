package block

import (
	"maps"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/transit"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// The possible parts of a packet's header, in words of 4 bytes: every tag starts at a multiple of 4.
const (
	WordBytes = 4
	firstWord = 3  // after the addresses
	lastStart = 11 // of a CSIG tag: after four VLAN tags and a SecTAG with SCI
	lastWord  = 13 // its first two bytes decide whether another CSIG tag follows an expanded one there
	lastByte  = 53 // of the header
	maxVLANs  = 4
)

// Widths that all blocks share.
const (
	ValueBits    = 32 // signal values, bounds, base, step, capacity
	CodeBits     = 20 // codes; those of compact tags have 5
	BucketBits   = 5
	ShiftBits    = 6
	TypeBits     = 4
	placeBits    = 4  // word of a tag
	LengthBits   = 17 // bytes on the wire of a packet: up to 65,535 and the overhead
	OverheadBits = 8
	WindowBits   = 30
)

// Status of a packet, as m_axis_tuser and the counters have it.
const (
	statusUntagged = iota
	statusShort
	statusHidden
	statusTruncated
	statusUpdated
	statusKept
	statusHeld
	statusPassed
	statusStripped
	statusDistrusted
	StatusNoPort
	statusDropped
)

// Actions of a port for a signal type.
const (
	ActionPass = 0
	stripBit   = 0 // of an action: 1 is strip
	updateBit  = 1 // 2 is update
	ActionBits = 2
)

// Shape is a configuration with the parameters derived from it.
type Shape struct {
	*config.CSIG
	transit.Shape

	At      Places
	Spacing int // packets are at least so many cycles apart: their first beats, and their decisions
}

// NewShape is the shape of a checked configuration.
func NewShape(c *config.CSIG) *Shape {
	spacing, at := 1, shallow
	if c.Folded {
		spacing = FoldedCycles
	}
	if c.Deep {
		at = deep
	}
	return &Shape{c, transit.NewShape(c.Ports, c.DataBits, c.TimeBits, c.QlenBits), at, spacing}
}

// Limbs is how products are cut.
func (c *Shape) Limbs() lib.Limbs { return lib.LimbsOf(c.Multiplier) }

func (c *Shape) lanes() int { return c.DataBits / (8 * WordBytes) }

// HeaderBeat is the number of the beat that holds the header's last byte.
func (c *Shape) HeaderBeat() int { return lastByte / c.BeatBytes() }

// Compact and Expanded report whether the device supports tags of the size.
func (c *Shape) Compact() bool  { return c.CompactTPID != 0 }
func (c *Shape) Expanded() bool { return c.ExpandedTPID != 0 }

// CompactLocatorBits and expandedLocatorBits are the widths of LM; 0 without tags of the size.
func (c *Shape) CompactLocatorBits() int {
	switch {
	case !c.Compact():
		return 0
	case c.UEC:
		return 6
	}
	return 7
}

func (c *Shape) expandedLocatorBits() int {
	switch {
	case !c.Expanded():
		return 0
	case c.UEC:
		return 15
	}
	return 16
}

// MeasuredBits is the width of the meter's result.
func (c *Shape) MeasuredBits() int {
	if c.Method == config.CSIGRaw {
		return c.ByteBits
	}
	return c.ByteBits + c.FracBits
}

// PortWidths are the width keys of all ports.
func (c *Shape) PortWidths() vgen.Widths {
	w := c.Widths()
	maps.Copy(w, vgen.Widths{
		"value": ValueBits, "code": CodeBits, "type": TypeBits, "kind": KindBits, "place": placeBits, "length": LengthBits,
		"recip": c.RecipBits, "shift": ShiftBits, "measured": c.MeasuredBits(),
		"low": 16, "high": 32 * bit(c.Expanded()), "size": bit(c.Compact() && c.Expanded()), "locator": 16,
		"clm": c.CompactLocatorBits(), "xlm": c.expandedLocatorBits(), "lanes": c.lanes(), "words": c.gathered(),
		"start": bit(c.TagsApart()), "fold": bit(c.Spacing > 1), "padded": bit(len(c.paddedTPIDs()) > 0),
	})
	return w
}

// gathered is the number of header words that csig_header keeps: none if the walk follows the beats.
func (c *Shape) gathered() int {
	if c.alongBeats() {
		return 0
	}
	return lastWord - firstWord + 1
}

// paddedTPIDs are the first bytes of those CSIG TPIDs whose second byte is 0, as padding is.
func (c *Shape) paddedTPIDs() (list []uint64) {
	for _, v := range []uint16{c.CompactTPID, c.ExpandedTPID} {
		if v != 0 && v&0xff == 0 {
			list = append(list, uint64(v>>8))
		}
	}
	return list
}

// paddedTPID has a 1 if the first byte of a word is that of a CSIG TPID, followed by padding.
func (c *Shape) paddedTPID(word vgen.Signal) vgen.Signal {
	var list []vgen.Signal
	for _, v := range c.paddedTPIDs() {
		list = append(list, word.Slice(31, 24).Is(v))
	}
	return or(list...)
}

// shortestFrame is the number of bytes, without FCS, to which a MAC pads a packet.
const shortestFrame = 60

// SmallestTagged is the number of bytes of the shortest packet with a whole tag.
const SmallestTagged = firstWord*WordBytes + 4

// TagsApart reports whether headers with a tag are at least two cycles apart: a packet with a tag takes two beats.
func (c *Shape) TagsApart() bool { return SmallestTagged > c.BeatBytes() }
