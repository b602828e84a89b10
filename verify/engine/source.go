package engine

import (
	"fmt"
	"strings"

	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// benchModule is the name of the module that the Verilator and Icarus engines
// put around a design.
const benchModule = "hpccgen_bench"

// Source is a design as Verilog text with its record layout: the input of the Verilator and Icarus engines.
// [Design.Source] makes one from a vgen module; one made by hand runs any other Verilog, such as a synthesized netlist.
type Source struct {
	Top      string       // top module
	Files    []vgen.File  // all modules, any order
	Layout   *vgen.Layout // records; the input "rst" is the reset, active high
	TapPaths []string     // per tap of the layout, its path below the top module
	Clock    bool         // the top module has a clock
	ClockPin string       // the port of the clock; "" for clk
	ResetLow bool         // the reset port is rst_n, active low
	Folder   string       // where the files are the user's own; "" for emitted ones
}

// check returns an error for a source that an engine could not run.
func (s *Source) check() error {
	switch {
	case s.Top == "":
		return fmt.Errorf("engine: a source needs the name of its top module")
	case len(s.Files) == 0:
		return fmt.Errorf("engine: source %s has no files", s.Top)
	case s.Layout == nil:
		return fmt.Errorf("engine: source %s has no layout", s.Top)
	case len(s.TapPaths) != len(s.Layout.Taps):
		return fmt.Errorf("engine: source %s has %d tap paths for %d taps", s.Top, len(s.TapPaths), len(s.Layout.Taps))
	}
	for _, f := range s.Files {
		if f.Name == "" || strings.ContainsAny(f.Name, `/\`) {
			return fmt.Errorf("engine: source %s: %q is not a plain file name", s.Top, f.Name)
		}
	}
	return nil
}

// port is the name and expression with which the bench connects an input of the
// layout to the design.
func (s *Source) port(slot vgen.Slot, value string) (name, expr string) {
	if slot.Name == "rst" && s.ResetLow {
		return "rst_n", "~" + value
	}
	return slot.Name, value
}

// clockPin is the port of the clock.
func (s *Source) clockPin() string {
	if s.ClockPin == "" {
		return "clk"
	}
	return s.ClockPin
}

// parts lists what identifies the source, for hashing.
func (s *Source) parts() []string {
	parts := []string{s.Top, fmt.Sprint(s.Clock, s.ResetLow), layoutText(s.Layout)}
	parts = append(parts, s.TapPaths...)
	for _, f := range s.Files {
		parts = append(parts, f.Name, string(f.Text))
	}
	return parts
}

// layoutText writes every slot of the layout with its place.
func layoutText(l *vgen.Layout) string {
	var b strings.Builder
	for _, group := range [][]vgen.Slot{l.Inputs, l.Outputs, l.Taps} {
		for _, s := range group {
			fmt.Fprintf(&b, "%s %d %d %d\n", s.Name, s.Width, s.Offset, s.Words)
		}
		b.WriteString("--\n")
	}
	fmt.Fprintf(&b, "%d %d\n", l.InWords, l.OutWords)
	return b.String()
}

// checkRecords checks the sizes of the arguments of Run.
func checkRecords(l *vgen.Layout, cycles int, in, out []uint64) error {
	switch {
	case cycles < 0:
		return fmt.Errorf("engine: %d cycles", cycles)
	case len(in) < cycles*l.InWords:
		return fmt.Errorf("engine: %d cycles need %d input words, there are %d", cycles, cycles*l.InWords, len(in))
	case len(out) < cycles*l.OutWords:
		return fmt.Errorf("engine: %d cycles need %d output words, there are %d", cycles, cycles*l.OutWords, len(out))
	}
	return nil
}

func vectorRange(width int) string {
	if width == 1 {
		return ""
	}
	return fmt.Sprintf("[%d:0] ", width-1)
}
