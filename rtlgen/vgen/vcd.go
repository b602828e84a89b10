package vgen

import (
	"bufio"
	"fmt"
	"io"
	"slices"
)

// VCD writes a simulation as a value change dump, for GTKWave or Surfer. All named
// signals of the hierarchy are in it. A cycle takes 10 ns: clk rises at its start.
type VCD struct {
	sim    *Sim
	w      *bufio.Writer
	vars   []vcdVar
	last   []uint64
	clocks []string
	cycle  int
	err    error
}

type vcdVar struct {
	id        string
	at, width int
}

// NewVCD writes the head of a dump.
func NewVCD(w io.Writer, sim *Sim) *VCD {
	d := &VCD{sim: sim, w: bufio.NewWriter(w)}
	d.printf("$timescale 1ns $end\n")
	ids := map[[2]int]string{}
	clk := ""
	id := func() string {
		n, text := len(ids)+1, ""
		for ; n > 0; n /= 94 {
			text += string(rune('!' + n%94))
		}
		return text
	}
	declare := func(name string, at, width int) {
		key := [2]int{at, width}
		code, ok := ids[key]
		if !ok {
			code = id()
			ids[key] = code
			d.vars = append(d.vars, vcdVar{code, at, width})
		}
		rng := ""
		if width > 1 {
			rng = fmt.Sprintf(" [%d:0]", width-1)
		}
		d.printf("$var wire %d %s %s%s $end\n", width, code, name, rng)
	}
	var scope func(l *level, name string)
	scope = func(l *level, name string) {
		d.printf("$scope module %s $end\n", name)
		if l.m.stateful() {
			if clk == "" {
				clk = id()
				ids[[2]int{-1, 1}] = clk
			}
			d.printf("$var wire 1 %s clk $end\n", clk)
			declare("rst", sim.rst, 1)
		}
		for _, n := range l.m.nodes {
			if at, ok := l.at[n]; ok && n.name != "" {
				declare(n.name, at, n.width)
			}
		}
		for _, sub := range l.down {
			scope(sub, sub.inst.name)
		}
		d.printf("$upscope $end\n")
	}
	scope(sim.root, sim.top.name)
	if clk != "" {
		d.clocks = []string{"1" + clk + "\n", "0" + clk + "\n"}
	}
	d.printf("$enddefinitions $end\n")
	return d
}

func (d *VCD) printf(format string, args ...any) {
	if d.err == nil {
		_, d.err = fmt.Fprintf(d.w, format, args...)
	}
}

// Record writes the values of one cycle: call it before Step.
func (d *VCD) Record() {
	d.sim.Eval()
	d.printf("#%d\n", d.cycle*10)
	if len(d.clocks) > 0 {
		d.printf("%s", d.clocks[0])
	}
	for _, x := range d.vars {
		words := d.sim.v[x.at : x.at+wordsFor(x.width)]
		if d.last != nil && slices.Equal(words, d.last[x.at:x.at+len(words)]) {
			continue
		}
		if x.width == 1 {
			d.printf("%d%s\n", words[0], x.id)
		} else {
			d.printf("b%s %s\n", fromWords(words).Text(2), x.id)
		}
	}
	d.last = append(d.last[:0], d.sim.v...)
	if len(d.clocks) > 0 {
		d.printf("#%d\n%s", d.cycle*10+5, d.clocks[1])
	}
	d.cycle++
}

// Close ends the dump and reports the first error in writing it. It does not close
// the writer it was given.
func (d *VCD) Close() error {
	d.printf("#%d\n", d.cycle*10)
	if err := d.w.Flush(); d.err == nil {
		d.err = err
	}
	return d.err
}
