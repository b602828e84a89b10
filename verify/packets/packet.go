package packets

import "fmt"

// Packet is a packet with what a switch knows of it.
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
	Data   []byte
	Status int // index into Statuses of the device
}

// Device is something that packets pass through.
type Device interface {
	// Statuses are the names of what can become of a packet, by code.
	Statuses() []string
	// Process takes packets in the order in which they leave and gives as many results. It is called once. The results may share
	// memory with the packets. progress may be nil.
	Process(in []Packet, progress func(done int)) ([]Result, error)
	// Counters are those of the device after Process.
	Counters() (*Counters, error)
	// Cycles is how many cycles were run; 0 for a device without a clock.
	Cycles() int64
	Close() error
}

// oneByOne sends packets through a model.
func oneByOne(in []Packet, progress func(done int), process func(p *Packet) (out []byte, status int)) []Result {
	results := make([]Result, len(in))
	for i := range in {
		results[i].Data, results[i].Status = process(&in[i])
		if progress != nil && i%4096 == 0 {
			progress(i)
		}
	}
	return results
}

// Counters are what a device counted.
type Counters struct {
	Device map[string]uint64   // those that are not of one port
	Ports  []map[string]uint64 // by egress port and name; a name that is a status counts the packets with it
}

// check compares counters with the packets that were counted. The device's counters named like a status count packets whatever their
// port. Counters have 32 bits in hardware.
func (c *Counters) check(statuses []string, in []Packet, results []Result) error {
	device := make([]uint32, len(statuses))
	ports := make([][]uint32, len(c.Ports))
	for p := range ports {
		ports[p] = make([]uint32, len(statuses))
	}
	for i := range results {
		device[results[i].Status]++
		if p := in[i].EgressPort; p < len(ports) {
			ports[p][results[i].Status]++
		}
	}
	for s, name := range statuses {
		if n, ok := c.Device[name]; ok && uint32(n) != device[s] {
			return fmt.Errorf("the counter %s says %d, but %d packets left with this status", name, n, device[s])
		}
		for p := range ports {
			if n, ok := c.Ports[p][name]; ok && uint32(n) != ports[p][s] {
				return fmt.Errorf("the counter %s of port %d says %d, but %d packets left with this status", name, p, n, ports[p][s])
			}
		}
	}
	return nil
}
