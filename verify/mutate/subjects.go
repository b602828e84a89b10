package mutate

import (
	"errors"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/verify/block"
	"github.com/hdlpkg/hpccgen/verify/cosim"
	"github.com/hdlpkg/hpccgen/verify/stimulus"
)

// Case is a subject with the comparison that has to notice its mutants.
type Case struct {
	Subject Subject
	Judge   Judge
}

// smallEngine is an engine with every part of the large ones and short operands, so that many mutants can be run.
const smallEngine = `
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

// Cases are hpcc_core, in lockstep with the golden model for coreCycles, and each kind of divider, against its
// reference function for dividerCycles.
func Cases(coreCycles, dividerCycles int64) ([]Case, error) {
	core, err := coreCase(coreCycles)
	if err != nil {
		return nil, err
	}
	cases := []Case{core}
	for _, d := range []config.Divider{
		{Kind: config.RestoringSerial},
		{Kind: config.RestoringPipelined},
		{Kind: config.ReciprocalTable, Eps: 0.02, IndexBits: 8, EntryBits: 12},
		{Kind: config.NewtonRaphson, TableBits: 5, SeedBits: 7, Iterations: 1, RecipBits: 14},
	} {
		cases = append(cases, dividerCase(d, dividerCycles))
	}
	return cases, nil
}

func coreCase(cycles int64) (Case, error) {
	cfg, err := config.Parse("small.yaml", []byte(smallEngine))
	if err != nil {
		return Case{}, err
	}
	target, err := stimulus.NewTarget(cfg, true)
	if err != nil {
		return Case{}, err
	}
	judge := func(open Opener) (string, error) {
		rep, err := cosim.Run(cfg, cosim.Options{Cycles: cycles, Seed: 1, NoShrink: true, Open: open})
		if err != nil {
			return "", err
		}
		if rep.Divergence != nil {
			return rep.Divergence.Signal, nil
		}
		return "", nil
	}
	return Case{Subject{Name: "hpcc_core", Top: target.Design.Top, Taps: true, Scope: "u_core"}, judge}, nil
}

func dividerCase(d config.Divider, cycles int64) Case {
	name := string(d.Kind)
	shape := block.DividerCase{Name: "divider", Config: d, Limb: 16,
		Shape: lib.DividerShape{NumBits: 16, DenBits: 12, QuotBits: 16, Shift: 8}}
	units := func() []*block.Unit {
		u, err := shape.Unit(false)
		if err != nil {
			panic(err) // the shapes above are legal
		}
		return []*block.Unit{u}
	}
	judge := func(open Opener) (string, error) {
		err := block.Run(units(), block.Options{Cycles: cycles, Seed: 1, Resets: true, Open: open})
		var m *block.Mismatch
		if errors.As(err, &m) {
			return m.Port + m.Rule, nil
		}
		return "", err
	}
	return Case{Subject{Name: name, Top: block.Bench(units()), Scope: "u0"}, judge}
}
