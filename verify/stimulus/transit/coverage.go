package transit

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/config/registers"
	"github.com/hdlpkg/hpccgen/model/csig"
	"github.com/hdlpkg/hpccgen/telemetry"
	"github.com/hdlpkg/hpccgen/verify/stimulus/cover"
	"github.com/hdlpkg/hpccgen/verify/stimulus/random"
)

const statuses = int(csig.Dropped) + 1

// Coverage counts what a run has exercised, by what the golden model did, not by what was intended.
// Rows that the configuration cannot reach are left out. Not safe for concurrent use.
type Coverage struct {
	cfg  *config.CSIG
	regs *registers.Map

	packets, beatsIn, beatsOut int64
	mixes                      throughputs

	status    [statuses][2]uint64                  // by size of the tag
	places    [telemetry.MaxVLANTags + 1][3]uint64 // whole tags: by VLAN tags, and SecTAG none, without, with SCI
	compared  [csig.Types][2][3]uint64             // by type, size and outcome
	types     [config.CSIGTagTypes][2]uint64       // tags by type and size
	truncated [9][2]uint64                         // by bytes of the tag that are there
	runts     [64]uint64                           // by length
	removed   [csig.MaxBeat + 1][2]uint64          // by length of the last beat, and size
	moments   [moments]uint64
	events    [events]uint64
	written   map[access]uint64
	read      map[access]uint64
	plans     [plans]uint64
	paces     [paces]uint64
	mix       [mixes]uint64 // phases
	patterns  [5][random.PatternKinds]uint64
	waiting   access // an access that was taken and not answered
	waits     bool
	half      bool // a packet is half in
	shown     bool // an output waited in the cycle before, or an answer
	answering bool

	entered         []int64 // beats of the packets that are wholly in and not yet out, oldest first
	drops           []bool  // of those that are decided and not yet out: it is dropped
	entering, exits int64   // beats of the packets half in and half out
}

// access is a register of the map ("" for what is not there) and how an access to it ended.
type access struct {
	name string
	err  bool
}

type event int

const (
	eventStacked event = iota
	eventBytesSaturated
	eventManyVLANs
	eventQueueEmpty
	eventQueueFull
	eventIngressLater
	eventHuge
	eventOneByteOver // a packet is one byte longer than a number of beats
	eventTagEnds     // a packet ends with its tag
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
	events
)

var eventNames = [events]string{
	"stacked", "bytes_saturated", "fifth_vlan_tag", "queue_empty", "queue_full", "ingress_later_than_egress",
	"above_65535_bytes", "a_byte_over_a_beat", "ends_with_tag",
	"ingress_port_absent", "egress_port_absent", "beat_refused", "output_waits", "write_and_read_at_once",
	"address_before_data", "data_before_address",
	"answer_waits", "strobe_missing", "reset", "reset_inside_packet", "reset_with_output_waiting",
	"reset_with_answer_waiting", "reset_with_access_under_way",
	"reset_during_sweep",
}

// NewCoverage starts from nothing.
func NewCoverage(cfg *config.CSIG) *Coverage {
	return &Coverage{cfg: cfg, regs: registers.New(cfg), written: map[access]uint64{}, read: map[access]uint64{}}
}

func (c *Coverage) hit(e event, when bool) {
	if when {
		c.events[e]++
	}
}

func (c *Coverage) begun(e Episode) { c.plans[e.Plan]++ }

func (c *Coverage) phase(g *Generator) {
	c.mix[g.mix]++
	c.paces[g.pace]++
	for i, p := range [...]*random.Pattern{&g.idle, &g.gap, &g.sink, &g.sinkB, &g.sinkR} {
		c.patterns[i][p.Kind()]++
	}
}

