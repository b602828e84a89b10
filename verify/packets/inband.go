package packets

import (
	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/config/registers"
	"github.com/hdlpkg/hpccgen/model/inband"
	"github.com/hdlpkg/hpccgen/telemetry"
	verify "github.com/hdlpkg/hpccgen/verify/inband"
)

func openINT(c *config.INT, o *Options) (Device, error) {
	if o.Engine == "model" {
		return newINTModel(c)
	}
	t, err := verify.NewTarget(c, false)
	if err != nil {
		return nil, err
	}
	d := &design{
		Design: t.Design,
		Shape: Shape{
			BeatBytes: c.DataBits / 8, Sizes: verify.SizesOf(c), HeaderBytes: verify.Window(c),
			Transit: t.Timing.Transit, Decision: t.Timing.Decision,
		},
		statuses: intStatuses(), counters: intCounters(c), program: registers.ProgramINT(c),
	}
	if c.Format != config.INTIOAM && !c.Reserved {
		d.Growth = (recordBytes(c) + d.BeatBytes - 1) / d.BeatBytes
	}
	return newHardware(d, o)
}

// recordBytes is the length of a record.
func recordBytes(c *config.INT) int {
	switch c.Format {
	case config.INTIFA:
		return telemetry.IFAHopLen
	case config.INTMD:
		return telemetry.INTHopLen
	}
	return telemetry.HPCCHopLen
}

// intStatuses are the names of the statuses of an INT source, by code.
func intStatuses() []string {
	var names []string
	for s := inband.Plain; s <= inband.NoPort; s++ {
		names = append(names, s.String())
	}
	return names
}

// intCounters are the counters of an INT source.
func intCounters(c *config.INT) []counter {
	list := []counter{{inband.NoPort.String(), -1, registers.NoPort}}
	for s := inband.Plain; s < inband.NoPort; s++ {
		for p := range c.Ports {
			list = append(list, counter{s.String(), p, registers.Counter(p, registers.Status(s))})
		}
	}
	return list
}

// intModel is the golden model of an INT source.
type intModel struct {
	device   *inband.Device
	ports    int
	statuses []string
}

func newINTModel(c *config.INT) (*intModel, error) {
	d, err := inband.New(c)
	if err != nil {
		return nil, err
	}
	return &intModel{d, c.Ports, intStatuses()}, nil
}

// Statuses are those of the INT source.
func (m *intModel) Statuses() []string { return m.statuses }

// Process sends the packets through the model one by one.
func (m *intModel) Process(next func() (*Packet, error), done func(*Packet, Result) error) error {
	return oneByOne(next, done, func(p *Packet) Result {
		out, ev := m.device.Process(p.Data, inband.Meta(p.Meta))
		return Result{Data: out, Status: int(ev.Status)}
	})
}

// Counters are those of the model.
func (m *intModel) Counters() (*Counters, error) {
	noPort := m.statuses[inband.NoPort]
	c := &Counters{Device: map[string]uint64{noPort: m.device.NoPort()}}
	for p := range m.ports {
		from, to := m.device.Counters(p), map[string]uint64{}
		for s, name := range m.statuses {
			if name != noPort {
				to[name] = from[s]
			}
		}
		c.Ports = append(c.Ports, to)
	}
	return c, nil
}

// Cycles is 0: the model has no clock.
func (m *intModel) Cycles() int64 { return 0 }

// Close does nothing.
func (m *intModel) Close() error { return nil }
