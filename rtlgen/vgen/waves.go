package vgen

import (
	"math/big"
	"strings"
	"unicode/utf8"
)

// Waves draws a few cycles of a simulation as text, for examples and tests: a
// reader sees the behaviour in the source.
type Waves struct {
	sim  *Sim
	rows []waveRow
}

type waveRow struct {
	name   string
	width  int
	values []*big.Int
}

// NewWaves draws the named ports and signals, or all ports when none is named. The
// name "clk" draws the clock.
func NewWaves(sim *Sim, names ...string) *Waves {
	w := &Waves{sim: sim}
	if len(names) == 0 {
		if sim.top.stateful() {
			names = append(names, "clk")
		}
		l := sim.Layout()
		for _, s := range append(l.Inputs[:len(l.Inputs):len(l.Inputs)], l.Outputs...) {
			names = append(names, s.Name)
		}
	}
	for _, n := range names {
		r := waveRow{name: n}
		if n != "clk" {
			_, width, ok := sim.find(n)
			if !ok {
				sim.mistake("NewWaves: there is no signal %q", n)
				continue
			}
			r.width = width
		}
		w.rows = append(w.rows, r)
	}
	return w
}

// Record takes the values of one cycle: call it before Step.
func (w *Waves) Record() {
	w.sim.Eval()
	for i := range w.rows {
		r := &w.rows[i]
		v := new(big.Int)
		if r.width > 0 {
			v = w.sim.getBig("Record", r.name)
		}
		r.values = append(r.values, v)
	}
}

// String draws the recorded values: one bit as a line, more bits as a hexadecimal
// number where it changes.
func (w *Waves) String() string {
	cell, label := 4, 8
	for _, r := range w.rows {
		label = max(label, utf8.RuneCountInString(r.name))
		for _, v := range r.values {
			if r.width > 1 {
				cell = max(cell, len(v.Text(16))+2)
			}
		}
	}
	cell += cell % 2
	cycles := 0
	if len(w.rows) > 0 {
		cycles = len(w.rows[0].values)
	}
	var b strings.Builder
	span := cell * cycles
	title := func(name string, n int) string {
		return name + strings.Repeat("─", max(n-len(name), 0))
	}
	span = max(span, 6)
	b.WriteString("┌" + title("Signals", label) + "┐┌" + title("Waves", span) + "┐\n")
	for _, r := range w.rows {
		for i, line := range r.draw(cell) {
			name := ""
			if i == r.labelLine() {
				name = r.name
			}
			b.WriteString("│" + padRunes(name, label) + "││" + padRunes(line, span) + "│\n")
		}
	}
	b.WriteString("└" + strings.Repeat("─", label) + "┘└" + strings.Repeat("─", span) + "┘\n")
	return b.String()
}

func padRunes(s string, n int) string {
	return s + strings.Repeat(" ", max(n-utf8.RuneCountInString(s), 0))
}

func (r *waveRow) labelLine() int {
	if r.width > 1 {
		return 1
	}
	return 0
}

func (r *waveRow) draw(cell int) []string {
	switch {
	case r.width == 0:
		return r.drawClock(cell)
	case r.width == 1:
		return r.drawBit(cell)
	}
	return r.drawBus(cell)
}

// drawClock draws the rising edge at the start of each cycle.
func (r *waveRow) drawClock(cell int) []string {
	half := cell / 2
	top := "┌" + strings.Repeat("─", half-1) + "┐" + strings.Repeat(" ", half-1)
	low := "┘" + strings.Repeat(" ", half-1) + "└" + strings.Repeat("─", half-1)
	n := len(r.values)
	return []string{strings.Repeat(top, n), strings.Repeat(low, n)}
}

func (r *waveRow) drawBit(cell int) []string {
	var top, low strings.Builder
	for i, v := range r.values {
		high := v.Sign() != 0
		t, l := " ", "─"
		if high {
			t, l = "─", " "
		}
		first, second := t, l
		if i > 0 && r.values[i-1].Cmp(v) != 0 {
			first, second = "┐", "└"
			if high {
				first, second = "┌", "┘"
			}
		}
		top.WriteString(first + strings.Repeat(t, cell-1))
		low.WriteString(second + strings.Repeat(l, cell-1))
	}
	return []string{top.String(), low.String()}
}

func (r *waveRow) drawBus(cell int) []string {
	var top, mid, low strings.Builder
	for i, v := range r.values {
		t, m, l := "─", " ", "─"
		text := ""
		if i == 0 || r.values[i-1].Cmp(v) != 0 {
			text = v.Text(16)
			if i > 0 {
				t, m, l = "┬", "│", "┴"
			}
		}
		top.WriteString(t + strings.Repeat("─", cell-1))
		mid.WriteString(m + padRunes(text, cell-1))
		low.WriteString(l + strings.Repeat("─", cell-1))
	}
	return []string{top.String(), mid.String(), low.String()}
}
