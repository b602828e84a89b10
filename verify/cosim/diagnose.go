package cosim

import (
	"errors"
	"fmt"
	"time"

	"github.com/hdlpkg/hpccgen/model/hpcc"
	"github.com/hdlpkg/hpccgen/verify/engine"
	"github.com/hdlpkg/hpccgen/verify/stimulus"
)

// diagnose locates the mismatch of a job: it replays the model's side to find the ACK concerned, shrinks the episode, and
// writes the waveform. It returns the waveform's path, "" for none.
func diagnose(j *job, o *Options) (*Divergence, string, error) {
	first := j.out.first[0]
	d := &Divergence{Seed: j.seed, Cycle: first.cycle, Signal: first.name, Tap: first.tap >= 0, Path: first.name}
	d.Expected, d.Actual = hex(first.want), hex(first.got)
	if d.Tap {
		d.Path = j.target.Taps[first.tap].Path
	}
	for _, s := range j.out.first[1:] {
		d.Also = append(d.Also, Signal{s.name, hex(s.want), hex(s.got)})
	}
	vcd := o.VCD
	if vcd == "" {
		vcd = "mismatch.vcd"
	}
	d.Command = fmt.Sprintf("hpccgen cosim --config %s --engine %s --seed %d --cycles %d --vcd %s", o.ConfigName, o.Engine, j.seed, first.cycle+1, vcd)

	script, err := explain(j, o, d, &first)
	if err != nil {
		return d, "", err
	}
	d.Operations = [2]int{script.Operations(), script.Operations()}
	s, err := newShrinker(j.target, o)
	if err != nil {
		return d, "", err
	}
	smallest, err := s.shrink(script)
	err = errors.Join(err, s.eng.Close())
	d.ShrinkTries = s.tries
	if err != nil {
		return d, "", err
	}
	switch {
	case s.found == nil:
		d.Unreproduced = "the episode alone does not show it: it depends on what earlier episodes left in registers that the reset does not clear"
	default:
		d.Shrunk, d.ShrunkSignal, d.ShrunkCycle = smallest, s.found[0].name, s.found[0].cycle
		d.Operations[1] = smallest.Operations()
	}
	if o.VCD == "" {
		return d, "", nil
	}
	return d, o.VCD, writeVCD(j.target, o, smallest)
}

func hex(v uint64) string { return fmt.Sprintf("%#x", v) }

// explain replays the model's side of the episode that holds the first difference, fills in what happened
// there, and returns the episode's stimulus up to the difference.
func explain(j *job, o *Options, d *Divergence, first *difference) (*stimulus.Script, error) {
	var gen *stimulus.Generator
	var rec *stimulus.Recorder
	log := &inputLog{}
	l, err := newLeg(j.target, func(m *hpcc.Clocked) stimulus.Source {
		gen = stimulus.New(j.target.Config, j.target.Timing, j.seed, m.Model().Context, nil)
		start := gen.GoTo(first.cycle)
		log.cycle, log.keep = start, start
		rec = stimulus.Record(observed{gen, log})
		return observedRecorder{rec, gen}
	})
	if err != nil {
		return nil, err
	}
	start := gen.Cycle()
	l.cycle = start
	var issued []ackLog
	l.onAck = func(cycle int64, a *hpcc.Ack, r *hpcc.Result) { issued = append(issued, ackLog{cycle, *a, *r}) }
	var b batch
	results := 0 // transfers on m before the difference
	for l.cycle <= first.cycle {
		l.fill(&b, int(min(batchCycles, first.cycle+1-l.cycle)))
		results += countResults(j.target, &b, l.words, first.cycle)
	}
	d.Inputs = log.lines

	var of *ackLog
	switch {
	case first.tap >= 0:
		for i := range issued {
			if issued[i].cycle == first.issue {
				of = &issued[i]
			}
		}
	case isResultPort(first.name) && results < len(issued):
		of = &issued[results]
	}
	if of != nil {
		d.AckIssued, d.Ack, d.Result = of.cycle, stimulus.AckString(&of.ack), resultString(&of.result)
	}
	return &rec.Script, nil
}

type ackLog struct {
	cycle  int64
	ack    hpcc.Ack
	result hpcc.Result
}

