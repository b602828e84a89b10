// Package csig is the part of verification that is specific to csig_switch (docs/csig.md): packets with tags of every
// kind and place, tag values next to the device's measurements, times next to the points where a measurement changes,
// and software accesses.
package csig

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/config/registers"
	"github.com/hdlpkg/hpccgen/fixed"
	"github.com/hdlpkg/hpccgen/model/csig"
	rtl "github.com/hdlpkg/hpccgen/rtlgen/csig"
	"github.com/hdlpkg/hpccgen/telemetry"
	"github.com/hdlpkg/hpccgen/verify/stimulus/transit"
)

// header is the number of bytes of a packet that a switch reads at most.
const header = 54

// Generate makes the switch of a configuration, with or without its taps.
func Generate(cfg *config.CSIG, taps bool) (*transit.Target, error) {
	s, err := rtl.Build(cfg)
	if err != nil {
		return nil, err
	}
	return transit.NewTarget(cfg, s.Top, cfg.AsyncReset, &s.Timing, transit.Shape{
		Sizes:   transit.Sizes{Ports: cfg.Ports, DataBits: cfg.DataBits, TimeBits: cfg.TimeBits, QlenBits: cfg.QlenBits},
		Transit: s.Timing.Transit, Header: header, Decision: s.Timing.Decision,
	}, taps)
}

// NewSubject compares the switch of a configuration with the golden model, with or without its taps.
func NewSubject(cfg *config.CSIG, taps bool) (*transit.Subject, error) {
	t, err := Generate(cfg, taps)
	if err != nil {
		return nil, err
	}
	read, err := transit.TapsOf(t, func(name string) transit.Tap[csig.Event] { return csigTaps[name] })
	return transit.NewSubject(&transit.Design{
		Target: t, Registers: registers.New(cfg), Mixes: mixNames,
		Writes: func(p transit.Plan) int {
			if p == transit.Whole {
				return 12*cfg.Ports + 160
			}
			return 12*min(cfg.Ports, 24) + 160
		},
		Open: func(s *transit.Side) (transit.Device, error) { return open(cfg, *t.Timing.(*csig.Timing), read, s) },
	}), err
}

// csigTaps are the taps of packets that are compared.
var csigTaps = map[string]transit.Tap[csig.Event]{
	"value": func(ev *csig.Event) (uint64, bool) { return ev.Value, true },
}

// device is a run of a csig_switch.
type device struct {
	*csig.Clocked
	*transit.Generator
	coverage

	cfg    *config.CSIG
	known  knowledge
	locals [][csig.Types][2]uint32 // by egress port, type and size: the code found last
	seen   [csig.Types]uint64      // by type: the value found last

	// the phase
	pace     uint8
	load     int // in 64ths
	hot, few int // an egress port, and how many from it on take the packets; 0: all
	odd      bool
	huge     int // packets of more than 65,535 bytes still allowed
	strip    struct{ ingress, egress int }

	// time
	now, lastDelay, lastQueue uint64
	marks                     []uint64
	turn                      int
	rest                      int // packets until time passes, about
}

func open(cfg *config.CSIG, timing csig.Timing, taps []transit.Tap[csig.Event], s *transit.Side) (*device, error) {
	m, err := csig.NewClocked(cfg, timing)
	if err != nil {
		return nil, err
	}
	d := &device{
		Clocked: m, Generator: s.Gen, coverage: newCoverage(cfg, &s.Bins), cfg: cfg,
		locals: make([][csig.Types][2]uint32, cfg.Ports), marks: make([]uint64, cfg.Ports),
	}
	m.OnCode = func(header int64, ev *csig.Event) { transit.Show(s, taps, m.Now()-1-header, ev) }
	m.OnDecision = func(_ int64, ev *csig.Event) {
		if f := s.Decided(ev.Status == csig.Dropped, func() string { return text(cfg, ev) }); f != nil {
			d.decided(f, ev)
		}
	}
	return d, nil
}

