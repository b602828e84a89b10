package aimd_test

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/config/configtest"
	"github.com/hdlpkg/hpccgen/fixed"
	"github.com/hdlpkg/hpccgen/rtlgen/engine"
	"github.com/hdlpkg/hpccgen/rtlgen/law/aimd"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// flow is the context of a flow in the reference, which follows the numeric contract word by word.
type flow struct {
	open, started, marked, profile, w, seq, generation uint64
}

type entry struct{ wai, wmin, wmax, inv uint64 }

type bench struct {
	t       *testing.T
	c       *config.AIMD
	s       *vgen.Sim
	rng     *rand.Rand
	ports   map[string]int // widths
	flows   []flow
	entries []entry
	want    []map[string]uint64
	kinds   [13]int
}

func (b *bench) has(port string) bool { return b.ports[port] > 0 }

func (b *bench) set(port string, v uint64) {
	if b.has(port) {
		b.s.Set(port, v)
	}
}

// any is a random value of a port's width, of small size or at an end of its range more often than not.
func (b *bench) any(bits int) uint64 {
	all := uint64(1)<<bits - 1
	switch v := b.rng.Uint64() & all; b.rng.IntN(5) {
	case 0:
		return v >> b.rng.IntN(bits+1)
	case 1:
		return all - v>>b.rng.IntN(bits+1)
	default:
		return v
	}
}

func rhu(v *big.Int, shift int) *big.Int {
	if shift == 0 {
		return v
	}
	return v.Rsh(v.Add(v, new(big.Int).Lsh(big.NewInt(1), uint(shift-1))), uint(shift))
}

// event is the contract's table of decisions.
func (b *bench) event(index, generation, ackSeq, sndNxt, mark uint64) map[string]uint64 {
	none := map[string]uint64{"m_kind": 0, "m_status": 5, "m_w": 0, "m_rate": 0}
	if index >= uint64(len(b.flows)) {
		return none
	}
	f := &b.flows[index]
	if f.open == 0 || b.c.GenBits > 0 && f.generation != generation {
		return none
	}
	kind, status, p := uint64(0), uint64(10), b.entries[f.profile]
	n := uint64(1) << b.c.SeqBits
	switch ahead := (ackSeq - f.seq) & (n - 1); {
	case f.started == 0:
		kind, status = 1, 1
		f.started, f.marked, f.seq = 1, mark, sndNxt
	case ahead >= 1 && ahead < n/2:
		kind, status = 2, 0
		s := f.w + p.wai
		if f.marked|mark == 1 {
			s = (f.w + 1) / 2
		}
		f.w, f.marked, f.seq = s, 0, sndNxt
		if s < p.wmin {
			f.w, status = p.wmin, 11
		} else if s > p.wmax {
			f.w, status = p.wmax, 12
		}
	default:
		f.marked |= mark
	}
	fm := b.c
	r := new(big.Int).Mul(new(big.Int).SetUint64(f.w), new(big.Int).SetUint64(p.inv))
	r = rhu(r, fm.Window.Frac+fm.InvT.Frac-fm.Rate.Frac)
	if r.Cmp(fm.Rate.MaxRaw()) > 0 {
		r = fm.Rate.MaxRaw()
	}
	return map[string]uint64{"m_kind": kind, "m_status": status, "m_w": f.w, "m_rate": r.Uint64()}
}

// transfer offers the values set on a stream until they are taken.
func (b *bench) transfer(stream string) {
	b.s.Set(stream+"_valid", 1)
	for range 1000 {
		ready := b.s.Get(stream + "_ready")
		b.step()
		if ready == 1 {
			b.s.Set(stream+"_valid", 0)
			return
		}
	}
	require.Fail(b.t, "never taken", stream)
}

// step runs a cycle, in which a decision may leave.
func (b *bench) step() {
	b.s.Set("m_ready", min(1, b.rng.Uint64N(4)))
	if b.s.Get("m_valid") == 1 && b.s.Get("m_ready") == 1 {
		require.NotEmpty(b.t, b.want, "a decision on no ACK")
		for port, v := range b.want[0] {
			require.Equal(b.t, v, b.s.Get(port), "%s of %v", port, b.want[0])
		}
		b.want = b.want[1:]
	}
	b.s.Step()
}

