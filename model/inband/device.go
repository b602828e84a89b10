package inband

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/config"
)

// MinCounted is the length as which a shorter packet leaves: the MAC pads it.
const MinCounted = 60

// MaxCounted is the largest length of an arriving packet that txBytes counts in full.
const MaxCounted = 65535

// Device is the INT source of a switch. It takes packets in the order in which they leave. Not safe for concurrent use.
type Device struct {
	*shape
	node      Node
	committed bool
	ports     []port
	noPort    uint64
}

type port struct {
	Port
	tx       uint64 // bytes on the wire, modulo 2^(txBits + log2(TxUnit))
	counters Counters
}

// Reset makes a device after reset: it changes no packet. The error is that of Check.
func Reset(c *config.INT) (*Device, error) {
	s, err := newShape(c)
	if err != nil {
		return nil, err
	}
	d := &Device{shape: s, ports: make([]port, c.Ports)}
	d.reset()
	return d, nil
}

func (d *Device) reset() {
	d.node, d.committed, d.noPort = Node{Overhead: WireOverhead}, false, 0
	clear(d.ports)
}

// New makes a device that software has set up as the configuration says.
func New(c *config.INT) (*Device, error) {
	d, err := Reset(c)
	if err != nil {
		return nil, err
	}
	if len(c.Port) > c.Ports {
		return nil, fmt.Errorf("inband: settings of %d ports, there are %d", len(c.Port), c.Ports)
	}
	for i, p := range c.Port {
		if err := d.SetPort(i, Port{p.Enabled, p.MTU, p.RateCode}); err != nil {
			return nil, err
		}
	}
	if err := d.SetNode(Node{c.Node, c.Match, c.Space, c.OverheadBytes}); err != nil {
		return nil, err
	}
	return d, nil
}

// SetNode commits the settings of the whole device. On error the old settings stay.
func (d *Device) SetNode(n Node) error {
	if err := d.fits(n); err != nil {
		return err
	}
	d.node, d.committed = n, true
	return nil
}

// SetPort commits the settings of a port. With an error the old ones stay.
func (d *Device) SetPort(i int, p Port) error {
	if i < 0 || i >= len(d.ports) {
		return fmt.Errorf("inband: port %d, legal are 0 to %d", i, len(d.ports)-1)
	}
	if p.Rate > 15 {
		return fmt.Errorf("inband: rate code is %d, the largest value of its 4 bits is 15", p.Rate)
	}
	d.ports[i].Port = p
	return nil
}

// Process sends one packet through the device: pkt starts with the destination address and has no FCS. The packet that
// leaves is pkt itself when nothing changed, else a new slice; pkt is not written to.
func (d *Device) Process(pkt []byte, m Meta) ([]byte, Event) {
	if !d.has(m) {
		d.tally(m.EgressPort, NoPort)
		return pkt, Event{Status: NoPort}
	}
	m = d.narrow(m)
	v := d.decide(pkt, m)
	snap := d.snapshot(m, v.rate)
	e := d.mustEdit(pkt, &v, snap, m)
	out := e.apply(pkt)
	d.count(m.EgressPort, len(pkt), e.added(), v.overhead)
	d.tally(m.EgressPort, v.status)
	ev := Event{Status: v.status, Snapshot: snap}
	if v.status == Inserted {
		ev.At = v.at
	}
	return out, ev
}

// narrow is what of times and queue depth the device is given.
func (s *shape) narrow(m Meta) Meta {
	m.IngressNs, m.EgressNs = s.cut(m.IngressNs), s.cut(m.EgressNs)
	m.QlenBytes = min(m.QlenBytes, 1<<s.QlenBits-1)
	return m
}

func (d *Device) has(m Meta) bool {
	return m.IngressPort >= 0 && m.IngressPort < len(d.ports) && m.EgressPort >= 0 && m.EgressPort < len(d.ports)
}

// verdict is the decision on a packet before the snapshot is taken, with the settings used.
type verdict struct {
	place
	status   Status
	node     Node
	rate     uint8
	overhead uint64
}

// decide applies rows 2 to 7 of docs/int.md, "What happens to it". It reads the first window bytes of the packet only.
func (d *Device) decide(pkt []byte, m Meta) verdict {
	p := &d.ports[m.EgressPort]
	v := verdict{status: Off, node: d.node, rate: p.Rate, overhead: d.node.Overhead}
	if !p.Enabled || !d.committed {
		return v
	}
	v.place, v.status = d.walk(pkt, d.node)
	if v.status == found {
		v.status = d.format.room(pkt, v.place)
	}
	if v.status == found {
		v.status = Inserted
		if d.grows && v.end-v.l3+d.recLen > int(p.MTU) {
			v.status = MTU
		}
	}
	return v
}

// snapshot returns the telemetry of the egress port as the packet leaves.
func (d *Device) snapshot(m Meta, rate uint8) Snapshot {
	return Snapshot{
		TxBytes: d.ports[m.EgressPort].tx / uint64(d.TxUnit),
		Qlen:    min(m.QlenBytes/uint64(d.QlenUnit), 1<<d.qlenBits-1),
		Rate:    rate,
	}
}

// mustEdit is the edit of a packet; values are cut to their fields before, so that encoding cannot fail.
func (d *Device) mustEdit(pkt []byte, v *verdict, snap Snapshot, m Meta) Edit {
	e, err := d.edit(pkt, v.place, v.node, v.status, snap, m)
	if err != nil {
		panic("inband: a record does not encode: " + err.Error())
	}
	return e
}

// count adds a packet of n bytes that left with so many more to the bytes of a port.
func (d *Device) count(i, n, added int, overhead uint64) {
	p := &d.ports[i]
	p.tx += uint64(max(min(n, MaxCounted)+added, MinCounted)) + overhead
	p.tx &= 1<<d.txBits*uint64(d.TxUnit) - 1
}

// tally counts a packet by its status. Counters have 32 bits.
func (d *Device) tally(i int, st Status) {
	c := &d.noPort
	if st != NoPort {
		c = &d.ports[i].counters[st]
	}
	*c = uint64(uint32(*c + 1))
}

// Counters are the packets that left a port so far, by status.
func (d *Device) Counters(port int) Counters { return d.ports[port].counters }

// NoPort is the number of packets from or to ports that the device does not have.
func (d *Device) NoPort() uint64 { return d.noPort }

// TxBytes is the count of bytes of a port, modulo what its record can show.
func (d *Device) TxBytes(port int) uint64 { return d.ports[port].tx }
