package inband

import (
	"maps"
	"math/bits"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/config/registers"
	"github.com/hdlpkg/hpccgen/rtlgen/transit"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// Widths that all blocks share.
const (
	halfBits     = 16 // a 16-bit word of a packet; half h is bytes 2h and 2h + 1
	offsetBits   = 8  // number of a half in front of or at the record: up to 165
	mtuBits      = 16
	rateBits     = 4
	overheadBits = 8
	seenBits     = 9 // bytes of a packet, as many as the walk needs: up to 330
)

// firstHalf is the position of the first possible EtherType, after the addresses; maxVLANs the number of VLAN tags.
const (
	firstHalf = 6
	maxVLANs  = 4
)

// Statuses of a packet, as m_axis_tuser and the counters have them.
const (
	statusPlain = iota
	statusShort
	statusMalformed
	statusFragment
	statusForeign
	statusOff
	statusHops
	statusFull
	statusMTU
	statusInserted
	statusNoPort
)

// shape is a configuration with the parameters derived from its format.
type shape struct {
	*config.INT
	transit.Shape

	recBytes int  // of a record
	read     int  // bytes of a packet that the walk reads
	window   int  // bytes of a packet that the walk depends on
	grows    bool // a packet with a new record is longer
	udp      bool // records are part of the UDP datagram
	ipv4     bool // carried in IPv4, too
	txBits   int  // of txBytes in a record
	qlenBits int  // of qLen in a record
	oddPlace bool // the record begins at a half with an odd number

	nodeBits, matchBits, spaceBits int
}

func newShape(c *config.INT) *shape {
	s := &shape{INT: c, Shape: transit.NewShape(c.Ports, c.DataBits, c.TimeBits, c.QlenBits), grows: true, ipv4: true,
		txBits: 32, oddPlace: true}
	s.nodeBits, s.matchBits, s.spaceBits = registers.INTNodeBits(c.Format)
	switch c.Format {
	case config.INTIFA:
		s.recBytes, s.read, s.window, s.qlenBits = 32, 158, 158, 16
	case config.INTMD:
		s.recBytes, s.read, s.window, s.qlenBits, s.udp = 24, 108, 114, 24, true
	case config.INTIOAM:
		s.recBytes, s.read, s.window, s.qlenBits, s.grows, s.ipv4 = 20, 86, 330, 32, false, false
	default:
		s.recBytes, s.read, s.window, s.txBits, s.qlenBits, s.udp = 8, 100, 100+8*c.MaxHops, 20, 16, true
		s.grows, s.oddPlace = !c.Reserved, false
	}
	return s
}

// lanes is the number of halves in a beat.
func (s *shape) lanes() int { return s.DataBits / halfBits }

// headerBeat is the number of the beat that holds the last byte that the walk depends on.
func (s *shape) headerBeat() int { return (s.window - 1) / s.BeatBytes() }

// sumBits is the width of a port's count of bytes: the bits shown in the record, and those below its unit.
func (s *shape) sumBits() int { return s.txBits + bits.Len(uint(s.TxUnit)) - 1 }

// widths are the width keys of all ports.
func (s *shape) widths() vgen.Widths {
	w := s.Widths()
	maps.Copy(w, vgen.Widths{
		"half": halfBits, "offset": offsetBits, "mtu": mtuBits, "rate": rateBits, "overhead": overheadBits,
		"length": transit.LengthBits, "seen": seenBits, "node": s.nodeBits, "match": s.matchBits, "space": s.spaceBits,
		"sum": s.sumBits(), "record": 8 * s.recBytes, "halves": s.read/2 - firstHalf, "bytes": transit.LengthBits + 1,
	})
	return w
}

// word is a 16-bit word of a packet that may become another.
type word struct {
	name   string
	parity int // of the number of the half that it is
}

// words are the words of a packet that the device may replace. The parity of each position is known: l3, l4 and
// everything at a multiple of 4 bytes after them starts at a half with an odd number.
func (s *shape) words() []word {
	var list []word
	if s.grows {
		if s.ipv4 {
			list = append(list, word{"total_length", 0}, word{"ip_checksum", 0})
		}
		list = append(list, word{"payload_length", 1})
		if s.udp {
			list = append(list, word{"udp_length", 1})
		}
	}
	if s.udp {
		list = append(list, word{"udp_checksum", 0})
	}
	return append(list, s.changes()...)
}

// changes are the words that the format itself changes: its counters and flags.
func (s *shape) changes() []word {
	switch s.Format {
	case config.INTIFA:
		return []word{{"limit_length", 0}}
	case config.INTMD:
		return []word{{"shim_length", 1}, {"flags", 1}, {"hops", 0}}
	case config.INTIOAM:
		return []word{{"remaining", 0}}
	default:
		return []word{{"nhop_path", 1}}
	}
}
