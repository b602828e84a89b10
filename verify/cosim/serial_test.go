package cosim

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/config/configtest"
)

// Random engines with one lane: their plan (which stage uses a memory when) follows from the widths, the number of hops
// and the dividers. Of those that are kept as files two once wrote two words of a memory in one cycle, and one read a
// word in the cycle that wrote it.
func TestRandomSerialEngines(t *testing.T) {
	files, err := filepath.Glob("testdata/serial_*.yaml")
	require.NoError(t, err)
	require.Len(t, files, 3)
	designs := map[string]*config.NIC{}
	for _, name := range files {
		designs[filepath.Base(name)], err = config.Load(name)
		require.NoError(t, err)
	}
	n := uint64(6)
	if os.Getenv("HPCCGEN_LONG") != "" {
		n = 100
	}
	for seed := range n {
		d := configtest.With(config.KindNIC, seed, map[string]string{"hops.order": "serial", "flows": fmt.Sprint(3 + 5*seed)})
		designs[fmt.Sprint(seed)] = d.Design.(*config.NIC)
	}
	for name, c := range designs {
		require.True(t, c.Serial)
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			check(t, c, Options{Engine: "go", Cycles: 25_000, Seed: 7, NoShrink: true})
		})
	}
}
