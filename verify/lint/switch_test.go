package lint

import (
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/verify/lint/sample"
)

// Damaged files of the switch designs: no panic, and no Verilog from an invalid one.
func TestDamagedSwitchFiles(t *testing.T) {
	n := 4000
	if testing.Short() {
		n = 200
	}
	seed := seedOf(t)
	var bases []string
	for _, p := range config.Presets() {
		if d, err := config.LoadDesign(p.Name); assert.NoError(t, err) && d.DesignKind() == config.KindNIC {
			continue
		}
		text, err := config.PresetYAML(p.Name)
		require.NoError(t, err)
		bases = append(bases, string(text))
	}
	for _, d := range append(draw(config.KindCSIG, seed, 20), draw(config.KindINT, seed, 20)...) {
		bases = append(bases, d.yaml)
	}
	var valid atomic.Int64
	var built sync.Map
	var wait sync.WaitGroup
	work := make(chan int)
	for range runtime.GOMAXPROCS(0) {
		wait.Go(func() {
			for i := range work {
				r := rand.New(rand.NewPCG(seed, uint64(i)))
				text := sample.Damage(r, bases[r.IntN(len(bases))], bases[r.IntN(len(bases))])
				_, files, err := generateOnce(text, &built)
				if err == nil {
					valid.Add(1)
					continue
				}
				var problems config.Problems
				assert.ErrorAs(t, err, &problems, "file %d\n%s", i, text)
				assert.Empty(t, files, "file %d: Verilog from an invalid file\n%s", i, text)
			}
		})
	}
	for i := range n {
		work <- i
	}
	close(work)
	wait.Wait()
	t.Logf("%d files, %d of them valid", n, valid.Load())
	assert.Positive(t, valid.Load())
	assert.Less(t, valid.Load(), int64(n))
}
