package csig

import (
	"fmt"
	"slices"

	"github.com/hdlpkg/hpccgen/telemetry"
)

// Device is a transit device. It takes packets in the order in which they leave; each port's egress times must not run
// backwards. Not safe for concurrent use.
type Device struct {
	cfg       Config
	estimator estimator
	ports     []port
	noPort    uint64
}

type port struct {
	cfg          *Port
	ratio, depth Scale
	counters     Counters
}

// New makes a device after reset. The error is that of Config.Check.
func New(cfg Config) (*Device, error) {
	if err := cfg.Check(); err != nil {
		return nil, err
	}
	cfg.Port = slices.Clone(cfg.Port)
	cfg.Tags.VLAN = slices.Clone(cfg.Tags.VLAN)
	for t := range cfg.Bounds {
		cfg.Bounds[t] = slices.Clone(cfg.Bounds[t])
	}
	d := &Device{cfg: cfg, ports: make([]port, len(cfg.Port)), estimator: newEstimator(cfg.Widths, len(cfg.Port))}
	factor, err := cfg.estimateScale()
	if err != nil {
		return nil, err
	}
	d.estimator.configure(cfg.Estimate, factor)
	for i := range d.ports {
		p := &d.ports[i]
		p.cfg = &d.cfg.Port[i]
		if p.ratio, p.depth, err = cfg.portScales(p.cfg.Capacity); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// Process sends one packet through the device: pkt starts with the destination address and has no FCS. The packet
// that leaves is pkt itself when nothing changed, nil when it is dropped, else a new slice; pkt is not written to.
func (d *Device) Process(pkt []byte, meta Meta) ([]byte, Event) {
	if meta.IngressPort < 0 || meta.IngressPort >= len(d.ports) || meta.EgressPort < 0 || meta.EgressPort >= len(d.ports) {
		d.noPort++
		return pkt, Event{Status: NoPort}
	}
	p := &d.ports[meta.EgressPort]
	d.estimator.advance(meta.EgressPort, meta.EgressNs)
	ev := Event{Place: d.cfg.Tags.Walk(pkt)}
	ev.Signals = signals(&d.cfg.Widths, d.estimator.measured(meta.EgressPort), d.estimator.factor, p.cfg.Capacity,
		p.ratio, p.depth, &meta)
	out := d.edit(p, pkt, d.ports[meta.IngressPort].cfg.Trusted, &ev)
	if ev.Status != Dropped {
		d.estimator.count(meta.EgressPort, onWire(len(pkt), len(pkt)-len(out), d.cfg.Estimate.Overhead))
	}
	p.counters.By[ev.Status]++
	if ev.Place.Stacked {
		p.counters.Stacked++
	}
	return out, ev
}

// edit decides what happens to the packet, and does it.
func (d *Device) edit(p *port, pkt []byte, trusted bool, ev *Event) []byte {
	at, size := ev.Place.Offset+telemetry.CSIGTPIDLen, ev.Place.Size
	ev.decode(pkt, d.cfg.Split)
	if p.cfg.drops(trusted, ev.Place, ev.Tag) {
		ev.Status = Dropped
		return nil
	}
	switch ev.Place.Find {
	case telemetry.FindNone:
		ev.Status = Untagged
		return pkt
	case telemetry.FindShort:
		ev.Status = Short
		return pkt
	case telemetry.FindHidden:
		ev.Status = Hidden
		return pkt
	case telemetry.FindTruncated:
		ev.Status = Truncated
		return pkt
	}
	if !trusted {
		ev.Status = Distrusted
		return remove(pkt, ev.Place)
	}
	switch action := p.cfg.Action[ev.Tag.Type]; {
	case action == Strip:
		ev.Status = Stripped
		return remove(pkt, ev.Place)
	case action == Pass, !d.cfg.hasTable(ev.Tag.Type, size):
		ev.Status = Passed
		return pkt
	}
	if ev.Tag.Keep {
		ev.Status = Held
		return pkt
	}
	ev.compare(d.cfg.code(ev.Tag.Type, size, ev.Signals.Of(ev.Tag.Type)))
	if ev.Status == Kept {
		return pkt
	}
	tag := ev.replaced(p.cfg.Locator[ev.Tag.Type])
	out := slices.Clone(pkt)
	if _, err := tag.Append(out[:at], size, d.cfg.Split); err != nil {
		panic("csig: a checked tag does not encode: " + err.Error())
	}
	return out
}

// Drops reports whether a device of this configuration drops a packet.
func (c *Config) Drops(pkt []byte, meta Meta) bool {
	ev := Event{Place: c.Tags.Walk(pkt)}
	n := len(c.Port)
	if !ev.Place.Ambiguous || meta.IngressPort < 0 || meta.IngressPort >= n || meta.EgressPort < 0 || meta.EgressPort >= n {
		return false
	}
	ev.decode(pkt, c.Split)
	return c.Port[meta.EgressPort].drops(c.Port[meta.IngressPort].Trusted, ev.Place, ev.Tag)
}

// remove is the packet without its tag.
func remove(pkt []byte, at telemetry.Place) []byte {
	out := make([]byte, 0, len(pkt)-at.Size.Len())
	out = append(out, pkt[:at.Offset]...)
	return append(out, pkt[at.Offset+at.Size.Len():]...)
}

// Counters are the packets of an egress port so far, by status.
func (d *Device) Counters(port int) Counters { return d.ports[port].counters }

// NoPort is the number of packets from or to ports that the device does not have.
func (d *Device) NoPort() uint64 { return d.noPort }

// Meter is the state of a port's measurement.
func (d *Device) Meter(port int) Meter { return d.estimator.meters[port] }

// SetBounds replaces the buckets of a signal type. With an error the old ones stay.
func (d *Device) SetBounds(t int, bounds []uint64) error {
	if err := checkType(t); err != nil {
		return err
	}
	if err := checkTable(t, bounds); err != nil {
		return err
	}
	d.cfg.Bounds[t] = slices.Clone(bounds)
	return nil
}

// SetQuantizer replaces the quantizer of a signal type. With an error the old one stays.
func (d *Device) SetQuantizer(t int, q Quantizer) error {
	if err := checkType(t); err != nil {
		return err
	}
	if err := checkStep(t, q); err != nil {
		return err
	}
	d.cfg.Quantize[t] = q
	return nil
}

// SetPort replaces the configuration of a port. With an error the old one stays. What the port has measured stays in
// any case.
func (d *Device) SetPort(i int, cfg Port) error {
	if i < 0 || i >= len(d.ports) {
		return fmt.Errorf("csig: port %d, legal are 0 to %d", i, len(d.ports)-1)
	}
	if err := d.cfg.checkPort(i, &cfg); err != nil {
		return err
	}
	ratio, depth, err := d.cfg.portScales(cfg.Capacity)
	if err != nil {
		return err
	}
	d.cfg.Port[i] = cfg
	d.ports[i].ratio, d.ports[i].depth = ratio, depth
	return nil
}

// SetEstimate replaces the measurement of bandwidth; all meters restart. On error the old one stays.
func (d *Device) SetEstimate(e Estimate) error {
	cfg := d.cfg
	cfg.Estimate = e
	if err := cfg.Check(); err != nil {
		return err
	}
	factor, err := cfg.estimateScale()
	if err != nil {
		return err
	}
	// ABW/C is computed from the measured value, so its factor depends on the estimate.
	ratios := make([]Scale, len(d.ports))
	for i := range ratios {
		if ratios[i], _, err = cfg.portScales(d.ports[i].cfg.Capacity); err != nil {
			return err
		}
	}
	for i := range ratios {
		d.ports[i].ratio = ratios[i]
	}
	d.cfg.Estimate = e
	d.estimator.configure(e, factor)
	return nil
}

func checkType(t int) error {
	if t < 0 || t >= Types {
		return fmt.Errorf("csig: type %d has no signal, legal are 0 to %d", t, Types-1)
	}
	return nil
}
