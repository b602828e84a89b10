// Package aimd is AIMD's part of the verification of its engine.
package aimd

import (
	"fmt"
	"math/big"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/fixed"
	"github.com/hdlpkg/hpccgen/model/law/aimd"
	rtl "github.com/hdlpkg/hpccgen/rtlgen/engine"
	laws "github.com/hdlpkg/hpccgen/rtlgen/law"
	"github.com/hdlpkg/hpccgen/verify/bind"
	"github.com/hdlpkg/hpccgen/verify/replay"
	"github.com/hdlpkg/hpccgen/verify/stimulus"
	"github.com/hdlpkg/hpccgen/verify/stimulus/random"
)

type law = stimulus.Law[aimd.Event, aimd.Context, aimd.Write, aimd.Data, aimd.Decision, aimd.Tables, aimd.Taps]

// Law is AIMD for a configuration.
type Law struct {
	law
	cfg *config.AIMD
}

// units are those of docs/aimd.md.
func units(cfg *config.AIMD) bind.Units {
	window := fixed.Quantity{Format: cfg.Window, Unit: "B"}
	table := map[string]fixed.Quantity{"w": window, "window": window,
		"rate": {Format: cfg.Rate, Unit: "bit/s", Scale: 8e9 / float64(cfg.TickNs)}}
	return func(field string) (fixed.Quantity, bool) {
		q, ok := table[field]
		return q, ok
	}
}

// New is the law for a configuration.
func New(cfg *config.AIMD) (*Law, error) {
	model := aimd.NewDesign(cfg)
	p, w, entry := bind.At, cfg.Window.Width(), max(cfg.Window.Width(), cfg.InvT.Width())
	l := &Law{cfg: cfg}
	l.law = law{
		Units:  units(cfg),
		Design: cfg, Engine: &cfg.Engine, Model: model, Build: func() (*rtl.Engine, error) { return laws.Build(cfg) },
		Ports: bind.Table{Owner: "the engine", Doc: "docs/aimd.md", Inputs: []bind.Port{
			p("s_now", cfg.ClockBits), p("s_ack_seq", cfg.SeqBits), p("s_snd_nxt", cfg.SeqBits), p("s_mark", 1),
			p("cw_mask", 5), p("cw_profile", cfg.ProfileBits()), p("cw_w", w), p("cw_seq", cfg.SeqBits),
			p("tw_index", cfg.ProfileBits()), p("tw_data", entry),
		}, Outputs: []bind.Port{
			p("m_kind", 2), p("m_status", 4), p("m_w", w), p("m_rate", cfg.Rate.Width()), p("cd_started", 1),
			p("cd_marked", 1), p("cd_profile", cfg.ProfileBits()), p("cd_w", w), p("cd_seq", cfg.SeqBits),
			p("n_rejected_flow", cfg.CountBits),
		}},
		Bins: bins(cfg), Setup: func(r *random.Rand) (profiles, writes int) {
			profiles = 1 + r.N(min(cfg.Profiles, 3))
			return profiles, 4 * profiles
		},
		Draw: func(g *generator, peek func(flow uint32) aimd.Context) stimulus.Draw[aimd.Event, aimd.Write] {
			return &draw{AnyBits: l.NewAnyBits(g), cfg: cfg, g: g, peek: peek, model: model}
		},
		Story: func() (*stimulus.Story[aimd.Event, aimd.Write], error) { return story(cfg) }, Says: says(cfg),
		Kind: func(r *aimd.Decision) uint8 { return uint8(r.Kind) },
		Observe: func(c *stimulus.Coverage, e *aimd.Event, r *aimd.Decision, _ *aimd.Context) {
			c.Hit(sequenceWraps, r.Kind == aimd.KindUpdate && e.SndNxt < e.AckSeq)
		},
		React: func(c *stimulus.Coverage, t *aimd.Taps) {
			c.Hit(halved, t.Halved)
			c.Hit(raised, !t.Halved)
			c.Hit(rateSaturated, t.Rate == random.Mask(cfg.Rate.Width()))
		},
	}
	return l, nil
}

// Replay replays a trace of marks.
func (l *Law) Replay(o replay.Options) (*replay.Report, error) {
	p, err := replay.PlanOf(&l.law, replay.Columns[aimd.Write]{
		Event: []string{"ack_seq", "snd_nxt", "mark"},
		Flow:  []string{"base_rtt_ns", "max_rate_bps", "rate_ai_bps", "min_rate_bps"}, Open: l.open,
	}, &o)
	if err != nil {
		return nil, err
	}
	p.Header = "row,flow,kind,w_bytes,rate_bps,status"
	p.Append = func(b []byte, row *replay.Item[aimd.Event, aimd.Write], r *aimd.Decision) []byte {
		b = append(replay.RowStart(b, row, r.Kind), ',')
		b = replay.AppendDecimal(b, l.cfg.Window, r.W)
		return fmt.Appendf(b, ",%d,%s", replay.RateBps(l.cfg.Rate, l.cfg.TickNs, r.Rate), r.Status)
	}
	return replay.Run(&l.law, p, o)
}

// open gives each flow a profile of its own, and a window of its largest rate.
func (l *Law) open(flow int, v []uint64) ([]config.TableWrite, aimd.Write, error) {
	window := func(bps uint64) *big.Rat {
		w := new(big.Rat).SetUint64(bps)
		return w.Mul(w, big.NewRat(int64(v[0]), 8e9))
	}
	if flow >= l.cfg.Profiles {
		return nil, aimd.Write{}, fmt.Errorf("another profile is needed; there are %d (profiles)", l.cfg.Profiles)
	}
	p := config.Profile{BaseRTTNs: v[0], WMax: window(v[1]), WAI: window(v[2]), WMin: window(v[3])}
	tables, err := l.cfg.ProfileEntries(flow, p)
	w, _ := l.cfg.Window.Raw(p.WMax)
	if err != nil || w == nil {
		return nil, aimd.Write{}, err
	}
	return tables, aimd.Write{Flow: uint32(flow), Mask: ^aimd.MaskClose, Profile: uint8(flow), W: w.Uint64()}, nil
}
