package stimulus

import (
	"strings"

	"github.com/hdlpkg/hpccgen/model/engine"
	"github.com/hdlpkg/hpccgen/verify/bind"
	"github.com/hdlpkg/hpccgen/verify/drive"
)

// Explain replays the model's side of the episode that holds the first difference.
func (s *Subject[E, C, W, D, R, T, P]) Explain(d *drive.Divergence, seed uint64, first *drive.Difference) error {
	log := &inputs[E, W]{}
	model, err := s.newSide(func(d *side[E, C, W, D, R, T, P]) Source[E, W] {
		gen := d.generator(seed)
		log.last.Cycle = gen.GoTo(first.Cycle, 0)
		log.Generator = gen
		return log
	})
	if err != nil {
		return err
	}
	type entry struct {
		cycle    int64
		event    E
		decision R
	}
	var issued []entry
	model.onEvent = func(cycle int64, e *E, r *R) { issued = append(issued, entry{cycle, *e, *r}) }
	results := 0 // transfers on m before the difference
	drive.NewLeg(&s.frame, model, "").From(log.last.Cycle).RunTo(first.Cycle+1, func(cycle int64, in, want []uint64) {
		results = s.countResult(results, in, want, cycle < first.Cycle)
	})
	d.Inputs = log.last.Lines

	var of *entry
	switch {
	case first.Tap >= 0:
		for i := range issued {
			if issued[i].cycle == first.Issue {
				of = &issued[i]
			}
		}
	case strings.HasPrefix(first.Name, "m_") && results < len(issued):
		of = &issued[results]
	}
	if of != nil {
		d.AckIssued, d.Ack, d.Result = of.cycle, bind.Text(&of.event, s.Law.Units), bind.Text(&of.decision, s.Law.Units)
	}
	return nil
}

// countResult counts the transfers on m since the last reset.
func (s *Subject[E, C, W, D, R, T, P]) countResult(results int, in, want []uint64, counts bool) int {
	if !counts {
		return results
	}
	var inputs engine.Inputs[E, W]
	s.Target.Binding.Inputs(in, &inputs)
	if inputs.Rst {
		return 0
	}
	if _, valid := s.Target.Binding.Result(want); valid && inputs.MReady {
		results++
	}
	return results
}

// inputs is a generator that keeps the last transfers into the engine.
type inputs[E, W any] struct {
	*Generator[E, W]
	last drive.Inputs
}

// Seen notes the transfers of the cycle.
func (l *inputs[E, W]) Seen(in *engine.Inputs[E, W], out Answer) {
	switch {
	case in.Rst:
		l.last.Add("rst")
	default:
		if in.TW.Valid && out.TW {
			l.last.Add("tw %s", bind.Text(&in.TW.Payload, nil))
		}
		if in.CW.Valid && out.CW {
			l.last.Add("cw %s", bind.Text(&in.CW.Payload, nil))
		}
		if in.CR.Valid && out.CR {
			l.last.Add("cr flow %d", in.CR.Payload)
		}
		if in.S.Valid && out.S {
			l.last.Add("s %s", bind.Text(&in.S.Payload, nil))
		}
	}
	l.last.Cycle++
	l.Generator.Seen(in, out)
}
