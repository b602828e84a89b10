package packets

import (
	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/config/registers"
	"github.com/hdlpkg/hpccgen/model/inband"
	rtl "github.com/hdlpkg/hpccgen/rtlgen/inband"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
	"github.com/hdlpkg/hpccgen/telemetry"
	"github.com/hdlpkg/hpccgen/verify/engine"
)

func openINT(c *config.INT, o *Options) (Device, error) {
	if o.Engine == "model" {
		return newINTModel(c)
	}
	s, err := rtl.Build(c)
	if err != nil {
		return nil, err
	}
	d := &design{
		Design: engine.Design{Top: s.Top, Name: c.Name, Config: c.Hash},
		Shape: Shape{
			BeatBytes: c.DataBits / 8, Ports: c.Ports, TimeBits: c.TimeBits, QlenBits: c.QlenBits,
			Decision: s.Timing.Decision, Credits: s.Timing.Credits, Sweep: s.Timing.Sweep,
		},
		statuses: intStatuses(), counters: intCounters(c), program: registers.ProgramINT(c),
	}
	record := 0
	d.HeaderBytes, record = intSizes(c)
	if c.Format != config.INTIOAM && !c.Reserved {
		d.Growth = (record + d.BeatBytes - 1) / d.BeatBytes
	}
	if c.AsyncReset {
		d.Design.Reset = vgen.AsyncLow
	}
	return newHardware(d, o)
}

// intSizes are the bytes of a packet that an INT source waits for before it decides (Window of docs/int.md), and those of a record.
func intSizes(c *config.INT) (window, record int) {
	switch c.Format {
	case config.INTIFA:
		return 158, telemetry.IFAHopLen
	case config.INTMD:
		return 114, telemetry.INTHopLen
	case config.INTIOAM:
		return 330, telemetry.IOAMHopLen
	}
	return 100 + telemetry.HPCCHopLen*c.MaxHops, telemetry.HPCCHopLen
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
func (m *intModel) Process(in []Packet, progress func(done int)) ([]Result, error) {
	return oneByOne(in, progress, func(p *Packet) ([]byte, int) {
		out, ev := m.device.Process(p.Data, inband.Meta(p.Meta))
		return out, int(ev.Status)
	}), nil
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
