package inband_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/config/registers"
	"github.com/hdlpkg/hpccgen/model/inband"
)

var timing = timed(64, 32)

// timed is timing as a generator could publish it.
func timed(credits, sweep int) inband.Timing {
	g := inband.Timing{Lookup: 3, Tx: 7, Count: 8, Decision: 14}
	g.Spacing, g.Credits, g.Sweep = 1, credits, sweep
	g.Offer, g.Return, g.Enter, g.Leave, g.Act, g.Answer = 3, 1, 1, 1, 2, 3
	return g
}

// rig drives a clocked model.
type rig struct {
	t     require.TestingT
	c     config.INT
	m     *inband.Clocked
	in    inband.Inputs
	out   inband.Outputs
	queue []transfer
	got   []leaving
	part  []byte
	idle  func() bool // no beat is offered in this cycle
	stall func() bool // m_axis_tready is low
}

type transfer struct {
	beat inband.Beat
	meta inband.Meta
}

type leaving struct {
	pkt    []byte
	port   int
	status inband.Status
	at     int64 // cycle of the last beat
	beats  int
}

func newRig(t require.TestingT, c config.INT) *rig {
	m, err := inband.NewClocked(&c, timing)
	require.NoError(t, err)
	never := func() bool { return false }
	return &rig{t: t, c: c, m: m, idle: never, stall: never}
}

// send queues a packet.
func (r *rig) send(pkt []byte, m inband.Meta) {
	w := r.c.DataBits / 8
	for at := 0; at < len(pkt); at += w {
		b := inband.Beat{Len: min(w, len(pkt)-at), Last: at+w >= len(pkt)}
		copy(b.Data[:], pkt[at:at+b.Len])
		r.queue = append(r.queue, transfer{b, m})
		// read with the first beat only
		m = inband.Meta{IngressPort: -1, EgressPort: 1 << 20, IngressNs: 1, EgressNs: 2, QlenBytes: 3}
	}
}

// cycle is one cycle; the bus is as in.Bus has it.
func (r *rig) cycle() {
	offer := len(r.queue) > 0 && (r.in.Valid || !r.idle())
	r.in.Valid, r.in.MReady = offer, !r.stall()
	if offer {
		r.in.Beat, r.in.Meta = r.queue[0].beat, r.queue[0].meta
	}
	now := r.m.Now()
	r.m.Cycle(&r.in, &r.out)
	if offer && r.out.Ready {
		r.queue = r.queue[1:]
		r.in.Valid = false
	}
	if r.out.Valid && r.in.MReady {
		if len(r.part) == 0 {
			r.got = append(r.got, leaving{port: r.out.EgressPort, status: inband.Status(r.out.Status)})
		}
		l := &r.got[len(r.got)-1]
		require.Equal(r.t, [2]any{l.port, l.status}, [2]any{r.out.EgressPort, inband.Status(r.out.Status)})
		if !r.out.Beat.Last {
			require.Equal(r.t, r.c.DataBits/8, r.out.Beat.Len)
		}
		r.part = append(r.part, r.out.Beat.Data[:r.out.Beat.Len]...)
		l.beats++
		if r.out.Beat.Last {
			l.pkt, l.at, r.part = r.part, now, nil
		}
	}
}

// write is a write over the bus. It answers whether it was in order.
func (r *rig) write(offset, data uint32) bool {
	r.in.Bus = inband.BusInputs{AWValid: true, WValid: true, BReady: true, AWAddr: uint16(offset), WData: data, WStrb: 15}
	for {
		r.cycle()
		if r.out.Bus.AWReady {
			r.in.Bus.AWValid, r.in.Bus.WValid = false, false
		}
		if r.out.Bus.BValid {
			return !r.out.Bus.BError
		}
	}
}

