package packets

import (
	"slices"
)

// Report is the result of a replay.
type Report struct {
	Design           string            `json:"design"`
	ConfigHash       string            `json:"config_hash"`
	Pcap             string            `json:"pcap"`
	Engine           string            `json:"engine"`
	Packets          int               `json:"packets"`
	BytesIn          int64             `json:"bytes_in"`
	BytesOut         int64             `json:"bytes_out"`
	Statuses         map[string]int    `json:"statuses"`         // packets by what became of them
	Counters         map[string]uint64 `json:"counters"`         // of the device: those that are not of one port
	Ports            []PortCounters    `json:"ports"`            // of the device
	Cycles           int64             `json:"cycles,omitempty"` // of the design; none on the model
	Seconds          float64           `json:"seconds"`          // of the packets alone
	PacketsPerSecond float64           `json:"packets_per_second"`

	Order []string `json:"-"` // of the statuses
}

// PortCounters are the counters of one egress port.
type PortCounters struct {
	Port     int               `json:"port"`
	Counters map[string]uint64 `json:"counters"`
}

// Columns are the names of the counters that counted anything: those that are statuses in their order, then the
// others by name.
func (r *Report) Columns() []string {
	counted := map[string]bool{}
	note := func(from map[string]uint64) {
		for name, n := range from {
			if n > 0 {
				counted[name] = true
			}
		}
	}
	note(r.Counters)
	for _, p := range r.Ports {
		note(p.Counters)
	}
	var names, others []string
	for _, name := range r.Order {
		if counted[name] {
			names = append(names, name)
		}
		delete(counted, name)
	}
	for name := range counted {
		others = append(others, name)
	}
	slices.Sort(others)
	return append(names, others...)
}
