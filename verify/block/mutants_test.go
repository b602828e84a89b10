package block_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/csig"
	"github.com/hdlpkg/hpccgen/verify/block"
	"github.com/hdlpkg/hpccgen/verify/mutate"
)

// csigCases are the meters and coders of the CSIG switch, against their references for so many cycles.
func csigCases(cycles int64) []mutate.Case {
	meter := func(method config.CSIGMethod, data, frac, shift1, shift2 int) func() *block.Unit {
		return func() *block.Unit {
			return block.Meter("meter", config.CSIG{Method: method, Ports: 5, DataBits: data, Deep: data > 64, TimeBits: 40,
				ByteBits: 24, FracBits: frac,
				TimeShift: shift1, GapShift: shift2, TickShift: shift1, DecayShift: shift2})
		}
	}
	bucketizer := func(search bool, interval int) func() *block.Unit {
		return func() *block.Unit {
			return block.Bucketizer("bucketizer", csig.BucketShape{ValueBits: 12, CodeBits: 3, Search: search,
				Interval: interval}, false)
		}
	}
	return []mutate.Case{
		mutate.BlockCase("csig_meter_raw", cycles, true, meter(config.CSIGRaw, 64, 0, 0, 0)),
		mutate.BlockCase("csig_meter_ewma", cycles, true, meter(config.CSIGEWMA, 64, 2, 14, 6)),
		mutate.BlockCase("csig_meter_dre", cycles, true, meter(config.CSIGDRE, 512, 2, 10, 2)),
		mutate.BlockCase("csig_bucketizer", cycles, false, bucketizer(false, 1)),
		mutate.BlockCase("csig_bucketizer_apart", cycles, false, bucketizer(false, 2)),
		mutate.BlockCase("csig_bucketizer_search", cycles, false, bucketizer(true, 1)),
		mutate.BlockCase("csig_bucketizer_shared", cycles, false, bucketizer(true, 2)),
		mutate.BlockCase("csig_quantizer", cycles, true,
			func() *block.Unit { return block.Quantizer("quantizer", 32, 20, 3, false) }),
	}
}

// Mutants of the meters and coders of the CSIG switch are caught by the comparisons with their references, or proven
// equivalent.
func TestMutantsOfCSIGBlocks(t *testing.T) {
	for _, c := range csigCases(60_000) {
		t.Run(c.Subject.Name, func(t *testing.T) {
			m, err := mutate.New(c.Subject, 24, 1)
			skipWithout(t, err)
			require.NoError(t, err)
			require.Equal(t, 24, len(m.List)+m.Impossible)
			tally, err := m.Run(c.Judge, nil)
			skipWithout(t, err)
			require.NoError(t, err)
			if c.Subject.Name != "csig_meter_ewma" && c.Subject.Name != "csig_meter_dre" { // their gates take long to make
				require.NoError(t, m.Explain(&tally, c.Longer, 10*time.Second))
			}
			t.Log(tally)
			total, caught, _ := tally.Counts()
			// Many bits are constant or unused: their mutants cannot be detected.
			assert.GreaterOrEqual(t, caught*100, 70*total, "too few mutants are caught")
		})
	}
}
