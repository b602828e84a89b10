package explore

import (
	"bytes"
	"fmt"
	"html"
	"strings"
)

// chart is a picture in SVG: points over two logarithmic axes, lines through some of them, and a legend. Colours are
// classes of a style sheet inside the picture, one for a light and one for a dark background.
type chart struct {
	title, subtitle string
	xName, yName    string
	xText, yText    func(float64) string // labels of ticks
	marks           []mark
	lines           []line
	legend          []legendBlock
	levels          int // colours
	id              string
}

// mark is a point.
type mark struct {
	x, y   float64
	level  int // its colour
	shape  int // index of shapes
	hollow bool
	faded  bool
	label  string // beside it; may be empty
	tip    string // what a browser shows when it is pointed at
	row    int    // number of the point
}

// line is a staircase from point to point: as far as a point's x, what the one before had.
type line struct {
	level  int
	xy     [][2]float64
	smooth bool // from point to point instead
}

type legendBlock struct {
	title string
	rows  []legendRow
}

// legendRow explains a mark, or a line.
type legendRow struct {
	text []string // lines
	mark *mark
	line *line
}

// Measures of the picture, in its own units.
const (
	chartWidth   = 960.0
	chartHeight  = 560.0
	plotLeft     = 84.0
	plotRight    = 694.0
	plotTop      = 66.0
	plotBottom   = 62.0 // below the plot
	legendLeft   = 720.0
	legendTop    = 78.0
	legendLine   = 17.0
	letterWidth  = 6.1 // of a label
	letterHeight = 11.0
)

func (c *chart) svg() []byte {
	var b bytes.Buffer
	height := max(chartHeight, c.legendHeight()+legendTop+20)
	bottom := height - plotBottom
	var xs, ys []float64
	for _, m := range c.marks {
		xs, ys = append(xs, m.x), append(ys, m.y)
	}
	x, y := newAxis(xs, plotLeft, plotRight), newAxis(ys, bottom, plotTop)

	fmt.Fprintf(&b,
		`<svg xmlns="http://www.w3.org/2000/svg" class="chart" id="%s" viewBox="0 0 %g %g" role="img" aria-label="%s">`+"\n", c.id, chartWidth, height, html.EscapeString(c.title))
	fmt.Fprintf(&b, "<style>\n%s</style>\n", styleSheet(c.id, c.levels))
	fmt.Fprintf(&b, `<rect class="back" width="%g" height="%g" rx="6"/>`+"\n", chartWidth, height)
	text(&b, "title", plotLeft, 28, c.title)
	text(&b, "sub", plotLeft, 47, c.subtitle)
	c.axes(&b, x, y, bottom)
	for _, l := range c.lines {
		c.line(&b, l, x, y)
	}
	for _, faded := range []bool{true, false} { // what counts lies on top
		for _, m := range c.marks {
			if m.faded == faded {
				drawMark(&b, m, x.at(m.x), y.at(m.y))
			}
		}
	}
	c.labels(&b, x, y, bottom)
	c.drawLegend(&b)
	b.WriteString("</svg>\n")
	return b.Bytes()
}

func text(b *bytes.Buffer, class string, x, y float64, s string) {
	fmt.Fprintf(b, `<text class="%s" x="%.1f" y="%.1f">%s</text>`+"\n", class, x, y, html.EscapeString(s))
}

func (c *chart) axes(b *bytes.Buffer, x, y axis, bottom float64) {
	for _, t := range x.ticks() {
		at := x.at(t.value)
		fmt.Fprintf(b, `<line class="%s" x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f"/>`+"\n", gridClass(t), at, plotTop, at,
			bottom)
		if t.label {
			text(b, "tick mid", at, bottom+18, c.xText(t.value))
		}
	}
	for _, t := range y.ticks() {
		at := y.at(t.value)
		fmt.Fprintf(b, `<line class="%s" x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f"/>`+"\n", gridClass(t), plotLeft, at,
			plotRight, at)
		if t.label {
			text(b, "tick end", plotLeft-8, at+4, c.yText(t.value))
		}
	}
	fmt.Fprintf(b, `<path class="axis" d="M%.1f %.1fV%.1fH%.1f"/>`+"\n", plotLeft, plotTop, bottom, plotRight)
	text(b, "name mid", (plotLeft+plotRight)/2, bottom+42, c.xName)
	fmt.Fprintf(b, `<text class="name mid" transform="translate(24 %.1f) rotate(-90)">%s</text>`+"\n",
		(plotTop+bottom)/2, html.EscapeString(c.yName))
}

func gridClass(t tick) string {
	if t.label {
		return "grid"
	}
	return "grid minor"
}

// line draws a staircase. It starts at the first point's own height and ends at the right side of the plot: more cells
// never take away what fewer reach.
func (c *chart) line(b *bytes.Buffer, l line, x, y axis) {
	var d strings.Builder
	for i, p := range l.xy {
		px, py := x.at(p[0]), y.at(p[1])
		switch {
		case i == 0:
			fmt.Fprintf(&d, "M%.1f %.1f", px, py)
		case l.smooth:
			fmt.Fprintf(&d, "L%.1f %.1f", px, py)
		default:
			fmt.Fprintf(&d, "H%.1fV%.1f", px, py)
		}
	}
	if !l.smooth {
		fmt.Fprintf(&d, "H%.1f", x.to)
	}
	fmt.Fprintf(b, `<path class="line %s" d="%s"/>`+"\n", levelClass(l.level), d.String())
}

// shapes are marks of a radius of about 6 around 0, filled ones as hollow ones.
var shapes = []string{
	`<circle r="5.6"/>`,
	`<path d="M-5.2 -5.2H5.2V5.2H-5.2Z"/>`,
	`<path d="M0 -7L6.4 4.6H-6.4Z"/>`,
	`<path d="M0 -7.2L7.2 0L0 7.2L-7.2 0Z"/>`,
	`<path d="M-6.4 -4.6H6.4L0 7Z"/>`,
	`<path d="M0 -7L6.7 -2.2L4.1 5.7H-4.1L-6.7 -2.2Z"/>`,
	`<path d="M-2.2 -6.6H2.2V-2.2H6.6V2.2H2.2V6.6H-2.2V2.2H-6.6V-2.2H-2.2Z"/>`,
	`<path d="M-6.6 0L-3.3 -5.8H3.3L6.6 0L3.3 5.8H-3.3Z"/>`,
}

func drawMark(b *bytes.Buffer, m mark, x, y float64) {
	class := "mark " + levelClass(m.level)
	if m.hollow {
		class += " hollow"
	}
	if m.faded {
		class += " faded"
	}
	row := ""
	if m.row > 0 {
		row = fmt.Sprintf(` data-point="%d"`, m.row)
	}
	fmt.Fprintf(b, `<g class="%s" transform="translate(%.1f %.1f)"%s>%s`, class, x, y, row, shapes[m.shape%len(shapes)])
	if m.tip != "" {
		fmt.Fprintf(b, "<title>%s</title>", html.EscapeString(m.tip))
	}
	b.WriteString("</g>\n")
}

// levelClass is the class of a colour; -1 is for what has none of its own.
func levelClass(level int) string {
	if level < 0 {
		return "plain"
	}
	return fmt.Sprintf("l%d", level)
}