// decided counts a packet.
func (c *Coverage) decided(g *Generator, f *flight, ev *csig.Event) {
	c.packets++
	c.mixes[f.mix].Packets++
	c.drops = append(c.drops, ev.Status == csig.Dropped)
	p := &ev.Place
	tag := p.Find == telemetry.FindTag && ev.Status != csig.NoPort
	c.status[ev.Status][p.Size]++
	c.moments[f.moment]++
	if f.length < len(c.runts) {
		c.runts[f.length]++
	}
	c.hit(eventStacked, p.Stacked)
	if g.Meter != nil && ev.Status != csig.NoPort {
		c.hit(eventBytesSaturated, g.Meter(f.meta.EgressPort).Value == random.Mask(c.cfg.ByteBits))
	}
	c.hit(eventManyVLANs, ev.Status == csig.Untagged && p.VLANs == telemetry.MaxVLANTags)
	c.hit(eventQueueEmpty, f.meta.QlenBytes == 0)
	c.hit(eventQueueFull, f.meta.QlenBytes == random.Mask(c.cfg.QlenBits))
	c.hit(eventIngressLater, (f.meta.EgressNs-f.meta.IngressNs)&random.Mask(c.cfg.TimeBits)>>(c.cfg.TimeBits-1) == 1)
	c.hit(eventHuge, f.length > 65535)
	c.hit(eventOneByteOver, f.length%g.width == 1)
	c.hit(eventIngressAbsent, f.meta.IngressPort >= c.cfg.Ports)
	c.hit(eventEgressAbsent, f.meta.EgressPort >= c.cfg.Ports)
	if ev.Status == csig.Truncated {
		c.truncated[f.length-p.Offset][p.Size]++
	}
	if !tag {
		return
	}
	sec := 0
	if p.SecTAG > 0 {
		sec = 1
		if p.Offset == telemetry.MACsLen+telemetry.VLANTagLen*p.VLANs+telemetry.SecTAGLen+telemetry.SCILen {
			sec = 2
		}
	}
	c.places[p.VLANs][sec]++
	c.types[ev.Tag.Type][p.Size]++
	c.hit(eventTagEnds, f.length == p.Offset+p.Size.Len())
	switch ev.Status {
	case csig.Updated, csig.Kept:
		outcome := 0
		if ev.Status == csig.Kept {
			outcome = 1
			if ev.Code == ev.Tag.Value {
				outcome = 2
			}
		}
		c.compared[ev.Tag.Type][p.Size][outcome]++
	case csig.Stripped, csig.Distrusted:
		c.removed[(f.length-1)%g.width+1][p.Size]++
	}
}

// cycle counts what the streams did.
func (c *Coverage) cycle(g *Generator, in *csig.Inputs, out *csig.Outputs) {
	u, v := &in.Bus, &out.Bus
	if in.Rst {
		c.events[eventReset]++
		c.hit(eventResetInPacket, c.half)
		// An asynchronous reset shows at once.
		c.hit(eventResetWithOutput, out.Valid || c.shown)
		c.hit(eventResetWithAnswer, v.BValid || v.RValid || c.answering)
		c.hit(eventResetWithAccess, c.waits)
		c.hit(eventResetInSweep, g.cycle == g.episode.Start && g.episode.Index > 0 && c.sweeping(g))
		c.half, c.waits, c.shown, c.answering = false, false, false, false
		c.entered, c.drops, c.entering, c.exits = c.entered[:0], c.drops[:0], 0, 0
		return
	}
	c.shown, c.answering = out.Valid && !in.MReady, v.BValid && !u.BReady || v.RValid && !u.RReady
	c.mixes.measure(g, in, out, c.beats(in, out))
	c.hit(eventBeatRefused, in.Valid && !out.Ready)
	c.hit(eventOutputWaits, out.Valid && !in.MReady)
	c.hit(eventWriteAndRead, u.AWValid && u.WValid && u.ARValid)
	c.hit(eventAddressFirst, u.AWValid && !u.WValid)
	c.hit(eventDataFirst, u.WValid && !u.AWValid)
	c.hit(eventAnswerWaits, v.BValid && !u.BReady || v.RValid && !u.RReady)
	c.hit(eventStrobes, v.WReady && u.WStrb != allStrobes)
	if v.AWReady {
		c.waiting, c.waits = access{name: c.name(u.AWAddr)}, true
	}
	if v.ARReady {
		c.waiting, c.waits = access{name: c.name(u.ARAddr)}, true
	}
	if v.BValid && u.BReady {
		c.waiting.err = v.BError
		c.written[c.waiting]++
		c.waits = false
	}
	if v.RValid && u.RReady {
		c.waiting.err = v.RError
		c.read[c.waiting]++
		c.waits = false
	}
}

