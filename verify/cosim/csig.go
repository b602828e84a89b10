package cosim

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/csig"
	"github.com/hdlpkg/hpccgen/verify/drive"
	"github.com/hdlpkg/hpccgen/verify/stimulus/transit"
)

// csigKind is a csig_switch with model/csig.
type csigKind struct {
	target *transit.Target
	taps   []readCSIGTap
}

func newCSIG(cfg *config.CSIG, taps bool) (*switchSubject, error) {
	t, err := transit.NewTarget(cfg, taps)
	if err != nil {
		return nil, err
	}
	k := &csigKind{target: t}
	for _, tap := range t.Taps {
		read, ok := csigTaps[tap.Name]
		if !ok {
			return nil, fmt.Errorf("the design has a tap %q that the golden model does not know", tap.Name)
		}
		k.taps = append(k.taps, read)
	}
	f := drive.NewFrame(t.Design, t.Binding.Layout, t.Taps)
	return newSwitch(k, f, t.Binding, cfg.DataBits, transit.Header, t.Timing.Decision), nil
}

// readCSIGTap reads the value of one tap from the model; ok is false when it says nothing about this packet.
type readCSIGTap func(ev *csig.Event) (v uint64, ok bool)

// csigTaps are the taps of packets that are compared.
var csigTaps = map[string]readCSIGTap{
	"value": func(ev *csig.Event) (uint64, bool) { return ev.Value, true },
}

func (k *csigKind) model(s *switchSide) (func(in *csig.Inputs, out *csig.Outputs), error) {
	m, err := csig.NewClocked(k.target.Config, k.target.Timing)
	if err != nil {
		return nil, err
	}
	// The generator is told, also through a recorder or a log.
	observer, _ := s.source.(interface{ Decided(ev *csig.Event) })
	if w, ok := s.source.(interface{ Unwrap() transit.Source }); ok && observer == nil {
		observer, _ = w.Unwrap().(interface{ Decided(ev *csig.Event) })
	}
	if g, ok := s.source.(*transit.Generator); ok {
		g.Meter = m.Meter
	}
	m.OnCode = func(header int64, ev *csig.Event) {
		for i, read := range k.taps {
			if v, ok := read(ev); ok {
				s.expect(i, m.Now()-1-header, v)
			}
		}
	}
	m.OnDecision = func(_ int64, ev *csig.Event) {
		if observer != nil {
			observer.Decided(ev)
		}
		s.decide(func() string { return csigString(ev) })
	}
	return m.Cycle, nil
}

func (k *csigKind) source(seed uint64, cycle int64, before int) (transit.Source, int64) {
	gen := transit.New(k.target.Config, k.target.Timing, seed, nil)
	return gen, gen.GoTo(cycle, before)
}

func (k *csigKind) counted(seed uint64) transit.Source {
	return transit.New(k.target.Config, k.target.Timing, seed, transit.NewCoverage(k.target.Config))
}

func (k *csigKind) report(rep *Report, sources []transit.Source) {
	cov := transit.NewCoverage(k.target.Config)
	for _, s := range sources {
		cov.Merge(s.(*transit.Generator).Coverage())
	}
	rep.BeatsIn, rep.BeatsOut = cov.BeatsIn(), cov.BeatsOut()
	rep.Throughput, rep.Coverage, rep.Holes = cov.Throughput(), cov.Rows(), cov.Holes()
}

func csigString(ev *csig.Event) string {
	text := fmt.Sprintf("status %s, find %s", ev.Status, ev.Place.Find)
	if ev.Status >= csig.Updated && ev.Status <= csig.Distrusted {
		t := &ev.Tag
		text += fmt.Sprintf(", %s tag at byte %d: type %d value %d locator %d reserved %d", ev.Place.Size,
			ev.Place.Offset, t.Type, t.Value, t.Locator, t.Reserved)
	}
	if ev.Status == csig.Updated || ev.Status == csig.Kept {
		text += fmt.Sprintf("; local value %d, code %d", ev.Value, ev.Code)
	}
	return text
}
