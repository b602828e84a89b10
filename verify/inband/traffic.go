package inband

import (
	"math/rand/v2"
	"slices"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/config/registers"
	"github.com/hdlpkg/hpccgen/model/inband"
)

// traffic makes the inputs of each cycle. It goes by the outputs of the cycle before, as the stream and the bus want
// it.
type traffic struct {
	c     *config.INT
	rng   *rand.Rand
	maker maker

	beats   []inband.Beat     // of the packet under way
	writes  []registers.Write // to come, in order
	space   *registers.Map
	egress  uint64 // time
	left    int    // cycles of this weather
	idle    int    // of 16
	stall   int
	calm    int // of 64: cycles in which software does nothing
	changed bool
	pause   int // cycles of a busy time in which settings stay as they are
	resets  bool
	packets int
	first   int // of the ports that most packets use

	ledger ledger
	drain  bool // nothing comes until all packets have left, then one whose checksum becomes 0
}

func newTraffic(c *config.INT, seed uint64, resets bool) *traffic {
	rng := rand.New(rand.NewPCG(seed, 0x696e74))
	t := &traffic{c: c, rng: rng, maker: maker{c: c, rng: rng}, space: registers.NewINT(c), egress: rng.Uint64(),
		resets: resets}
	t.first = rng.IntN(c.Ports)
	t.writes = t.program()
	return t
}

// program is what software writes, the ports that most packets use first: with many ports, it takes long to come to the
// last.
func (t *traffic) program() []registers.Write {
	list := registers.ProgramINT(t.c)
	const writes = 4 // of a port
	at, end := writes*t.first, writes*t.c.Ports
	return slices.Concat(list[at:end], list[:at], list[end:])
}

// near is one of the ports that most packets use.
func (t *traffic) near() int { return (t.first + t.rng.IntN(min(t.c.Ports, 4))) % t.c.Ports }

// weather changes from time to time: how often beats, room for them, and software come.
func (t *traffic) weather() {
	if t.left--; t.left > 0 {
		return
	}
	t.left = 50 + t.rng.IntN(400)
	pick := func(list ...int) int { return list[t.rng.IntN(len(list))] }
	t.idle, t.stall, t.calm = pick(0, 0, 0, 4, 8, 15), pick(0, 0, 0, 2, 8, 14), pick(0, 32, 60, 63)
}

// inputs sets in to the inputs of the next cycle; out are the outputs of the one before, in which in was given.
func (t *traffic) inputs(in *inband.Inputs, out *inband.Outputs) {
	t.follow(in, out)
	t.weather()
	if in.Rst {
		in.Rst = t.rng.IntN(3) == 0
	} else if t.resets && t.rng.IntN(max(3000, 256*t.c.Ports)) == 0 { // clearing the counters takes 16 cycles a port
		in.Rst = true
	}
	if in.Rst {
		t.beats, t.writes = nil, nil
		for _, w := range t.program() {
			if t.rng.IntN(200) != 0 {
				t.writes = append(t.writes, w)
			}
		}
		in.Bus = inband.BusInputs{}
		in.Valid = false
	}
	t.stream(in, out)
	in.MReady = t.rng.IntN(16) >= t.stall
	t.bus(&in.Bus, &out.Bus)
}

func (t *traffic) stream(in *inband.Inputs, out *inband.Outputs) {
	if in.Valid && !out.Ready {
		return // an offer stands until it is taken
	}
	if in.Valid {
		t.beats = t.beats[1:]
	}
	in.Valid = !in.Rst && t.rng.IntN(16) >= t.idle
	if !in.Valid {
		return
	}
	if len(t.beats) == 0 && t.waits() {
		in.Valid = false
		return
	}
	in.Meta = t.otherMeta()
	if len(t.beats) == 0 {
		in.Meta = t.begin()
	}
	in.Beat = t.beats[0]
}

// waits tells whether the next packet waits until the source is empty. Where throughput is measured it never does.
func (t *traffic) waits() bool {
	if !t.drain && t.idle > 0 && t.maker.udp() && t.settled() {
		t.drain = t.rng.IntN(12) == 0
	}
	return t.drain && t.ledger.inside > 0
}

// begin makes the next packet.
func (t *traffic) begin() inband.Meta {
	var pkt []byte
	var m inband.Meta
	if t.drain && t.settled() {
		pkt, m = t.zeroChecksum()
	} else {
		pkt, m = t.maker.packet(), t.newMeta()
	}
	t.drain = false
	t.cut(pkt)
	t.ledger.inside++
	t.packets++
	return m
}

func (t *traffic) cut(pkt []byte) {
	w := t.c.DataBits / 8
	for at := 0; at < len(pkt); at += w {
		b := inband.Beat{Len: min(w, len(pkt)-at), Last: at+w >= len(pkt)}
		copy(b.Data[:], pkt[at:at+b.Len])
		for i := b.Len; i < w; i++ {
			b.Data[i] = byte(t.rng.Uint32())
		}
		t.beats = append(t.beats, b)
	}
}

