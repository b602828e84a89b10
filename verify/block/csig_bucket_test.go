package block

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/csig"
	rtl "github.com/hdlpkg/hpccgen/rtlgen/csig/wide"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// bucketShapes are the architectures.
func bucketShapes(valueBits, codeBits int) []rtl.BucketShape {
	return []rtl.BucketShape{
		{ValueBits: valueBits, CodeBits: codeBits, Interval: 1},
		{ValueBits: valueBits, CodeBits: codeBits, Interval: 2},
		{ValueBits: valueBits, CodeBits: codeBits, Interval: 1, Search: true},
		{ValueBits: valueBits, CodeBits: codeBits, Interval: 2, Search: true},
	}
}

func TestBucketizerExhaustively(t *testing.T) {
	for _, e := range engines {
		t.Run(e, func(t *testing.T) {
			widths, cycles := [][2]int{{8, 1}, {5, 2}, {3, 3}, {1, 2}}, int64(500_000)
			if e == "go" || testing.Short() {
				widths, cycles = [][2]int{{5, 1}, {4, 2}, {2, 3}}, 60_000
			}
			var units []*Unit
			for _, w := range widths {
				for i, s := range bucketShapes(w[0], w[1]) {
					units = append(units, Bucketizer(fmt.Sprintf("bucket%d_%d_%d", i, w[0], w[1]), s, true))
				}
			}
			run(t, units, Options{Engine: e, Cycles: cycles, Seed: 1})
			for _, u := range units {
				assert.True(t, u.Finished(), "%s: not every table was tried", u.Name)
			}
		})
	}
}

func TestBucketizerAtItsBounds(t *testing.T) {
	for _, e := range engines {
		t.Run(e, func(t *testing.T) {
			var units []*Unit
			for _, w := range [][2]int{{32, 5}, {8, 3}, {32, 4}} {
				for i, s := range bucketShapes(w[0], w[1]) {
					units = append(units, Bucketizer(fmt.Sprintf("bounds%d_%d_%d", i, w[0], w[1]), s, false))
				}
			}
			cycles := int64(200_000)
			if e == "go" || testing.Short() {
				cycles = 20_000
			}
			run(t, units, Options{Engine: e, Cycles: cycles, Seed: 3})
		})
	}
}

// The coders of designs are those tested here: for every width of the stream and both bucketizers the Verilog is that
// of a shape above.
func TestCodersOfDesigns(t *testing.T) {
	text := func(m *vgen.Module, name string) string {
		files, err := vgen.Emit(m, vgen.EmitOptions{})
		require.NoError(t, err)
		for _, f := range files {
			if f.Name == name+".v" {
				return string(f.Text)
			}
		}
		return ""
	}
	tested := map[string]bool{}
	for _, s := range bucketShapes(32, 5) {
		tested[text(rtl.Bucketizer("csig_bucketizer", s), "csig_bucketizer")] = true
	}
	for _, interval := range quantizerIntervals {
		tested[text(rtl.Quantizer("csig_quantizer", 32, 20, interval), "csig_quantizer")] = true
	}
	for _, width := range []int{64, 128, 256, 512} {
		for _, kind := range []string{"parallel", "search"} {
			design := fmt.Sprintf("design: csig\nmodule_prefix: none\nports: 2\nstream_bits: %d\nbucketizer: %s\n", width, kind)
			d, err := config.ParseDesign("switch.yaml", []byte(design))
			require.NoError(t, err)
			s, err := csig.Build(d.(*config.CSIG))
			require.NoError(t, err)
			for _, name := range []string{"csig_bucketizer", "csig_quantizer"} {
				assert.True(t, tested[text(s.Top, name)], "%s of %d bits, %s, is not among those tested", name, width, kind)
			}
		}
	}
}
