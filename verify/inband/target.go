package inband

import (
	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/csig"
	"github.com/hdlpkg/hpccgen/model/inband"
	rtl "github.com/hdlpkg/hpccgen/rtlgen/inband"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
	"github.com/hdlpkg/hpccgen/verify/engine"
	"github.com/hdlpkg/hpccgen/verify/stimulus/transit"
)

// Target is a generated int_source as the verification sees it: what to run, its published timing, and where its ports lie.
type Target struct {
	Config  *config.INT
	Design  engine.Design
	Timing  inband.Timing
	Binding *transit.Binding
}

// NewTarget generates the source of a configuration.
func NewTarget(c *config.INT) (*Target, error) {
	s, err := rtl.Build(c)
	if err != nil {
		return nil, err
	}
	t := &Target{Config: c, Design: engine.Design{Top: s.Top, Name: c.Name, Config: c.Hash}, Timing: inband.Timing(s.Timing)}
	if c.AsyncReset {
		t.Design.Reset = vgen.AsyncLow
	}
	// The ports are those of a csig_switch with as many ports and these widths.
	layout := vgen.NewLayout(s.Top, false)
	t.Binding, err = transit.Bind(&config.CSIG{Ports: c.Ports, DataBits: c.DataBits, TimeBits: c.TimeBits, QlenBits: c.QlenBits}, &layout)
	return t, err
}

// inputs and outputs are as the binding knows them.
func inputs(in *inband.Inputs) *csig.Inputs {
	return &csig.Inputs{Rst: in.Rst, Valid: in.Valid, Beat: in.Beat, Meta: in.Meta, MReady: in.MReady, Bus: in.Bus}
}

func outputs(out *inband.Outputs) *csig.Outputs {
	return &csig.Outputs{Ready: out.Ready, Valid: out.Valid, Beat: out.Beat, EgressPort: out.EgressPort, Status: csig.Status(out.Status), Bus: out.Bus}
}
