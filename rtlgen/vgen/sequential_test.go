package vgen_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

type lanePorts struct {
	D vgen.Signal `port:"d" dir:"in" width:"w"`
	E vgen.Signal `port:"en" dir:"in" width:"1"`
	Q vgen.Signal `port:"q" dir:"out" width:"w"`
	C vgen.Signal `port:"c" dir:"out" width:"8" doc:"cycles enabled"`
	X vgen.Signal `port:"x" dir:"out" width:"w" doc:"combinational"`
}

func lane(w int) *vgen.Module {
	m := vgen.NewModule("lane", "Registers of every kind")
	p := vgen.Ports[lanePorts](m, vgen.Widths{"w": w})
	a := m.RegNext("a_q", p.D)
	b := m.RegNext("b_q", a, vgen.Enable(p.E))
	c := m.Reg("c_q", 8, vgen.Reset(5), vgen.Enable(p.E), vgen.Control())
	m.Next(c, c.Add(vgen.Const(8, 1)))
	d := m.RegNext("d_q", b.Xor(a), vgen.Reset(3))
	// a swap, which needs both old values
	s := m.Reg("s_q", w, vgen.Reset(1))
	u := m.RegNext("u_q", s, vgen.Reset(2))
	m.Next(s, u)
	m.Assign(p.Q, d.Add(s).Sub(u))
	m.Assign(p.C, c)
	m.Assign(p.X, p.D.Not().Add(b))
	m.Tap("lane_b", b, 2, "second stage")
	return m
}

// sequential has state of every kind. In the first 20 cycles after reset its inputs
// must write all of the memories.
func sequential() *vgen.Module {
	m := vgen.NewModule("sequential", "State of every kind")
	d := m.Input("d", 70, "data")
	n := m.Input("n", 16, "narrow data")
	addr := m.Input("addr", 4, "address, below 10")
	raddr := m.Input("raddr", 4, "read address, below 10")
	en := m.Input("en", 1, "enable")
	out := func(name string, s vgen.Signal) { m.Assign(m.Output(name, s.Width(), ""), s) }

	wide := m.Memory("wide", 10, 70, "wide memory")
	wide.Write(en, addr, d)
	out("wide_read", wide.Read("wide_q", raddr))
	out("wide_async", wide.ReadAsync(raddr))
	narrow := m.Memory("narrow", 16, 16, "narrow memory")
	narrow.Write(en, addr, n)
	out("narrow_read", narrow.Read("narrow_q", addr))
	out("narrow_en", narrow.ReadEn("narrow_en_q", raddr, en))
	out("narrow_async", narrow.ReadAsync(raddr))
	one := m.Memory("single", 1, 3, "one word")
	one.Write(en, addr.Bit(0).And(vgen.Const(1, 0)), n.Trunc(3))
	out("single_read", one.Read("single_q", vgen.Const(1, 0)))

	rom := m.ROM("squares", 8, []uint64{0, 1, 4, 9, 16, 25, 36, 49, 64, 81})
	out("rom_read", rom.Read("rom_q", raddr))
	out("rom_en", rom.ReadEn("rom_en_q", addr, en))
	out("rom_async", rom.ReadAsync(addr))

	out("delay1", m.Delay("delay_one", d, 1))
	out("delay3", m.Delay("delay_three", n, 3, vgen.Reset(77)))
	out("delay5", m.Delay("delay_five", d, 5, vgen.Enable(en)))
	out("bits", m.Delay("bits_later", en, 9))

	sub := lane(16)
	u0 := vgen.Instantiate[lanePorts](m, "u_lane0", sub)
	u1 := vgen.Instantiate[lanePorts](m, "u_lane1", sub)
	m.Assign(u0.D, n)
	m.Assign(u0.E, en)
	m.Assign(u1.D, u0.X.Xor(u0.Q))
	m.Assign(u1.E, u0.C.Bit(0))
	out("lane_q", u1.Q)
	out("lane_x", u1.X)
	out("lane_c", u1.C)

	back := m.Wire("back", 16)
	acc := m.RegNext("acc_q", back, vgen.Reset(0), vgen.Control())
	m.Assign(back, acc.Add(n))
	out("acc", acc)
	return m
}

func sequentialStimulus(top *vgen.Module, cycles int, resets bool) []uint64 {
	in := stimulus(top, cycles, 11)
	l := vgen.NewLayout(top, false)
	slot := map[string]int{}
	for _, s := range l.Inputs {
		slot[s.Name] = s.Offset
	}
	for c := range cycles {
		row := in[c*l.InWords:]
		row[slot["addr"]] %= 10
		row[slot["raddr"]] %= 10
		if c < 2 || !resets || c%37 != 0 {
			row[slot["rst"]] = 0
		}
		if c < 2 {
			row[slot["rst"]] = 1
		}
		if c < 30 {
			row[slot["en"]] = 1
			row[slot["addr"]] = uint64(c) % 10
		}
	}
	return in
}

