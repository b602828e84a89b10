package csig

import (
	"math/big"
	"math/bits"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// What a packet's header can be made of, in words of 4 bytes: every tag starts at a multiple of 4.
const (
	wordBytes = 4
	firstWord = 3  // behind the addresses
	lastStart = 11 // of a CSIG tag: behind four VLAN tags and a SecTAG with SCI
	lastWord  = 13 // of which the first two bytes tell whether another CSIG tag follows an expanded one there
	lastByte  = 53 // of the header
	maxVLANs  = 4
)

// Widths of what every block knows.
const (
	valueBits    = 32 // signal values, bounds, base, step, capacity
	codeBits     = 20 // codes; those of compact tags have 5
	bucketBits   = 5
	shiftBits    = 6
	typeBits     = 4
	placeBits    = 4 // word of a tag
	statusBits   = 4
	lengthBits   = 17 // bytes on the wire of a packet: up to 65,535 and the overhead
	overheadBits = 8
	windowBits   = 30
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
	statusNoPort
)

// Actions of a port for a signal type.
const (
	actionPass = iota
	actionStrip
	actionUpdate
	actionBits = 2
)

// Signal types.
const (
	typeABW = iota
	typeABWC
	typePD
	typeNQD
)

// limbBits is the width of a multiplier block's operands.
const limbBits = 18

func lanes(c *config.CSIG) int     { return c.DataBits / (8 * wordBytes) }
func beatBytes(c *config.CSIG) int { return c.DataBits / 8 }

// headerBeat is the number of the beat that holds the header's last byte.
func headerBeat(c *config.CSIG) int { return lastByte / beatBytes(c) }

// latestStart is how many cycles after its first beat a packet starts whose beats come back to back.
func latestStart(c *config.CSIG) int {
	if c.Folded {
		return foldedCycles - 1
	}
	return headerBeat(c)
}

// portBits is the width of a port number in tuser, portIndexBits that of a port that exists.
func portBits(c *config.CSIG) int      { return bits.Len(uint(c.Ports)) }
func portIndexBits(c *config.CSIG) int { return max(1, bits.Len(uint(c.Ports-1))) }

func compact(c *config.CSIG) bool  { return c.CompactTPID != 0 }
func expanded(c *config.CSIG) bool { return c.ExpandedTPID != 0 }

// compactLocatorBits and expandedLocatorBits are the widths of LM; 0 without tags of the size.
func compactLocatorBits(c *config.CSIG) int {
	switch {
	case !compact(c):
		return 0
	case c.UEC:
		return 6
	}
	return 7
}

func expandedLocatorBits(c *config.CSIG) int {
	switch {
	case !expanded(c):
		return 0
	case c.UEC:
		return 15
	}
	return 16
}

// measuredBits is the width of what the meter measures.
func measuredBits(c *config.CSIG) int {
	if c.Method == config.CSIGRaw {
		return c.ByteBits
	}
	return c.ByteBits + c.FracBits
}

func bit(v bool) int {
	if v {
		return 1
	}
	return 0
}

// widths are the width keys of all ports.
func widths(c *config.CSIG) vgen.Widths {
	return vgen.Widths{
		"data": c.DataBits, "keep": beatBytes(c), "user": userBits(c), "port": portBits(c), "index": portIndexBits(c),
		"time": c.TimeBits, "qlen": c.QlenBits, "value": valueBits, "code": codeBits, "type": typeBits, "place": placeBits,
		"status": statusBits, "length": lengthBits, "recip": c.RecipBits, "shift": shiftBits, "measured": measuredBits(c),
		"low": 16, "high": 32 * bit(expanded(c)), "size": bit(compact(c) && expanded(c)), "locator": 16,
		"clm": compactLocatorBits(c), "xlm": expandedLocatorBits(c), "lanes": lanes(c), "words": gathered(c),
		"muser": UserWidth(SentUserFields(c.Ports)), "start": bit(tagsApart(c)), "fold": bit(c.Folded),
	}
}

// userBits is the width of s_axis_tuser.
func userBits(c *config.CSIG) int { return UserWidth(userFields(c)) }

func userFields(c *config.CSIG) []UserField { return UserFields(c.Ports, c.TimeBits, c.QlenBits) }

// flag is a constant bit.
func flag(v bool) vgen.Signal { return vgen.Const(1, uint64(bit(v))) }

// or is the bitwise or; constants that change nothing are left out.
func or(list ...vgen.Signal) vgen.Signal { return joined(list, vgen.Signal.Or, 0) }

// and is the bitwise and; constants that change nothing are left out.
func and(list ...vgen.Signal) vgen.Signal { return joined(list, vgen.Signal.And, 1) }

// joined combines signals of equal width. neutral is the bit that changes nothing; a constant of the other one decides.
func joined(list []vgen.Signal, op func(a, b vgen.Signal) vgen.Signal, neutral uint) vgen.Signal {
	var out vgen.Signal
	for _, s := range list {
		if v, fixed := s.IsConst(); fixed {
			ones := v.BitLen() == s.Width() && allOnes(v)
			zero := v.Sign() == 0
			switch {
			case neutral == 0 && zero, neutral == 1 && ones:
				if !out.Exists() {
					out = s
				}
				continue
			case neutral == 0 && ones, neutral == 1 && zero:
				return s
			}
		}
		if !out.Exists() {
			out = s
			continue
		}
		if _, fixed := out.IsConst(); fixed {
			out = s // the constant so far is the neutral one
			continue
		}
		out = op(out, s)
	}
	return out
}

// allOnes tells whether all bits of v up to its length are set.
func allOnes(v *big.Int) bool {
	next := new(big.Int).Add(v, big.NewInt(1))
	return next.TrailingZeroBits() == uint(v.BitLen())
}

// equals compares with a constant.
func equals(s vgen.Signal, v uint64) vgen.Signal { return s.Eq(vgen.Const(s.Width(), v)) }

// fit zero-extends or cuts to a width; only for values known to fit.
func fit(s vgen.Signal, width int) vgen.Signal {
	if s.Width() >= width {
		return s.Trunc(width)
	}
	return s.Zext(width)
}

// gathered is the number of header words that csig_header keeps: none where the walk goes along with the beats.
func gathered(c *config.CSIG) int {
	if alongBeats(c) {
		return 0
	}
	return lastWord - firstWord + 1
}

// smallestTagged is the number of bytes of the shortest packet with a whole tag.
const smallestTagged = firstWord*wordBytes + 4

// deep tells whether the pipeline has more registers: a wide stream is for a clock that a large FPGA reaches only with little between two of
// them. A narrow one is for small FPGAs, where each register counts.
func deep(c *config.CSIG) bool { return c.DataBits > 64 }

// tagsApart tells whether headers with a tag are at least two cycles apart: a packet with a tag takes two beats.
func tagsApart(c *config.CSIG) bool { return smallestTagged > beatBytes(c) }
