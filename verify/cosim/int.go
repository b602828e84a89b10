package cosim

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/csig"
	"github.com/hdlpkg/hpccgen/model/inband"
	verify "github.com/hdlpkg/hpccgen/verify/inband"
	"github.com/hdlpkg/hpccgen/verify/stimulus/cover"
	"github.com/hdlpkg/hpccgen/verify/stimulus/transit"
)

// intKind is an int_source with model/inband. Its traffic has no episodes: a mismatch is looked for again from the start of the run.
type intKind struct{ target *verify.Target }

func newINT(cfg *config.INT) (*switchSubject, error) {
	t, err := verify.NewTarget(cfg)
	if err != nil {
		return nil, err
	}
	f := newFrame(t.Design, t.Binding.Layout, nil, switchStreams(t.Binding))
	return newSwitch(&intKind{t}, f, t.Binding, cfg.DataBits, intHeader(cfg), t.Timing.Decision), nil
}

// intHeader is Window of docs/int.md: the number of bytes on which the walk depends.
func intHeader(c *config.INT) int {
	switch c.Format {
	case config.INTIFA:
		return 158
	case config.INTMD:
		return 114
	case config.INTIOAM:
		return 330
	}
	return 100 + 8*c.MaxHops
}

func (k *intKind) model(s *switchSide) (func(in *csig.Inputs, out *csig.Outputs), error) {
	m, err := inband.NewClocked(k.target.Config, k.target.Timing)
	if err != nil {
		return nil, err
	}
	m.OnDecision = func(_ int64, ev *inband.Event) {
		s.decide(func() string { return intString(ev) })
	}
	var to inband.Outputs
	return func(in *csig.Inputs, out *csig.Outputs) {
		m.Cycle(&inband.Inputs{Rst: in.Rst, Valid: in.Valid, Beat: in.Beat, Meta: in.Meta, MReady: in.MReady, Bus: in.Bus}, &to)
		out.Ready, out.Valid, out.EgressPort, out.Status, out.Bus = to.Ready, to.Valid, to.EgressPort, csig.Status(to.Status), to.Bus
		if to.Valid {
			out.Beat = to.Beat
		}
	}, nil
}

func (k *intKind) source(seed uint64, _ int64, _ int) (transit.Source, int64) {
	return verify.NewSource(k.target.Config, k.target.Timing, seed), 0
}

func (k *intKind) counted(seed uint64) transit.Source {
	return verify.NewSource(k.target.Config, k.target.Timing, seed)
}

func (k *intKind) report(rep *Report, sources []transit.Source) {
	list := make([]*verify.Source, len(sources))
	for i, s := range sources {
		list[i] = s.(*verify.Source)
	}
	c := verify.Count(k.target.Config, list)
	rep.BeatsIn, rep.BeatsOut, rep.Throughput = c.BeatsIn, c.BeatsOut, c.Throughput
	rep.Coverage, rep.Holes = c.Coverage, cover.Holes(c.Coverage)
}

func intString(ev *inband.Event) string {
	text := fmt.Sprintf("status %s", ev.Status)
	if ev.Status != inband.NoPort {
		text += fmt.Sprintf("; txBytes %#x qLen %#x rate %d", ev.Snapshot.TxBytes, ev.Snapshot.Qlen, ev.Snapshot.Rate)
	}
	if ev.Status == inband.Inserted {
		text += fmt.Sprintf(", record at byte %d", ev.At)
	}
	return text
}
