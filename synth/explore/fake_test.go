package explore

import (
	"context"
	"fmt"
	"hash/fnv"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/output"
)

// fake is a Measurer without tools: the figures follow from the configuration, roughly as real ones do.
type fake struct {
	mu       sync.Mutex
	measured []string // hashes of configurations, in the order in which they came
	placed   []string // likewise
	tools    string
	routed   bool
	mhz      float64 // of every design; 0: made up
	// before is called before a design is measured; an error is that of the measurement.
	before func(ctx context.Context, n int, d *output.Design) error
}

func (f *fake) Identity() (Identity, error) {
	id := Identity{Part: "fake part", Tools: map[string]string{"fake": "fake " + f.tools}}
	if f.routed {
		id.ClockMHz = 200
	}
	return id, nil
}

func (f *fake) begin(ctx context.Context, d *output.Design) error {
	f.mu.Lock()
	f.measured = append(f.measured, d.Config.DesignHash())
	n := len(f.measured)
	f.mu.Unlock()
	if f.before != nil {
		return f.before(ctx, n, d)
	}
	return nil
}

func (f *fake) Place(ctx context.Context, d *output.Design, seed int, step func(string)) (Placement, error) {
	f.mu.Lock()
	f.placed = append(f.placed, d.Config.DesignHash())
	f.mu.Unlock()
	step("placing")
	c := d.Config.(*config.NIC)
	wobble := fnv.New32()
	fmt.Fprint(wobble, c.Hash, seed)
	p := Placement{Seed: seed, Seconds: 2, Path: "u_core.u_hop -> u_core.u_hop",
		FmaxMHz: 120 - float64(c.Formats.U.Width()) + float64(wobble.Sum32()%20)}
	if f.mhz != 0 {
		p.FmaxMHz = f.mhz
	}
	return p, nil
}

func (f *fake) Size(ctx context.Context, d *output.Design, step func(string)) (Size, error) {
	if err := f.begin(ctx, d); err != nil {
		return Size{}, err
	}
	step("packing")
	c := d.Config.(*config.NIC)
	lanes := c.MaxHops
	if c.Serial {
		lanes = 1
	}
	divider := func(d config.Divider) (lut, ff, dsp int) {
		w := c.Formats.U.Width()
		switch d.Kind {
		case config.RestoringSerial:
			return 3 * w, 4 * w, 0
		case config.RestoringPipelined:
			return w * w, 3 * w * w, 0
		case config.NewtonRaphson:
			return 8 * w, 20 * w, 6
		}
		return 5 * w, 9 * w, 3
	}
	hl, hf, hd := divider(c.HopDivider)
	ql, qf, qd := divider(c.QuotientDivider)
	m := Size{LUT: 1500 + lanes*(300+hl) + ql, FF: 2500 + lanes*(700+hf) + qf, RAM: 12, DSP: lanes*(4+hd) + qd + 6,
		Seconds: 1}
	m.Cells = max(m.LUT, m.FF)
	return m, nil
}

func load(t testing.TB, preset string) *config.NIC {
	t.Helper()
	c, err := config.Load(preset)
	require.NoError(t, err)
	return c
}

// space has points of all states, at a few milliseconds each.
func space(t testing.TB, preset string, precisions ...float64) Space {
	t.Helper()
	s := Space{Base: load(t, preset), Orders: []Order{Parallel, Serial}, Precisions: precisions}
	for _, text := range []string{"restoring_serial", "restoring_pipelined", "restoring_pipelined+restoring_serial",
		"newton_raphson", "reciprocal_table", "reciprocal_table:eps=0.0005"} {
		d, err := ParseDividers(text, s.Base)
		require.NoError(t, err)
		s.Dividers = append(s.Dividers, d)
	}
	return s
}
