package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/hdlpkg/hpccgen/verify/engine"
)

// hardwareFlags say what an engine runs a design on.
type hardwareFlags struct {
	RTL     string        `name:"rtl" placeholder:"DIR" help:"With --engine verilator or icarus: the Verilog in DIR, edited, merged or from another tool, in place of what generate emits."`
	Family  string        `enum:",ice40,up5k,ecp5" default:"" placeholder:"NAME" help:"With --engine netlist: FPGA family, ice40, up5k (with its multipliers) or ecp5 (ice40)."`
	Port    string        `placeholder:"PORT" help:"With --engine board: serial port of the board, such as /dev/ttyUSB1."`
	Baud    int           `placeholder:"N" help:"With --engine board: bit rate of the port (1000000)."`
	Timeout time.Duration `placeholder:"TIME" help:"With --engine board: timeout for an answer, such as 5s (1s)."`
}

// check refuses flags that the engine has no use for, and the lack of those that it needs.
func (f *hardwareFlags) check(name, vcd string) error {
	if name == "board" && vcd != "" {
		return errors.New("--vcd: a board writes no waveform; take --engine verilator with the same seed or input")
	}
	if f.RTL != "" && name != "verilator" && name != "icarus" {
		return errors.New("--rtl goes with --engine verilator or icarus, which read Verilog")
	}
	if f.Family != "" && name != "netlist" {
		return errors.New("--family goes with --engine netlist")
	}
	given := ""
	switch {
	case f.Port != "":
		given = "--port"
	case f.Baud != 0:
		given = "--baud"
	case f.Timeout != 0:
		given = "--timeout"
	}
	switch {
	case name != "board" && given != "":
		return fmt.Errorf("%s goes with --engine board", given)
	case name == "board" && f.Port == "":
		return errors.New("--engine board needs --port, the serial port of the board")
	case f.Baud < 0:
		return fmt.Errorf("--baud: %d is below 1; legal are whole numbers of 1 or more", f.Baud)
	case f.Timeout < 0:
		return fmt.Errorf("--timeout: %v is below 0", f.Timeout)
	}
	return nil
}

func (f *hardwareFlags) hardware() engine.Hardware {
	return engine.Hardware{RTL: f.RTL, Family: f.Family, Port: f.Port, Baud: f.Baud, Timeout: f.Timeout}
}
