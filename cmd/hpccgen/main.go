// Command hpccgen generates congestion-control hardware as Verilog, the HPCC++ datapath of a NIC and the telemetry of a
// switch, and checks it, cycle by cycle, against golden models.
//
// Exit status: 0 done and everything matched; 1 a mismatch, or the input is wrong; 2 the command line is wrong; 3 a
// tool is missing; 4 a design does not fit its part; 5 timing is not met.
package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/hdlpkg/hpccgen/synth"
)

// commandLine is every command with its flags.
type commandLine struct {
	Generate generateCommand `cmd:"" help:"Write the Verilog of a configuration, with file lists, constraints and documents."`
	Cosim    cosimCommand    `cmd:"" help:"Run a design against the golden model, cycle by cycle, on constrained-random stimulus."`
	Replay   replayCommand   `cmd:"" help:"Run recorded telemetry through the golden model or a design."`
	Explore  exploreCommand  `cmd:"" help:"Sweep dividers, precisions and orders of an engine: error bound, cells, clock and ACKs a second of each."`
	Tables   tablesCommand   `cmd:"" help:"Print every table entry that software writes to an engine, for given T, rates and windows."`
	Synth    synthCommand    `cmd:"" help:"Build the bitstream of a design for an FPGA board."`
	BoardSim boardSimCommand `cmd:"" name:"board-sim" help:"Simulate a board, with a design, on a pseudo-terminal, for --engine board."`
	Presets  presetsCommand  `cmd:"" help:"List the configurations that come with the tool."`
	Init     initCommand     `cmd:"" help:"Print a preset as a commented configuration file to start from."`
	Schema   schemaCommand   `cmd:"" help:"Print the JSON schema of configuration files, for editors."`
	Cache    cacheCommand    `cmd:"" help:"Show the build cache, or clean it."`
	Doctor   doctorCommand   `cmd:"" help:"Report which tools and engines are available, and how to install the others."`
	Version  versionCommand  `cmd:"" help:"Print the version."`
}

func main() { os.Exit(runInterruptible(os.Args[1:])) }

// run executes a command line and returns the exit status.
func run(args []string, s streams) (status int) {
	defer func() {
		if v := recover(); v != nil {
			status = report(s.err, bug{fmt.Errorf("%v", v)})
		}
	}()
	out := &checked{Writer: s.out}
	s.out = out
	var cli commandLine
	helped := false
	parser, err := kong.New(&cli,
		kong.Name("hpccgen"),
		kong.Description(
			"Generates the HPCC++ datapath of a NIC and the telemetry of a switch as Verilog, and checks them, bit for bit, against golden models."),
		kong.Writers(s.out, s.err),
		kong.Exit(func(int) { helped = true }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
		kong.Bind(s),
		kong.Vars{"boards": strings.Join(synth.BoardNames(), ", "), "parts": strings.Join(synth.PartNames(), ", ")},
	)
	if err != nil {
		return report(s.err, bug{err})
	}
	if len(args) == 0 {
		args = []string{"--help"}
		defer func() { status = exitUsage }()
	}
	ctx, err := parser.Parse(joinNegatives(args))
	switch {
	case helped:
		err = nil
	case err != nil:
		err = usage{err}
	default:
		err = ctx.Run(s)
	}
	if out.failed != nil {
		err = fmt.Errorf("the output cannot be written: %w", out.failed)
	}
	return report(s.err, err)
}

// mustWrite is the error of a write to the standard output.
func mustWrite(_ int, err error) error { return err }
