package engine

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Wave says what of a run a waveform shows. The zero value is all of it.
type Wave struct {
	From, To int64     // cycles, To not included; To 0: to the end
	Expected *Expected // beside the signals of the design; nil: nothing
}

// Expected is what a signal should be. Where no value is given it may be anything.
type Expected struct {
	Name  string
	Width int
	At    map[int64][]uint64 // value by cycle, words with the least significant first
}

// ExpectedScope is the scope of a waveform, inside the one of the design, with what was expected.
const ExpectedScope = "expected"

// cycleTime is the time of a cycle in a waveform, ns.
const cycleTime = 10

// dutName is the instance of the design in a bench.
const dutName = "u_dut"

// vcdFilter passes a value change dump on, so that those of all engines look alike: one scope, with the name of the top
// module, in place of the bench's; the cycles asked for; and what was expected beside the design's signals.
type vcdFilter struct {
	to   io.Writer
	top  string
	wave Wave
	err  error

	partial []byte   // of a line
	command []string // tokens of a command of the header that has not ended
	body    bool     // the header has ended
	depth   int      // of scopes
	inside  int      // the depth at which the design begins; 0: outside
	kept    map[string]bool
	order   []string          // what is kept, as declared
	last    map[string]string // the value of each, as a line
	time    int64
	open    bool // inside the cycles asked for
	expect  string
}

const expectedID = "hpccgen~"

func newVCDFilter(to io.Writer, top string, wave Wave) *vcdFilter {
	if wave.To == 0 {
		wave.To = math.MaxInt64 / cycleTime
	}
	return &vcdFilter{to: to, top: top, wave: wave, kept: map[string]bool{}, last: map[string]string{}}
}

// Write takes the next bytes of a dump.
func (f *vcdFilter) Write(p []byte) (int, error) {
	n := len(p)
	var out bytes.Buffer
	for {
		line, rest, found := bytes.Cut(p, []byte{'\n'})
		if !found {
			f.partial = append(f.partial, p...)
			break
		}
		p = rest
		if len(f.partial) > 0 {
			line = append(f.partial, line...)
			f.partial = f.partial[:0]
		}
		f.line(&out, strings.TrimSpace(string(line)))
	}
	f.pass(out.Bytes())
	return n, f.err
}

// Close passes on what is left.
func (f *vcdFilter) Close() error {
	f.pass(f.partial)
	f.partial = nil
	return f.err
}

func (f *vcdFilter) pass(text []byte) {
	if f.err == nil && len(text) > 0 {
		_, f.err = f.to.Write(text)
	}
}

func (f *vcdFilter) line(out *bytes.Buffer, line string) {
	switch {
	case !f.body:
		f.command = append(f.command, strings.Fields(line)...)
		if n := len(f.command); n > 0 && f.command[n-1] == "$end" {
			f.header(out, f.command)
			f.command = f.command[:0]
		}
	case line == "" || line[0] == '$':
	case line[0] == '#':
		if t, err := strconv.ParseInt(line[1:], 10, 64); err == nil {
			f.at(out, t)
		}
	default:
		id := line[1:]
		if line[0] == 'b' || line[0] == 'r' {
			_, id, _ = strings.Cut(line, " ")
		}
		if f.kept[id] {
			f.last[id] = line
			if f.open {
				fmt.Fprintln(out, line)
			}
		}
	}
}

// header passes on a command of the header: what is in the scope of the design.
func (f *vcdFilter) header(out *bytes.Buffer, command []string) {
	text := strings.Join(command, " ")
	switch command[0] {
	case "$timescale":
		fmt.Fprintln(out, text)
	case "$scope":
		f.depth++
		if f.inside > 0 {
			fmt.Fprintln(out, text)
		} else if len(command) > 2 && (command[2] == dutName || f.depth == 1 && command[2] == f.top) {
			f.inside = f.depth
			fmt.Fprintf(out, "$scope module %s $end\n", f.top)
		}
	case "$upscope":
		if f.inside == f.depth {
			f.declareExpected(out)
		}
		if f.inside > 0 {
			fmt.Fprintln(out, text)
		}
		if f.depth--; f.depth < f.inside {
			f.inside = 0
		}
	case "$var":
		if f.inside > 0 && len(command) > 4 {
			if id := command[3]; !f.kept[id] {
				f.kept[id] = true
				f.order = append(f.order, id)
			}
			fmt.Fprintln(out, text)
		}
	case "$enddefinitions":
		f.body = true
		fmt.Fprintln(out, text)
	}
}

func (f *vcdFilter) declareExpected(out *bytes.Buffer) {
	e := f.wave.Expected
	if e == nil {
		return
	}
	bits := ""
	if e.Width > 1 {
		bits = fmt.Sprintf(" [%d:0]", e.Width-1)
	}
	fmt.Fprintf(out, "$scope module %s $end\n$var wire %d %s %s%s $end\n$upscope $end\n", ExpectedScope, e.Width, expectedID,
		e.Name, bits)
}

// at begins a point of time.
func (f *vcdFilter) at(out *bytes.Buffer, t int64) {
	f.time = t
	was := f.open
	f.open = t >= f.wave.From*cycleTime && t < f.wave.To*cycleTime
	switch {
	case f.open:
		fmt.Fprintf(out, "#%d\n", t)
	case was: // the end of the last cycle
		fmt.Fprintf(out, "#%d\n", f.wave.To*cycleTime)
		return
	default:
		return
	}
	if !was && f.wave.From > 0 {
		for _, id := range f.order {
			if v, ok := f.last[id]; ok {
				fmt.Fprintln(out, v)
			}
		}
	}
	if f.wave.Expected == nil || t%cycleTime != 0 {
		return
	}
	if v := f.wave.Expected.change(t / cycleTime); v != f.expect {
		f.expect = v
		fmt.Fprintln(out, v)
	}
}

// change is the line with the value in a cycle.
func (e *Expected) change(cycle int64) string {
	words, ok := e.At[cycle]
	if !ok {
		if e.Width == 1 {
			return "x" + expectedID
		}
		return "bx " + expectedID
	}
	if e.Width == 1 {
		return fmt.Sprint(words[0]) + expectedID
	}
	var b strings.Builder
	for _, w := range slices.Backward(words) {
		fmt.Fprintf(&b, "%064b", w)
	}
	text := strings.TrimLeft(b.String(), "0")
	if text == "" {
		text = "0"
	}
	return "b" + text + " " + expectedID
}
