package transit

import (
	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/csig"
	rtl "github.com/hdlpkg/hpccgen/rtlgen/csig"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
	"github.com/hdlpkg/hpccgen/verify/engine"
)

// Target is a generated csig_switch as the verification sees it: what to run, its published timing, and where
// its ports and taps lie.
type Target struct {
	Config  *config.CSIG
	Design  engine.Design
	Timing  csig.Timing
	Binding *Binding
	Taps    []vgen.Tap // as in Layout.Taps; Latency counts from the packet's header cycle
}

// Header is the number of bytes of a packet that a switch reads at most.
const Header = 54

// NewTarget generates the switch of a configuration, with or without its taps.
func NewTarget(cfg *config.CSIG, taps bool) (*Target, error) {
	s, err := rtl.Build(cfg)
	if err != nil {
		return nil, err
	}
	t := &Target{
		Config: cfg, Timing: s.Timing,
		Design: engine.Design{Top: s.Top, Taps: taps, Name: cfg.Name, Config: cfg.Hash},
	}
	if cfg.AsyncReset {
		t.Design.Reset = vgen.AsyncLow
	}
	layout := vgen.NewLayout(s.Top, taps)
	if taps {
		t.Taps = vgen.Taps(s.Top)
	}
	if t.Binding, err = Bind(SizesOf(cfg), &layout); err == nil {
		t.Binding.Noise = true
	}
	return t, err
}
