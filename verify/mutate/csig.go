package mutate

import (
	"errors"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/csig"
	"github.com/hdlpkg/hpccgen/verify/block"
)

// CSIGCases are the meters and coders of the CSIG switch, against their references for so many cycles.
func CSIGCases(cycles int64) []Case {
	meter := func(method config.CSIGMethod, data, frac, shift1, shift2 int) func() *block.Unit {
		return func() *block.Unit {
			return block.Meter("meter", config.CSIG{Method: method, Ports: 5, DataBits: data, TimeBits: 40, ByteBits: 24, FracBits: frac, RecipBits: 18,
				TimeShift: shift1, GapShift: shift2, TickShift: shift1, DecayShift: shift2})
		}
	}
	bucketizer := func(search bool, interval int) func() *block.Unit {
		return func() *block.Unit {
			return block.Bucketizer("bucketizer", csig.BucketShape{ValueBits: 12, CodeBits: 3, Search: search, Interval: interval}, false)
		}
	}
	return []Case{
		blockCase("csig_meter_raw", cycles, true, meter(config.CSIGRaw, 64, 0, 0, 0)),
		blockCase("csig_meter_ewma", cycles, true, meter(config.CSIGEWMA, 64, 2, 14, 6)),
		blockCase("csig_meter_dre", cycles, true, meter(config.CSIGDRE, 512, 2, 10, 2)),
		blockCase("csig_bucketizer", cycles, false, bucketizer(false, 1)),
		blockCase("csig_bucketizer_search", cycles, false, bucketizer(true, 1)),
		blockCase("csig_bucketizer_shared", cycles, false, bucketizer(true, 2)),
		blockCase("csig_quantizer", cycles, true, func() *block.Unit { return block.Quantizer("quantizer", 32, 20, 3, false) }),
	}
}

// blockCase is a unit of package block in lockstep with its reference, a new one for each mutant. Resets say that what a block holds
// need not outlive them.
func blockCase(name string, cycles int64, resets bool, unit func() *block.Unit) Case {
	judge := func(cycles int64) Judge {
		return func(open Opener) (string, error) {
			err := block.Run([]*block.Unit{unit()}, block.Options{Engine: "verilator", Cycles: cycles, Seed: 1, Resets: resets, Open: open})
			var m *block.Mismatch
			if errors.As(err, &m) {
				return m.Port + m.Rule, nil
			}
			return "", err
		}
	}
	return Case{Subject{Name: name, Top: block.Bench([]*block.Unit{unit()}), Scope: "u0"}, judge(cycles), judge(longerTimes * cycles)}
}
