package block

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/hdlpkg/hpccgen/model/wide"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
	"github.com/hdlpkg/hpccgen/verify/engine"
)

// Options say how to run units.
type Options struct {
	Engine string // a name that engine.Open knows
	Cycles int64
	Seed   uint64
	Resets bool // reset again now and then, not only at the start

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

// batchCycles is how many cycles run at once.
const batchCycles = 2048

// Run runs units side by side for a number of cycles. The first difference is returned as a *Mismatch;
// other errors are failures to run.
func Run(units []*Unit, o Options) error {
	b, err := newBench(units, o)
	if err != nil {
		return err
	}
	for b.cycle < o.Cycles && err == nil {
		err = b.batch(int(min(batchCycles, o.Cycles-b.cycle)))
	}
	if closing := b.eng.Close(); err == nil {
		err = closing
	}
	return err
}

// bench is the module around the units, running.
type bench struct {
	units  []*Unit
	eng    engine.Engine
	random *rand.Rand
	resets bool
	cycle  int64
	reset  int64 // end of the reset under way
	rst    int   // word of the reset; negative without
	slots  []unitSlots
	cycles []Cycle // scratch, one a unit
	obs    Observed

	in, out, want []uint64
	care          []bool // by output slot
}

// unitSlots are the places of a unit's ports in the records.
type unitSlots struct{ ins, outs []vgen.Slot }

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

func newBench(units []*Unit, o Options) (*bench, error) {
	top := Bench(units)
	open := o.Open
	if open == nil {
		open = engine.Open
	}
	eng, err := open(o.Engine, engine.Design{Top: top}, engine.Options{})
	if err != nil {
		return nil, err
	}
	b := &bench{units: units, eng: eng, random: rand.New(rand.NewPCG(o.Seed, 2)), resets: o.Resets, reset: 3, rst: -1}
	l := eng.Layout()
	ins, outs := l.Inputs, l.Outputs
	if len(ins) > 0 && ins[0].Name == "rst" {
		b.rst, ins = ins[0].Offset, ins[1:]
	}
	for _, u := range units {
		b.slots = append(b.slots, unitSlots{ins[:len(u.ins)], outs[:len(u.outs)]})
		ins, outs = ins[len(u.ins):], outs[len(u.outs):]
		b.cycles = append(b.cycles, Cycle{
			In: make([]wide.Uint128, len(u.ins)), Want: make([]wide.Uint128, len(u.outs)), Care: make([]bool, len(u.outs)),
			Random: rand.New(rand.NewPCG(o.Seed, uint64(len(b.slots)))),
		})
	}
	return b, nil
}

// batch plays cycles, runs them, and compares.
func (b *bench) batch(n int) error {
	l := b.eng.Layout()
	outputs := len(l.Outputs)
	b.in, b.out, b.want = fill(b.in, n*l.InWords), fill(b.out, n*l.OutWords), fill(b.want, n*l.OutWords)
	if len(b.care) < n*outputs {
		b.care = make([]bool, n*outputs)
	}
	resets := make([]bool, n)
	for k := range n {
		number := b.cycle + int64(k)
		if b.resets && number >= b.reset && b.random.IntN(3000) == 0 {
			b.reset = number + 1 + int64(b.random.IntN(3))
		}
		resets[k] = number < b.reset
		in, want := b.in[k*l.InWords:(k+1)*l.InWords], b.want[k*l.OutWords:(k+1)*l.OutWords]
		if b.rst >= 0 {
			in[b.rst] = 0
			if resets[k] {
				in[b.rst] = 1
			}
		}
		at := k * outputs
		for i, u := range b.units {
			c := &b.cycles[i]
			c.Number, c.Reset = number, resets[k]
			clear(c.Care)
			u.Play(c)
			for j, s := range b.slots[i].ins {
				put(in, s, c.In[j])
			}
			for j, s := range b.slots[i].outs {
				put(want, s, c.Want[j])
				b.care[at] = c.Care[j]
				at++
			}
		}
	}
	if err := b.eng.Run(n, b.in, b.out); err != nil {
		return err
	}
	for k := range n {
		if err := b.compare(k, resets[k]); err != nil {
			return err
		}
	}
	b.cycle += int64(n)
	return nil
}

// compare judges the k-th cycle of the batch.
func (b *bench) compare(k int, reset bool) error {
	l := b.eng.Layout()
	got, want := b.out[k*l.OutWords:(k+1)*l.OutWords], b.want[k*l.OutWords:(k+1)*l.OutWords]
	at := k * len(l.Outputs)
	for i, u := range b.units {
		for j, s := range b.slots[i].outs {
			care := b.care[at]
			at++
			if !care {
				continue
			}
			w, g := get(want, s), get(got, s)
			if w != g {
				return &Mismatch{Unit: u.Name, Cycle: b.cycle + int64(k), Port: u.outs[j].Name, Want: w, Got: g, History: b.history(i, k)}
			}
		}
		if u.Watch == nil {
			continue
		}
		if err := u.Watch(b.observe(i, k, reset)); err != nil {
			return &Mismatch{Unit: u.Name, Cycle: b.cycle + int64(k), Rule: err.Error(), History: b.history(i, k)}
		}
	}
	return nil
}

// observe collects what a unit's ports carried.
func (b *bench) observe(i, k int, reset bool) *Observed {
	l := b.eng.Layout()
	o := &b.obs
	o.Number, o.Reset = b.cycle+int64(k), reset
	o.In, o.Out = o.In[:0], o.Out[:0]
	for _, s := range b.slots[i].ins {
		o.In = append(o.In, get(b.in[k*l.InWords:], s))
	}
	for _, s := range b.slots[i].outs {
		o.Out = append(o.Out, get(b.out[k*l.OutWords:], s))
	}
	return o
}

// historyCycles is how many cycles a mismatch shows.
const historyCycles = 12

func (b *bench) history(i, k int) []string {
	var lines []string
	for c := max(0, k-historyCycles+1); c <= k; c++ {
		o := b.observe(i, c, false)
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

func fill(s []uint64, n int) []uint64 {
	if cap(s) < n {
		return make([]uint64, n)
	}
	return s[:n]
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
