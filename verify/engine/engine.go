package engine

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hdlpkg/hpccgen/internal/toolchain"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// Engine runs one instance of a design. An instance is used by one goroutine at
// a time; different instances, of the same design too, are independent.
type Engine interface {
	// Name is the name of the engine for Open.
	Name() string
	// Layout describes the records of Run.
	Layout() *vgen.Layout
	// Run runs a batch of cycles. in holds cycles records of Layout().InWords words, out receives cycles records of
	// Layout().OutWords words. After an error, out may be partly written, and the state of the instance is undefined.
	Run(cycles int, in, out []uint64) error
	// Close ends the instance and completes its waveform.
	Close() error
}

// Options are choices about how to run.
type Options struct {
	// VCD is the path of a waveform to write; "" for none. Writing one is slow.
	VCD string
	// Wave says what the waveform shows.
	Wave Wave
	// CacheDir is where builds are kept; "" for buildcache.Dir().
	CacheDir string
	// Progress, if set, is called with each step of a build as it begins. Calls may come from several goroutines.
	Progress func(step string)
	// Start is the content of registers and memories in a fresh instance, zero by default.
	Start Start
	// UnknownOK is the rule for unknown outputs of an Icarus instance; nil for
	// PayloadMayBeUnknown of the layout.
	UnknownOK UnknownRule
	// Hardware selects the hardware of netlist and board.
	Hardware
}

// Hardware describes what an engine runs a design on.
type Hardware struct {
	RTL     string        // folder of the Verilog to run; "" for the emitted files (verilator, icarus)
	Family  string        // of a netlist's cells, one of Families; "" for the first
	Port    string        // serial port of a board, such as /dev/ttyUSB0
	Baud    int           // bit rate of the port; 0: the default of boards
	Taps    bool          // compare the taps too: the board was built with them, the Verilog of RTL still has them
	Timeout time.Duration // limit for a board's answer, without its time on the line; 0: a second
}

// Flags are the flags of the command line that select the hardware, with a space before each.
func (h Hardware) Flags() string {
	text := ""
	if h.RTL != "" {
		text += " --rtl " + toolchain.Quote(h.RTL)
	}
	if h.Family != "" {
		text += " --family " + h.Family
	}
	if h.Port != "" {
		text += " --port " + toolchain.Quote(h.Port)
	}
	if h.Taps {
		text += " --taps"
	}
	if h.Baud != 0 {
		text += fmt.Sprintf(" --baud %d", h.Baud)
	}
	return text
}

// Start is the content of registers and memories in a fresh instance.
type Start int

// Zero is the rule. After reset, a design must not depend on its initial state: runs from ones and from zero give the
// same outputs, except payload that is not valid. Unknown is stricter, since unknown values also spread where no real
// value would (a multiplication by zero, a difference of equals).
const (
	StartZero    Start = iota
	StartOnes          // verilator, icarus
	StartUnknown       // icarus; unknown outputs are no fault until reset has been asserted for a cycle
)

func (s Start) String() string {
	switch s {
	case StartZero:
		return "zero"
	case StartOnes:
		return "ones"
	case StartUnknown:
		return "unknown"
	}
	return fmt.Sprintf("Start(%d)", int(s))
}

// checkStart reports a start that the engine does not have.
func checkStart(engine string, s Start, legal ...Start) error {
	if slices.Contains(legal, s) {
		return nil
	}
	return fmt.Errorf("the engine %s cannot start from %s; it can from %s", engine, s, strings.Trim(fmt.Sprint(legal),
		"[]"))
}

func (o Options) step(text string) {
	if o.Progress != nil {
		o.Progress(text)
	}
}

var errClosed = errors.New("engine: the instance is closed")

// Names lists the engines.
func Names() []string { return append(Simulators(), "board") }

// Simulators lists the engines that need only programs.
func Simulators() []string { return []string{"go", "verilator", "icarus", "netlist"} }

// HasTaps reports whether an engine can sample the taps of a design. Without them only ports are compared.
func HasTaps(name string, h Hardware) bool {
	switch {
	case name == "netlist":
		return false
	case name == "board" || h.RTL != "":
		return h.Taps
	}
	return true
}

// HasWaveform reports whether an engine can write a waveform.
func HasWaveform(name string) bool { return name != "board" }

// OpenSource starts an instance of Verilog text in the named engine, which must
// be one that reads Verilog.
func OpenSource(name string, s *Source, o Options) (Engine, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	switch name {
	case "verilator":
		return openVerilator(s, o)
	case "icarus":
		return openIcarus(s, o)
	default:
		return nil, fmt.Errorf("engine %q does not run Verilog text; verilator and icarus do", name)
	}
}

func unknownEngine(name string) error {
	return fmt.Errorf("unknown engine %q; there are %s", name, strings.Join(Names(), ", "))
}
