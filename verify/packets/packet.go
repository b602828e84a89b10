package packets

import "fmt"

// Packet is a packet with its metadata.
type Packet struct {
	Number int    // in the capture, from 1
	Data   []byte // from the destination address on, without FCS
	Meta
}

// Meta is where and when a packet arrived and left.
type Meta struct {
	IngressPort, EgressPort int
	IngressNs, EgressNs     uint64 // since 1970; devices take them modulo their own range
	QlenBytes               uint64 // of the egress queue as the packet leaves
}

// Result is what became of a packet.
type Result struct {
	Data    []byte
	Status  int  // index into Statuses of the device
	Dropped bool // it did not leave
}

// Device is something that packets pass through.
type Device interface {
	// Statuses are the names of the outcomes of a packet, by code.
	Statuses() []string
	// Process takes packets from next, in the order in which they leave, until that gives io.EOF, and gives each with
	// its result to done, in the same order. It is called once. A result may share memory with its packet.
	Process(next func() (*Packet, error), done func(p *Packet, r Result) error) error
	// Counters are those of the device after Process.
	Counters() (*Counters, error)
	// Cycles is how many cycles were run; 0 for a device without a clock.
	Cycles() int64
	Close() error
}

// Counters are the counters of a device.
type Counters struct {
	Device map[string]uint64   // those that are not of one port
	Ports  []map[string]uint64 // by egress port and name; a name that is a status counts the packets with it
}

// tally counts packets by status and port, to compare with the device's counters.
type tally struct {
	statuses []string
	device   []uint32
	ports    map[int][]uint32
}

func newTally(statuses []string) *tally {
	return &tally{statuses, make([]uint32, len(statuses)), map[int][]uint32{}}
}

// maxTallied bounds the ports that are counted; no device has more.
const maxTallied = 1 << 16

func (t *tally) add(port, status int) {
	t.device[status]++
	if port >= maxTallied {
		return
	}
	if t.ports[port] == nil {
		t.ports[port] = make([]uint32, len(t.statuses))
	}
	t.ports[port][status]++
}

// check compares counters with the packets that were counted. The device's counters named like a status count packets
// whatever their port. Counters have 32 bits in hardware.
func (c *Counters) check(t *tally) error {
	for s, name := range t.statuses {
		if n, ok := c.Device[name]; ok && uint32(n) != t.device[s] {
			return fmt.Errorf("the counter %s says %d, but %d packets have this status", name, n, t.device[s])
		}
		for p := range c.Ports {
			var want uint32
			if by := t.ports[p]; by != nil {
				want = by[s]
			}
			if n, ok := c.Ports[p][name]; ok && uint32(n) != want {
				return fmt.Errorf("the counter %s of port %d says %d, but %d packets have this status", name,
					p, n, want)
			}
		}
	}
	return nil
}
