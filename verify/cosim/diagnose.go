package cosim

import (
	"errors"
	"fmt"
	"time"

	"github.com/hdlpkg/hpccgen/model/hpcc"
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

	if err := explain(j, d, &first); err != nil {
		return d, "", err
	}
	smallest, err := reproduce(j, o, d)
	if err != nil || o.VCD == "" {
		return d, "", err
	}
	return d, o.VCD, writeVCD(j.target, o, smallest)
}

// longestScript bounds, in cycles, how much of a run is replayed to see a mismatch again.
const longestScript = 400_000

// reproduce finds a script that shows a mismatch and shrinks it. The episode alone will do, unless it depends on what
// the reset does not clear; then the episodes before it are needed.
func reproduce(j *job, o *Options, d *Divergence) (*stimulus.Script, error) {
	s := newShrinker(j.target, o)
	defer func() { d.ShrinkTries = s.tries }()
	var smallest *stimulus.Script
	for before := 0; ; before = 2*before + 1 {
		script, start, err := record(j, d.Cycle, before)
		if err != nil {
			return nil, err
		}
		d.Operations = [2]int{script.Operations(), script.Operations()}
		smallest, err = s.shrink(script)
		if err != nil {
			return nil, err
		}
		if s.found != nil || start == 0 || script.Cycles > longestScript {
			break
		}
	}
	if s.found == nil {
		d.Unreproduced = "the last episodes of the stimulus alone do not show it; the command replays the whole run"
	} else {
		d.Shrunk, d.ShrunkSignal, d.ShrunkCycle = smallest, s.found[0].name, s.found[0].cycle
		d.Operations[1] = smallest.Operations()
	}
	return smallest, nil
}

// record writes down the stimulus of the episode that holds a cycle, and of so many before it, up to the cycle.
func record(j *job, cycle int64, before int) (script *stimulus.Script, start int64, err error) {
	var gen *stimulus.Generator
	var rec *stimulus.Recorder
	l, err := newLeg(j.target, func(m *hpcc.Clocked) stimulus.Source {
		gen = stimulus.New(j.target.Config, j.target.Timing, j.seed, m.Model().Context, nil)
		start = gen.GoTo(cycle, before)
		rec = stimulus.Record(gen)
		return recorded{rec, gen}
	})
	if err != nil {
		return nil, 0, err
	}
	l.cycle = start
	var b batch
	for l.cycle <= cycle {
		l.fill(&b, int(min(batchCycles, cycle+1-l.cycle)))
	}
	return &rec.Script, start, nil
}

// recorded is a recorder through which the model still reaches the generator.
type recorded struct {
	*stimulus.Recorder
	gen *stimulus.Generator
}

func (r recorded) Issued(a *hpcc.Ack, res *hpcc.Result) { r.gen.Issued(a, res) }
func (r recorded) Reacted(t *hpcc.Taps)                 { r.gen.Reacted(t) }

func hex(v uint64) string { return fmt.Sprintf("%#x", v) }

// explain replays the model's side of the episode that holds the first difference, and fills in what happened there.
func explain(j *job, d *Divergence, first *difference) error {
	log := &inputLog{}
	l, err := newLeg(j.target, func(m *hpcc.Clocked) stimulus.Source {
		gen := stimulus.New(j.target.Config, j.target.Timing, j.seed, m.Model().Context, nil)
		log.cycle = gen.GoTo(first.cycle, 0)
		log.Generator = gen
		return log
	})
	if err != nil {
		return err
	}
	l.cycle = log.cycle
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
	return nil
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

// inputLog is a generator that keeps the last transfers into the design.
type inputLog struct {
	*stimulus.Generator
	cycle int64
	lines []string
}

// Seen notes the transfers of the cycle.
func (l *inputLog) Seen(in *hpcc.Inputs, out *hpcc.Outputs) {
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
	l.Generator.Seen(in, out)
}

// writeVCD plays a script with a waveform.
func writeVCD(t *stimulus.Target, o *Options, s *stimulus.Script) error {
	_, err := play(t, o, o.VCD, s, time.Time{})
	return err
}

// play runs a script on a fresh instance and returns what differs first; nil when nothing does. A waveform is written
// when vcd names one. With a deadline it may give up (errOutOfTime).
func play(t *stimulus.Target, o *Options, vcd string, s *stimulus.Script, deadline time.Time) (found []difference, err error) {
	e, err := open(t, o, vcd)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, e.Close()) }()
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