func resultString(r *hpcc.Result) string {
	return fmt.Sprintf("kind %s status %s u %#x w %#x wc %#x rate %#x stage %d", r.Kind, r.Status, r.U, r.W, r.Wc, r.Rate, r.Stage)
}

func isResultPort(name string) bool { return len(name) > 2 && name[:2] == "m_" }

// countResults counts the transfers on m in a batch before a cycle.
func countResults(t *stimulus.Target, b *batch, words int, before int64) int {
	n := 0
	in := t.Binding.Layout.InWords
	var inputs hpcc.Inputs
	for c := range b.cycles {
		if b.start+int64(c) >= before {
			break
		}
		t.Binding.Inputs(b.in[c*in:], &inputs)
		if inputs.Rst {
			n = 0
			continue
		}
		if _, valid := t.Binding.Result(b.want[c*words:]); valid && inputs.MReady {
			n++
		}
	}
	return n
}

// lastInputs is how many transfers into the design a report shows.
const lastInputs = 8

// inputLog keeps the last transfers into the design.
type inputLog struct {
	cycle, keep int64
	lines       []string
}

func (l *inputLog) seen(in *hpcc.Inputs, out *hpcc.Outputs) {
	add := func(format string, args ...any) {
		l.lines = append(l.lines, fmt.Sprintf("cycle %d: ", l.cycle)+fmt.Sprintf(format, args...))
		if len(l.lines) > lastInputs {
			l.lines = l.lines[1:]
		}
	}
	switch {
	case in.Rst:
		add("rst")
	default:
		if in.TW.Valid && out.TWReady {
			add("tw table %d index %d data %#x", in.TW.Table, in.TW.Index, in.TW.Data)
		}
		if in.CW.Valid && out.CWReady {
			w := &in.CW
			add("cw flow %d mask %#02x profile %d u %#x wc %#x w %#x stage %d seq %#x", w.Flow, w.Mask, w.Profile, w.U, w.Wc, w.W, w.Stage, w.Seq)
		}
		if in.CR.Valid && out.CRReady {
			add("cr flow %d", in.CR.Flow)
		}
		if in.S.Valid && out.SReady {
			add("s %s", stimulus.AckString(&in.S.Ack))
		}
	}
	l.cycle++
}

// observed tells a log what a source saw.
type observed struct {
	stimulus.Source
	log *inputLog
}

func (o observed) Seen(in *hpcc.Inputs, out *hpcc.Outputs) {
	o.log.seen(in, out)
	o.Source.Seen(in, out)
}

// observedRecorder is a recorder through which the model still reaches the generator.
type observedRecorder struct {
	*stimulus.Recorder
	gen *stimulus.Generator
}

func (r observedRecorder) Issued(a *hpcc.Ack, res *hpcc.Result) { r.gen.Issued(a, res) }
func (r observedRecorder) Reacted(t *hpcc.Taps)                 { r.gen.Reacted(t) }

// writeVCD runs a script on a fresh instance that writes a waveform.
func writeVCD(t *stimulus.Target, o *Options, s *stimulus.Script) error {
	e, err := open(t, o, o.VCD)
	if err != nil {
		return err
	}
	_, err = play(t, o, e, s, time.Time{})
	return errors.Join(err, e.Close())
}

// play runs a script and returns what differs first; nil when nothing does. Behind the script's end the run goes on
// until the pipeline is empty.
func play(t *stimulus.Target, o *Options, e engine.Engine, s *stimulus.Script, deadline time.Time) ([]difference, error) {
	l, err := newLeg(t, func(*hpcc.Clocked) stimulus.Source { return stimulus.NewPlayer(s) })
	if err != nil {
		return nil, err
	}
	l.skipReset = t.Config.AsyncReset && o.Engine == "go"
	check := newChecker(t)
	end := s.Cycles + 1
	var b batch
	for l.cycle < end {
		if !deadline.IsZero() && time.Now().After(deadline) {
			return nil, errOutOfTime
		}
		l.fill(&b, int(min(512, end-l.cycle)))
		if err := e.Run(b.cycles, b.in, b.got); err != nil {
			return nil, err
		}
		if d := check.check(&b); d != nil {
			return d, nil
		}
	}
	return nil, nil
}

var errOutOfTime = errors.New("out of time")
