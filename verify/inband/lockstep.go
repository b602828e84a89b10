package inband

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/csig"
	"github.com/hdlpkg/hpccgen/model/inband"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
	"github.com/hdlpkg/hpccgen/verify/engine"
	"github.com/hdlpkg/hpccgen/verify/stimulus/transit"
)

// Options say how to run.
type Options struct {
	Engine string // go, verilator or icarus
	Cycles int
	Seed   uint64
	Resets bool // also assert reset now and then
	Start  engine.Start
	// Open, when set, starts the engine in place of engine.Open: a design that has been changed on purpose.
	Open func(name string, d engine.Design, o engine.Options) (engine.Engine, error)
}

// Result is what a run has seen.
type Result struct {
	Packets   int
	Cycles    int
	BeatsIn   int
	BeatsOut  int
	Statuses  map[inband.Status]int // of packets that left
	Different string                // empty: every output of every cycle was as the model has it
}

// batch is the number of cycles that cross to an engine at once.
const batch = 1024

// Run runs a source and its model on the same inputs. The model answers first, so that the inputs can go by what it says; a difference ends the
// run, in the cycle after which nothing more is known.
func Run(c *config.INT, o Options) (*Result, error) {
	t, err := NewTarget(c)
	if err != nil {
		return nil, err
	}
	return t.against(c, t.Timing, o)
}

// against runs the source and the model of a configuration and timing, which are the source's own but where the comparison itself is tested.
func (t *Target) against(c *config.INT, timing inband.Timing, o Options) (*Result, error) {
	model, err := inband.NewClocked(c, timing)
	if err != nil {
		return nil, err
	}
	open := engine.Open
	if o.Open != nil {
		open = o.Open
	}
	e, err := open(o.Engine, t.Design, engine.Options{Start: o.Start, UnknownOK: t.mayBeUnknown()})
	if err != nil {
		return nil, err
	}
	res, err := run(t, model, e, o)
	if closed := e.Close(); err == nil {
		err = closed
	}
	return res, err
}

func run(t *Target, model *inband.Clocked, e engine.Engine, o Options) (*Result, error) {
	res := &Result{Statuses: map[inband.Status]int{}}
	gen := newTraffic(t.Config, o.Seed, o.Resets)
	l := t.Binding.Layout
	in, got := make([]uint64, batch*l.InWords), make([]uint64, batch*l.OutWords)
	want := make([]uint64, batch*l.OutWords)
	cycle := inband.Inputs{Rst: true}
	var out inband.Outputs
	streams := t.Binding.OutputStreams()
	// The interpreter shows an asynchronous reset a cycle later.
	late, rst := t.Config.AsyncReset && o.Engine == "go", l.Inputs[0].Offset
	for done := 0; done < o.Cycles; done += batch {
		n := min(batch, o.Cycles-done)
		for i := range n {
			if done+i > 0 {
				gen.inputs(&cycle, &out)
			}
			t.Binding.PutInputs(in[i*l.InWords:(i+1)*l.InWords], inputs(&cycle))
			model.Cycle(&cycle, &out)
			t.Binding.PutOutputs(want[i*l.OutWords:(i+1)*l.OutWords], outputs(&out))
			res.tally(&cycle, &out)
		}
		if err := e.Run(n, in[:n*l.InWords], got[:n*l.OutWords]); err != nil {
			return nil, err
		}
		for i := range n {
			if done+i == 0 || late && in[i*l.InWords+rst] != 0 {
				continue // the first cycle of the first reset has nothing before it
			}
			w, g := want[i*l.OutWords:(i+1)*l.OutWords], got[i*l.OutWords:(i+1)*l.OutWords]
			if d := t.difference(streams, w, g); d != "" {
				var cause csig.Inputs
				t.Binding.Inputs(in[i*l.InWords:(i+1)*l.InWords], &cause)
				res.Different = fmt.Sprintf("%s, %d bits, engine %s, seed %d: cycle %d: %s", t.Config.Format, t.Config.DataBits, o.Engine, o.Seed, done+i, d)
				res.Cycles, res.Packets = done+i, gen.packets
				return res, nil
			}
		}
	}
	res.Cycles, res.Packets = o.Cycles, gen.packets
	return res, nil
}

func (r *Result) tally(in *inband.Inputs, out *inband.Outputs) {
	if in.Valid && out.Ready {
		r.BeatsIn++
	}
	if out.Valid && in.MReady {
		r.BeatsOut++
		if out.Beat.Last {
			r.Statuses[out.Status]++
		}
	}
}

// difference names the first output that differs and means something.
func (t *Target) difference(streams []transit.Stream, want, got []uint64) string {
	l := t.Binding.Layout
	for _, s := range streams {
		if s.Valid >= 0 && want[s.Valid] == 0 {
			continue
		}
		for _, p := range s.Ports {
			slot := l.Outputs[p]
			for k := range slot.Words {
				if w, g := want[slot.Offset+k], got[slot.Offset+k]; w != g {
					return fmt.Sprintf("%s is %#x, the model has %#x", slot.Name, g, w)
				}
			}
		}
		if s.Data < 0 {
			continue
		}
		data, keep := l.Outputs[s.Data], want[l.Outputs[s.Keep].Offset]
		for b := range data.Width / 8 {
			w, g := byte(want[data.Offset+b/8]>>(b%8*8)), byte(got[data.Offset+b/8]>>(b%8*8))
			if keep>>b&1 == 1 && w != g {
				return fmt.Sprintf("byte %d of %s is %#x, the model has %#x", b, data.Name, g, w)
			}
		}
	}
	return ""
}

// mayBeUnknown allows unknown bits where an output means nothing: payload without its valid, and bytes that tkeep leaves out.
func (t *Target) mayBeUnknown() engine.UnknownRule {
	l := t.Binding.Layout
	streams := map[string]transit.Stream{}
	for _, s := range t.Binding.OutputStreams() {
		if s.Valid < 0 {
			continue
		}
		for _, p := range s.Ports {
			streams[l.Outputs[p].Name] = s
		}
		if s.Data >= 0 {
			streams[l.Outputs[s.Data].Name] = s
		}
	}
	return func(slot vgen.Slot, record, mask []uint64) bool {
		s, ok := streams[slot.Name]
		if !ok || mask[s.Valid] != 0 {
			return false
		}
		if record[s.Valid] == 0 {
			return true
		}
		if s.Data < 0 || slot.Name != l.Outputs[s.Data].Name {
			return false
		}
		keep := l.Outputs[s.Keep].Offset
		for b := range slot.Width / 8 {
			if mask[keep]>>b&1 == 1 || record[keep]>>b&1 == 1 && byte(mask[slot.Offset+b/8]>>(b%8*8)) != 0 {
				return false
			}
		}
		return true
	}
}
