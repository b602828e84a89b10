package main

import (
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/hdlpkg/hpccgen/verify/cosim"
)

// mostShown is how many operations of a shrunk stimulus are printed, in place of the last inputs.
const mostShown = 16

// printDivergence says where a design first differs from the model.
func printDivergence(w io.Writer, rep *cosim.Report) {
	d := rep.Divergence
	what := "output"
	if d.Tap {
		what = "internal value"
	}
	fmt.Fprintf(w, "\nfirst mismatch: %s %s in cycle %d (seed %d): %s\n", what, d.Signal, d.Cycle, d.Seed, d.Difference())
	line := func(format string, args ...any) { fmt.Fprint(w, folded(fmt.Sprintf(format, args...))) }
	if d.Path != "" && d.Path != d.Signal {
		line("in the design: %s", d.Path)
	}
	for _, a := range d.Also {
		line("in the same cycle: %s: %s", a.Name, a.Difference())
	}
	if d.Ack != "" {
		line("ACK issued in cycle %d: %s", d.AckIssued, d.Ack)
	}
	if d.Packet != "" {
		line("packet with its header in cycle %d: %s", d.PacketHeader, d.Packet)
	}
	if d.Result != "" {
		line("its result in the model: %s", d.Result)
	}
	short := d.Shrunk != nil && d.Operations[1] <= mostShown
	if !short && len(d.Inputs) > 0 {
		line("last inputs:")
		for _, in := range d.Inputs {
			line("  %s", in)
		}
	}
	switch {
	case d.Shrunk != nil:
		minimal := "none of which can be left out"
		if !d.Minimal {
			minimal = "when the time for it was over"
		}
		line("shrunk from %s to %d, %s; %s differs in cycle %d: %s; the stimulus is in the report (--json)",
			plural(d.Operations[0], "operation"), d.Operations[1], minimal, d.ShrunkSignal, d.ShrunkCycle,
			d.ShrunkValue.Difference())
		for op := range strings.Lines(fmt.Sprint(d.Shrunk)) {
			if short {
				line("  cycle %s", strings.TrimSpace(op))
			}
		}
	case d.Unreproduced != "":
		line("not shrunk: %s", d.Unreproduced)
	}
	fmt.Fprintf(w, "  again, with a waveform: %s\n", d.Command)
}

// columns is the width that reports are folded to.
const columns = 100

// folded writes a text on lines of at most that many columns, indented by two, those after the first by more. Lines end
// after values, where there are some.
func folded(text string) string {
	var b strings.Builder
	rest := strings.TrimLeft(text, " ")
	indent := strings.Repeat(" ", 2+len(text)-len(rest))
	for more := ""; ; more = "    " {
		at := breakOf(rest, columns-len(indent+more))
		fmt.Fprintf(&b, "%s%s%s\n", indent, more, rest[:at])
		if at == len(rest) {
			return b.String()
		}
		rest = rest[at+1:]
	}
}

// valueEnd is the end of a number, or of what stands in parentheses behind one, and a space.
var valueEnd = regexp.MustCompile(`(?:[ (][0-9][0-9a-fx.]*|\)) [a-z]`)

// breakOf is where a line of a text with so many columns ends: at a space, or with the text.
func breakOf(text string, most int) int {
	if len(text) <= most {
		return len(text)
	}
	if ends := valueEnd.FindAllStringIndex(text[:most+1], -1); ends != nil && ends[len(ends)-1][1] > most/2 {
		return ends[len(ends)-1][1] - 2
	}
	if at := strings.LastIndexByte(text[:most+1], ' '); at > 0 {
		return at
	}
	if at := strings.IndexByte(text, ' '); at > 0 {
		return at
	}
	return len(text)
}