// read is a read over the bus.
func (r *rig) read(offset uint32) (uint32, bool) {
	r.in.Bus = inband.BusInputs{ARValid: true, RReady: true, ARAddr: uint16(offset)}
	for {
		r.cycle()
		if r.out.Bus.ARReady {
			r.in.Bus.ARValid = false
		}
		if r.out.Bus.RValid {
			return r.out.Bus.RData, !r.out.Bus.RError
		}
	}
}

func (r *rig) program() {
	for _, w := range registers.ProgramINT(&r.c) {
		require.True(r.t, r.write(w.Offset, w.Data), "%#x", w.Offset)
	}
	r.in.Bus = inband.BusInputs{}
}

func (r *rig) drain() {
	for quiet := 0; quiet < 300; quiet++ {
		if len(r.queue) > 0 || r.out.Valid {
			quiet = 0
		}
		r.cycle()
	}
	require.Empty(r.t, r.part)
}

// Random packets, gaps and back-pressure: packets and counters equal those of a packet-by-packet device.
func TestClockedAgainstPackets(t *testing.T) {
	for _, f := range formats {
		t.Run(string(f), rapid.MakeCheck(func(t *rapid.T) {
			c := settings(f)
			c.Reserved = f == config.INTHPCC && rapid.Bool().Draw(t, "in place")
			c.DataBits = 64 << rapid.IntRange(0, 3).Draw(t, "width")
			c.AsyncReset = rapid.Bool().Draw(t, "async")
			c.Port[2].Enabled = false
			c.Port[3].MTU = 150
			r := newRig(t, c)
			r.program()
			d := must(inband.New(&c))
			rng := rand.New(rand.NewPCG(1, rapid.Uint64().Draw(t, "seed")))
			idle, stall := rapid.IntRange(0, 3).Draw(t, "idle"), rapid.IntRange(0, 3).Draw(t, "stall")
			r.idle = func() bool { return rng.IntN(4) < idle }
			r.stall = func() bool { return rng.IntN(4) < stall }
			var want []leaving
			for range rapid.IntRange(1, 12).Draw(t, "packets") {
				pkt, _ := genPacket(t, f)
				if len(pkt) == 0 {
					continue
				}
				m := inband.Meta{
					IngressPort: rng.IntN(5), EgressPort: rng.IntN(5), IngressNs: rng.Uint64() >> 16,
					EgressNs: rng.Uint64() >> 16, QlenBytes: rng.Uint64() >> (32 + rng.IntN(32)),
				}
				r.send(pkt, m)
				out, ev := d.Process(pkt, m)
				want = append(want, leaving{pkt: out, port: m.EgressPort, status: ev.Status})
			}
			r.drain()
			require.Len(t, r.got, len(want))
			for i := range want {
				require.Equal(t, want[i].port, r.got[i].port)
				require.Equal(t, want[i].status, r.got[i].status)
				require.Equal(t, want[i].pkt, r.got[i].pkt)
			}
			for p := range 4 {
				require.Equal(t, d.Counters(p), r.m.Counters(p))
				require.Equal(t, d.TxBytes(p), r.m.TxBytes(p))
				v, ok := r.read(0x1000 + uint32(64*p) + 4*9)
				require.True(t, ok)
				require.Equal(t, d.Counters(p)[inband.Inserted], uint64(v))
			}
			require.Equal(t, d.NoPort(), r.m.NoPort())
		}))
	}
}

// One beat a cycle leaves; the input waits only for the beats by which packets grow.
func TestThroughput(t *testing.T) {
	for _, f := range formats {
		c := settings(f)
		r := newRig(t, c)
		r.program()
		rec := fresh(f)
		rec.payload = 700
		pkt := rec.bytes()
		const packets = 100
		for range packets {
			r.send(pkt, inband.Meta{})
		}
		r.drain()
		require.Len(t, r.got, packets)
		beats := r.got[0].beats
		assert.Equal(t, int64((packets-1)*beats), r.got[packets-1].at-r.got[0].at, f)
	}
}

