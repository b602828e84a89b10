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
	// Name is the name that Open knows the engine by.
	Name() string
	// Layout describes the records of Run.
	Layout() *vgen.Layout
	// Run runs a batch of cycles. in holds cycles records of Layout().InWords
	// words, out gets cycles records of Layout().OutWords words. An error may
	// leave out partly written, and the instance in an undefined state.
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
	// Progress, if set, is told the steps of a build as they begin. Calls may
	// come from several goroutines.
	Progress func(step string)
	// Start is what registers and memories hold in a fresh instance, zero unless
	// said otherwise.
	Start Start
	// UnknownOK is the rule for unknown outputs of an Icarus instance; nil for
	// PayloadMayBeUnknown of the layout.
	UnknownOK UnknownRule
	// Hardware is what netlist and board run on.
	Hardware
}

// Hardware says what an engine runs a design on.
type Hardware struct {
	RTL     string        // folder with the Verilog to run in place of what is emitted; "" for that (verilator, icarus)
	Family  string        // of a netlist's cells, one of Families; "" for the first
	Port    string        // serial port of a board, such as /dev/ttyUSB0
	Baud    int           // bit rate of the port; 0: that of boards unless built with another
	Taps    bool          // compare the taps too: the board was built with them, the Verilog of RTL still has them
	Timeout time.Duration // a board has so long for an answer, beside its time on the line; 0: a second
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

// Start is what registers and memories hold in a fresh instance.
type Start int

// Zero is the rule. After reset, a design must not depend on what it started
// with: a run from ones and a run from zero give the same outputs, apart from
// payload that is not valid. Unknown is stricter, as unknown values also spread
// where no real value would (a multiplication by zero, a difference of equals).
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

// Simulators lists the engines that need nothing but programs.
func Simulators() []string { return []string{"go", "verilator", "icarus", "netlist"} }

// HasTaps says whether an engine can sample the taps of a design. Without them a comparison is one of ports.
func HasTaps(name string, h Hardware) bool {
	switch {
	case name == "netlist":
		return false
	case name == "board" || h.RTL != "":
		return h.Taps
	}
	return true
}

// HasWaveform says whether an engine can write a waveform.
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
