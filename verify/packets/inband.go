package packets

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/inband"
)

func openINT(c *config.INT, o *Options) (Device, error) {
	if o.Engine == "model" {
		return newINTModel(c)
	}
	return nil, fmt.Errorf("the engine %s does not run designs of kind %s; model does", o.Engine, c.DesignKind())
}

// intStatuses are the names of the statuses of an INT source, by code.
func intStatuses() []string {
	var names []string
	for s := inband.Plain; s <= inband.NoPort; s++ {
		names = append(names, s.String())
	}
	return names
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
