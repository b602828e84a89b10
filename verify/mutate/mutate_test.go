package mutate

import (
	"errors"
	"flag"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/verify/block"
	"github.com/hdlpkg/hpccgen/verify/cosim"
	"github.com/hdlpkg/hpccgen/verify/engine"
	"github.com/hdlpkg/hpccgen/verify/stimulus"
)

// The full run is go test ./verify/mutate -run TestMutants -mutants 200 -v -timeout 2h; it takes about half
// an hour on two cores.
var (
	mutants = flag.Int("mutants", 24, "mutants of each design")
	seed    = flag.Uint64("mutant-seed", 1, "choice of the mutants")
	limit   = flag.Duration("proof-time", 40*time.Second, "time to prove that a mutant changes nothing")
)

// subject is a design with its comparison, for a time that is a multiple of the usual.
type subject struct {
	Subject
	judge func(times int64) Judge
	holes int // of a hundred mutants, so many may be neither caught nor proven to change nothing
}

// dividers are the kinds, in the shape of a hop divider.
var dividers = []config.Divider{
	{Kind: config.RestoringSerial},
	{Kind: config.RestoringPipelined},
	{Kind: config.ReciprocalTable, Eps: 0.004, IndexBits: 11, EntryBits: 15},
	{Kind: config.NewtonRaphson, TableBits: 5, SeedBits: 8, Iterations: 2, RecipBits: 20},
}

func dividerSubject(t *testing.T, kind config.Divider) subject {
	d := block.DividerCase{Name: "divider", Config: kind, Shape: lib.DividerShape{NumBits: 20, DenBits: 16, QuotBits: 18, Shift: 6}, Limb: 18}
	units := func() ([]*block.Unit, error) {
		u, err := d.Unit(false)
		return []*block.Unit{u}, err
	}
	all, err := units()
	require.NoError(t, err)
	operations := int64(20_000)
	cycles := operations * int64(all[0].Module.Interval())
	return subject{
		Subject: Subject{Name: string(kind.Kind), Top: block.Bench(all), Scope: "u0"},
		judge: func(times int64) Judge {
			return func(open Opener) (string, error) {
				all, err := units()
				if err != nil {
					return "", err
				}
				err = block.Run(all, block.Options{Engine: "verilator", Cycles: times * cycles, Seed: 7, Resets: true, Open: open})
				var mismatch *block.Mismatch
				if errors.As(err, &mismatch) {
					return mismatch.Error(), nil
				}
				return "", err
			}
		},
		holes: 1,
	}
}

// small is an engine with everything that the larger ones have.
const small = `
design: nic
name: nic_small
hops: {max: 2}
flows: 6
profiles: 2
telemetry: {timestamp_bits: 16, tick: 1ns, tx_bits: 12, tx_unit: 128B, qlen_bits: 10, qlen_unit: 80B, rate_code_bits: 2, link_id_bits: 2, path_id_bits: 4}
sequence_bits: 24
clock_bits: 20
stage_bits: 3
counter_bits: 8
rates: [25G, 100G]
base_rtt: {min: 2us, max: 8us}
precision: {max_error: 1e-2}
`

func coreSubject(t *testing.T) subject {
	cfg, err := config.Parse("small.yaml", []byte(small))
	require.NoError(t, err)
	target, err := stimulus.NewTarget(cfg, true)
	require.NoError(t, err)
	return subject{
		Subject: Subject{Name: "hpcc_core", Top: target.Design.Top, Taps: true, Scope: "u_core"},
		judge: func(times int64) Judge {
			return func(open Opener) (string, error) {
				rep, err := cosim.Run(cfg, cosim.Options{Engine: "verilator", Cycles: 60_000 * times, Seed: 5, NoShrink: true, Open: open})
				if err != nil || rep.Mismatches == 0 {
					return "", err
				}
				return rep.Divergence.Path, nil
			}
		},
		holes: 5,
	}
}

// needTools skips a test without yosys or Verilator; in CI that is a failure.
func needTools(t *testing.T) {
	for _, s := range engine.Tools() {
		switch s.Name {
		case "yosys", "verilator", "g++":
			if !s.Found {
				if os.Getenv("CI") == "true" {
					t.Fatalf("%s is missing: %s", s.Name, s.Install)
				}
				t.Skipf("skipped: %s is missing: %s", s.Name, s.Install)
			}
		}
	}
}

// Mutants of every divider and of hpcc_core are caught by the comparisons that the project relies on, or do not change
// anything; those that are neither are printed, and must be few.
func TestMutants(t *testing.T) {
	needTools(t)
	for _, kind := range dividers {
		t.Run(string(kind.Kind), func(t *testing.T) { hunt(t, dividerSubject(t, kind)) })
	}
	t.Run("hpcc_core", func(t *testing.T) { hunt(t, coreSubject(t)) })
}

func hunt(t *testing.T, s subject) {
	begin := time.Now()
	m, err := New(s.Subject, *mutants, *seed)
	require.NoError(t, err)
	require.Len(t, m.List, *mutants)
	tally, err := m.Run(s.judge(1), nil)
	require.NoError(t, err)
	full := *mutants >= 100
	if full || s.Name != "hpcc_core" {
		require.NoError(t, m.Explain(&tally, s.judge(20), *limit))
	}
	t.Logf("%v\n%v", tally, time.Since(begin).Round(time.Second))
	total, caught, proven := tally.Counts()
	if full {
		assert.LessOrEqual(t, (total-caught-proven)*100, s.holes*total, "too many mutants are neither caught nor proven to change nothing")
	}
	// Bits that are constant or not used are many: their mutants cannot be seen.
	assert.GreaterOrEqual(t, caught*100, 70*total, "too few mutants are caught")
}
