package cosim

import (
	"errors"
	"fmt"
	"time"

	"github.com/hdlpkg/hpccgen/verify/engine"
)

// diagnose locates the mismatch of a job: it replays the model's side to find the ACK or packet concerned, shrinks the episode, and
// writes the waveform. It returns the waveform's path, "" for none.
func diagnose(j *job, o *Options) (*Divergence, string, error) {
	first := j.out.first[0]
	d := &Divergence{Seed: j.seed, Cycle: first.cycle, Signal: first.name, Tap: first.tap >= 0, Path: first.name}
	d.Expected, d.Actual = hex(first.want), hex(first.got)
	if d.Tap {
		d.Path = j.subject.frame().taps[first.tap].Path
	}
	for _, s := range j.out.first[1:] {
		d.Also = append(d.Also, Signal{s.name, hex(s.want), hex(s.got)})
	}
	vcd := o.VCD
	if vcd == "" {
		vcd = "mismatch.vcd"
	}
	d.Command = fmt.Sprintf("hpccgen cosim --config %s --engine %s%s --seed %d --cycles %d", o.ConfigName, o.Engine, o.Hardware.Flags(), j.seed, first.cycle+1)
	if engine.HasWaveform(o.Engine) {
		d.Command += " --vcd " + vcd
	}

	if err := j.subject.explain(d, j.seed, &first); err != nil {
		return d, "", err
	}
	smallest, err := reproduce(j, o, d)
	if err != nil || o.VCD == "" {
		return d, "", err
	}
	_, err = play(j.subject, o, o.VCD, smallest, time.Time{})
	return d, o.VCD, err
}

// longestScript bounds, in cycles, how much of a run is replayed to see a mismatch again.
const longestScript = 400_000

// reproduce finds a script that shows a mismatch and shrinks it. The episode alone will do, unless it depends on what
// the reset does not clear; then the episodes before it are needed.
func reproduce(j *job, o *Options, d *Divergence) (script, error) {
	s := newShrinker(j.subject, o)
	defer func() { d.ShrinkTries = s.tries }()
	var smallest script
	for before := 0; ; before = 2*before + 1 {
		whole, start, err := j.subject.record(j.seed, d.Cycle, before)
		if err != nil {
			return nil, err
		}
		d.Operations = [2]int{whole.operations(), whole.operations()}
		smallest, err = s.shrink(whole)
		if err != nil {
			return nil, err
		}
		if s.found != nil || start == 0 || whole.length() > longestScript {
			break
		}
	}
	if s.found == nil {
		d.Unreproduced = "the last episodes of the stimulus alone do not show it; the command replays the whole run"
	} else {
		d.Shrunk, d.ShrunkSignal, d.ShrunkCycle = smallest.content(), s.found[0].name, s.found[0].cycle
		d.Operations[1] = smallest.operations()
	}
	return smallest, nil
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
func play(sub subject, o *Options, vcd string, s script, deadline time.Time) (found []difference, err error) {
	e, err := open(sub.frame(), o, vcd)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	r, err := sub.play(s)
	if err != nil {
		return nil, err
	}
	l := legOf(sub, o, r)
	check := newChecker(l.frame)
	end := s.length() + 1
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
