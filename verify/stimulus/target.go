package stimulus

import (
	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/law/hpcc"
	"github.com/hdlpkg/hpccgen/rtlgen/law"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
	"github.com/hdlpkg/hpccgen/verify/engine"
)

// Target is a generated HPCC++ engine as the verification sees it: what to run, its published timing, and where
// its ports and taps lie.
type Target struct {
	Config  *config.NIC
	Design  engine.Design
	Timing  hpcc.Timing
	Binding *Binding
	Taps    []vgen.Tap // as in Layout.Taps; Latency counts from the operation's issue
}

// NewTarget generates the engine of a configuration, with or without its taps.
func NewTarget(cfg *config.NIC, taps bool) (*Target, error) {
	e, err := law.Build(cfg)
	if err != nil {
		return nil, err
	}
	t := &Target{
		Config: cfg,
		Design: engine.Design{Top: e.Top, Taps: taps, Name: cfg.Name, Config: cfg.Hash},
		Timing: e.Timing,
	}
	if cfg.AsyncReset {
		t.Design.Reset = vgen.AsyncLow
	}
	layout := vgen.NewLayout(e.Top, taps)
	if taps {
		t.Taps = vgen.Taps(e.Top)
	}
	t.Binding, err = Bind(cfg, &layout)
	return t, err
}
