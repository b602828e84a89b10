package lint

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
	"github.com/hdlpkg/hpccgen/verify/lint/sample"
)

// The whole way from a file to Verilog, for ten thousand files, most of them damaged: it never panics; a rejected file
// yields Problems and no Verilog; an accepted one builds; and a value that a simple check of the keys' ranges finds
// illegal is rejected.
func TestTenThousandFiles(t *testing.T) {
	n := 10_000
	if testing.Short() {
		n = 500
	}
	seed := seedOf(t)
	var bases []string
	for _, p := range config.PresetsOf(config.KindNIC) {
		text, err := config.PresetYAML(p.Name)
		require.NoError(t, err)
		bases = append(bases, string(text))
	}
	drawn := draw(config.KindNIC, seed, 40)
	var valid, designs, illegal atomic.Int64
	var built sync.Map
	work := make(chan int)
	var wait sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wait.Go(func() {
			for i := range work {
				text := file(seed, i, bases, drawn)
				c, files, err := generateOnce(text, &built)
				bad := outOfRange(text)
				switch {
				case err != nil:
					var problems config.Problems
					if !assert.ErrorAs(t, err, &problems, "file %d: the user is to blame, or the generator is wrong\n%s", i, text) {
						continue
					}
					assert.Empty(t, files, "file %d: Verilog from an invalid file\n%s", i, text)
				default:
					valid.Add(1)
					if files != nil {
						designs.Add(1)
					}
					assert.Empty(t, bad, "file %d (%s) is accepted\n%s", i, c.DesignHash(), text)
				}
				if bad != "" {
					illegal.Add(1)
				}
			}
		})
	}
	for i := range n {
		work <- i
	}
	close(work)
	wait.Wait()
	t.Logf("%d files: %d valid, %d different designs built; %d found illegal by their ranges alone", n, valid.Load(),
		designs.Load(), illegal.Load())
	assert.Positive(t, valid.Load())
	assert.Less(t, valid.Load(), int64(n))
	assert.Greater(t, illegal.Load(), int64(n/20))
}

// file is the i-th file of a seed.
func file(seed uint64, i int, presets []string, drawn []source) string {
	r := rand.New(rand.NewPCG(seed, uint64(i)))
	text, other := presets[r.IntN(len(presets))], drawn[r.IntN(len(drawn))].yaml
	if r.IntN(2) == 0 {
		text = drawn[r.IntN(len(drawn))].yaml
	}
	if i%50 != 0 { // one in fifty is left as drawn
		text = sample.Damage(r, text, other)
	}
	return text
}

// generateOnce runs the whole path, without building a design twice. A panic becomes an error.
func generateOnce(text string, built *sync.Map) (c config.Design, files []vgen.File, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	c, err = config.ParseDesign("f.yaml", []byte(text))
	if err != nil {
		_, files, again := Generate("f.yaml", []byte(text))
		if again == nil {
			return nil, files, errors.New("refused, and accepted the second time")
		}
		return nil, files, err
	}
	if _, seen := built.LoadOrStore(sha256.Sum256(c.Canonical()), true); seen {
		return c, nil, nil
	}
	_, files, err = Emit(c)
	return c, files, err
}

// outOfRange reads a file with a plain YAML decoder and names a value that no design can have; "" if there is none, or
// if the file cannot be decoded that way.
func outOfRange(text string) string {
	var doc struct {
		Design string
		Hops   struct {
			Max *int
		}
		Flows, Profiles *int
		Telemetry       struct {
			Timestamp *int `yaml:"timestamp_bits"`
			Tx        *int `yaml:"tx_bits"`
			Qlen      *int `yaml:"qlen_bits"`
			Code      *int `yaml:"rate_code_bits"`
			Link      *int `yaml:"link_id_bits"`
			Path      *int `yaml:"path_id_bits"`
		}
		Sequence   *int `yaml:"sequence_bits"`
		Clock      *int `yaml:"clock_bits"`
		Stage      *int `yaml:"stage_bits"`
		Counter    *int `yaml:"counter_bits"`
		Generation *int `yaml:"generation_bits"`
		Tag        *int `yaml:"tag_bits"`
	}
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
		return ""
	}
	if doc.Design != "nic" {
		return "design"
	}
	for _, r := range []struct {
		name      string
		v         *int
		low, high int
	}{
		{"hops.max", doc.Hops.Max, 1, 8}, {"flows", doc.Flows, 2, 65536}, {"profiles", doc.Profiles, 1, 16},
		{"timestamp_bits", doc.Telemetry.Timestamp, 8, 48}, {"tx_bits", doc.Telemetry.Tx, 8, 48},
		{"qlen_bits", doc.Telemetry.Qlen, 4, 32},
		{"rate_code_bits", doc.Telemetry.Code, 1, 6}, {"link_id_bits", doc.Telemetry.Link, 0, 32},
		{"path_id_bits", doc.Telemetry.Path, 0, 32},
		{"sequence_bits", doc.Sequence, 24, 32}, {"clock_bits", doc.Clock, 60, 64}, {"stage_bits", doc.Stage, 1, 8},
		{"counter_bits", doc.Counter, 8, 64},
		{"generation_bits", doc.Generation, 0, 8}, {"tag_bits", doc.Tag, 0, 64},
	} {
		if r.v != nil && (*r.v < r.low || *r.v > r.high) {
			return r.name
		}
	}
	if p := doc.Profiles; p != nil && bits.OnesCount(uint(*p)) != 1 {
		return "profiles"
	}
	return ""
}

// The simple check finds illegal values, and nothing else.
func TestPlainReading(t *testing.T) {
	assert.Equal(t, "design", outOfRange("flows: 3\n"))
	assert.Equal(t, "flows", outOfRange("design: nic\nflows: 1\n"))
	assert.Equal(t, "profiles", outOfRange("design: nic\nprofiles: 3\n"))
	assert.Equal(t, "clock_bits", outOfRange("design: nic\nclock_bits: 59\n"))
	for _, s := range draw(config.KindNIC, 1, 50) {
		assert.Empty(t, outOfRange(s.yaml), s.yaml)
	}
}
