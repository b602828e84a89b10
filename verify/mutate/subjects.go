package mutate

import (
	"errors"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/output"
	"github.com/hdlpkg/hpccgen/verify/block"
	"github.com/hdlpkg/hpccgen/verify/cosim"
)

// Case is a subject with the comparison that has to notice its mutants.
type Case struct {
	Subject Subject
	Judge   Judge
	Longer  Judge // the same for longerTimes the time, for those that Judge does not notice
}

const longerTimes = 20

// smallEngine is an engine with every part of the large ones and short operands, so that many mutants can be run.
const smallEngine = `
design: nic
name: nic_small
hops: {max: 2}
flows: 6
profiles: 2
telemetry: {timestamp_bits: 16, tick: 1ns, tx_bits: 12, tx_unit: 128B, qlen_bits: 10, qlen_unit: 80B, rate_code_bits: 2, link_id_bits: 2, path_id_bits: 4}
sequence_bits: 24
clock_bits: 60
stage_bits: 3
counter_bits: 8
rates: [25G, 100G]
base_rtt: {min: 2us, max: 8us}
precision: {max_error: 1e-2}
`

// Dividers are the kinds of divider that are mutated, in the shape of a hop divider of such an engine.
var Dividers = []config.Divider{
	{Kind: config.RestoringSerial},
	{Kind: config.RestoringPipelined},
	{Kind: config.ReciprocalTable, Eps: 0.004, IndexBits: 11, EntryBits: 15},
	{Kind: config.NewtonRaphson, TableBits: 5, SeedBits: 8, Iterations: 2, RecipBits: 20},
}

// FoldedSwitch is the name of the csig_switch whose pipeline is folded, among Cases.
const FoldedSwitch = "csig_switch_folded"

// Cases are hpcc_core and csig_switch, with the full and with the folded pipeline, in lockstep with their golden
// models for coreCycles, and each kind of divider, against its reference function for dividerOperations divisions.
func Cases(coreCycles, dividerOperations int64) ([]Case, error) {
	var cases []Case
	for _, d := range []struct{ name, text, scope string }{
		{"hpcc_core", smallEngine, "u_core"}, {"csig_switch", smallSwitch, "*"}, {FoldedSwitch, foldedSwitch, "*"},
	} {
		c, err := DesignCase(d.name, d.text, d.scope, coreCycles)
		if err != nil {
			return nil, err
		}
		cases = append(cases, c)
	}
	for _, d := range Dividers {
		c, err := dividerCase(d, dividerOperations)
		if err != nil {
			return nil, err
		}
		cases = append(cases, c)
	}
	return cases, nil
}

// DesignCase is a design of a configuration file, in lockstep with its golden model. Scope is the instance that is
// mutated; "*": all.
func DesignCase(name, text, scope string, cycles int64) (Case, error) {
	d, err := config.ParseDesign(name+".yaml", []byte(text))
	if err != nil {
		return Case{}, err
	}
	top, err := output.Module(d)
	if err != nil {
		return Case{}, err
	}
	judge := func(cycles int64) Judge {
		return func(open Opener) (string, error) {
			o := cosim.Options{Engine: "verilator", Cycles: cycles, Seed: 1, NoShrink: true, Open: open}
			rep, err := cosim.RunDesign(d, o)
			if err != nil || rep.Divergence == nil {
				return "", err
			}
			return rep.Divergence.Signal, nil
		}
	}
	return Case{Subject{Name: name, Top: top, Taps: true, Scope: scope}, judge(cycles), judge(longerTimes * cycles)}, nil
}

func dividerCase(d config.Divider, operations int64) (Case, error) {
	shape := lib.DividerShape{NumBits: 20, DenBits: 16, QuotBits: 18, Shift: 6}
	divider := block.DividerCase{Name: "divider", Config: d, Limbs: lib.Square(18), Shape: shape}
	first, err := divider.Unit(false)
	if err != nil {
		return Case{}, err
	}
	cycles := operations * int64(first.Module.Interval())
	unit := func() *block.Unit {
		u, _ := divider.Unit(false) // as the first was
		return u
	}
	return BlockCase(string(d.Kind), cycles, true, unit), nil
}

// BlockCase is a unit of package block in lockstep with its reference, a new one for each mutant. With resets a block
// is reset at random: its state need not survive them.
func BlockCase(name string, cycles int64, resets bool, unit func() *block.Unit) Case {
	judge := func(cycles int64) Judge {
		return func(open Opener) (string, error) {
			o := block.Options{Engine: "verilator", Cycles: cycles, Seed: 1, Resets: resets, Open: open}
			err := block.Run([]*block.Unit{unit()}, o)
			var m *block.Mismatch
			if errors.As(err, &m) {
				return m.Port + m.Rule, nil
			}
			return "", err
		}
	}
	subject := Subject{Name: name, Top: block.Bench([]*block.Unit{unit()}), Scope: "u0"}
	return Case{subject, judge(cycles), judge(longerTimes * cycles)}
}