// decided takes note of a decision.
func (d *device) decided(f *transit.Flight, ev *csig.Event) {
	d.count(d, f, ev)
	if ev.Status == csig.Updated || ev.Status == csig.Kept {
		d.locals[f.Meta.EgressPort][ev.Tag.Type][ev.Place.Size] = ev.Code
		d.seen[ev.Tag.Type] = ev.Value
	}
}

// Begin starts an episode.
func (d *device) Begin(p transit.Plan) {
	d.known.reset(d.cfg)
	clear(d.locals)
	clear(d.marks)
	d.seen = [csig.Types]uint64{}
	d.now = d.R.Bits(d.cfg.TimeBits)
	d.lastDelay, d.lastQueue, d.turn, d.huge, d.rest = 0, 0, 0, 2, 100
	d.program(p)
}

// Phase draws ports, and how time passes.
func (d *device) Phase() {
	r := &d.R
	d.pace = uint8(r.N(paces))
	d.load = 8 + r.N(64)
	d.hot = r.N(d.cfg.Ports)
	d.few = [...]int{0, 0, 1, 2, 4}[r.N(5)]
	d.odd = r.OneIn(2)
	if d.Mix == Dense { // so that the bytes of a window can saturate
		d.few, d.pace = 1, [...]uint8{still, steps}[r.N(2)]
		d.PhaseEnd += 4000
		if len(d.Queue) == 0 { // and be seen
			d.stageCapacity(1, updateAll, 1<<32-1)
			d.Set(registers.PortCommit, uint64(d.hot))
		}
	}
	d.paces[d.pace]++
}

// Prepare has everything that goes to a port, or comes from one, lose its tag, if the mix is of that.
func (d *device) Prepare() {
	if d.Mix != Stripped {
		return
	}
	d.OpGap, d.Late = 0, true
	d.strip.ingress, d.strip.egress = -1, -1
	if d.R.OneIn(3) {
		d.strip.ingress = d.hot
		d.stagePort(0, d.actions())
	} else {
		d.strip.egress = d.hot
		d.stagePort(1, removeAll)
	}
	d.Set(registers.PortCommit, uint64(d.hot))
}

// Hold never holds a packet back.
func (d *device) Hold() bool { return false }

// Packet makes the next packet.
func (d *device) Packet(p *transit.Packet) {
	p.Meta = d.meta(60)
	var tagEnd int
	p.Bytes, tagEnd = d.appendHeaders(p.Bytes[:0], &p.Meta, d.tagged())
	n := d.length(len(p.Bytes), tagEnd)
	p.Cut(n)
	p.Bytes = d.R.Append(p.Bytes, n)
}

// Written takes note of a write.
func (d *device) Written(w *transit.Write) { d.known.written(w) }

// text describes what happened to a packet.
func text(cfg *config.CSIG, ev *csig.Event) string {
	text := fmt.Sprintf("status %s, find %s", ev.Status, ev.Place.Find)
	if ev.Status >= csig.Updated && ev.Status <= csig.Distrusted {
		t := &ev.Tag
		text += fmt.Sprintf(", %s tag at byte %d: type %d value %d locator %d reserved %d", ev.Place.Size,
			ev.Place.Offset, t.Type, t.Value, t.Locator, t.Reserved)
	}
	if ev.Status == csig.Updated || ev.Status == csig.Kept {
		text += fmt.Sprintf("; local value %d (%s), code %d", ev.Value, quantity(cfg, ev.Tag.Type).Text(ev.Value, 4), ev.Code)
	}
	return text
}

// quantity is what a local value of a signal type stands for (docs/csig.md).
func quantity(cfg *config.CSIG, signal uint8) fixed.Quantity {
	switch signal {
	case telemetry.CSIGMinABW:
		return fixed.Quantity{Unit: "bit/s", Scale: 1e3}
	case telemetry.CSIGMinABWC:
		return fixed.Quantity{Format: fixed.UQ(1, cfg.RatioBits)}
	}
	return fixed.Quantity{Unit: "s", Scale: 1e-9} // delay, depth of the queue
}
