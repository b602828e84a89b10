package block

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/hdlpkg/hpccgen/model/wide"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
	"github.com/hdlpkg/hpccgen/verify/drive"
	"github.com/hdlpkg/hpccgen/verify/engine"
)

// Options control how units are run.
type Options struct {
	Engine string // a name for engine.Open
	Cycles int64
	Seed   uint64
	Resets bool // reset at random, not only at the start

	// Open replaces the opening of the bench. Mutants are put in place with it.
	Open func(name string, d engine.Design, o engine.Options) (engine.Engine, error)
}

// Mismatch is the first difference between a unit and its reference.
type Mismatch struct {
	Unit      string
	Cycle     int64
	Port      string
	Want, Got wide.Uint128
	Rule      string   // broken, when Watch found it
	History   []string // inputs and outputs of the unit in the cycles before, oldest first
}

func (m *Mismatch) Error() string {
	what := m.Rule
	if what == "" {
		what = fmt.Sprintf("%s is %#x, the reference says %#x", m.Port, m.Got.Big(), m.Want.Big())
	}
	return fmt.Sprintf("%s, cycle %d: %s\n%s", m.Unit, m.Cycle, what, strings.Join(m.History, "\n"))
}

// Run runs units side by side for a number of cycles. The first difference is returned as a *Mismatch;
// other errors are failures to run.
func Run(units []*Unit, o Options) error {
	open := o.Open
	if open == nil {
		open = engine.Open
	}
	top := Bench(units)
	e, err := open(o.Engine, engine.Design{Top: top}, engine.Options{})
	if err != nil {
		return err
	}
	b := newBench(units, e.Layout(), o)
	out, err := drive.Lockstep(drive.NewLeg(&b.frame, b, o.Engine), e, o.Cycles, nil)
	if err = errors.Join(err, e.Close()); err == nil && out.First != nil {
		return b.mismatch(&out)
	}
	return err
}

// Bench is the module that brings out the ports of units: instance u0, with ports b0_NAME, for the first.
func Bench(units []*Unit) *vgen.Module {
	top := vgen.NewModule("block_bench", "Blocks under test, side by side")
	for i, u := range units {
		u.prepare()
		inst := top.Instance(fmt.Sprintf("u%d", i), u.Module)
		for _, p := range u.ins {
			top.Assign(inst.Port(p.Name), top.Input(fmt.Sprintf("b%d_%s", i, p.Name), p.Width, p.Doc))
		}
		for _, p := range u.outs {
			top.Assign(top.Output(fmt.Sprintf("b%d_%s", i, p.Name), p.Width, p.Doc), inst.Port(p.Name))
		}
	}
	return top
}

// bench is the side of the loop that plays the units. After the outputs, an expected record has a word for each port
// that is not 0 if the port is compared.
type bench struct {
	units  []*Unit
	frame  drive.Frame
	random *rand.Rand
	resets bool
	cycle  int64
	reset  int64 // end of the current reset
	rst    int   // word of the reset; negative without
	slots  []unitSlots
	cycles []Cycle // scratch, one a unit
	broken int     // the unit that broke a rule
	obs    Observed
}

// unitSlots are the places of a unit's ports in the records, and the index of its first output.
type unitSlots struct {
	ins, outs []vgen.Slot
	first     int
}

func newBench(units []*Unit, l *vgen.Layout, o Options) *bench {
	b := &bench{units: units, random: rand.New(rand.NewPCG(o.Seed, 2)), resets: o.Resets, reset: 3, rst: -1}
	b.frame = drive.Frame{Layout: l, Words: l.OutWords + len(l.Outputs)}
	for i := range l.Outputs {
		b.frame.Streams = append(b.frame.Streams, drive.Stream{Valid: l.OutWords + i, Ports: []int{i}})
	}
	ins, outs := l.Inputs, l.Outputs
	if len(ins) > 0 && ins[0].Name == "rst" {
		b.rst, ins = ins[0].Offset, ins[1:]
	}
	for _, u := range units {
		b.slots = append(b.slots, unitSlots{ins[:len(u.ins)], outs[:len(u.outs)], len(l.Outputs) - len(outs)})
		ins, outs = ins[len(u.ins):], outs[len(u.outs):]
		b.cycles = append(b.cycles, Cycle{
			In: make([]wide.Uint128, len(u.ins)), Want: make([]wide.Uint128, len(u.outs)), Care: make([]bool, len(u.outs)),
			Random: rand.New(rand.NewPCG(o.Seed, uint64(len(b.slots)))),
		})
	}
	return b
}