func (t *traffic) port() int {
	if t.rng.IntN(32) == 0 {
		return t.rng.IntN(t.c.Ports * 2)
	}
	return t.near()
}

func (t *traffic) newMeta() inband.Meta {
	t.egress += t.rng.Uint64N(3000)
	m := inband.Meta{IngressPort: t.port(), EgressPort: t.port(), EgressNs: t.egress,
		QlenBytes: t.rng.Uint64() >> t.rng.IntN(64)}
	m.IngressNs = m.EgressNs - t.rng.Uint64N(5000)
	if t.rng.IntN(8) == 0 {
		m.IngressNs = t.rng.Uint64()
	}
	return m
}

// otherMeta is that of beats for which it means nothing.
func (t *traffic) otherMeta() inband.Meta {
	return inband.Meta{IngressPort: t.rng.IntN(8), EgressPort: t.rng.IntN(8), IngressNs: t.rng.Uint64(),
		EgressNs: t.rng.Uint64(), QlenBytes: t.rng.Uint64()}
}

// bus drives the AXI4-Lite interface: first the program, then whatever comes to mind.
func (t *traffic) bus(in *inband.BusInputs, out *inband.BusOutputs) {
	in.BReady, in.RReady = t.rng.IntN(3) > 0, t.rng.IntN(3) > 0
	if out.AWReady {
		in.AWValid, in.WValid = false, false
	}
	if out.ARReady {
		in.ARValid = false
	}
	if t.rng.IntN(64) < t.calm && len(t.writes) == 0 {
		return
	}
	resting := len(t.writes) == 0 && t.pause > 0
	if resting {
		t.pause--
	}
	if !resting && !in.AWValid && !in.WValid && t.rng.IntN(4) == 0 {
		w := t.nextWrite()
		in.AWAddr, in.WData, in.WStrb = uint16(w.Offset), w.Data, 15
		if len(t.writes) == 0 && t.rng.IntN(20) == 0 {
			in.WStrb = uint8(t.rng.IntN(16))
		}
		in.AWValid = true
		in.WValid = t.rng.IntN(4) > 0
	} else if in.AWValid && !in.WValid {
		in.WValid = t.rng.IntN(2) == 0
	}
	if !in.ARValid && t.rng.IntN(4) == 0 {
		in.ARAddr, in.ARValid = t.address(), true
	}
}

func (t *traffic) nextWrite() registers.Write {
	if len(t.writes) > 0 {
		w := t.writes[0]
		t.writes = t.writes[1:]
		if len(t.writes) == 0 {
			t.pause = t.rng.IntN(400)
		}
		return w
	}
	if t.changed { // back, so that packets go on getting records
		program := t.program()
		t.writes, t.changed = program[1:], false
		return program[0]
	}
	t.changed, t.pause = t.rng.IntN(16) > 0, t.rng.IntN(100)
	if t.rng.IntN(3) == 0 {
		w := registers.Write{Offset: uint32(t.address()), Data: t.data()}
		t.ledger.exact = t.ledger.exact && w.Offset != registers.NodeOverhead
		return w
	}
	// A change of the settings, now and then one that is refused.
	var some []registers.Write
	switch t.rng.IntN(3) {
	case 0:
		port := t.near()
		if t.rng.IntN(8) == 0 {
			port = t.c.Ports
		}
		some = []registers.Write{
			{Offset: registers.INTPortEnable, Data: uint32(min(t.rng.IntN(8), 1))},
			{Offset: registers.INTPortMTU, Data: uint32(t.rng.IntN(1 << (6 + t.rng.IntN(12))))},
			{Offset: registers.INTPortRate, Data: uint32(t.rng.IntN(17))},
			{Offset: registers.INTPortCommit, Data: uint32(port)},
		}
	case 1:
		t.ledger.exact = false
		some = []registers.Write{
			{Offset: registers.NodeID, Data: t.data() >> t.rng.IntN(32)}, {Offset: registers.NodeOverhead,
				Data: uint32(t.rng.IntN(260))}, {Offset: registers.NodeCommit},
		}
	default:
		some = []registers.Write{
			{Offset: registers.NodeMatch, Data: t.data() >> t.rng.IntN(32)},
			{Offset: registers.NodeSpace, Data: t.data() >> t.rng.IntN(32)}, {Offset: registers.NodeCommit},
		}
	}
	t.writes = some[1:]
	return some[0]
}

func (t *traffic) data() uint32 { return t.rng.Uint32() >> t.rng.IntN(32) }

func (t *traffic) address() uint16 {
	switch t.rng.IntN(4) {
	case 0:
		return uint16(t.rng.Uint32())
	case 1:
		r := &t.space.Registers[t.rng.IntN(len(t.space.Registers))]
		return uint16(r.Offset + r.Stride*uint32(t.rng.IntN(r.Count)))
	}
	// Where a packet is most likely to count in the cycle of the read.
	status := []int{int(inband.Inserted), int(inband.Plain), int(inband.Off), int(inband.Hops),
		t.rng.IntN(16)}[t.rng.IntN(5)]
	return uint16(registers.Count + registers.CountStride*t.near() + 4*status)
}
