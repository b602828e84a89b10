package block

import (
	"errors"
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/internal/toolchain"
	"github.com/hdlpkg/hpccgen/rtlgen/csig/block"
	"github.com/hdlpkg/hpccgen/rtlgen/csig/meter"
	rtl "github.com/hdlpkg/hpccgen/rtlgen/csig/wide"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
	"github.com/hdlpkg/hpccgen/verify/lint"
)

// The Verilog of meters and coders is silent in all linters, with both styles of reset.
func TestCSIGBlocksAreLintClean(t *testing.T) {
	var modules []*vgen.Module
	for i, c := range meters() {
		modules = append(modules, meter.New(fmt.Sprintf("meter%d", i), block.NewShape(&c)))
	}
	for i, s := range bucketShapes(32, 5) {
		modules = append(modules, rtl.Bucketizer(fmt.Sprintf("bucketizer%d", i), s))
	}
	for i, s := range bucketShapes(1, 1) {
		modules = append(modules, rtl.Bucketizer(fmt.Sprintf("least%d", i), s))
	}
	modules = append(modules, rtl.Quantizer("quantizer", 32, 20, 1), rtl.Quantizer("quantizer_2_1", 2, 1, 1),
		rtl.Quantizer("quantizer_apart", 32, 20, 3))
	for i, m := range modules {
		style := vgen.SyncHigh
		if i%2 == 1 {
			style = vgen.AsyncLow
		}
		files, err := vgen.Emit(m, vgen.EmitOptions{Reset: style})
		require.NoError(t, err)
		messages, err := lint.Check(m.Name(), files)
		var missing toolchain.Missing
		if errors.As(err, &missing) && os.Getenv("CI") != "true" {
			t.Skipf("skipped: %v", err)
		}
		require.NoError(t, err)
		assert.Empty(t, messages, m.Name())
	}
}