func TestStateInAllEngines(t *testing.T) {
	top := sequential()
	lint(t, top, vgen.EmitOptions{})
	lint(t, top, vgen.EmitOptions{Reset: vgen.AsyncLow})
	t.Run("sync", func(t *testing.T) {
		in := sequentialStimulus(top, 300, true)
		allLegs(t, top, false, 300, 30, in)
	})
	t.Run("async", func(t *testing.T) {
		in := sequentialStimulus(top, 300, false)
		allLegs(t, top, true, 300, 30, in)
	})
}

func TestStepAndRunAgree(t *testing.T) {
	top := sequential()
	sim, err := vgen.NewSim(top)
	require.NoError(t, err)
	const cycles = 60
	in := sequentialStimulus(top, cycles, true)
	l := sim.LayoutTaps()
	require.Len(t, l.Taps, 2)
	assert.Equal(t, "u_lane0.b_q", l.Taps[0].Name)
	out := make([]uint64, cycles*l.OutWords)
	require.NoError(t, sim.RunTaps(cycles, in, out))

	step, err := vgen.NewSim(top)
	require.NoError(t, err)
	for c := range cycles {
		for _, s := range l.Inputs {
			v := in[c*l.InWords+s.Offset:][:s.Words]
			if s.Words == 1 {
				step.Set(s.Name, v[0])
			} else {
				step.SetBig(s.Name, bigOf(v))
			}
		}
		step.Eval()
		for _, s := range append(l.Outputs, l.Taps...) {
			require.Equal(t, bigOf(out[c*l.OutWords+s.Offset:][:s.Words]).String(), step.PeekBig(s.Name).String(),
				"cycle %d, %s", c, s.Name)
		}
		step.Step()
	}
	require.NoError(t, step.Err())

	// the same again after Reset
	again := make([]uint64, len(out))
	sim.Reset()
	require.NoError(t, sim.RunTaps(cycles, in, again))
	assert.Equal(t, out, again)
}

func TestMemoryReadsOldDataAndZeroBeyondItsDepth(t *testing.T) {
	m := vgen.NewModule("threewords", "memory of three words")
	addr := m.Input("addr", 2, "")
	mem := m.Memory("ram", 3, 8, "")
	mem.Write(m.Input("we", 1, ""), addr, m.Input("d", 8, ""))
	m.Assign(m.Output("q", 8, ""), mem.Read("ram_q", addr))
	m.Assign(m.Output("a", 8, ""), mem.ReadAsync(addr))
	s, err := vgen.NewSim(m)
	require.NoError(t, err)
	s.Set("we", 1)
	s.Set("addr", 2)
	s.Set("d", 9)
	s.Step()
	assert.EqualValues(t, 0, s.Get("q"), "the old word")
	assert.EqualValues(t, 9, s.Get("a"))
	s.Set("addr", 3)
	s.Step()
	assert.EqualValues(t, 0, s.Get("q"))
	assert.EqualValues(t, 0, s.Get("a"))
	s.Set("addr", 2)
	s.Set("we", 0)
	s.Step()
	assert.EqualValues(t, 9, s.Get("q"))
	require.NoError(t, s.Err())
}

func TestSimulationReportsWrongCalls(t *testing.T) {
	for name, c := range map[string]struct {
		call func(s *vgen.Sim)
		want string
	}{
		"set": {func(s *vgen.Sim) { s.Set("nope", 1) }, `vgen: simulation of lane: Set: there is no input "nope"`},
		"value": {func(s *vgen.Sim) { s.Set("en", 2) },
			`vgen: simulation of lane: Set: 2 does not fit in the 1 bits of "en"`},
		"big": {func(s *vgen.Sim) { s.SetBig("en", nil) },
			`vgen: simulation of lane: Set: <nil> does not fit in the 1 bits of "en"`},
		"get":  {func(s *vgen.Sim) { s.Get("nope") }, `vgen: simulation of lane: Get: there is no signal "nope"`},
		"wide": {func(s *vgen.Sim) { s.Peek("a_q") }, `vgen: simulation of lane: Peek: "a_q" has 70 bits, use PeekBig`},
		"path": {func(s *vgen.Sim) { s.PeekBig("u_x.a") }, `vgen: simulation of lane: PeekBig: there is no signal "u_x.a"`},
		"waves": {func(s *vgen.Sim) { vgen.NewWaves(s, "nope") },
			`vgen: simulation of lane: NewWaves: there is no signal "nope"`},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := vgen.NewSim(lane(70))
			require.NoError(t, err)
			c.call(s)
			require.EqualError(t, s.Err(), c.want)
			require.EqualError(t, s.Run(0, nil, nil), c.want)
		})
	}
	s, err := vgen.NewSim(lane(70))
	require.NoError(t, err)
	assert.EqualError(t, s.Run(2, make([]uint64, 3), nil),
		"vgen: simulation of lane: 2 cycles need 8 input words, there are 3")
	assert.EqualError(t, s.Run(1, make([]uint64, 4), make([]uint64, 1)),
		"vgen: simulation of lane: 1 cycles need room for 5 output words, there is room for 1")
	_, err = vgen.NewSim(nil)
	assert.Error(t, err)
}
