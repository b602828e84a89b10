package cosim

import (
	"fmt"
	"strings"

	"github.com/hdlpkg/hpccgen/model/law/hpcc"
	"github.com/hdlpkg/hpccgen/verify/drive"
	"github.com/hdlpkg/hpccgen/verify/stimulus"
)

// Explain replays the model's side of the episode that holds the first difference.
func (n *nicSubject) Explain(d *drive.Divergence, seed uint64, first *drive.Difference) error {
	log := &ackInputs{}
	s, err := n.newSide(func(m *hpcc.Clocked) stimulus.Source {
		gen := stimulus.New(n.target.Config, n.target.Timing, seed, m.Model().Context, nil)
		log.cycle = gen.GoTo(first.Cycle, 0)
		log.Generator = gen
		return log
	})
	if err != nil {
		return err
	}
	var issued []ackLog
	s.onAck = func(cycle int64, a *hpcc.Ack, r *hpcc.Result) { issued = append(issued, ackLog{cycle, *a, *r}) }
	results := 0 // transfers on m before the difference
	drive.NewLeg(&n.frame, s, "").From(log.cycle).RunTo(first.Cycle+1, func(cycle int64, in, want []uint64) {
		results = n.countResult(results, in, want, cycle < first.Cycle)
	})
	d.Inputs = log.lines

	var of *ackLog
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
	return fmt.Sprintf("kind %s status %s u %#x w %#x wc %#x rate %#x stage %d",
		r.Kind, r.Status, r.U, r.W, r.Wc, r.Rate, r.Stage)
}

// countResult counts the transfers on m since the last reset.
func (n *nicSubject) countResult(results int, in, want []uint64, counts bool) int {
	if !counts {
		return results
	}
	var inputs hpcc.Inputs
	n.target.Binding.Inputs(in, &inputs)
	if inputs.Rst {
		return 0
	}
	if _, valid := n.target.Binding.Result(want); valid && inputs.MReady {
		results++
	}
	return results
}

// inputLog keeps the last transfers into a design, as a report shows them.
type inputLog struct {
	cycle int64
	lines []string
}

// lastInputs is how many.
const lastInputs = 8

func (l *inputLog) add(format string, args ...any) {
	l.lines = append(l.lines, fmt.Sprintf("cycle %d: ", l.cycle)+fmt.Sprintf(format, args...))
	if len(l.lines) > lastInputs {
		l.lines = l.lines[1:]
	}
}

// ackInputs is a generator that keeps the last transfers into the engine.
type ackInputs struct {
	*stimulus.Generator
	inputLog
}

// Seen notes the transfers of the cycle.
func (l *ackInputs) Seen(in *hpcc.Inputs, out *hpcc.Outputs) {
	switch {
	case in.Rst:
		l.add("rst")
	default:
		if in.TW.Valid && out.TWReady {
			l.add("tw table %d index %d data %#x", in.TW.Payload.Table, in.TW.Payload.Index, in.TW.Payload.Data)
		}
		if in.CW.Valid && out.CWReady {
			l.add("cw %s", stimulus.WriteString(&in.CW.Payload))
		}
		if in.CR.Valid && out.CRReady {
			l.add("cr flow %d", in.CR.Payload)
		}
		if in.S.Valid && out.SReady {
			l.add("s %s", stimulus.AckString(&in.S.Payload))
		}
	}
	l.cycle++
	l.Generator.Seen(in, out)
}
