package cover

// Throughput is the throughput of a mix of packets, in beats a cycle.
type Throughput struct {
	Mix     string `json:"mix"`
	Packets int64  `json:"packets"`
	// Free: the sink was always ready, and the source had a beat in every cycle. Idle: the sink was always ready, the
	// source idled. Blocked: the sink was not always ready.
	Free    Flow `json:"free"`
	Idle    Flow `json:"idle"`
	Blocked Flow `json:"blocked"`
}

// Flow counts cycles, and what moved in them.
type Flow struct {
	Cycles  int64 `json:"cycles"`
	Offered int64 `json:"offered"` // cycles in which there was a beat at the input
	In      int64 `json:"in"`      // beats accepted
	Ready   int64 `json:"ready"`   // cycles in which the sink was ready
	Out     int64 `json:"out"`     // beats that left
	// Gone is the beats that packets which left have less than before, because what a removed tag leaves fits into the
	// beats before; and those of packets that were dropped.
	Gone int64 `json:"gone"`
}

func (f *Flow) add(o *Flow) {
	f.Cycles += o.Cycles
	f.Offered += o.Offered
	f.In += o.In
	f.Ready += o.Ready
	f.Out += o.Out
	f.Gone += o.Gone
}

// Add adds counts made elsewhere.
func (t *Throughput) Add(o *Throughput) {
	t.Packets += o.Packets
	t.Free.add(&o.Free)
	t.Idle.add(&o.Idle)
	t.Blocked.add(&o.Blocked)
}
