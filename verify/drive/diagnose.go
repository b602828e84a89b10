package drive

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/hdlpkg/hpccgen/internal/toolchain"
	"github.com/hdlpkg/hpccgen/verify/engine"
	"github.com/hdlpkg/hpccgen/verify/stimulus/timeline"
)

// diagnose locates the mismatch of a job: it replays the model's side to find the ACK or packet concerned, shrinks the
// episode, and writes the waveform. What it finds is in the report.
func diagnose(j *job, o *Options, rep *Report) error {
	first := j.out.First[0]
	d := &Divergence{Seed: j.seed, Cycle: first.Cycle, Tap: first.Tap >= 0, Path: first.Name}
	rep.Divergence = d
	f := j.subject.Frame()
	d.Signal = first.Name
	d.Value = f.value(&first)
	if d.Tap {
		d.Path = f.Taps[first.Tap].Path
	}
	for _, s := range j.out.First[1:] {
		d.Also = append(d.Also, Signal{s.Name, f.value(&s)})
	}
	vcd := o.VCD
	if vcd == "" {
		vcd = "mismatch.vcd"
	}
	d.Command = fmt.Sprintf("hpccgen cosim --config %s --engine %s%s --seed %d --cycles %d",
		toolchain.Quote(o.ConfigName), o.Engine, o.Hardware.Flags(), j.seed, first.Cycle+1)
	if engine.HasWaveform(o.Engine) {
		d.Command += " --vcd " + toolchain.Quote(vcd)
	}

	if err := j.subject.Explain(d, j.seed, &first); err != nil {
		return err
	}
	smallest, found, err := reproduce(j, o, d)
	if err != nil || o.VCD == "" {
		return err
	}
	rep.VCD = o.VCD
	rep.GTKW, err = writeWave(j.subject, o, smallest, found)
	return err
}

// longestScript bounds, in cycles, how much of a run is replayed to see a mismatch again.
const longestScript = 400_000

// reproduce finds a script that shows a mismatch and shrinks it. It returns the first difference that the script shows,
// nil for none. The episode alone will do, unless it depends on what the reset does not clear; then the episodes before
// it are needed.
func reproduce(j *job, o *Options, d *Divergence) (timeline.Script, *Difference, error) {
	s := newShrinker(j.subject, o)
	defer func() { d.ShrinkTries, d.Minimal = s.tries, s.minimal }()
	var smallest timeline.Script
	for before := 0; ; before = 2*before + 1 {
		whole, start, err := j.subject.Record(j.seed, d.Cycle, before)
		if err != nil {
			return nil, nil, err
		}
		d.Operations = [2]int{whole.Parts().Operations(), whole.Parts().Operations()}
		smallest, err = s.shrink(whole)
		if err != nil {
			return nil, nil, err
		}
		if s.found != nil || start == 0 || *whole.Parts().Cycles > longestScript {
			break
		}
	}
	if s.found == nil {
		d.Unreproduced = "the last episodes of the stimulus alone do not show it; the command replays the whole run"
		return smallest, nil, nil
	}
	d.Shrunk, d.ShrunkSignal, d.ShrunkCycle = smallest, s.found[0].Name, s.found[0].Cycle
	value := j.subject.Frame().value(&s.found[0])
	d.ShrunkValue = &value
	d.Operations[1] = smallest.Parts().Operations()
	return smallest, &s.found[0], nil
}

// value tells a difference.
func (f *Frame) value(d *Difference) Value {
	v := Value{Expected: hex(d.Want), Actual: hex(d.Got)}
	field := d.Name
	if d.Port >= 0 {
		_, field, _ = strings.Cut(field, "_") // without the stream
	}
	if len(d.Want) == 1 {
		v.ExpectedText, v.ActualText = f.Units.Pair(field, d.Want[0], d.Got[0])
	}
	return v
}

// hex is a value of any number of words, the least significant first.
func hex(v []uint64) string {
	n := len(v)
	for n > 1 && v[n-1] == 0 {
		n--
	}
	text := fmt.Sprintf("%#x", v[n-1])
	for i := n - 2; i >= 0; i-- {
		text += fmt.Sprintf("%016x", v[i])
	}
	return text
}

// play runs a script on a fresh instance and returns what differs first; nil when nothing does. A waveform is written
// when vcd names one. With a deadline it may give up (errOutOfTime).
func play(sub Subject, o *Options, vcd string, s timeline.Script, deadline time.Time) (found []Difference, err error) {
	e, err := open(sub.Frame(), o, vcd)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	r, err := sub.Play(s)
	if err != nil {
		return nil, err
	}
	l := NewLeg(sub.Frame(), r, o.Engine)
	l.batch = 512 // a difference may come soon
	l.late = func() bool { return !deadline.IsZero() && time.Now().After(deadline) }
	out, err := l.run(e, *s.Parts().Cycles+1, 1)
	return out.First, err
}

var errOutOfTime = errors.New("out of time")
