package transit

import (
	"fmt"
	"slices"

	model "github.com/hdlpkg/hpccgen/model/transit"
	"github.com/hdlpkg/hpccgen/verify/stimulus/cover"
	"github.com/hdlpkg/hpccgen/verify/stimulus/random"
)

// Coverage counts what a run has exercised, by the golden model's behaviour, not by intention.
// Rows that the configuration cannot reach are left out. Not safe for concurrent use.
type Coverage struct {
	cover.Bins // a device adds rows of its own

	Packets, BeatsIn, BeatsOut int64 // decided; accepted; that left
	Throughput                 []cover.Throughput

	design   *Design
	runts    cover.Counts // by length
	events   cover.Counts
	plans    cover.Counts
	mix      cover.Counts    // phases
	patterns [5]cover.Counts // phases
	accesses cover.Counts
	rows     map[access]int // of accesses

	waiting   access // an access that was taken and not answered
	waits     bool
	half      bool // a packet is half in
	shown     bool // an output waited in the cycle before, or an answer
	answering bool

	entered         []int64 // beats of the packets that are wholly in and not yet out, oldest first
	drops           []bool  // of those that are decided and not yet out: it is dropped
	entering, exits int64   // beats of the packets half in and half out
}

// access is a read or a write of a register of the map ("" for what is not there), and how it ended.
type access struct {
	name       string
	write, err bool
}

const (
	eventQueueEmpty = iota
	eventQueueFull
	eventIngressLater
	eventHuge
	eventOneByteOver // a packet is one byte longer than a number of beats
	eventIngressAbsent
	eventEgressAbsent
	eventBeatRefused
	eventOutputWaits
	eventWriteAndRead
	eventAddressFirst
	eventDataFirst
	eventAnswerWaits
	eventStrobes
	eventReset
	eventResetInPacket
	eventResetWithOutput
	eventResetWithAnswer
	eventResetWithAccess
	eventResetInSweep
)

// init adds the rows that all packet pipelines have.
func (c *Coverage) init(d *Design) {
	c.design = d
	lengths := make([]string, 64)
	for n := 1; n < len(lengths); n++ {
		lengths[n] = fmt.Sprintf("of %d bytes", n)
	}
	c.runts = c.Group("packet", lengths...)
	c.events = c.Group("event",
		"queue_empty", "queue_full", "ingress_later_than_egress", "above_65535_bytes", "a_byte_over_a_beat",
		"ingress_port_absent", "egress_port_absent", "beat_refused", "output_waits", "write_and_read_at_once",
		"address_before_data", "data_before_address", "answer_waits", "strobe_missing", "reset", "reset_inside_packet",
		"reset_with_output_waiting", "reset_with_answer_waiting", "reset_with_access_under_way", "reset_during_sweep")
	c.registerRows()
	c.plans = c.Group("plan", "configuration", "drawn", "partial", "nothing")
	c.mix = c.Group("mix", d.Mixes...)
	for _, name := range d.Mixes {
		c.Throughput = append(c.Throughput, cover.Throughput{Mix: name})
	}
	for i, name := range [...]string{"idle between packets", "idle in packets", "sink", "write answers", "read answers"} {
		kinds := random.PatternNames()
		if i < 2 {
			kinds[random.Off] = ""
		}
		c.patterns[i] = c.Group(name, kinds...)
	}
}

// registerRows has a row for each way in which an access to a register can end. Counters are one register for each
// status, and writes that are refused for what they are written to, or for a strobe, are one row.
func (c *Coverage) registerRows() {
	c.rows = map[access]int{}
	var names []string
	add := func(name string, a access) {
		i := slices.Index(names, name)
		if i < 0 {
			i, names = len(names), append(names, name)
		}
		c.rows[a] = i
	}
	add("write to no register", access{"", true, true})
	add("read of no register", access{"", false, true})
	for _, r := range c.design.Registers.Registers {
		refused := "write " + r.Name + " refused"
		switch {
		case !r.Writable():
			refused = "write to a register that can only be read"
		case r.Refused == "":
			refused = "write of a staged register without a strobe"
		}
		add(refused, access{r.Name, true, true})
		if r.Writable() {
			add("write "+r.Name, access{r.Name, true, false})
		}
		if r.Readable() {
			add("read "+r.Name, access{r.Name, false, false})
		} else {
			add("read "+r.Name+" refused", access{r.Name, false, true})
		}
	}
	c.accesses = c.Group("", names...)
}

func (c *Coverage) phase(g *Generator) {
	c.mix[g.Mix]++
	for i, p := range [...]*random.Pattern{&g.idle, &g.gap, &g.sink, &g.sinkB, &g.sinkR} {
		c.patterns[i][p.Kind()]++
	}
}

