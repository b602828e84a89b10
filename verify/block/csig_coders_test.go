package block_test

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	rtl "github.com/hdlpkg/hpccgen/rtlgen/csig/wide"
	"github.com/hdlpkg/hpccgen/verify/block"
	"github.com/hdlpkg/hpccgen/verify/cosim"
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
		name             string
		unit             func() *block.Unit
		pattern, replace string
	}{
		{"all at once, an even bound", bucketizer(false, 1), `\{2'd0, (value_s1)\} - \{1'b0, (bound6_s1)\}`,
			`{2'd0, $1} - {1'b0, $2} - 34'd1`},
		{"all at once, an odd bound", bucketizer(false, 1), `(bound7_s1)\} \+ \{2'd1, (value_n_s1)\}`,
			`$1} + {2'd1, $2} + 34'd1`},
		{"all at once, apart", bucketizer(false, 2), `(value_s1\}) >= (bound7_s1)`, `$1 > $2`},
		{"search", bucketizer(true, 1), `(value_s2, )1'b1(\} \+ \{1'b0, bound0_s2, 1'b1)`, `${1}1'b0$2`},
		{"search, last level", bucketizer(true, 1), `(value_s14, )1'b1(\} \+ \{1'b0, bound4_s14, 1'b1)`, `${1}1'b0$2`},
		{"search, apart", bucketizer(true, 2), `(value0, )1'b1(\} \+ \{1'b0, bound0, 1'b1)`, `${1}1'b0$2`},
		{"quantizer, a distance of one step", quantizer(1), `(part_u0, )1'b1`, `${1}1'b0`},
		{"quantizer, a code below the largest one", quantizer(1), `(\{1'b0, step_n_s1\[11:0\], 1'b1\})`, `$1 + 14'd2`},
		{"quantizer of two cycles, a distance of one step", quantizer(2), `(part_u9, )1'b1`, `${1}1'b0`},
		{"quantizer of two cycles, a code below the largest one", quantizer(2), `(\{1'b0, step_n_s1\[11:0\], 1'b1\})`,
			`$1 + 14'd2`},
		{"quantizer of three cycles, a distance of one step", quantizer(3), `(part_u6, )1'b1`, `${1}1'b0`},
		{"quantizer of three cycles, a code below the largest one", quantizer(3), `(\{1'b0, step_n_s1\[11:0\], 1'b1\})`,
			`$1 + 14'd2`},
	} {
		t.Run(f.name, func(t *testing.T) {
			m := cosim.Mutation{Name: f.name, Module: "coder", Pattern: regexp.MustCompile(f.pattern), Replace: f.replace}
			err := block.Run([]*block.Unit{f.unit()}, block.Options{Engine: "icarus", Cycles: 20_000, Seed: 3, Open: m.Open})
			skipWithout(t, err)
			var mismatch *block.Mismatch
			require.ErrorAs(t, err, &mismatch)
			assert.Equal(t, "m_code", mismatch.Port)
		})
	}
}
