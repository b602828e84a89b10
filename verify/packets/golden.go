package packets

import (
	"io"

	"github.com/hdlpkg/hpccgen/config/registers"
)

// golden is a golden model.
type golden struct {
	statuses []registers.StatusInfo
	ports    int
	process  func(p *Packet) Result
	count    func(port int, s registers.Status) uint64 // port -1: of the device
}

// Statuses are those of the model.
func (g *golden) Statuses() []string { return names(g.statuses) }

// Process sends the packets through the model one by one.
func (g *golden) Process(next func() (*Packet, error), done func(*Packet, Result) error) error {
	for {
		p, err := next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if err := done(p, g.process(p)); err != nil {
			return err
		}
	}
}

// Counters are those of the model.
func (g *golden) Counters() (*Counters, error) {
	return counters(g.statuses, g.ports, func(port int, s registers.Status) (uint64, error) {
		return g.count(port, s), nil
	})
}

// Cycles is 0: the model has no clock.
func (g *golden) Cycles() int64 { return 0 }

// Close does nothing.
func (g *golden) Close() error { return nil }

// names are those of statuses, by code; stacked is a counter alone.
func names(statuses []registers.StatusInfo) (list []string) {
	for _, s := range statuses {
		if s.Status != registers.StatusStacked {
			list = append(list, s.Name)
		}
	}
	return list
}

// counters reads the counters of all statuses: one for each port, but of no_port.
func counters(
	statuses []registers.StatusInfo, ports int, read func(port int, s registers.Status) (uint64, error),
) (*Counters, error) {
	c := &Counters{Device: map[string]uint64{}}
	of := func(port int, to map[string]uint64) error {
		for _, s := range statuses {
			if (port < 0) != (s.Status == registers.StatusNoPort) {
				continue
			}
			n, err := read(port, s.Status)
			if err != nil {
				return err
			}
			to[s.Name] = n
		}
		return nil
	}
	err := of(-1, c.Device)
	for p := 0; p < ports && err == nil; p++ {
		c.Ports = append(c.Ports, map[string]uint64{})
		err = of(p, c.Ports[p])
	}
	return c, err
}
