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

// Compose is the context write of fields in the order of the register map.
func (d *Design) Compose(flow uint32, mask uint8, f []uint64) Write {
	return Write{Flow: flow, Mask: mask, Profile: uint8(f[0]), W: f[1], Seq: uint32(f[2]), Generation: uint8(f[3])}
}

// Fields are those of a context read in the order of the register map.
func (d *Design) Fields(c *Data) []uint64 {
	return []uint64{wide.Bit(c.Open), wide.Bit(c.Started), wide.Bit(c.Marked), uint64(c.Profile), c.W, uint64(c.Seq),
		uint64(c.Generation)}
}
