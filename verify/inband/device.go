// Package inband is the part of verification that is specific to int_source (docs/int.md): random packets of the
// source's format, valid, damaged and truncated, and software that changes and restores settings.
package inband

import (
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/config/registers"
	"github.com/hdlpkg/hpccgen/model/inband"
	rtl "github.com/hdlpkg/hpccgen/rtlgen/inband"
	"github.com/hdlpkg/hpccgen/verify/stimulus/random"
	"github.com/hdlpkg/hpccgen/verify/stimulus/transit"
)

// Generate makes the source of a configuration, with or without its taps.
func Generate(c *config.INT, taps bool) (*transit.Target, error) {
	s, err := rtl.Build(c)
	if err != nil {
		return nil, err
	}
	return transit.NewTarget(c, s.Top, c.AsyncReset, &s.Timing, transit.Shape{
		Sizes:   transit.Sizes{Ports: c.Ports, DataBits: c.DataBits, TimeBits: c.TimeBits, QlenBits: c.QlenBits},
		Transit: s.Timing.Transit, Header: c.Window(), Decision: s.Timing.Decision,
	}, taps)
}

// NewSubject compares the source of a configuration with the golden model, with or without its taps.
func NewSubject(c *config.INT, taps bool) (*transit.Subject, error) { return newSubject(c, c, taps) }

// newSubject compares with the golden model of another configuration.
func newSubject(c, of *config.INT, taps bool) (*transit.Subject, error) {
	t, err := Generate(c, taps)
	if err != nil {
		return nil, err
	}
	read, err := transit.TapsOf(t, tap)
	return transit.NewSubject(&transit.Design{
		Target: t, Registers: registers.NewINT(c), Mixes: []string{"mixed"},
		Writes: func(transit.Plan) int { return len(registers.ProgramINT(c)) },
		Open:   func(s *transit.Side) (transit.Device, error) { return open(c, of, *t.Timing.(*inband.Timing), read, s) },
	}), err
}

// intTaps are the taps of packets that are compared, but for those of the record.
var intTaps = map[string]transit.Tap[inband.Taps]{
	"status":    func(t *inband.Taps) (uint64, bool) { return uint64(t.Status), true },
	"qlen":      func(t *inband.Taps) (uint64, bool) { return t.Snapshot.Qlen, true },
	"tx":        func(t *inband.Taps) (uint64, bool) { return t.Snapshot.TxBytes, true },
	"timestamp": func(t *inband.Taps) (uint64, bool) { return t.Stamp, true },
}

// tap reads a tap; one of the record is 8 bytes of it, or what is left of it.
func tap(name string) transit.Tap[inband.Taps] {
	part, found := strings.CutPrefix(name, "record")
	n, err := strconv.Atoi(part)
	if !found || err != nil {
		return intTaps[name]
	}
	return func(t *inband.Taps) (v uint64, ok bool) {
		if t.Status != inband.Inserted {
			return 0, false
		}
		for _, b := range t.Record[8*n : min(8*n+8, len(t.Record))] {
			v = v<<8 | uint64(b)
		}
		return v, true
	}
}

// device is a run of an int_source.
type device struct {
	*inband.Clocked
	*transit.Generator
	records

	c       *config.INT
	egress  uint64 // time
	first   int    // of the ports that most packets use
	restore func() // puts back what software has changed; nil: nothing is
	huge    bool   // a packet of more than 65,535 bytes is still allowed
	drain   bool   // nothing comes until the device is empty, then a packet whose checksum becomes 0
	check   int    // where the UDP checksum of the last packet is; 0: it has none
}

func open(
	c, of *config.INT, timing inband.Timing, taps []transit.Tap[inband.Taps], s *transit.Side,
) (*device, error) {
	m, err := inband.NewClocked(of, timing)
	if err != nil {
		return nil, err
	}
	m.OnSnapshot = func(header int64, t *inband.Taps) { transit.Show(s, taps, m.Now()-1-header, t) }
	m.OnDecision = func(_ int64, ev *inband.Event) { s.Decided(false, func() string { return text(ev) }) }
	return &device{Clocked: m, Generator: s.Gen, records: newRecords(c, &s.Bins), c: c}, nil
}

// Cycle is the golden model, of which packets are counted as they leave.
func (d *device) Cycle(in *inband.Inputs, out *inband.Outputs) {
	d.Clocked.Cycle(in, out)
	d.leaves(in, out)
}

// Begin starts an episode.
func (d *device) Begin(p transit.Plan) {
	d.egress, d.first = d.R.Next(), d.R.N(d.c.Ports)
	d.restore, d.huge, d.drain = nil, true, false
	if p == transit.Nothing {
		return
	}
	for i := range d.c.Ports { // with many ports it takes long to come to the last
		if p != transit.Partial || !d.R.OneIn(8) {
			d.port((d.first+i)%d.c.Ports, p != transit.Whole)
		}
	}
	if p != transit.Partial || !d.R.OneIn(8) {
		d.node(p != transit.Whole)
	}
}

// port queues the settings of a port: those of the configuration, or drawn ones.
func (d *device) port(n int, drawn bool) {
	p := d.c.Port[n]
	if drawn {
		p = d.anyPort()
	}
	d.stage(p)
	d.Set(registers.INTPortCommit, uint64(n))
}

func (d *device) anyPort() config.INTPort {
	r := &d.R
	return config.INTPort{Enabled: !r.OneIn(8), MTU: uint16(r.Bits(16)), RateCode: uint8(r.N(16))}
}

// stage queues everything of a port but the commit.
func (d *device) stage(p config.INTPort) {
	enable := uint64(0)
	if p.Enabled {
		enable = 1
	}
	d.Set(registers.INTPortEnable, enable)
	d.Set(registers.INTPortMTU, uint64(p.MTU))
	d.Set(registers.INTPortRate, uint64(p.RateCode))
}

