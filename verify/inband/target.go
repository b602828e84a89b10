package inband

import (
	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/inband"
	rtl "github.com/hdlpkg/hpccgen/rtlgen/inband"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
	"github.com/hdlpkg/hpccgen/telemetry"
	"github.com/hdlpkg/hpccgen/verify/engine"
	"github.com/hdlpkg/hpccgen/verify/stimulus/transit"
)

// Target is a generated int_source as the verification sees it: what to run, its published timing, and where its
// ports and taps lie.
type Target struct {
	Config  *config.INT
	Design  engine.Design
	Timing  inband.Timing
	Binding *transit.Binding
	Taps    []vgen.Tap // as in Layout.Taps; Latency counts from the packet's header cycle
}

// NewTarget generates the source of a configuration, with or without its taps.
func NewTarget(c *config.INT, taps bool) (*Target, error) {
	s, err := rtl.Build(c)
	if err != nil {
		return nil, err
	}
	t := &Target{
		Config: c, Timing: s.Timing,
		Design: engine.Design{Top: s.Top, Taps: taps, Name: c.Name, Config: c.Hash},
	}
	if c.AsyncReset {
		t.Design.Reset = vgen.AsyncLow
	}
	layout := vgen.NewLayout(s.Top, taps)
	if taps {
		t.Taps = vgen.Taps(s.Top)
	}
	if t.Binding, err = transit.Bind(SizesOf(c), &layout); err == nil {
		t.Binding.Noise = true
	}
	return t, err
}

// SizesOf are those of an int_source: its ports are those of a csig_switch.
func SizesOf(c *config.INT) transit.Sizes {
	return transit.Sizes{Ports: c.Ports, DataBits: c.DataBits, TimeBits: c.TimeBits, QlenBits: c.QlenBits}
}

// Window is Window of docs/int.md: the number of bytes of a packet on which the walk depends.
func Window(c *config.INT) int {
	switch c.Format {
	case config.INTIFA:
		return 158
	case config.INTMD:
		return 114
	case config.INTIOAM:
		return 330
	}
	return 100 + telemetry.HPCCHopLen*c.MaxHops
}