// Start does nothing, since there are no taps.
func (b *bench) Start(*drive.Leg) {}

// Items is 0, since nothing is counted.
func (b *bench) Items() int64 { return 0 }

// Step plays a cycle of all units.
func (b *bench) Step(in, want []uint64) bool {
	if b.resets && b.cycle >= b.reset && b.random.IntN(3000) == 0 {
		b.reset = b.cycle + 1 + int64(b.random.IntN(3))
	}
	reset := b.cycle < b.reset
	if b.rst >= 0 {
		in[b.rst] = bit(reset).Lo
	}
	care := want[b.frame.Layout.OutWords:]
	for i, u := range b.units {
		c := &b.cycles[i]
		c.Number, c.Reset = b.cycle, reset
		clear(c.Care)
		u.Play(c)
		for j, s := range b.slots[i].ins {
			put(in, s, c.In[j])
		}
		for j, s := range b.slots[i].outs {
			put(want, s, c.Want[j])
			care[b.slots[i].first+j] = bit(c.Care[j]).Lo
		}
	}
	b.cycle++
	return reset
}

// Watch lets each unit check its ports.
func (b *bench) Watch(cycle int64, in, out []uint64) string {
	for i, u := range b.units {
		if u.Watch == nil {
			continue
		}
		if err := u.Watch(b.observe(i, cycle, in, out)); err != nil {
			b.broken = i
			return err.Error()
		}
	}
	return ""
}

// observe collects the port values of a unit.
func (b *bench) observe(i int, cycle int64, in, out []uint64) *Observed {
	o := &b.obs
	o.Number, o.Reset = cycle, cycle < 3
	if b.rst >= 0 {
		o.Reset = in[b.rst] != 0
	}
	o.In, o.Out = o.In[:0], o.Out[:0]
	for _, s := range b.slots[i].ins {
		o.In = append(o.In, get(in, s))
	}
	for _, s := range b.slots[i].outs {
		o.Out = append(o.Out, get(out, s))
	}
	return o
}

// mismatch describes the first difference, and names its unit.
func (b *bench) mismatch(out *drive.Outcome) *Mismatch {
	d := &out.First[0]
	i, m := b.broken, &Mismatch{Cycle: d.Cycle, Rule: d.Rule}
	if d.Rule == "" {
		for i = len(b.units) - 1; b.slots[i].first > d.Port; i-- {
		}
		m.Port = b.units[i].outs[d.Port-b.slots[i].first].Name
		whole := vgen.Slot{Words: len(d.Want)}
		m.Want, m.Got = get(d.Want, whole), get(d.Got, whole)
	}
	m.Unit, m.History = b.units[i].Name, b.history(i, out.Batch, int(d.Cycle-out.Batch.Start))
	return m
}

// historyCycles is how many cycles a mismatch shows.
const historyCycles = 12

func (b *bench) history(i int, batch *drive.Batch, at int) []string {
	var lines []string
	for c := max(0, at-historyCycles+1); c <= at; c++ {
		o := b.observe(i, batch.Start+int64(c), batch.Input(c), batch.Output(c))
		line := fmt.Sprintf("  %8d:", o.Number)
		for j, p := range b.units[i].ins {
			line += fmt.Sprintf(" %s=%x", p.Name, o.In[j].Big())
		}
		line += " |"
		for j, p := range b.units[i].outs {
			line += fmt.Sprintf(" %s=%x", p.Name, o.Out[j].Big())
		}
		lines = append(lines, line)
	}
	return lines
}

func put(words []uint64, s vgen.Slot, v wide.Uint128) {
	words[s.Offset] = v.Lo
	if s.Words > 1 {
		words[s.Offset+1] = v.Hi
	}
}

func get(words []uint64, s vgen.Slot) wide.Uint128 {
	v := wide.Uint128{Lo: words[s.Offset]}
	if s.Words > 1 {
		v.Hi = words[s.Offset+1]
	}
	return v
}
