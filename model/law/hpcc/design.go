package hpcc

import (
	"cmp"
	"fmt"
	"math/bits"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/fixed"
	"github.com/hdlpkg/hpccgen/model/divider"
	"github.com/hdlpkg/hpccgen/model/engine"
	"github.com/hdlpkg/hpccgen/model/wide"
)

// Design is a configuration made ready for computing: widths as masks, binary points as the number of
// bits that each product is cut by, and the two dividers. It is immutable and safe for concurrent use.
type Design struct {
	cfg *config.NIC

	maxHops      int
	commitByTime bool

	tsMask, txMask, seqMask, clockMask uint64
	qlenMask, linkMask, pathMask       uint32
	rateMask, stageMask                uint32
	profileMask                        uint32
	profileBits                        int
	halfTS, halfSeq                    uint64 // first difference that means "older"
	uMask, windowMask, rateMax         uint64

	cutU1     int // qmin * InvBT to U
	cutAlpha  int // tau * InvT to Alpha
	alphaFrac int
	cutW      int // Wc * quotient to Window
	cutR      int // W * InvT to Rate

	hopDiv  divider.Divide
	quotDiv divider.Divide
}

// NewDesign prepares cfg. A configuration from config.Load, Parse or Preset always succeeds; the error
// names the error in a hand-made one.
func NewDesign(cfg *config.NIC) (*Design, error) {
	f, t := cfg.Formats, cfg.Telemetry
	if err := check(cfg); err != nil {
		return nil, err
	}
	d := &Design{
		cfg:          cfg,
		maxHops:      cfg.MaxHops,
		commitByTime: cfg.CommitByTime,
		tsMask:       wide.Mask(t.TSBits),
		txMask:       wide.Mask(t.TxBits),
		seqMask:      wide.Mask(cfg.SeqBits),
		clockMask:    wide.Mask(cfg.ClockBits),
		qlenMask:     uint32(wide.Mask(t.QlenBits)),
		linkMask:     uint32(wide.Mask(t.LinkIDBits)),
		pathMask:     uint32(wide.Mask(t.PathIDBits)),
		rateMask:     uint32(wide.Mask(t.RateCodeBits)),
		stageMask:    uint32(wide.Mask(cfg.StageBits)),
		profileMask:  uint32(cfg.Profiles - 1),
		profileBits:  bits.Len(uint(cfg.Profiles - 1)),
		halfTS:       1 << (t.TSBits - 1),
		halfSeq:      1 << (cfg.SeqBits - 1),
		uMask:        wide.Mask(f.U.Width()),
		windowMask:   wide.Mask(f.Window.Width()),
		rateMax:      wide.Mask(f.Rate.Width()),
		cutU1:        f.InvBT.Frac - f.U.Frac,
		cutAlpha:     f.InvT.Frac - f.Alpha.Frac,
		alphaFrac:    f.Alpha.Frac,
		cutW:         f.Quot.Frac,
		cutR:         f.Window.Frac + f.InvT.Frac - f.Rate.Frac,
	}
	var err error
	if d.hopDiv, err = divider.New(cfg.HopDivider, t.TxBits+f.InvB.Width(), t.TSBits-1, f.U.Frac-f.InvB.Frac,
		f.U.Width()); err != nil {
		return nil, fmt.Errorf("golden model: hop divider: %w", err)
	}
	if d.quotDiv, err = divider.New(cfg.QuotientDivider, f.Eta.Width(), f.U.Width(), f.Quot.Frac,
		f.Quot.Width()); err != nil {
		return nil, fmt.Errorf("golden model: quotient divider: %w", err)
	}
	return d, nil
}

// Config is the configuration that the design was made from.
func (d *Design) Config() *config.NIC { return d.cfg }

// check holds the assumptions of the arithmetic below: operands of 64 bits, so that products have 128, and
// cuts that do not shift left out of them.
func check(c *config.NIC) error {
	f, t := c.Formats, c.Telemetry
	if err := cmp.Or(
		engine.Within("hops", c.MaxHops, 1, MaxHops),
		engine.Within("timestamp bits", t.TSBits, 2, 63),
		engine.Within("tx bits", t.TxBits, 1, 63),
		engine.Within("qlen bits", t.QlenBits, 1, 32),
		engine.Within("rate code bits", t.RateCodeBits, 1, 16),
		engine.Within("link_id bits", t.LinkIDBits, 0, 32),
		engine.Within("path_id bits", t.PathIDBits, 0, 32),
		engine.Within("sequence bits", c.SeqBits, 2, 32),
		engine.Within("clock bits", c.ClockBits, 60, 64),
		engine.Within("stage bits", c.StageBits, 1, 16),
		engine.Within("T bits", c.RTTBits, 1, 63),
		engine.Within("profiles", c.Profiles, 1, 1<<8),
		engine.Within("fraction bits of eta over those of U", f.Eta.Frac-f.U.Frac, 0, 0),
		engine.Within("fraction bits of U over those of InvB", f.U.Frac-f.InvB.Frac, 0, 64),
		engine.Within("fraction bits of InvBT over those of U", f.InvBT.Frac-f.U.Frac, 0, 128),
		engine.Within("fraction bits of InvT over those of Alpha", f.InvT.Frac-f.Alpha.Frac, 0, 128),
		engine.Within("fraction bits of W and InvT over those of R", f.Window.Frac+f.InvT.Frac-f.Rate.Frac, 0, 128),
		engine.Within("fraction bits of Alpha", f.Alpha.Frac, 1, 62),
		engine.Within("fraction bits of the quotient", f.Quot.Frac, 0, 63),
	); err != nil {
		return err
	}
	for _, w := range []struct {
		name string
		fixed.Format
	}{
		{"InvB", f.InvB}, {"InvBT", f.InvBT}, {"U", f.U}, {"InvT", f.InvT}, {"Alpha", f.Alpha}, {"Eta", f.Eta},
		{"Quot", f.Quot}, {"Window", f.Window}, {"Rate", f.Rate},
	} {
		if w.Width() < 1 || w.Width() > 64 {
			return fmt.Errorf("golden model: format %s is %s, %d bits wide; must be 1 to 64", w.name, w.Format, w.Width())
		}
	}
	if c.Profiles&(c.Profiles-1) != 0 {
		return fmt.Errorf("golden model: profiles: %d; must be a power of two", c.Profiles)
	}
	return nil
}
