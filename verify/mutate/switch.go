package mutate

import (
	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/verify/cosim"
	"github.com/hdlpkg/hpccgen/verify/stimulus/transit"
)

// smallSwitch is a switch with every part of the large ones and short operands.
const smallSwitch = `
design: csig
name: csig_small
ports: 3
stream_bits: 64
widths: {time: 32, bytes: 16, fraction: 0, reciprocal: 18, ratio: 14, queue: 20}
tags: {split: uec, compact: 0x88b5, expanded: 0x88b6}
bandwidth: {method: raw, window: 4us}
bucketizer: search
port_defaults: {capacity: 10G}
`

// foldedSwitch is one with a pipeline that takes eight cycles for a packet, which has compact tags only.
const foldedSwitch = `
design: csig
name: csig_folded
ports: 3
stream_bits: 64
pipeline: folded
widths: {time: 32, bytes: 16, fraction: 0, reciprocal: 18, ratio: 14, queue: 20}
tags: {split: ietf, compact: 0x88b5, expanded: none}
bandwidth: {method: raw, window: 4us}
bucketizer: search
port_defaults: {capacity: 10G}
`

// switchCase is csig_switch as a whole, in lockstep with the golden model.
func switchCase(name, text string, cycles int64) (Case, error) {
	d, err := config.ParseDesign("small.yaml", []byte(text))
	if err != nil {
		return Case{}, err
	}
	target, err := transit.NewTarget(d.(*config.CSIG), true)
	if err != nil {
		return Case{}, err
	}
	judge := func(cycles int64) Judge {
		return func(open Opener) (string, error) {
			rep, err := cosim.RunDesign(d, cosim.Options{Engine: "verilator", Cycles: cycles, Seed: 1, NoShrink: true, Open: open})
			if err != nil || rep.Divergence == nil {
				return "", err
			}
			return rep.Divergence.Signal, nil
		}
	}
	return Case{Subject{Name: name, Top: target.Design.Top, Taps: true, Scope: "*"}, judge(cycles), judge(longerTimes * cycles)}, nil
}