// node queues the settings of the device: those of the configuration, or drawn ones with which packets get records.
func (d *device) node(drawn bool) {
	r, c := &d.R, *d.c
	id, match, space := registers.INTNodeBits(c.Format)
	if drawn {
		c.Node, c.OverheadBytes = uint32(r.Bits(id)), r.Bits(8)
	}
	d.Set(registers.NodeID, uint64(c.Node))
	if match > 0 {
		d.Set(registers.NodeMatch, uint64(c.Match))
	}
	if space > 0 {
		d.Set(registers.NodeSpace, uint64(c.Space))
	}
	d.Set(registers.NodeOverhead, c.OverheadBytes)
	d.Set(registers.NodeCommit, r.Next())
}

// Phase draws nothing.
func (d *device) Phase() {}

// Prepare puts settings back, so that packets go on getting records.
func (d *device) Prepare() {
	if d.restore != nil {
		d.restore()
		d.restore = nil
	}
}

// Operate queues a change of the settings, now and then one that is refused, or puts them back.
func (d *device) Operate() {
	r := &d.R
	if d.restore != nil {
		d.Prepare()
		return
	}
	d.restore = func() { d.node(false) }
	switch r.N(5) {
	case 0, 1:
		n := d.near()
		d.restore = func() { d.port(n, false) }
		p := d.anyPort()
		p.RateCode = uint8(r.N(17))
		d.stage(p)
		to := n
		if r.OneIn(8) {
			to = d.c.Ports
		}
		d.Set(registers.INTPortCommit, uint64(to))
	case 2:
		d.Set(registers.NodeID, r.Bits(32))
		d.Set(registers.NodeOverhead, r.UpTo(260))
		d.Set(registers.NodeCommit, 0)
	case 3:
		d.Set(registers.NodeMatch, r.Bits(32))
		d.Set(registers.NodeSpace, r.Bits(32))
		d.Set(registers.NodeCommit, 0)
	default:
		for range 4 {
			d.Set(uint32(d.Address()), r.Bits(32))
		}
	}
	if r.OneIn(6) { // a strobe is missing
		d.Queue[r.N(len(d.Queue))].Strb = uint8(r.N(transit.AllStrobes))
	}
	if r.OneIn(2) {
		d.Prepare()
	}
}

// Address is any, that of a register, or that of a counter in which a packet is likely to count in the cycle of a read.
func (d *device) Address() uint16 {
	r := &d.R
	switch r.N(4) {
	case 0:
		return uint16(r.Next())
	case 1:
		list := d.Registers.Registers
		reg := &list[r.N(len(list))]
		return uint16(reg.Offset + reg.Stride*uint32(r.N(reg.Count)))
	}
	status := [...]inband.Status{inband.Inserted, inband.Plain, inband.Off, inband.Hops, inband.Status(r.N(16))}[r.N(5)]
	return uint16(registers.Counter(d.near(), registers.Status(status)))
}

// Written is of no interest.
func (d *device) Written(*transit.Write) {}

// near is one of the ports that most packets use.
func (d *device) near() int { return (d.first + d.R.N(min(d.c.Ports, 4))) % d.c.Ports }

// meta draws what comes with a packet.
func (d *device) meta() inband.Meta {
	r, times := &d.R, random.Mask(d.c.TimeBits)
	port := func() int {
		if r.OneIn(32) {
			return r.N(1 << d.PortBits())
		}
		return d.near()
	}
	d.egress = (d.egress + r.UpTo(3000)) & times
	m := inband.Meta{IngressPort: port(), EgressPort: port(), EgressNs: d.egress, QlenBytes: r.Bits(d.c.QlenBits)}
	m.IngressNs = (m.EgressNs - r.UpTo(5000)) & times
	if r.OneIn(8) {
		m.IngressNs = r.Next() & times
	}
	return m
}

// Hold holds a packet back whose checksum is to become 0 until it is known what the port has sent.
func (d *device) Hold() bool { return d.drain && !d.Quiet() }

// Packet makes the next packet. After a Hold it is one whose UDP checksum becomes 0, which is written as ffff; of
// random ones it is one in 65,535. If there is no such packet, it is any. A source that never pauses has none.
func (d *device) Packet(p *transit.Packet) {
	p.Meta = d.meta()
	d.packet(p)
	for n := 0; d.drain && !d.zero(p) && n < 16; n++ {
		p.Meta = d.meta()
		d.packet(p)
	}
	d.drain = d.udp() && d.Pauses() && d.R.OneIn(24)
}

// zero sets the checksum of a packet so that it becomes 0. It reports whether the packet changes at all.
func (d *device) zero(p *transit.Packet) bool {
	const (
		start = 0x1234 // not 0, which stays
		ones  = 0xffff
	)
	if d.check == 0 || len(p.Bytes) < d.check+2 {
		return false
	}
	put16(p.Bytes, d.check, start)
	out, _ := d.Clocked.Device().Process(p.Bytes, p.Meta)
	got := int(binary.BigEndian.Uint16(out[d.check:]))
	// Complements of checksums add up modulo 65,535.
	put16(p.Bytes, d.check, ones-(2*ones-start-(ones-got))%ones)
	return got != start
}

// text describes what happened to a packet.
func text(ev *inband.Event) string {
	text := fmt.Sprintf("status %s", ev.Status)
	if ev.Status != inband.NoPort {
		text += fmt.Sprintf("; txBytes %#x qLen %#x rate %d", ev.Snapshot.TxBytes, ev.Snapshot.Qlen, ev.Snapshot.Rate)
	}
	if ev.Status == inband.Inserted {
		text += fmt.Sprintf(", record at byte %d", ev.At)
	}
	return text
}