// The cycles of docs/int.md, one by one, of a packet of three beats that becomes one of four.
func TestCyclesOfAPacket(t *testing.T) {
	c := settings(config.INTHPCC)
	c.MaxHops = 3 // window 124: the second beat has it
	r := newRig(t, c)
	r.program()
	rec := fresh(config.INTHPCC)
	rec.payload = 3*64 - 44
	pkt := rec.bytes()
	require.Len(t, pkt, 192)
	r.send(pkt, inband.Meta{})
	decided := int64(0)
	r.m.OnDecision = func(cycle int64, _ *inband.Event) { decided = cycle }
	start := r.m.Now() // the first beat is accepted in this cycle
	e, l := start+1, start+2
	txAt, countAt, leave := int64(0), int64(0), []int64{}
	for r.m.Now() < start+40 {
		now := r.m.Now()
		if r.m.TxBytes(0) != 0 && txAt == 0 {
			txAt = now - 1
		}
		if r.m.Counters(0)[inband.Inserted] != 0 && countAt == 0 {
			countAt = now - 1
		}
		r.cycle()
		if r.out.Valid {
			leave = append(leave, now)
		}
	}
	assert.Equal(t, l+int64(timing.Tx), txAt)
	assert.Equal(t, e+int64(timing.Count), countAt)
	assert.Equal(t, e+int64(timing.Decision), decided)
	d := decided // the first beat goes into A at the end of this cycle, into B one later, into C one later still
	assert.Equal(t, []int64{d + 3, d + 4, d + 5, d + 6}, leave)
}

// A packet sees the settings committed before the cycle of its lookup.
func TestLookupCycle(t *testing.T) {
	for shift := range 12 {
		c := settings(config.INTHPCC)
		r := newRig(t, c)
		r.program()
		require.True(t, r.write(registers.INTPortEnable, 0))
		r.in.Bus = inband.BusInputs{}
		r.cycle()
		rec := fresh(config.INTHPCC)
		rec.payload = 8
		pkt := rec.bytes() // one beat: the header cycle is that of its acceptance
		require.LessOrEqual(t, len(pkt), 64)
		e := r.m.Now()
		r.send(pkt, inband.Meta{})
		for range shift {
			r.cycle()
		}
		x := r.m.Now() + 2 // chosen in this cycle, the write acts two cycles later
		r.in.Bus = inband.BusInputs{AWValid: true, WValid: true, BReady: true, AWAddr: registers.INTPortCommit, WStrb: 15}
		for range 40 {
			r.cycle()
			if r.out.Bus.AWReady {
				r.in.Bus.AWValid, r.in.Bus.WValid = false, false
			}
		}
		want := inband.Inserted
		if e+int64(timing.Lookup) > x {
			want = inband.Off
		}
		require.Len(t, r.got, 1)
		assert.Equal(t, want, r.got[0].status, "%d", shift)
	}
}

// A beat that comes when the editor has run dry is taken three cycles later, and leaves three cycles after that.
func TestLateBeat(t *testing.T) {
	c := settings(config.INTHPCC)
	r := newRig(t, c)
	r.program()
	r.send(make([]byte, 64*6), inband.Meta{})
	r.idle = func() bool { return len(r.queue) == 1 }
	for range 60 {
		r.cycle()
	}
	require.Len(t, r.queue, 1)
	r.idle = func() bool { return false }
	at := r.m.Now()
	r.drain()
	assert.Equal(t, at+6, r.got[0].at)
}

func TestCredits(t *testing.T) {
	c := settings(config.INTMD)
	r := newRig(t, c)
	r.stall = func() bool { return true }
	for range timing.Sweep {
		require.False(t, r.out.Ready)
		r.cycle()
	}
	r.send(make([]byte, 64*200), inband.Meta{})
	for range 200 {
		r.cycle()
	}
	// A, B and C hold a beat each, and the pipeline its credits.
	assert.Len(t, r.queue, 200-timing.Credits-3)
	assert.False(t, r.out.Ready)
	r.stall = func() bool { return false }
	r.drain()
	assert.Len(t, r.got, 1)
	assert.Equal(t, inband.Off, r.got[0].status)
}

