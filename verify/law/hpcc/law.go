// Package hpcc is HPCC++'s part of the verification of its engine: its ports, the contents of its telemetry in random
// stimulus, and its coverage.
package hpcc

import (
	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/engine"
	"github.com/hdlpkg/hpccgen/model/law/hpcc"
	rtl "github.com/hdlpkg/hpccgen/rtlgen/engine"
	laws "github.com/hdlpkg/hpccgen/rtlgen/law"
	"github.com/hdlpkg/hpccgen/verify/stimulus"
)

// The types of verification for this law.
type (
	law = stimulus.Law[hpcc.Ack, hpcc.Context, hpcc.ContextWrite, hpcc.ContextData, hpcc.Result, hpcc.Tables, hpcc.Taps]
	// Subject is the engine of a configuration with its golden model.
	Subject = stimulus.Subject[
		hpcc.Ack, hpcc.Context, hpcc.ContextWrite, hpcc.ContextData, hpcc.Result, hpcc.Tables, hpcc.Taps]
	Target    = stimulus.Target[hpcc.Ack, hpcc.ContextWrite, hpcc.ContextData, hpcc.Result]
	Script    = stimulus.Script[hpcc.Ack, hpcc.ContextWrite]
	generator = stimulus.Generator[hpcc.Ack, hpcc.ContextWrite]
)

// Law is HPCC++ for a configuration.
type Law struct {
	law
	cfg *config.NIC
}

// New is the law for a configuration.
func New(cfg *config.NIC) (*Law, error) {
	model, err := hpcc.NewDesign(cfg)
	if err != nil {
		return nil, err
	}
	return &Law{cfg: cfg, law: law{
		Design: cfg, Engine: &cfg.Engine, Model: model,
		Build: func() (*rtl.Engine, error) { return laws.Build(cfg) },
		Ports: ports(cfg), Units: units(cfg), Bins: bins(cfg), Setup: setup(cfg),
		Draw: func(g *generator, peek func(flow uint32) hpcc.Context) stimulus.Draw[hpcc.Ack, hpcc.ContextWrite] {
			return &draw{
				cfg: cfg, g: g, peek: peek, scope: model.Scope, profiles: make([]config.Profile, cfg.Profiles),
				invB: make([]uint64, cfg.RateCodes()), rtt: make([]uint64, cfg.Profiles),
			}
		},
		Story: func() (*stimulus.Story[hpcc.Ack, hpcc.ContextWrite], error) { return story(cfg) }, Says: says(cfg),
		Kind:    func(r *hpcc.Result) uint8 { return uint8(r.Kind) },
		Tap:     tap,
		Observe: observe, React: func(c *stimulus.Coverage, t *hpcc.Taps) { react(cfg, c, t) },
	}}, nil
}

// draw makes the telemetry of a generator.
type draw struct {
	cfg   *config.NIC
	g     *generator
	peek  func(flow uint32) hpcc.Context
	scope func(w *hpcc.ContextWrite) engine.Scope
	flows []flow // by Flow.Number

	// what software would know
	known    []uint32         // rate codes made known
	profiles []config.Profile // by index
	invB     []uint64         // by rate code, as written
	rtt      []uint64         // by profile, as written
}
