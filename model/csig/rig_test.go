package csig_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/config/registers"
	"github.com/hdlpkg/hpccgen/model/csig"
	"github.com/hdlpkg/hpccgen/telemetry"
)

// timed completes the timing of a pipeline that m_axis stalls with values that the tests do not check.
func timed(g csig.Timing, credits, sweep int) csig.Timing {
	g.Stacked, g.Spacing, g.Credits, g.Sweep = g.Count, 1, credits, sweep
	g.Offer, g.Return, g.Enter, g.Leave, g.Act, g.Answer = 3, 1, 1, 1, 2, 3
	g.Commit, g.CommitAnswer, g.Buckets, g.BucketsAnswer, g.Absent = 1, 3, 1, 36, 1
	return g
}

// roomy returns the timing of a pipeline whose editor never stalls, with room for so many beats.
func roomy(g csig.Timing, room int) csig.Timing {
	g.Room, g.Return, g.Enter, g.Leave, g.Gone = room, 2, 3, 3, 2
	return g
}

// timing is close to that of a real pipeline.
var timing = timed(csig.Timing{Lookup: 1, Meter: 3, Scale: 9, Code: 14, Count: 17, Decision: 18}, 40, 64)

// design is a device that does everything, with so many ports and bits a beat. Ports are as in vectorDevice: 1 updates,
// 2 passes, 3 strips, 4 is not trusted, others are as 1.
func design(ports, dataBits int) *config.CSIG {
	c := &config.CSIG{
		Name: "test", Hash: "0123456789abcdef", Ports: ports, DataBits: dataBits,
		TimeBits: 48, ByteBits: 40, FracBits: 16, RecipBits: 32, RatioBits: 24, QlenBits: 32,
		CompactTPID: 0x88b5, ExpandedTPID: 0x88b6, VLANTPIDs: []uint16{0x8100, 0x88a8},
		Method: config.CSIGRaw, WindowNs: 10_000, TimeShift: 14, GapShift: 6, TickShift: 10, DecayShift: 3, OverheadBytes: 24,
		Port: make([]config.CSIGPort, ports), Bounds: csig.AppendixA(24),
	}
	for i := range c.Port {
		p := &c.Port[i]
		p.Trusted, p.CapacityKbps = i != 4, 100e6
		for t := range config.CSIGTypes {
			p.Compact[t], p.Expanded[t] = uint16(4*i+t)&63, uint16(1000*i+t)&0x7fff
			p.Actions[t] = config.CSIGUpdate
		}
		for t := range p.Actions {
			switch i {
			case 2:
				p.Actions[t] = config.CSIGPass
			case 3:
				p.Actions[t] = config.CSIGStrip
			}
		}
	}
	for t, step := range []uint64{8000, 16, 128, 128} {
		c.Quantizer[t] = config.CSIGQuantizer{Step: step}
	}
	return c
}

// rig drives a clocked model. The stream and the bus run at the same time.
type rig struct {
	t       testing.TB
	cfg     *config.CSIG
	m       *csig.Clocked
	in      csig.Inputs
	out     csig.Outputs
	source  []transfer // beats to come
	idle    func() bool
	stall   func() bool
	got     []delivered
	partial []byte
	answers []answer
	acts    int64     // cycle in which the access under way acts
	offered *transfer // what s_axis offered in the last cycle; nil: nothing
}

// answer is the end of an access of the bus.
type answer struct {
	slverr bool
	data   uint32
	acted  int64 // cycle in which the access acted
	at     int64 // first cycle with the answer
}

type transfer struct {
	beat csig.Beat
	meta csig.Meta
}

// delivered is a packet that has left.
type delivered struct {
	bytes  []byte
	port   int
	status csig.Status
	at     int64 // cycle of its last beat
}

func newRig(t testing.TB, c *config.CSIG, timing csig.Timing) *rig {
	t.Helper()
	if c.CompactTPID == 0 { // there are no bucket tables
		timing.Buckets, timing.BucketsAnswer, timing.Absent = 0, 0, 0
	}
	m, err := csig.NewClocked(c, timing)
	require.NoError(t, err)
	never := func() bool { return false }
	r := &rig{t: t, cfg: c, m: m, idle: never, stall: never}
	r.in.Bus.BReady, r.in.Bus.RReady = true, true
	return r
}

func (r *rig) width() int { return r.cfg.DataBits / 8 }

// send queues a packet.
func (r *rig) send(pkt []byte, meta csig.Meta) {
	for at := 0; at < len(pkt); at += r.width() {
		var b csig.Beat
		b.Len = copy(b.Data[:r.width()], pkt[at:])
		b.Last = at+b.Len == len(pkt)
		if !b.Last {
			b.Len = 1 // tkeep does not matter before the last beat
		}
		r.source = append(r.source, transfer{b, meta})
		meta = csig.Meta{IngressPort: -1, EgressPort: -1} // does not matter after the first beat
	}
}

