package block

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/divider"
	"github.com/hdlpkg/hpccgen/model/wide"
	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
	"github.com/hdlpkg/hpccgen/verify/drive"
	"github.com/hdlpkg/hpccgen/verify/engine"
)

// faultySlice is a register slice two words deep with one of several faults.
func faultySlice(fault string) *vgen.Module {
	m := vgen.NewModule("faulty_slice", "A register slice with a fault")
	m.SetTiming(1, 1)
	p := vgen.Ports[lib.SlicePorts](m, vgen.Widths{"w": 16})
	ready := m.Reg("ready_q", 1, vgen.Reset(0))
	valid := m.Reg("valid_q", 1, vgen.Reset(0))
	spare := m.Reg("spare_valid_q", 1, vgen.Reset(0))
	accept := p.InValid.And(ready)
	advance := valid.Not().Or(p.OutReady)
	m.Next(valid, vgen.Mux(advance, spare.Or(accept), valid))
	nextSpare := vgen.Mux(advance, spare.And(accept), spare.Or(accept))
	m.Next(spare, nextSpare)
	enable, load := accept, advance.And(spare.Or(accept))
	switch fault {
	case "loses the spare word":
		m.Next(ready, vgen.Const(1, 1))
	case "is late to be ready":
		m.Next(ready, m.RegNext("late", nextSpare.Not()))
	default:
		m.Next(ready, nextSpare.Not())
	}
	if fault == "changes what it offers" {
		load = accept.Or(advance)
	}
	spareData := m.RegNext("spare_q", p.InData, vgen.Enable(enable))
	first, second := spareData, p.InData
	if fault == "overtakes" {
		first, second = second, first
		load = advance.And(accept)
	}
	m.Assign(p.OutData, m.RegNext("data_q", vgen.Mux(spare, first, second), vgen.Enable(load)))
	m.Assign(p.InReady, ready)
	m.Assign(p.OutValid, valid)
	return m
}

// Faulty streams are found, by the reference and by the rules alone.
func TestFaultyStreams(t *testing.T) {
	o := Options{Engine: "go", Cycles: 20_000, Seed: 3}
	require.NoError(t, Run([]*Unit{Slice("none", faultySlice(""), 2)}, o), "without a fault")
	for _, f := range []struct {
		name, rule string
	}{
		{"loses the spare word", "the word that leaves is not the oldest"},
		{"changes what it offers", "m_data changes before it is taken"},
		{"overtakes", "the word that leaves is not the oldest"},
		{"is late to be ready", ""}, // breaks the timing, no rule of streams
	} {
		t.Run(f.name, func(t *testing.T) {
			u := Slice(f.name, faultySlice(f.name), 2)
			var mismatch *Mismatch
			require.ErrorAs(t, Run([]*Unit{u}, o), &mismatch)
			if f.rule == "" {
				assert.Equal(t, "s_ready", mismatch.Port)
				return
			}
			u = Slice(f.name, faultySlice(f.name), 2)
			u.Play = unjudged(u.Play)
			mismatch = nil
			require.ErrorAs(t, Run([]*Unit{u}, o), &mismatch)
			assert.Contains(t, mismatch.Rule, f.rule)
			assert.NotEmpty(t, mismatch.History)
		})
	}
}

// unjudged leaves the check to Watch.
func unjudged(play func(*Cycle)) func(*Cycle) {
	return func(c *Cycle) {
		play(c)
		clear(c.Care)
	}
}

// flipping is an engine with a wrong bit in one cycle.
type flipping struct {
	engine.Engine
	now, cycle int64
}

func (f *flipping) Run(cycles int, in, out []uint64) error {
	err := f.Engine.Run(cycles, in, out)
	if at := f.cycle - f.now; at >= 0 && at < int64(cycles) {
		out[int(at)*f.Layout().OutWords] ^= 1
	}
	f.now += int64(cycles)
	return err
}

// Each cycle is judged, by the reference and by the rules: the first and the last, those around the ends of batches,
// odd and even ones.
func TestEachCycleIsJudged(t *testing.T) {
	const batchCycles = drive.BatchCycles
	const cycles = 2*batchCycles + 101
	for _, c := range []int64{1, 2, 3, 1000, 1001, batchCycles - 2, batchCycles - 1, batchCycles, batchCycles + 1,
		2*batchCycles - 1, 2 * batchCycles, cycles - 2, cycles - 1} {
		u := Slice("slice", lib.SkidBuffer(4), 2)
		watch, seen := u.Watch, int64(0)
		u.Watch = func(o *Observed) error {
			require.Equal(t, seen, o.Number)
			seen++
			return watch(o)
		}
		o := Options{Engine: "go", Cycles: cycles, Seed: 3, Open: func(name string, d engine.Design,
			o engine.Options) (engine.Engine, error) {
			e, err := engine.Open(name, d, o)
			return &flipping{Engine: e, cycle: c}, err
		}}
		var mismatch *Mismatch
		require.ErrorAs(t, Run([]*Unit{u}, o), &mismatch, "nobody noticed a wrong bit in cycle %d", c)
		assert.Equal(t, "s_ready", mismatch.Port)
		assert.Equal(t, c, mismatch.Cycle)
		assert.Equal(t, c, seen)
	}
}

