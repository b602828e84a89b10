package lint

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/config/configtest"
	"github.com/hdlpkg/hpccgen/verify/lint/sample"
)

// switchGrid is every width of the stream with every set of tag sizes, both splits, all methods and both bucketizers in turn.
func switchGrid(t *testing.T) (list []source) {
	methods := []string{"raw", "ewma", "dre"}
	sizes := []string{"compact: 0x88b5, expanded: none", "compact: none, expanded: 0x88b6", "compact: 0x88b5, expanded: 0x88b6"}
	for i, bits := range []int{64, 128, 256, 512} {
		for j, size := range sizes {
			for k, split := range []string{"ietf", "uec"} {
				n := len(list)
				name := fmt.Sprintf("grid_%d_%d_%s", bits, j, split)
				list = append(list, source{name, strings.Join([]string{
					"design: csig", "name: " + name, fmt.Sprintf("stream_bits: %d", bits), fmt.Sprintf("ports: %d", []int{1, 3, 4, 16}[(i+j+k)%4]),
					fmt.Sprintf("tags: {split: %s, %s, vlan: %s, decrypted: %t}", split, size, []string{"[0x8100]", "[0x8100, 0x88a8, 0x9100]"}[(i+k)%2], j == 1),
					fmt.Sprintf("bandwidth: {method: %s}", methods[n%3]), fmt.Sprintf("bucketizer: %s", []string{"parallel", "search"}[(i+j)%2]),
					fmt.Sprintf("reset: %s", []string{"sync", "async_low"}[(n/2)%2]),
				}, "\n") + "\n"})
			}
		}
	}
	for i, method := range methods {
		name := "grid_folded_" + method
		list = append(list, source{name, strings.Join([]string{
			"design: csig", "name: " + name, "stream_bits: 64", "pipeline: folded", fmt.Sprintf("ports: %d", []int{1, 4, 16}[i]), "tags: {split: " + []string{"ietf", "uec", "ietf"}[i] + ", expanded: none}",
			fmt.Sprintf("bandwidth: {method: %s}", method), "bucketizer: search", fmt.Sprintf("reset: %s", []string{"sync", "async_low"}[i%2]),
		}, "\n") + "\n"})
	}
	return list
}

func TestSwitchGridIsClean(t *testing.T) {
	list := switchGrid(t)
	if testing.Short() {
		list = list[:2]
	}
	lintAll(t, list)
}

func TestRandomSwitchesAreClean(t *testing.T) {
	seed := seedOf(t)
	var list []source
	for i := range designs(50, 5, 2) {
		for _, d := range []config.Design{configtest.RandomCSIG(seed + i), configtest.RandomINT(seed + i)} {
			list = append(list, source{fmt.Sprintf("%s %d", d.DesignKind(), seed+i), string(d.Canonical())})
		}
	}
	lintAll(t, list)
}

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
	for i := range uint64(20) {
		bases = append(bases, string(configtest.RandomCSIG(seed+i).Canonical()), string(configtest.RandomINT(seed+i).Canonical()))
	}
	var valid atomic.Int64
	var built sync.Map
	var wait sync.WaitGroup
	work := make(chan int)
	for range runtime.GOMAXPROCS(0) {
		wait.Go(func() {
			for i := range work {
				r := rand.New(rand.NewPCG(seed, uint64(i)))
				text := sample.Damage(r, bases[r.IntN(len(bases))])
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
