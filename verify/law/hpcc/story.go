package hpcc

import (
	"fmt"
	"math/big"
	"strings"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/fixed"
	"github.com/hdlpkg/hpccgen/model/law/hpcc"
	"github.com/hdlpkg/hpccgen/verify/stimulus"
	"github.com/hdlpkg/hpccgen/verify/stimulus/random"
)

// path is a flow on its path through the network, as a directed test has it.
type path struct {
	cfg      *config.NIC
	bps      uint64 // of every link
	rtt      uint64 // T, ticks
	ack      hpcc.Ack
	busiest  int // the hop that the load is at
	idle     int // percent of the load at the others
	inFlight uint64
}

const (
	storyProfile = 0
	storyCode    = 1
)

// story has a flow on a path whose links are all of one rate. Queue and load change at the hop in the middle.
func story(cfg *config.NIC) (*stimulus.Story[hpcc.Ack, hpcc.ContextWrite], error) {
	tel := &cfg.Telemetry
	p := &path{cfg: cfg, bps: cfg.RatesBps[len(cfg.RatesBps)/2], busiest: cfg.MaxHops / 2, idle: 40}
	p.rtt = min(max(13_000/tel.TickNs, cfg.MinRTTTicks), cfg.MaxRTTTicks)
	profile := config.Profile{BaseRTTNs: p.rtt * tel.TickNs, Eta: big.NewRat(95, 100), MaxStage: min(5, 1<<cfg.StageBits-1),
		Fast: true}
	top := new(big.Rat).SetFrac(new(big.Int).Mul(new(big.Int).SetUint64(p.bps),
		new(big.Int).SetUint64(profile.BaseRTTNs)), big.NewInt(8e9))
	if most := cfg.Formats.Window.Max(); top.Cmp(most) > 0 {
		top = most
	}
	part := func(n, d int64) *big.Rat { return new(big.Rat).Mul(top, big.NewRat(n, d)) }
	profile.WMax, profile.WMin, profile.WAI = top, part(1, 64), part(1, 320)
	s := &stimulus.Story[hpcc.Ack, hpcc.ContextWrite]{}
	if err := p.tables(s, profile); err != nil {
		return nil, err
	}
	window, _ := cfg.Formats.Window.Raw(part(1, 2))
	p.inFlight = new(big.Int).Quo(top.Num(), top.Denom()).Uint64()
	generation := uint8(random.Mask(cfg.GenBits) & 1)
	flow := uint32(min(3, cfg.Flows-1))
	s.Open.About = fmt.Sprintf("Flow %d begins with U = 1 and half of the largest window.", flow)
	s.Open.Op = hpcc.ContextWrite{Flow: flow, Mask: ^hpcc.MaskClose, Profile: storyProfile, Generation: generation,
		U: 1 << cfg.Formats.U.Frac, Wc: window.Uint64(), W: window.Uint64()}
	p.ack = hpcc.Ack{Flow: flow, Generation: generation, Nhop: cfg.MaxHops, PathID: 5, Now: 1000, AckSeq: 1000}
	for i := range p.ack.Hop[:cfg.MaxHops] {
		p.ack.Hop[i] = hpcc.Record{LinkID: uint32(i + 1), RateCode: storyCode & uint32(cfg.RateCodes()-1), TS: 1000, Tx: 100}
	}
	s.Events = p.events()
	return s, nil
}

// tables adds what software writes for the profile and the links' rate.
func (p *path) tables(s *stimulus.Story[hpcc.Ack, hpcc.ContextWrite], profile config.Profile) error {
	code := storyCode & (p.cfg.RateCodes() - 1)
	rate, err := p.cfg.RateEntry(code, p.bps, 1)
	if err != nil {
		return err
	}
	queue, err := p.cfg.QueueEntry(code, storyProfile, p.bps, 1, profile)
	if err != nil {
		return err
	}
	entries, err := p.cfg.ProfileEntries(storyProfile, profile)
	if err != nil {
		return err
	}
	bytes := func(v *big.Rat) string {
		f, _ := v.Float64()
		return fixed.SI(f, "B", 5)
	}
	about := map[config.Table]string{
		config.TableRate:   fmt.Sprintf("rate code %d: 1/B of %s, and that it is known", code, fixed.SI(float64(p.bps), "bit/s", 4)),
		config.TableQueue:  fmt.Sprintf("1/(B T) of this code and profile %d", storyProfile),
		config.TableRTT:    fmt.Sprintf("profile %d: T is %s", storyProfile, fixed.SI(float64(profile.BaseRTTNs)*1e-9, "s", 5)),
		config.TableInvRTT: "1/T", config.TableEta: "eta is 0.95",
		config.TableStage: fmt.Sprintf("maxStage is %d; fast reaction", profile.MaxStage),
		config.TableWAI:   "W_ai is " + bytes(profile.WAI), config.TableWMin: "W_min is " + bytes(profile.WMin),
		config.TableWMax: "W_max is " + bytes(profile.WMax),
	}
	for _, w := range append([]config.TableWrite{rate, queue}, entries...) {
		s.Tables = append(s.Tables, stimulus.Told[config.TableWrite]{About: about[w.Table], Op: w})
	}
	return nil
}

