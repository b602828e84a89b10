package hpcc

import (
	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/engine"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// parts are the parts of a decision after the verdict, by the time at which each is known.
type parts struct {
	AverageOut vgen.Signal `port:"average_valid" width:"1" role:"valid" doc:"U after an ACK is valid"`
	Average    averagePart `port:"average_"`
	WindowOut  vgen.Signal `port:"window_valid" width:"1" role:"valid" doc:"W after an ACK is valid"`
	Window     windowPart  `port:"window_"`
	RateOut    vgen.Signal `port:"rate_valid" width:"1" role:"valid" doc:"R after an ACK is valid: the decision is complete"`
	Rate       ratePart    `port:"rate_"`
}

type (
	averagePart struct {
		U vgen.Signal `port:"u" width:"u" doc:"U"`
	}
	windowPart struct {
		W     vgen.Signal `port:"w" width:"w" doc:"window, bytes"`
		Wc    vgen.Signal `port:"wc" width:"w" doc:"reference window, bytes"`
		Stage vgen.Signal `port:"stage" width:"stage" doc:"incStage"`
		Below vgen.Signal `port:"clamped_min" width:"1" doc:"W was raised to W_min"`
		Above vgen.Signal `port:"clamped_max" width:"1" doc:"W was lowered to W_max"`
	}
	ratePart struct {
		Rate vgen.Signal `port:"rate" width:"rate" doc:"pacing rate, bytes a tick"`
	}
)

// slotted is HPCC++ with one lane for all hops, an ACK an interval.
func slotted(c *config.NIC) engine.Slotted {
	pl := planSerial(c)
	return engine.Slotted{
		Interval: pl.interval, Verdict: pl.verdict, Latency: pl.end, ClearBits: clearBits(c),
		Parts: new(parts), Build: pl.build,
		List: func(of any) []engine.Part {
			p := of.(*parts)
			return []engine.Part{
				{Name: "average", Doc: "U", Valid: p.AverageOut, Fields: &p.Average},
				{Name: "window", Doc: "W, Wc, incStage and clamp status of W", Valid: p.WindowOut, Fields: &p.Window},
				{Name: "rate", Doc: "R", Valid: p.RateOut, Fields: &p.Rate},
			}
		},
		Choices: func(of any) []vgen.Choice {
			w := of.(*parts).Window
			return []vgen.Choice{vgen.When(w.Below, code(engine.StatusClampedMin)),
				vgen.When(w.Above, code(engine.StatusClampedMax))}
		},
		Decide: func(m *vgen.Module, of, decision any) {
			p, d := of.(*parts), decision.(*Decision)
			m.Assign(d.U, p.Average.U)
			m.Assign(d.W, p.Window.W)
			m.Assign(d.Wc, p.Window.Wc)
			m.Assign(d.Rate, p.Rate.Rate)
			m.Assign(d.Stage, p.Window.Stage)
		},
		Taps: func(of any) []engine.PartTap {
			p := of.(*parts)
			return []engine.PartTap{
				{Name: "rate", Sig: p.Rate.Rate, Stage: pl.end, Doc: "R, " + c.Formats.Rate.String()},
				{Name: "stage", Sig: p.Window.Stage, Stage: pl.decide, Doc: "incStage"},
			}
		},
	}
}
