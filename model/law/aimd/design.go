package aimd

import (
	"cmp"
	"fmt"
	"math/bits"

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

// New makes a model of cfg after reset. The error is NewDesign's.
func New(cfg *config.AIMD) (*Model, error) {
	d, err := NewDesign(cfg)
	if err != nil {
		return nil, err
	}
	return engine.New(&cfg.Engine, d)
}

// NewClocked makes the engine as if the cycle before had reset asserted. The errors are NewDesign's, or name the timing
// that cannot be.
func NewClocked(cfg *config.AIMD, t engine.Timing) (*Clocked, error) {
	d, err := NewDesign(cfg)
	if err != nil {
		return nil, err
	}
	return engine.NewClocked(&cfg.Engine, d, t)
}

// NewDesign prepares cfg. The error names the first thing that it has wrong.
func NewDesign(cfg *config.AIMD) (*Design, error) {
	cut := cfg.Window.Frac + cfg.InvT.Frac - cfg.Rate.Frac
	if err := cmp.Or(
		engine.Within("profiles", cfg.Profiles, 1, 256),
		engine.Within("sequence bits", cfg.SeqBits, 2, 32),
		engine.Within("bits of W", cfg.Window.Width(), 1, 63),
		engine.Within("bits of InvT", cfg.InvT.Width(), 1, 64),
		engine.Within("bits of R", cfg.Rate.Width(), 1, 64),
		engine.Within("fraction bits of W and InvT over those of R", cut, 0, 128),
	); err != nil {
		return nil, err
	}
	if bits.OnesCount(uint(cfg.Profiles)) != 1 {
		return nil, fmt.Errorf("golden model: profiles: %d; must be a power of two", cfg.Profiles)
	}
	window := wide.Mask(cfg.Window.Width())
	return &Design{
		seqMask: uint32(wide.Mask(cfg.SeqBits)), halfSeq: 1 << (cfg.SeqBits - 1),
		windowMask: window, rateMax: wide.Mask(cfg.Rate.Width()),
		tableMask:   [tables]uint64{window, window, window, wide.Mask(cfg.InvT.Width())},
		profileMask: uint8(cfg.Profiles - 1), cutR: cut,
	}, nil
}
