package explore

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// levels are the largest errors that the picture tells apart by colour: those that were asked for, the coarsest first.
// A point belongs to the finest one that its bound keeps to; one that keeps to none has the level after the last, which
// is there only when it is needed.
type levels struct {
	errors []float64
	beyond bool
}

func (r *Result) levels() levels {
	var l levels
	for _, p := range r.Points {
		if p.MaxError > 0 && !slices.Contains(l.errors, p.MaxError) {
			l.errors = append(l.errors, p.MaxError)
		}
	}
	slices.SortFunc(l.errors, func(a, b float64) int { return cmp.Compare(b, a) })
	for _, p := range r.Points {
		if r.shown(p) && l.of(p) == len(l.errors) {
			l.beyond = true
		}
	}
	return l
}

func (l levels) of(p *Point) int {
	for i := len(l.errors) - 1; i >= 0; i-- {
		if p.Bound <= l.errors[i] {
			return i
		}
	}
	return len(l.errors)
}

func (l levels) count() int {
	if l.beyond {
		return len(l.errors) + 1
	}
	return len(l.errors)
}

func (l levels) text(i int) string {
	if i < len(l.errors) {
		return "up to " + shortError(l.errors[i])
	}
	if len(l.errors) == 0 {
		return "as in the base"
	}
	return "above " + shortError(l.errors[0])
}

// svg is the picture of the space: cells and ACKs a second, precision by colour.
func (r *Result) svg() ([]byte, error) { return r.rateChart().svg(), nil }

// rateChart has the ACKs over the cells. A staircase for each level shows the most ACKs that a number of cells reaches
// within its error.
func (r *Result) rateChart() *chart {
	l := r.levels()
	c := &chart{id: "pareto", title: "ACKs and cells of " + r.Base, subtitle: r.subtitle(), levels: l.count(),
		xName: "logic cells", xText: siPrefix, yName: "ACKs a second", yText: siPrefix}
	if !r.Clocked() {
		c.yName, c.yText = "ACKs a cycle", fraction
	}
	c.marks = r.marks(l, func(p *Point) (float64, float64) { return float64(p.Cells), r.rate(p) })
	for i := range l.count() {
		if xy := r.staircase(l, i); len(xy) > 0 {
			c.lines = append(c.lines, line{level: i, xy: xy})
		}
	}
	c.legend = r.legend(l, true)
	return c
}

// errorChart has the cells over the bound of the error: what precision costs. Lines join points that differ in nothing
// else.
func (r *Result) errorChart() *chart {
	l := r.levels()
	c := &chart{id: "precision", title: "What precision costs", subtitle: r.subtitle(), levels: l.count(),
		xName: "bound of the relative error of W in one step", xText: shortError, yName: "logic cells", yText: siPrefix}
	c.marks = r.marks(l, func(p *Point) (float64, float64) { return p.Bound, float64(p.Cells) })
	series := map[string][][2]float64{}
	var names []string
	for _, p := range r.Points {
		if !r.shown(p) || p.Bound >= noBound {
			continue
		}
		name := string(p.Order) + p.dividers.String()
		if series[name] == nil {
			names = append(names, name)
		}
		series[name] = append(series[name], [2]float64{p.Bound, float64(p.Cells)})
	}
	for _, name := range names {
		xy := series[name]
		slices.SortFunc(xy, func(a, b [2]float64) int { return cmp.Compare(a[0], b[0]) })
		c.lines = append(c.lines, line{level: -1, xy: xy, smooth: true})
	}
	c.legend = r.legend(l, false)
	return c
}

func (r *Result) subtitle() string { return r.Part + ", " + r.Method() }

func (r *Result) marks(l levels, at func(*Point) (x, y float64)) []mark {
	shapeOf := r.shapes()
	var list []mark
	for _, p := range r.Points {
		if !r.shown(p) {
			continue
		}
		x, y := at(p)
		if x >= noBound {
			continue // there is no place for it on the axis
		}
		m := mark{x: x, y: y, level: l.of(p), shape: slices.Index(shapeOf, p.dividers), hollow: p.Order == Serial,
			faded: !p.Front, tip: r.tip(p), row: p.Number}
		if p.Front {
			m.label = fmt.Sprint(p.Number)
		}
		if p.Base {
			m.label = strings.TrimSpace(m.label + " base")
		}
		list = append(list, m)
	}
	return list
}

// shapes are the dividers in the order in which they have their shapes.
func (r *Result) shapes() []Dividers {
	var list []Dividers
	for _, p := range r.Points {
		if !slices.Contains(list, p.dividers) {
			list = append(list, p.dividers)
		}
	}
	return list
}

func (r *Result) tip(p *Point) string {
	text := fmt.Sprintf(
		"%d: %s, %s\nerror of W up to %s\n%d cells, %d LUT, %d FF, %d RAM, %d DSP\ninterval %d, latency %d cycles",
		p.Number, p.Order, p.dividers, boundText(p.Bound), p.Cells, p.LUT, p.FF, p.RAM, p.DSP, p.Interval, p.Latency)
	if p.FmaxMHz > 0 {
		text += fmt.Sprintf("\n%s MHz, %s ACKs a second", p.ClockText(), siPrefix(p.ACKs()))
	}
	return text
}

// staircase are the points within the error of a level than which none of these has more ACKs with as few cells, from
// the fewest cells on.
func (r *Result) staircase(l levels, level int) [][2]float64 {
	var list []*Point
	for _, p := range r.Points {
		if r.shown(p) && (level == len(l.errors) || p.Bound <= l.errors[level]) {
			list = append(list, p)
		}
	}
	slices.SortFunc(list, func(a, b *Point) int {
		return cmp.Or(cmp.Compare(a.Cells, b.Cells),
			cmp.Compare(r.rate(b), r.rate(a)))
	})
	var xy [][2]float64
	best := 0.0
	for _, p := range list {
		if v := r.rate(p); v > best {
			best = v
			xy = append(xy, [2]float64{float64(p.Cells), v})
		}
	}
	return xy
}

func (r *Result) legend(l levels, lines bool) []legendBlock {
	precision := legendBlock{title: "Error of W in one step"}
	for i := range l.count() {
		row := legendRow{text: []string{l.text(i)}, mark: &mark{level: i}}
		if lines {
			row.line = &line{level: i}
		}
		precision.rows = append(precision.rows, row)
	}
	dividers := legendBlock{title: "Dividers"}
	for i, d := range r.shapes() {
		hop, quotient, two := strings.Cut(d.String(), "+")
		row := legendRow{text: []string{hop}, mark: &mark{level: -1, shape: i}}
		if two {
			row.text = []string{hop + " (hops)", quotient + " (quotient)"}
		}
		dividers.rows = append(dividers.rows, row)
	}
	order := legendBlock{title: "Hops", rows: []legendRow{
		{text: []string{"side by side (parallel)"}, mark: &mark{level: -1}},
		{text: []string{"one after the other (serial)"}, mark: &mark{level: -1, hollow: true}},
	}}
	which := legendBlock{title: "Points", rows: []legendRow{
		{text: []string{"numbered: Pareto front"}, mark: &mark{level: -1}},
		{text: []string{"dominated by another"}, mark: &mark{level: -1, faded: true}},
	}}
	if lines {
		which.rows = append(which.rows, legendRow{text: []string{"lines: the most within an error"}})
	}
	return []legendBlock{precision, dividers, order, which}
}