func (b *bench) drain() {
	for range 1000 {
		if len(b.want) == 0 {
			return
		}
		b.step()
	}
	require.Fail(b.t, "decisions are missing")
}

func (b *bench) table(number, index, data uint64) {
	b.set("tw_table", number)
	b.set("tw_index", index)
	b.set("tw_data", data)
	b.transfer("tw")
}

// write writes random fields of a context. It would overtake ACKs that wait.
func (b *bench) write(mask uint64) {
	b.drain()
	index := b.any(b.ports["cw_flow"])
	profile := uint64(0)
	if b.has("cw_profile") {
		profile = b.rng.Uint64N(uint64(b.c.Profiles))
	}
	w, seq, generation := b.any(b.ports["cw_w"]), b.any(b.ports["cw_seq"]), b.any(b.c.GenBits)
	b.set("cw_flow", index)
	b.set("cw_mask", mask)
	b.set("cw_profile", profile)
	b.set("cw_w", w)
	b.set("cw_seq", seq)
	b.set("cw_generation", generation)
	b.transfer("cw")
	if index >= uint64(len(b.flows)) {
		return
	}
	f := &b.flows[index]
	if mask&1 != 0 {
		f.profile = profile
	}
	if mask&2 != 0 {
		f.w = w
	}
	if mask&4 != 0 {
		f.seq = seq
	}
	if mask&8 != 0 {
		f.open, f.generation = 1, generation
	}
	if mask&16 != 0 {
		f.open = 0
	}
	if mask&24 != 0 {
		f.started, f.marked = 0, 0
	}
}

func (b *bench) ack() {
	index, mark := b.any(b.ports["s_flow"]), b.rng.Uint64N(8)&1&b.rng.Uint64()
	ack, nxt, generation, tag := b.any(b.c.SeqBits), b.any(b.c.SeqBits), b.any(b.c.GenBits), b.any(b.c.TagBits)
	if index < uint64(len(b.flows)) {
		if b.rng.IntN(3) > 0 {
			generation = b.flows[index].generation
		}
		if b.rng.IntN(3) > 0 {
			ack = (b.flows[index].seq + b.rng.Uint64N(3)) & (1<<b.c.SeqBits - 1)
		}
	}
	b.set("s_flow", index)
	b.set("s_generation", generation)
	b.set("s_tag", tag)
	b.set("s_ack_seq", ack)
	b.set("s_snd_nxt", nxt)
	b.set("s_mark", mark)
	b.set("s_now", b.rng.Uint64()>>(64-b.ports["s_now"]))
	want := b.event(index, generation, ack, nxt, mark)
	b.kinds[want["m_status"]]++
	want["m_flow"] = index
	if b.has("m_tag") {
		want["m_tag"] = tag
	}
	if b.has("m_generation") {
		want["m_generation"] = generation
	}
	b.want = append(b.want, want)
	b.transfer("s")
}

// read compares a context with the reference's.
func (b *bench) read(index uint64) {
	b.drain()
	b.set("cr_flow", index)
	b.transfer("cr")
	for range 1000 {
		if b.s.Get("cd_valid") == 1 {
			break
		}
		b.step()
	}
	var f flow
	if index < uint64(len(b.flows)) {
		f = b.flows[index]
	}
	for port, v := range map[string]uint64{"cd_flow": index, "cd_open": f.open, "cd_started": f.started,
		"cd_marked":  f.marked,
		"cd_profile": f.profile, "cd_w": f.w, "cd_seq": f.seq, "cd_generation": f.generation} {
		if b.has(port) {
			require.Equal(b.t, v, b.s.Get(port), "%s of flow %d", port, index)
		}
	}
	b.s.Set("cd_ready", 1)
	b.step()
	b.s.Set("cd_ready", 0)
}

