package cosim

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/csig"
	"github.com/hdlpkg/hpccgen/model/inband"
	"github.com/hdlpkg/hpccgen/verify/drive"
	verify "github.com/hdlpkg/hpccgen/verify/inband"
	"github.com/hdlpkg/hpccgen/verify/stimulus/cover"
	"github.com/hdlpkg/hpccgen/verify/stimulus/transit"
)

// intKind is an int_source with model/inband. Its traffic has no episodes: a mismatch is looked for again from the
// start of the run.
type intKind struct {
	target *verify.Target
	config *config.INT // of the golden model
	taps   []readINTTap
}

func newINT(cfg *config.INT, taps bool) (*switchSubject, error) {
	t, err := verify.NewTarget(cfg, taps)
	if err != nil {
		return nil, err
	}
	k := &intKind{target: t, config: cfg}
	for _, tap := range t.Taps {
		read, ok := intTaps[tap.Name]
		if part, found := strings.CutPrefix(tap.Name, "record"); !ok && found {
			read, ok = recordPart(part)
		}
		if !ok {
			return nil, fmt.Errorf("the design has a tap %q that the golden model does not know", tap.Name)
		}
		k.taps = append(k.taps, read)
	}
	f := drive.NewFrame(t.Design, t.Binding.Layout, t.Taps)
	return newSwitch(k, f, t.Binding, cfg.DataBits, verify.Window(cfg), t.Timing.Decision), nil
}

// readINTTap reads the value of one tap from the model; ok is false when it says nothing about this packet.
type readINTTap func(t *inband.Taps) (v uint64, ok bool)

// intTaps are the taps of packets that are compared, but for those of the record.
var intTaps = map[string]readINTTap{
	"status":    func(t *inband.Taps) (uint64, bool) { return uint64(t.Status), true },
	"qlen":      func(t *inband.Taps) (uint64, bool) { return t.Snapshot.Qlen, true },
	"tx":        func(t *inband.Taps) (uint64, bool) { return t.Snapshot.TxBytes, true },
	"timestamp": func(t *inband.Taps) (uint64, bool) { return t.Stamp, true },
}

// recordPart reads 8 bytes of the record, or what is left of it.
func recordPart(number string) (readINTTap, bool) {
	n, err := strconv.Atoi(number)
	return func(t *inband.Taps) (v uint64, ok bool) {
		if t.Status != inband.Inserted {
			return 0, false
		}
		for _, b := range t.Record[8*n : min(8*n+8, len(t.Record))] {
			v = v<<8 | uint64(b)
		}
		return v, true
	}, err == nil
}

func (k *intKind) model(s *switchSide) (func(in *csig.Inputs, out *csig.Outputs), error) {
	m, err := inband.NewClocked(k.config, k.target.Timing)
	if err != nil {
		return nil, err
	}
	m.OnSnapshot = func(header int64, t *inband.Taps) {
		for i, read := range k.taps {
			if v, ok := read(t); ok {
				s.expect(i, m.Now()-1-header, v)
			}
		}
	}
	m.OnDecision = func(_ int64, ev *inband.Event) {
		s.decide(func() string { return intString(ev) })
	}
	return m.Cycle, nil
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
