package main

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/verify/cosim"
)

// traits are what the commands must know of a type of design.
type traits struct {
	item   string                              // what it decides on: "ACK"
	count  func(*cosim.Report) int64           // how many of them a co-simulation has compared
	replay func(*replayCommand, streams) error // of the input that it takes; an error for other input
}

// designs is what the commands bring to each type of design: a new kind or law is one more entry.
var designs = config.Entries[traits]{
	config.EntryOf(engineTraits), config.EntryOf(switchTraits[*config.CSIG]), config.EntryOf(switchTraits[*config.INT]),
}

// engineTraits are those of an engine, which consumes telemetry.
func engineTraits(cfg config.EngineDesign) (traits, error) {
	return traits{
		item:  "ACK",
		count: func(rep *cosim.Report) int64 { return rep.Acks },
		replay: func(c *replayCommand, s streams) error {
			if c.Pcap != "" {
				return fmt.Errorf("%s is a NIC design and consumes telemetry, not packets: give it a trace with --trace; "+
					"--pcap and --meta are for switch designs", cfg.DesignName())
			}
			return c.trace(s, cfg)
		},
	}, nil
}

// switchTraits are those of a switch, which takes packets.
func switchTraits[T config.Design](cfg T) (traits, error) {
	return traits{
		item:  "packet",
		count: func(rep *cosim.Report) int64 { return rep.Packets },
		replay: func(c *replayCommand, s streams) error {
			if c.Trace != "" {
				return fmt.Errorf("%s is a switch design and takes packets, not telemetry: give it a capture with --pcap; "+
					"--trace and --flows are for NIC designs", cfg.DesignName())
			}
			return c.packets(s, cfg)
		},
	}, nil
}