// A law with impossible parameters is an error, not a design.
func TestMistakes(t *testing.T) {
	c := &config.AIMD{Engine: config.Engine{Name: "wrong", Flows: 4, Profiles: 2, SeqBits: 8, ClockBits: 8, CountBits: 8},
		Window: fixed.UQ(8, 0), InvT: fixed.UQ(0, 8), Rate: fixed.UQ(8, 0)}
	for message, change := range map[string]func(l *engine.Law){
		"1 counters for 0 statuses": func(l *engine.Law) { l.Counted = nil },
		"17 tables":                 func(l *engine.Law) { l.Software.Tables = make([]config.TableShape, 17) },
		"Tap: \"gain\": an operand is a Signal that was": func(l *engine.Law) { l.Taps[0].Field = "gain" },
	} {
		l := aimd.New(c)
		_, err := engine.Build(c.Engine, l)
		require.NoError(t, err)
		change(l)
		_, err = engine.Build(c.Engine, l)
		assert.ErrorContains(t, err, message)
	}
}

// The engine decides by the contract at all widths, flows back to back included.
func TestEngine(t *testing.T) {
	small := func(c *config.AIMD) {
		c.Flows, c.Profiles, c.SeqBits, c.GenBits, c.TagBits = 3, 1, 5, 1, 6
		c.Window, c.InvT, c.Rate = fixed.UQ(5, 1), fixed.UQ(-1, 6), fixed.UQ(2, 3)
	}
	designs := map[string]func(*config.AIMD){
		"default": func(*config.AIMD) {},
		"small":   small,
		"bare": func(c *config.AIMD) {
			small(c)
			c.Flows, c.Profiles, c.GenBits, c.TagBits = 4, 3, 0, 0
		},
	}
	for i, drawn := range configtest.Draw(config.LawAIMD, 1, 12) {
		designs[fmt.Sprint("drawn ", i)] = func(c *config.AIMD) {
			*c = *drawn.Design.(*config.AIMD)
			c.Flows, c.AsyncReset, c.AXILite = min(c.Flows, 3000), false, false
		}
	}
	for name, change := range designs {
		t.Run(name, func(t *testing.T) {
			d, err := config.LoadDesign("nic-aimd")
			require.NoError(t, err)
			c := d.(*config.AIMD)
			change(c)
			e, err := engine.Build(c.Engine, aimd.New(c))
			require.NoError(t, err)
			s, err := vgen.NewSim(e.Top)
			require.NoError(t, err)
			b := &bench{t: t, c: c, s: s, rng: rand.New(rand.NewPCG(1, 2)), ports: map[string]int{},
				flows:   make([]flow, c.Flows),
				entries: make([]entry, c.Profiles)}
			for _, p := range e.Top.Ports() {
				b.ports[p.Name] = p.Width
			}
			s.Set("rst", 1)
			s.Step()
			s.Set("rst", 0)
			for s.Get("init_done") == 0 {
				b.step()
			}
			rejected := uint64(0)
			for range 3000 {
				switch b.rng.IntN(40) {
				case 0:
					b.drain()
					i := b.rng.IntN(c.Profiles)
					e := &b.entries[i]
					*e = entry{b.any(b.ports["cw_w"]), b.any(b.ports["cw_w"]), b.any(b.ports["cw_w"]), b.any(c.InvT.Width())}
					for number, v := range []uint64{e.wai, e.wmin, e.wmax, e.inv} {
						b.table(uint64(number), uint64(i), v)
					}
				case 1:
					b.write(b.any(5))
				case 2:
					b.write(15) // opens
				case 3:
					b.read(b.any(b.ports["cr_flow"]))
				case 4:
					b.step()
				default:
					b.ack()
				}
			}
			b.drain()
			for range 5 {
				b.step()
			}
			rejected = uint64(b.kinds[5]) & (1<<c.CountBits - 1)
			assert.Equal(t, rejected, s.Get("n_rejected_flow"))
			require.NoError(t, s.Err())
			if c.Flows < 10 {
				for _, status := range []int{0, 1, 5, 10, 11, 12} {
					assert.Greater(t, b.kinds[status], 10, "status %d", status)
				}
			}
			t.Logf("%+v, ACKs by status %v", e.Timing, b.kinds)
		})
	}
}