// beats counts what moved, and how many beats less than before the packet has whose end leaves.
func (c *Coverage) beats(in *csig.Inputs, out *csig.Outputs) (gone int64) {
	if out.Valid && in.MReady {
		c.beatsOut++
		c.exits++
		if out.Beat.Last {
			gone = c.out() - c.exits
			c.exits = 0
		}
	}
	for len(c.entered) > 0 && len(c.drops) > 0 && c.drops[0] {
		gone += c.out()
	}
	if in.Valid && out.Ready {
		c.beatsIn++
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
	return e.Length < int64(e.Resets+g.timing.Sweep)
}

// name is the name of the register at an address, "" when there is none.
func (c *Coverage) name(addr uint16) string {
	if addr%4 != 0 {
		return ""
	}
	r, _, found := c.regs.At(uint32(addr))
	if !found {
		return ""
	}
	return r.Name
}

// Packets is the number of packets decided; BeatsIn and BeatsOut are what went in and came out.
func (c *Coverage) Packets() int64 { return c.packets }

// BeatsIn is the number of beats accepted.
func (c *Coverage) BeatsIn() int64 { return c.beatsIn }

// BeatsOut is the number of beats that left.
func (c *Coverage) BeatsOut() int64 { return c.beatsOut }

// Throughput has a row for each mix of packets.
func (c *Coverage) Throughput() []cover.Throughput {
	rows := c.mixes[:]
	for m := range rows {
		rows[m].Mix = Mix(m).String()
	}
	return rows
}

// Rows lists everything that this configuration can reach with how often it was.
func (c *Coverage) Rows() []cover.Row {
	var rows []cover.Row
	add := func(n uint64, format string, args ...any) {
		rows = append(rows, cover.Row{Name: fmt.Sprintf(format, args...), Count: n})
	}
	sizes := c.sizes()
	c.statusRows(add, sizes)
	for v := range c.places {
		for s, name := range [...]string{"no SecTAG", "SecTAG", "SecTAG with SCI"} {
			add(c.places[v][s], "place %d VLAN tags, %s", v, name)
		}
	}
	for t := range csig.Types {
		for _, s := range sizes {
			for o, name := range [...]string{"replaced", "kept", "equal"} {
				add(c.compared[t][s][o], "type %d %s %s", t, s, name)
			}
		}
	}
	for _, s := range sizes {
		for t := range 1 << telemetry.CSIGIETF.Layout(s).Type {
			add(c.types[t][s], "tag %s of type %d", s, t)
		}
		for n := telemetry.CSIGTPIDLen; n < s.Len(); n++ {
			add(c.truncated[n][s], "truncated %s of %d bytes", s, n)
		}
		for n := 1; n <= c.cfg.DataBits/8; n++ {
			add(c.removed[n][s], "removed %s, last beat of %d bytes", s, n)
		}
	}
	for n := 1; n < len(c.runts); n++ {
		add(c.runts[n], "packet of %d bytes", n)
	}
	for m := range moments {
		add(c.moments[m], "moment %s", momentNames[m])
	}
	for e, n := range c.events {
		// 2^20 bytes and more do not pass in a window of an episode.
		if event(e) != eventBytesSaturated || c.cfg.Method == config.CSIGRaw && c.cfg.ByteBits < 20 {
			add(n, "event %s", eventNames[e])
		}
	}
	c.registerRows(add)
	for p, n := range c.plans {
		add(n, "plan %s", planNames[p])
	}
	for p, n := range c.paces {
		add(n, "pace %s", paceNames[p])
	}
	for m, n := range c.mix {
		add(n, "mix %s", Mix(m))
	}
	for i, name := range [...]string{"idle between packets", "idle in packets", "sink", "write answers", "read answers"} {
		for k := range random.PatternKinds {
			if i > 1 || k != random.Off {
				add(c.patterns[i][k], "%s %s", name, k)
			}
		}
	}
	return rows
}

// sizes are those of the tags that the device knows.
func (c *Coverage) sizes() (list []telemetry.CSIGSize) {
	if c.cfg.CompactTPID != 0 {
		list = append(list, telemetry.CSIGCompact)
	}
	if c.cfg.ExpandedTPID != 0 {
		list = append(list, telemetry.CSIGExpanded)
	}
	return list
}

func (c *Coverage) statusRows(add func(n uint64, format string, args ...any), sizes []telemetry.CSIGSize) {
	for st := range statuses {
		status := csig.Status(st)
		switch status {
		case csig.Untagged, csig.Short, csig.Hidden, csig.NoPort:
			add(c.status[st][0]+c.status[st][1], "status %s", status)
			continue
		case csig.Held:
			if !c.cfg.UEC {
				continue
			}
		}
		for _, s := range sizes {
			add(c.status[st][s], "status %s %s", status, s)
		}
	}
}

// registerRows has a row for each way in which an access to a register can end. Counters are one register for each
// status, and writes that are refused for what they are written to, or for a strobe, are one row.
func (c *Coverage) registerRows(add func(n uint64, format string, args ...any)) {
	add(c.written[access{"", true}], "write to no register")
	add(c.read[access{"", true}], "read of no register")
	readOnly, strobes := uint64(0), uint64(0)
	for _, r := range c.regs.Registers {
		refused := c.written[access{r.Name, true}]
		switch {
		case !r.Writable():
			readOnly += refused
		case r.Refused == "":
			strobes += refused
		default:
			add(refused, "write %s refused", r.Name)
		}
		if r.Writable() {
			add(c.written[access{r.Name, false}], "write %s", r.Name)
		}
		if r.Readable() {
			add(c.read[access{r.Name, false}], "read %s", r.Name)
		} else {
			add(c.read[access{r.Name, true}], "read %s refused", r.Name)
		}
	}
	add(readOnly, "write to a register that can only be read")
	add(strobes, "write of a staged register without a strobe")
}

// Holes names the rows that were never reached.
func (c *Coverage) Holes() []string { return cover.Holes(c.Rows()) }

// String is a table of all rows, the least reached first.
func (c *Coverage) String() string { return cover.Table(c.Rows()) }

// Merge adds what another run has exercised.
func (c *Coverage) Merge(o *Coverage) {
	c.packets += o.packets
	c.beatsIn += o.beatsIn
	c.beatsOut += o.beatsOut
	for m := range c.mixes {
		a, b := &c.mixes[m], &o.mixes[m]
		a.Packets += b.Packets
		a.Add(b)
	}
	sumPairs(c.status[:], o.status[:])
	for i := range c.places {
		sum(c.places[i][:], o.places[i][:])
	}
	for t := range c.compared {
		for s := range c.compared[t] {
			sum(c.compared[t][s][:], o.compared[t][s][:])
		}
	}
	sumPairs(c.types[:], o.types[:])
	sumPairs(c.truncated[:], o.truncated[:])
	sumPairs(c.removed[:], o.removed[:])
	sum(c.runts[:], o.runts[:])
	sum(c.moments[:], o.moments[:])
	sum(c.events[:], o.events[:])
	sum(c.plans[:], o.plans[:])
	sum(c.paces[:], o.paces[:])
	sum(c.mix[:], o.mix[:])
	for i := range c.patterns {
		sum(c.patterns[i][:], o.patterns[i][:])
	}
	for k, n := range o.written {
		c.written[k] += n
	}
	for k, n := range o.read {
		c.read[k] += n
	}
}

func sum(to, from []uint64) {
	for i := range to {
		to[i] += from[i]
	}
}

func sumPairs(to, from [][2]uint64) {
	for i := range to {
		sum(to[i][:], from[i][:])
	}
}