func TestRegisters(t *testing.T) {
	for _, f := range formats {
		c := settings(f)
		c.Hash = "0123456789abcdef"
		r := newRig(t, c)
		space := registers.NewINT(&c)
		for addr := uint32(0); addr < 0x1140; addr++ {
			reg, _, found := space.At(addr)
			v, ok := r.read(addr)
			assert.Equal(t, found && reg.Readable(), ok, "%s read %#x", f, addr)
			if ok {
				assert.Equal(t, reg.Reset(), v)
			} else {
				assert.Zero(t, v)
			}
			if !found || !reg.Writable() {
				assert.False(t, r.write(addr, 1), "%s write %#x", f, addr)
			} else if reg.Readable() {
				assert.True(t, r.write(addr, 0xdeadbeef))
				v, _ = r.read(addr)
				assert.Equal(t, uint32(0xdeadbeef), v)
			}
		}
		for _, commit := range []uint32{registers.INTPortCommit, registers.NodeCommit} {
			assert.False(t, r.write(commit, 0), "what is staged is out of range")
		}
		put := func(offset, v uint32) { assert.True(t, r.write(offset, v)) }
		put(registers.INTPortEnable, 1)
		put(registers.INTPortMTU, 65535)
		put(registers.INTPortRate, 15)
		assert.True(t, r.write(registers.INTPortCommit, 3))
		assert.False(t, r.write(registers.INTPortCommit, 4))
		for offset, v := range map[uint32]uint32{registers.INTPortEnable: 2, registers.INTPortMTU: 65536,
			registers.INTPortRate: 16} {
			keep, _ := r.read(offset)
			put(offset, v)
			assert.False(t, r.write(registers.INTPortCommit, 3))
			put(offset, keep)
		}
		id, match, ns := registers.INTNodeBits(f)
		node := map[uint32]int{registers.NodeID: id, registers.NodeOverhead: 8}
		if match > 0 {
			node[registers.NodeMatch] = match
		}
		if ns > 0 {
			node[registers.NodeSpace] = ns
		}
		for offset, bits := range node {
			put(offset, uint32(1<<bits-1))
		}
		assert.True(t, r.write(registers.NodeCommit, 77))
		for offset, bits := range node {
			if bits < 32 {
				put(offset, 1<<bits)
				assert.False(t, r.write(registers.NodeCommit, 0), "%s %#x", f, offset)
				put(offset, uint32(1<<bits-1))
			}
		}
		assert.True(t, r.write(registers.NodeCommit, 0))
		// Strobes, and a reset.
		r.in.Bus = inband.BusInputs{AWValid: true, WValid: true, BReady: true, AWAddr: registers.NodeID, WData: 5, WStrb: 7}
		for r.cycle(); !r.out.Bus.BValid; r.cycle() {
			if r.out.Bus.AWReady {
				r.in.Bus.AWValid, r.in.Bus.WValid = false, false
			}
		}
		assert.True(t, r.out.Bus.BError)
		r.in.Rst, r.in.Bus = true, inband.BusInputs{}
		r.cycle()
		r.in.Rst = false
		v, _ := r.read(registers.NodeOverhead)
		assert.Equal(t, uint32(24), v)
		v, _ = r.read(registers.NodeID)
		assert.Zero(t, v)
	}
}

// A reset in the middle of packets discards them and the committed settings.
func TestResetForgets(t *testing.T) {
	for _, async := range []bool{false, true} {
		c := settings(config.INTHPCC)
		c.AsyncReset = async
		r := newRig(t, c)
		r.program()
		rec := fresh(config.INTHPCC)
		rec.payload = 500
		for range 5 {
			r.send(rec.bytes(), inband.Meta{})
		}
		for range 30 {
			r.cycle()
		}
		require.NotZero(t, r.m.TxBytes(0))
		r.in.Rst = true
		r.cycle()
		assert.Equal(t, async, !r.out.Valid && !r.out.Ready)
		r.in.Rst, r.part, r.got, r.queue = false, nil, nil, nil
		r.in.Valid = false
		r.cycle()
		assert.False(t, r.out.Valid || r.out.Ready)
		r.send(rec.bytes(), inband.Meta{})
		r.drain()
		require.Len(t, r.got, 1)
		assert.Equal(t, inband.Off, r.got[0].status)
		assert.Equal(t, uint64(1), r.m.Counters(0)[inband.Off])
		assert.Equal(t, uint64(len(rec.bytes())+24), r.m.TxBytes(0))
	}
}

