package packets

import (
	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/config/registers"
	"github.com/hdlpkg/hpccgen/model/csig"
	"github.com/hdlpkg/hpccgen/verify/stimulus/transit"
)

func openCSIG(c *config.CSIG, o *Options) (Device, error) {
	if o.Engine == "model" {
		return newCSIGModel(c)
	}
	t, err := transit.NewTarget(c, false)
	if err != nil {
		return nil, err
	}
	d := &design{
		Design: t.Design,
		Shape: Shape{
			BeatBytes: c.DataBits / 8, Sizes: transit.SizesOf(c), HeaderBytes: transit.Header,
			Transit: t.Timing.Transit, Decision: t.Timing.Decision,
		},
		statuses: csigStatuses(), counters: csigCounters(c),
	}
	rules := csig.FromConfig(c)
	d.drops = func(p *Packet) (int, bool) { return int(csig.Dropped), rules.Drops(p.Data, csig.Meta(p.Meta)) }
	if d.program, err = registers.Program(c); err != nil {
		return nil, err
	}
	return newHardware(d, o)
}

// csigCounters are the counters of a CSIG switch.
func csigCounters(c *config.CSIG) []counter {
	var list []counter
	for _, s := range registers.Statuses() {
		if s.Status == registers.StatusNoPort {
			list = append(list, counter{s.Name, -1, registers.NoPort})
			continue
		}
		for p := range c.Ports {
			list = append(list, counter{s.Name, p, registers.Counter(p, s.Status)})
		}
	}
	return list
}

// csigStatuses are the names of the statuses of a CSIG switch, by code.
func csigStatuses() []string {
	var names []string
	for _, s := range registers.Statuses() {
		if s.Status != registers.StatusStacked {
			names = append(names, s.Name)
		}
	}
	return names
}

const stacked = "stacked"

// csigModel is the golden model of a CSIG switch.
type csigModel struct {
	device   *csig.Device
	ports    int
	statuses []string
}

func newCSIGModel(c *config.CSIG) (*csigModel, error) {
	d, err := csig.New(csig.FromConfig(c))
	if err != nil {
		return nil, err
	}
	return &csigModel{d, c.Ports, csigStatuses()}, nil
}

// Statuses are those of the switch.
func (m *csigModel) Statuses() []string { return m.statuses }

// Process sends the packets through the model one by one.
func (m *csigModel) Process(next func() (*Packet, error), done func(*Packet, Result) error) error {
	return oneByOne(next, done, func(p *Packet) Result {
		out, ev := m.device.Process(p.Data, csig.Meta(p.Meta))
		return Result{Data: out, Status: int(ev.Status), Dropped: ev.Status == csig.Dropped}
	})
}

// Counters are those of the model.
func (m *csigModel) Counters() (*Counters, error) {
	noPort := m.statuses[csig.NoPort]
	c := &Counters{Device: map[string]uint64{noPort: m.device.NoPort()}}
	for p := range m.ports {
		from, to := m.device.Counters(p), map[string]uint64{}
		for s, name := range m.statuses {
			if name != noPort {
				to[name] = from.By[s]
			}
		}
		to[stacked] = from.Stacked
		c.Ports = append(c.Ports, to)
	}
	return c, nil
}

// Cycles is 0: the model has no clock.
func (m *csigModel) Cycles() int64 { return 0 }

// Close does nothing.
func (m *csigModel) Close() error { return nil }
