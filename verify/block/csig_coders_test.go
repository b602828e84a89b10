package block_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	rtl "github.com/hdlpkg/hpccgen/rtlgen/csig/wide"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
	"github.com/hdlpkg/hpccgen/verify/block"
	"github.com/hdlpkg/hpccgen/verify/engine"
)

// A value that is equal to a bound, and one next to it, are coded right by every architecture of the coders: a fault in
// their comparisons is noticed in each.
func TestCoderFaults(t *testing.T) {
	bucketizer := func(search bool, interval int) func() *block.Unit {
		s := rtl.BucketShape{ValueBits: 32, CodeBits: 5, Search: search, Interval: interval}
		return func() *block.Unit { return block.Bucketizer("coder", s, false) }
	}
	quantizer := func(interval int) func() *block.Unit {
		return func() *block.Unit { return block.Quantizer("coder", 32, 20, interval, false) }
	}
	for _, f := range []struct {
		name, at string
		unit     func() *block.Unit
		change   vgen.Change
	}{
		{"all at once, an even bound", "value_less_bound6", bucketizer(false, 1), vgen.Off(-1)},
		{"all at once, an odd bound", "bound7_less_value", bucketizer(false, 1), vgen.Off(1)},
		{"all at once, apart", "reached7_s*", bucketizer(false, 2), vgen.Operator(vgen.Signal.Gt)},
		{"search", "value_less_bound0", bucketizer(true, 1), vgen.Off(-1)},
		{"search, last level", "value_less_bound4", bucketizer(true, 1), vgen.Off(-1)},
		{"search, apart", "value_less_bound0", bucketizer(true, 2), vgen.Off(-1)},
		{"quantizer, a distance of one step", "trial_u0", quantizer(1), vgen.Off(-1)},
		{"quantizer, a code below the largest one", "top_less_step", quantizer(1), vgen.Off(2)},
		{"quantizer of two cycles, a distance of one step", "trial_u9", quantizer(2), vgen.Off(-1)},
		{"quantizer of two cycles, a code below the largest one", "top_less_step", quantizer(2), vgen.Off(2)},
		{"quantizer of three cycles, a distance of one step", "trial_u6", quantizer(3), vgen.Off(-1)},
		{"quantizer of three cycles, a code below the largest one", "top_less_step", quantizer(3), vgen.Off(2)},
	} {
		t.Run(f.name, func(t *testing.T) {
			open := engine.Faulty([]vgen.Fault{fault(f.name, "coder", f.at, f.change)}, 1)
			err := block.Run([]*block.Unit{f.unit()}, block.Options{Engine: "icarus", Cycles: 20_000, Seed: 3, Open: open})
			skipWithout(t, err)
			var mismatch *block.Mismatch
			require.ErrorAs(t, err, &mismatch)
			assert.Equal(t, "m_code", mismatch.Port)
		})
	}
}