func TestTimingIsChecked(t *testing.T) {
	c := settings(config.INTIOAM)
	for what, change := range map[string]func(*inband.Timing){
		"lookup": func(x *inband.Timing) { x.Lookup = 0 }, "tx": func(x *inband.Timing) { x.Tx = 2 },
		"count":    func(x *inband.Timing) { x.Count = 2 },
		"decision": func(x *inband.Timing) { x.Decision = 6 }, "credits": func(x *inband.Timing) { x.Credits = 5 },
		"sweep":   func(x *inband.Timing) { x.Sweep = 0 },
		"spacing": func(x *inband.Timing) { x.Spacing = 0 }, "offer": func(x *inband.Timing) { x.Offer = 0 },
		"return": func(x *inband.Timing) { x.Return = 0 }, "enter": func(x *inband.Timing) { x.Enter = 2 },
		"leave": func(x *inband.Timing) { x.Leave = 2 }, "gone": func(x *inband.Timing) { x.Room = 16 },
		"act": func(x *inband.Timing) { x.Act = 1 }, "answer": func(x *inband.Timing) { x.Answer = 0 },
	} {
		x := timing
		change(&x)
		_, err := inband.NewClocked(&c, x)
		assert.ErrorContains(t, err, what)
	}
}

// The cycles of the register bus: chosen, taken, acts, answered, idle.
func TestBusCycles(t *testing.T) {
	r := newRig(t, settings(config.INTHPCC))
	for range timing.Sweep {
		r.in.Bus = inband.BusInputs{ARValid: true}
		r.cycle()
	}
	r.in.Bus = inband.BusInputs{AWValid: true, WValid: true, ARValid: true, AWAddr: registers.NodeID,
		ARAddr: registers.NodeID, WData: 7, WStrb: 15, BReady: true, RReady: true}
	var got []inband.BusOutputs
	for range 11 {
		r.cycle()
		got = append(got, r.out.Bus)
		if r.out.Bus.AWReady {
			r.in.Bus.AWValid, r.in.Bus.WValid = false, false
		}
		if r.out.Bus.ARReady {
			r.in.Bus.ARValid = false
		}
	}
	want := make([]inband.BusOutputs, 11)
	want[1] = inband.BusOutputs{AWReady: true, WReady: true} // chosen in 0, acts in 2
	want[5] = inband.BusOutputs{BValid: true}
	want[7] = inband.BusOutputs{ARReady: true} // idle in 6, acts in 8
	r.cycle()
	want = append(want, inband.BusOutputs{RValid: true, RData: 7})
	assert.Equal(t, want, append(got, r.out.Bus))
}

// Neither a read nor a write waits for more than one access of the other kind.
func TestBusAlternates(t *testing.T) {
	r := newRig(t, settings(config.INTHPCC))
	for range timing.Sweep {
		r.cycle()
	}
	r.in.Bus = inband.BusInputs{AWValid: true, WValid: true, AWAddr: registers.NodeID, WStrb: 15, BReady: true,
		RReady: true}
	var got string
	for n := range 6 * 6 {
		r.in.Bus.ARValid = n >= 8
		r.in.Bus.AWValid = n < 26
		r.cycle()
		if r.out.Bus.AWReady {
			got += "w"
		}
		if r.out.Bus.ARReady {
			got += "r"
		}
	}
	assert.Equal(t, "wwrwrr", got)
}
