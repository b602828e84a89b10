package inband

import (
	"errors"
	"fmt"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/telemetry"
)

// Node is what software commits of the whole device (registers NODE_*).
type Node struct {
	ID       uint32 // hpcc 12 bits, ifa 20, int_md 32, ioam 24
	Match    uint16 // hpcc, int_md: UDP destination port; ifa: IP protocol
	Space    uint16 // ifa: LNS, 4 bits; ioam: Namespace-ID
	Overhead uint64 // bytes on the wire beyond those that the device sees, 8 bits
}

// WireOverhead is FCS (4), preamble (8) and inter-packet gap (12).
const WireOverhead = 24

// Port is what software commits of one port (registers PORT_*).
type Port struct {
	Enabled bool
	MTU     uint16 // bytes of IP packet
	Rate    uint8  // 4 bits
}

// shape holds the parameters fixed when the device is generated, with the widths that follow from the format.
type shape struct {
	config.INT
	format   format
	recLen   int // bytes of a record
	window   int // bytes of a packet on which the walk depends
	txBits   int // of txBytes in a record
	qlenBits int // of qLen in a record
	idBits   int // of a node's ID
	grows    bool
}

// Check reports everything that is wrong with the part of a configuration that is fixed when the device is generated.
func Check(c *config.INT) error {
	var list []error
	within := func(what string, v, low, high int) {
		if v < low || v > high {
			list = append(list, fmt.Errorf("inband: %s is %d, legal are %d to %d", what, v, low, high))
		}
	}
	within("number of ports", c.Ports, 1, 256)
	within("width of time", c.TimeBits, 32, 64)
	within("width of queue depths", c.QlenBits, 8, 48)
	within("unit of queue depth", c.QlenUnit, 1, 65535)
	within("unit of txBytes", c.TxUnit, 1, 65536)
	if c.TxUnit&(c.TxUnit-1) != 0 {
		list = append(list, fmt.Errorf("inband: unit of txBytes is %d, want a power of two", c.TxUnit))
	}
	switch c.DataBits {
	case 64, 128, 256, 512:
	default:
		list = append(list, fmt.Errorf("inband: width of the stream is %d bits, legal are 64, 128, 256, 512", c.DataBits))
	}
	within("number of VLAN TPIDs", len(c.VLANTPIDs), 1, 4)
	for _, t := range c.VLANTPIDs {
		if t < 0x0600 || t == etherIPv4 || t == etherIPv6 {
			list = append(list, fmt.Errorf("inband: %#04x cannot be a VLAN TPID: it is a length or an EtherType of IP", t))
		}
	}
	switch c.Format {
	case config.INTHPCC:
		within("number of hops", c.MaxHops, 1, telemetry.HPCCMaxHops)
	case config.INTIFA, config.INTMD:
	case config.INTIOAM:
		within("bit of tx_bytes", c.TxBit, 12, 21)
	default:
		list = append(list, fmt.Errorf("inband: %q is no format, legal are hpcc, ifa, int_md, ioam", c.Format))
	}
	return errors.Join(list...)
}

func newShape(c *config.INT) (*shape, error) {
	if err := Check(c); err != nil {
		return nil, err
	}
	s := &shape{INT: *c, grows: true}
	switch c.Format {
	case config.INTHPCC:
		s.format, s.recLen, s.window = hpcc{s}, telemetry.HPCCHopLen, 100+8*c.MaxHops
		s.txBits, s.qlenBits, s.idBits, s.grows = 20, 16, 12, !c.Reserved
	case config.INTIFA:
		s.format, s.recLen, s.window = ifa{s}, telemetry.IFAHopLen, 158
		s.txBits, s.qlenBits, s.idBits = 32, 16, 20
	case config.INTMD:
		s.format, s.recLen, s.window = intMD{s}, telemetry.INTHopLen, 114
		s.txBits, s.qlenBits, s.idBits = 32, 24, 32
	case config.INTIOAM:
		s.format, s.recLen, s.window = ioam{s}, telemetry.IOAMHopLen, 330
		s.txBits, s.qlenBits, s.idBits, s.grows = 32, 32, 24, false
	}
	return s, nil
}

// fits reports what of a node does not fit the format's fields.
func (s *shape) fits(n Node) error {
	match, space := uint(0), uint(0)
	switch s.Format {
	case config.INTHPCC, config.INTMD:
		match = 16
	case config.INTIFA:
		match, space = 8, 4
	case config.INTIOAM:
		space = 16
	}
	switch {
	case uint64(n.ID)>>s.idBits != 0:
		return fmt.Errorf("inband: node is %d, the largest value of its %d bits is %d", n.ID, s.idBits, uint64(1)<<s.idBits-1)
	case n.Match>>match != 0:
		return fmt.Errorf("inband: match is %d, the largest value of its %d bits is %d", n.Match, match, 1<<match-1)
	case n.Space>>space != 0:
		return fmt.Errorf("inband: namespace is %d, the largest value of its %d bits is %d", n.Space, space, 1<<space-1)
	case n.Overhead > 255:
		return fmt.Errorf("inband: overhead is %d bytes a packet, legal are 0 to 255", n.Overhead)
	}
	return nil
}
