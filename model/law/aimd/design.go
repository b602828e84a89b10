package aimd

import (
	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/engine"
	"github.com/hdlpkg/hpccgen/model/wide"
)

// Design is the law for a configuration. It is immutable and safe for concurrent use.
type Design struct {
	seqMask, halfSeq    uint32
	windowMask, rateMax uint64
	tableMask           [tables]uint64
	profileMask         uint8
	cutR                int // W * InvT to Rate
}

var _ engine.Law[Event, Context, Write, Data, Decision, Tables, Taps] = (*Design)(nil)

// The engine over this law.
type (
	Inputs  = engine.Inputs[Event, Write]
	Outputs = engine.Outputs[Data, Decision]
	Model   = engine.Model[Event, Context, Write, Data, Decision, Tables, Taps]
	Clocked = engine.Clocked[Event, Context, Write, Data, Decision, Tables, Taps]
)

// NewDesign prepares a configuration.
func NewDesign(cfg *config.AIMD) *Design {
	window := wide.Mask(cfg.Window.Width())
	return &Design{
		seqMask: uint32(wide.Mask(cfg.SeqBits)), halfSeq: 1 << (cfg.SeqBits - 1),
		windowMask: window, rateMax: wide.Mask(cfg.Rate.Width()),
		tableMask:   [tables]uint64{window, window, window, wide.Mask(cfg.InvT.Width())},
		profileMask: uint8(cfg.Profiles - 1), cutR: cfg.Window.Frac + cfg.InvT.Frac - cfg.Rate.Frac,
	}
}