// events are the ten ACKs.
func (p *path) events() (list []stimulus.Told[hpcc.Ack]) {
	add := func(about string) {
		p.ack.Tag++
		list = append(list, stimulus.Told[hpcc.Ack]{About: about, Op: p.ack})
	}
	add("The first ACK of the flow: its telemetry is stored.")
	p.later(4, 50, 0)
	add("A round trip later the busiest link is half used: there is room.")
	p.later(1, 50, 0)
	add("Within the same round trip: fast reaction.")
	p.later(4, 95, 0)
	add("The busiest link is used as eta wants it.")
	p.later(3, 100, 25)
	add("It is full, and a queue of a quarter of B T stands at it.")
	p.later(2, 100, 50)
	add("The queue has grown to half of B T.")
	p.ack.Nhop = 0
	add("No switch has left telemetry: nothing changes.")
	p.ack.Nhop = p.cfg.MaxHops
	p.later(4, 100, 10)
	add("The queue drains.")
	p.ack.PathID ^= 1
	p.ack.Hop[0].LinkID ^= 1
	p.later(4, 70, 0)
	if p.cfg.Telemetry.PathIDBits+p.cfg.Telemetry.LinkIDBits > 0 {
		add("The path has changed: the records are stored, and that is all.")
	} else {
		add("The path has changed, which telemetry without identifiers does not show.")
	}
	p.ack.Flow = (p.ack.Flow + 1) % uint32(p.cfg.Flows)
	p.later(1, 70, 0)
	add("An ACK of a flow that is not open.")
	return list
}

// later moves on by quarters of T. The busiest link is used to load percent, and its queue is queue percent of B T.
func (p *path) later(quarters, load, queue uint64) {
	tel, a := &p.cfg.Telemetry, &p.ack
	dt := min(max(p.rtt*quarters/4, 1), 1<<(tel.TSBits-1)-1)
	a.Now += dt
	a.AckSeq += uint32(p.inFlight * quarters / 4)
	a.SndNxt = a.AckSeq + uint32(p.inFlight)
	a.AckSeq, a.SndNxt = a.AckSeq&uint32(random.Mask(p.cfg.SeqBits)), a.SndNxt&uint32(random.Mask(p.cfg.SeqBits))
	for i := range a.Hop[:p.cfg.MaxHops] {
		h, percent := &a.Hop[i], uint64(p.idle)
		h.Qlen = 0
		if i == p.busiest {
			percent, h.Qlen = load, p.queue(queue)
		}
		h.TS = (h.TS + dt) & random.Mask(tel.TSBits)
		bytes := float64(p.bps) / 8e9 * float64(dt*tel.TickNs) * float64(percent) / 100
		h.Tx = (h.Tx + uint64(bytes)/tel.TxUnitBytes) & random.Mask(tel.TxBits)
	}
}

// queue is a queue of some percent of B T, or the time that it takes to drain.
func (p *path) queue(percent uint64) uint32 {
	ticks := p.rtt * percent / 100
	units := ticks / p.cfg.Telemetry.QlenUnitBytes // of time
	if !p.cfg.Sojourn {
		units = uint64(float64(p.bps)/8e9*float64(ticks*p.cfg.Telemetry.TickNs)) / p.cfg.Telemetry.QlenUnitBytes
	}
	return uint32(min(units, random.Mask(p.cfg.Telemetry.QlenBits)))
}

// says is what the value of an output port means.
func says(cfg *config.NIC) func(port string, v uint64) string {
	return func(port string, v uint64) string {
		_, name, _ := strings.Cut(port, "_")
		switch name {
		case "kind":
			return hpcc.Kind(v).String()
		case "status":
			return hpcc.Status(v).String()
		}
		if q, ok := units(cfg)(name); ok {
			return q.Text(v, 5)
		}
		return ""
	}
}
