package synth

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/engine"
	"github.com/hdlpkg/hpccgen/rtlgen/law"
	"github.com/hdlpkg/hpccgen/rtlgen/output"
)

// dividerChoice is an engine with a choice of dividers, and its figures of merit.
type dividerChoice struct {
	cfg    *config.NIC
	timing engine.Timing
}

func chooseDividers(t *testing.T, order, dividers string) dividerChoice {
	t.Helper()
	cfg, err := config.Parse("f.yaml", fmt.Appendf(nil,
		"design: nic\nhops: {max: 2, order: %s}\nflows: 16\nprecision: {max_error: 0.05}\n%s", order, dividers))
	require.NoError(t, err)
	e, err := law.Build(cfg)
	require.NoError(t, err)
	return dividerChoice{cfg, e.Timing}
}

// asGood reports whether a choice is as fast as another, and as exact.
func (c dividerChoice) asGood(than dividerChoice) bool {
	a, b := c.timing, than.timing
	return a.Interval <= b.Interval && a.Latency <= b.Latency && a.Hazard <= b.Hazard &&
		c.cfg.HopDivider.RelBound() <= than.cfg.HopDivider.RelBound() &&
		c.cfg.QuotientDivider.RelBound() <= than.cfg.QuotientDivider.RelBound()
}

// cells are the logic cells of the two dividers, each of a LUT and a flip-flop; with a lane a hop there are as many
// of the first.
func (c dividerChoice) cells(t *testing.T) int {
	t.Helper()
	d, err := output.Build(c.cfg)
	require.NoError(t, err)
	lanes := c.cfg.MaxHops
	if c.cfg.Serial {
		lanes = 1
	}
	sum := 0
	for name, times := range map[string]int{"hop_divider": lanes, "quotient_divider": 1} {
		m, err := ModuleOf(d, c.cfg.Prefix+name)
		require.NoError(t, err)
		rep, err := Measure(context.Background(), m, Options{Part: HX8K, Until: StageNetlist})
		require.NoError(t, err)
		sum += times * max(rep.Cells.LUT.Used, rep.Cells.FF.Used)
	}
	return sum
}

// For each order no other kinds of dividers take fewer cells at the same interval, latency and error.
func TestDefaultDividersAreNotDominated(t *testing.T) {
	needs(t, ICE40)
	kinds := []config.DividerKind{
		config.RestoringSerial, config.RestoringPipelined, config.ReciprocalTable, config.NewtonRaphson,
	}
	for order, compared := range map[string]int{"serial": 1, "parallel": 0} {
		base := chooseDividers(t, order, "")
		n := 0
		for _, hop := range kinds {
			for _, quotient := range kinds {
				if hop == base.cfg.HopDivider.Kind && quotient == base.cfg.QuotientDivider.Kind {
					continue
				}
				dividers := fmt.Sprintf("dividers: {hop: {kind: %s}, quotient: {kind: %s}}\n", hop, quotient)
				other := chooseDividers(t, order, dividers)
				if !other.asGood(base) {
					continue
				}
				n++
				assert.LessOrEqual(t, base.cells(t), other.cells(t),
					"%s order: %s and %s are as good as the default", order, hop, quotient)
			}
		}
		assert.Equal(t, compared, n, "%s order: choices as good as the default", order)
	}
}