// cycle is one cycle.
func (r *rig) cycle() {
	if !r.in.Valid && len(r.source) > 0 && !r.idle() {
		r.in.Valid, r.in.Beat, r.in.Meta = true, r.source[0].beat, r.source[0].meta
	}
	r.in.MReady = !r.stall()
	r.offered = nil
	if r.in.Valid {
		r.offered = &r.source[0]
	}
	r.m.Cycle(&r.in, &r.out)
	if r.in.Valid && r.out.Ready && !r.in.Rst {
		r.source = r.source[1:]
		r.in.Valid = false
	}
	if r.out.Valid && r.in.MReady && !r.in.Rst {
		b := &r.out.Beat
		require.True(r.t, b.Last || b.Len == r.width(), "only the last beat is not full")
		require.Positive(r.t, b.Len)
		r.partial = append(r.partial, b.Data[:b.Len]...)
		if b.Last {
			r.got = append(r.got, delivered{r.partial, r.out.EgressPort, csig.Status(r.out.Status), r.m.Now() - 1})
			r.partial = nil
		}
	}
	r.busCycle()
}

func (r *rig) busCycle() {
	in, out := &r.in.Bus, &r.out.Bus
	if out.AWReady {
		require.True(r.t, in.AWValid && in.WValid && out.WReady)
		in.AWValid, in.WValid, r.acts = false, false, r.m.Now()
	}
	if out.ARReady {
		require.True(r.t, in.ARValid)
		in.ARValid, r.acts = false, r.m.Now()
	}
	if out.BValid && in.BReady || out.RValid && in.RReady {
		a := answer{slverr: out.BValid && out.BError || out.RValid && out.RError, acted: r.acts, at: r.m.Now() - 1}
		if out.RValid {
			a.data = out.RData
		}
		r.answers = append(r.answers, a)
	}
}

// startWrite and startRead offer an access, in the cycle to come.
func (r *rig) startWrite(addr, data uint32) {
	in := &r.in.Bus
	in.AWValid, in.WValid, in.AWAddr, in.WData, in.WStrb = true, true, uint16(addr), data, 15
}

func (r *rig) startRead(addr uint32) {
	r.in.Bus.ARValid, r.in.Bus.ARAddr = true, uint16(addr)
}

// finish waits for one more answer.
func (r *rig) finish() answer {
	r.t.Helper()
	for n := len(r.answers) + 1; len(r.answers) < n; {
		require.Less(r.t, r.m.Now(), int64(10_000_000), "the bus does not answer")
		r.cycle()
	}
	return r.answers[len(r.answers)-1]
}

func (r *rig) cycles(n int) {
	for range n {
		r.cycle()
	}
}

// drain runs until everything sent has left.
func (r *rig) drain(packets int) {
	r.t.Helper()
	for n := 0; len(r.got) < packets; n++ {
		require.Less(r.t, n, 1_000_000, "the stream stands still: %d of %d packets have left", len(r.got), packets)
		r.cycle()
	}
}

// settle runs until everything sent has been accepted, and nothing has left for a while.
func (r *rig) settle() {
	for quiet := 0; len(r.source) > 0 || quiet < 1000; quiet++ {
		left := len(r.got) + len(r.partial) + len(r.source)
		r.cycle()
		if len(r.got)+len(r.partial)+len(r.source) != left {
			quiet = 0
		}
	}
}

// write is a write over the bus; it answers whether there was an error.
func (r *rig) write(addr, data uint32) bool {
	r.t.Helper()
	r.startWrite(addr, data)
	return r.finish().slverr
}

// read is a read over the bus.
func (r *rig) read(addr uint32) (data uint32, slverr bool) {
	r.t.Helper()
	r.startRead(addr)
	a := r.finish()
	return a.data, a.slverr
}

// program writes everything that the design says.
func (r *rig) program() *rig {
	r.t.Helper()
	writes, err := registers.Program(r.cfg)
	require.NoError(r.t, err)
	for _, w := range writes {
		require.False(r.t, r.write(w.Offset, w.Data), "write of %#x to %#x", w.Data, w.Offset)
	}
	return r
}

func (r *rig) must(addr, data uint32) {
	r.t.Helper()
	require.False(r.t, r.write(addr, data), "write of %#x to %#x", data, addr)
}

func (r *rig) count(port int, s csig.Status) uint32 {
	r.t.Helper()
	v, slverr := r.read(registers.Counter(port, registers.Status(s)))
	require.False(r.t, slverr)
	return v
}

// compactPacket is a packet with a compact tag of a type whose value any device's code replaces or equals.
func compactPacket(t testing.TB, signal uint8, payload int) []byte {
	tag := telemetry.CSIG{Type: signal}
	if signal < csig.Types {
		tag.Value = csig.Initial(signal, telemetry.CSIGCompact)
	}
	return tagged(t, packet("", payload), tag, telemetry.CSIGCompact, telemetry.CSIGIETF)
}

func describe(ev csig.Event) string {
	return fmt.Sprintf("%s %+v %+v %+v value %d code %d", ev.Status, ev.Place, ev.Tag, ev.Signals, ev.Value, ev.Code)
}