// Faulty arithmetic and faulty timing are found.
func TestFaultyPipelines(t *testing.T) {
	shape := lib.DividerShape{NumBits: 20, DenBits: 11, QuotBits: 14, Shift: 4}
	good := DividerCase{Name: "divider", Config: config.Divider{Kind: config.RestoringPipelined}, Shape: shape,
		Limbs: lib.Square(18)}
	for _, f := range []struct {
		name string
		unit func(t *testing.T) *Unit
	}{
		{"result one off", func(t *testing.T) *Unit {
			m := lib.MultiplyAdd("f", 8, 8, 16, 3, lib.Square(8))
			return Pipeline("f", m, Drawn(8, 8, 16), func(op, out []wide.Uint128) {
				out[0] = op[0].Mul(op[1].Lo).Rsh(3).Add(op[2]) // no rounding, no saturation
			})
		}},
		{"latency one short", func(t *testing.T) *Unit {
			late := lib.Divider("late", good.Config, shape, lib.Square(18))
			late.SetTiming(late.Latency()-1, 1)
			return &Unit{Name: "late", Module: lib.Divider("late", good.Config, shape, lib.Square(18)),
				Play: againstModel(t, good, late).Play}
		}},
		{"interval too short", func(t *testing.T) *Unit {
			d := good
			d.Config.Kind = config.RestoringSerial
			serial := lib.Divider("serial", d.Config, shape, lib.Square(18))
			serial.SetTiming(serial.Latency(), serial.Interval()-1)
			return againstModel(t, d, serial)
		}},
		{"another table", func(t *testing.T) *Unit {
			table := config.Divider{Kind: config.ReciprocalTable, Eps: 0.05, IndexBits: 6, EntryBits: 8}
			u := unitOf(t, DividerCase{Name: "table", Config: table, Shape: shape, Limbs: lib.Square(18)})
			table.EntryBits = 9
			return &Unit{Name: "table", Module: lib.Divider("other", table, shape, lib.Square(18)), Play: u.Play}
		}},
		{"delay one long", func(t *testing.T) *Unit {
			return &Unit{Name: "delay", Module: lib.DelayLine(5, 8), Play: DelayLine("delay", 4, 8).Play}
		}},
		{"highest bit of a wide word", func(t *testing.T) *Unit {
			u := DelayLine("delay", 4, 100)
			play := u.Play
			u.Play = func(c *Cycle) {
				play(c)
				c.Want[0].Hi ^= 1 << 35
			}
			return u
		}},
		{"tie to the last", func(t *testing.T) *Unit {
			return Pipeline("max", lib.CompareTree("max", 3, 2), Every(2, 2, 2), func(op, out []wide.Uint128) {
				for i := range op {
					if op[i].Cmp(out[0]) >= 0 || i == 0 {
						out[0], out[1] = op[i], wide.From(uint64(i))
					}
				}
			})
		}},
	} {
		t.Run(f.name, func(t *testing.T) {
			var mismatch *Mismatch
			require.ErrorAs(t, Run([]*Unit{f.unit(t)}, Options{Engine: "go", Cycles: 5000, Seed: 1}), &mismatch)
			assert.Empty(t, mismatch.Rule)
			t.Log(mismatch.Unit, mismatch.Port)
		})
	}
}

// againstModel is a divider's unit with another module in its place, of another timing.
func againstModel(t *testing.T, d DividerCase, m *vgen.Module) *Unit {
	divide, err := divider.New(d.Config, d.Shape.NumBits, d.Shape.DenBits, d.Shape.Shift, d.Shape.QuotBits)
	require.NoError(t, err)
	return Pipeline(d.Name, m, d.drawn, func(op, q []wide.Uint128) { q[0] = wide.From(divide(op[0], op[1].Lo)) })
}

func unitOf(t *testing.T, d DividerCase) *Unit {
	u, err := d.Unit(false)
	require.NoError(t, err)
	return u
}

// Ready of a register slice is a register: within a cycle it depends on no input, nor does valid. The check finds a
// slice in which one does.
func TestReadyIsRegistered(t *testing.T) {
	for _, m := range []*vgen.Module{lib.SkidBuffer(8), lib.HoldBuffer(8)} {
		assert.Empty(t, moved(t, m), m.Name())
	}
	wire := vgen.NewModule("through", "A slice that is none")
	p := vgen.Ports[lib.SlicePorts](wire, vgen.Widths{"w": 8})
	wire.Assign(p.InReady, p.OutReady)
	wire.Assign(p.OutValid, p.InValid)
	wire.Assign(p.OutData, p.InData)
	assert.Equal(t, []string{"s_ready", "m_valid", "m_data"}, moved(t, wire))
}

// moved lists the outputs that an input moves within a cycle, in any of the states that random inputs reach.
func moved(t *testing.T, m *vgen.Module) []string {
	sim, err := vgen.NewSim(m)
	require.NoError(t, err)
	found := map[string]bool{}
	state := uint64(1)
	for range 500 {
		state = state*6364136223846793005 + 1442695040888963407
		values := map[string]uint64{}
		for i, combination := range []uint64{0, 1, 2, 3} {
			sim.Set("s_valid", combination&1)
			sim.Set("m_ready", combination>>1)
			sim.Set("s_data", (state>>40+combination*85)&0xff)
			sim.Eval()
			for _, name := range []string{"s_ready", "m_valid", "m_data"} {
				v := sim.Get(name)
				if i > 0 && v != values[name] {
					found[name] = true
				}
				values[name] = v
			}
		}
		sim.Set("s_valid", state>>62&1)
		sim.Set("m_ready", state>>63)
		sim.Step()
	}
	require.NoError(t, sim.Err())
	var names []string
	for _, name := range []string{"s_ready", "m_valid", "m_data"} {
		if found[name] {
			names = append(names, name)
		}
	}
	return names
}