// decided counts a packet.
func (c *Coverage) decided(f *Flight, dropped bool) {
	d, m := c.design, &f.Meta
	c.Throughput[f.mix].Packets++
	c.drops = append(c.drops, dropped)
	if f.Length < len(c.runts) {
		c.runts[f.Length]++
	}
	c.events.Hit(eventQueueEmpty, m.QlenBytes == 0)
	c.events.Hit(eventQueueFull, m.QlenBytes == random.Mask(d.QlenBits))
	c.events.Hit(eventIngressLater, (m.EgressNs-m.IngressNs)&random.Mask(d.TimeBits)>>(d.TimeBits-1) == 1)
	c.events.Hit(eventHuge, f.Length > 65535)
	c.events.Hit(eventOneByteOver, f.Length%(d.Width()) == 1)
	c.events.Hit(eventIngressAbsent, m.IngressPort >= d.Ports)
	c.events.Hit(eventEgressAbsent, m.EgressPort >= d.Ports)
}

// cycle counts the activity of the streams.
func (c *Coverage) cycle(g *Generator, in *model.Inputs, out *model.Outputs) {
	u, v := &in.Bus, &out.Bus
	hit := c.events.Hit
	if in.Rst {
		c.events[eventReset]++
		hit(eventResetInPacket, c.half)
		// An asynchronous reset shows at once.
		hit(eventResetWithOutput, out.Valid || c.shown)
		hit(eventResetWithAnswer, v.BValid || v.RValid || c.answering)
		hit(eventResetWithAccess, c.waits)
		hit(eventResetInSweep, g.cycle == g.episode.Start && g.episode.Index > 0 && c.sweeping(g))
		c.half, c.waits, c.shown, c.answering = false, false, false, false
		c.entered, c.drops, c.entering, c.exits = c.entered[:0], c.drops[:0], 0, 0
		return
	}
	c.shown, c.answering = out.Valid && !in.MReady, v.BValid && !u.BReady || v.RValid && !u.RReady
	c.measure(g, in, out, c.beats(in, out))
	hit(eventBeatRefused, in.Valid && !out.Ready)
	hit(eventOutputWaits, c.shown)
	hit(eventWriteAndRead, u.AWValid && u.WValid && u.ARValid)
	hit(eventAddressFirst, u.AWValid && !u.WValid)
	hit(eventDataFirst, u.WValid && !u.AWValid)
	hit(eventAnswerWaits, c.answering)
	hit(eventStrobes, v.WReady && u.WStrb != AllStrobes)
	switch {
	case v.AWReady:
		c.waiting, c.waits = access{name: c.name(u.AWAddr), write: true}, true
	case v.ARReady:
		c.waiting, c.waits = access{name: c.name(u.ARAddr)}, true
	case v.BValid && u.BReady, v.RValid && u.RReady:
		c.waiting.err = v.BValid && v.BError || v.RValid && v.RError
		if row, ok := c.rows[c.waiting]; ok {
			c.accesses[row]++
		}
		c.waits = false
	}
}

// beats counts what moved, and how many beats less than before the packet has whose end leaves.
func (c *Coverage) beats(in *model.Inputs, out *model.Outputs) (gone int64) {
	if out.Valid && in.MReady {
		c.BeatsOut++
		c.exits++
		if out.Beat.Last {
			gone = max(0, c.out()-c.exits)
			c.exits = 0
		}
	}
	for len(c.entered) > 0 && len(c.drops) > 0 && c.drops[0] {
		gone += c.out()
	}
	if in.Valid && out.Ready {
		c.BeatsIn++
		c.entering++
		c.half = !in.Beat.Last
		if in.Beat.Last {
			c.entered = append(c.entered, c.entering)
			c.entering = 0
		}
	}
	return gone
}

// out is the beats of the oldest packet, which leaves or is dropped.
func (c *Coverage) out() int64 {
	beats := c.entered[0]
	c.entered, c.drops = append(c.entered[:0], c.entered[1:]...), append(c.drops[:0], c.drops[1:]...)
	return beats
}

// sweeping reports whether the episode before the one that begins ended while the counters were being cleared.
func (c *Coverage) sweeping(g *Generator) bool {
	e := g.episodes.At(g.episode.Index - 1)
	return e.Length < int64(e.Resets+g.Sweep)
}

// name is the name of the register at an address, "" when there is none.
func (c *Coverage) name(addr uint16) string {
	if r, _, found := c.design.Registers.At(uint32(addr)); found && addr%4 == 0 {
		return r.Name
	}
	return ""
}

// merge adds what another run has exercised.
func (c *Coverage) merge(o *Coverage) {
	c.Packets += o.Packets
	c.BeatsIn += o.BeatsIn
	c.BeatsOut += o.BeatsOut
	for m := range c.Throughput {
		c.Throughput[m].Add(&o.Throughput[m])
	}
	c.Merge(&o.Bins)
}
