package replay

import (
	"bytes"
	"fmt"
	"image/color"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"

	"github.com/hdlpkg/hpccgen/verify/source"
)

// picture gathers what is drawn of a replay: W and R of the first flows over the time of the trace, and in a timed
// replay how long the ACKs of all flows waited.
type picture struct {
	title   string
	columns [3]int // of the output: flow, w_bytes, rate_bps
	flows   []*curve
	waits   plotter.XYs // wait in us over the trace's time in us: the longest of each so many rows
	waited  int         // rows
	each    int         // rows a point of waits
	start   uint64      // ns, of the first row
	end     uint64      // ns, of the latest
	rows    int
	file    *source.Output
}

// curve is W in kB and R in Gbit/s of a flow, over time in us. It has every so many rows, so that a long trace takes no
// more room than a short one.
type curve struct {
	name         string
	window, rate plotter.XYs
	seen, every  int
}

const (
	mostCurves = 8
	mostPoints = 2000 // of a curve
)

func newPicture(title, header string) (*picture, error) {
	p := &picture{title: title}
	names := bytes.Split([]byte(header), []byte{','})
	for i, want := range []string{"flow", "w_bytes", "rate_bps"} {
		p.columns[i] = slices.IndexFunc(names, func(n []byte) bool { return string(n) == want })
		if p.columns[i] < 0 {
			return nil, fmt.Errorf("--plot: the results of this law have no column %s", want)
		}
	}
	return p, nil
}

// add takes a row of the output, at its time in ns.
func (p *picture) add(row []byte, ns uint64) {
	fields := bytes.Split(row, []byte{','})
	text := func(i int) string { return string(fields[p.columns[i]]) }
	if p.rows == 0 {
		p.start = ns
	}
	p.rows++
	p.end = max(p.end, ns)
	at := slices.IndexFunc(p.flows, func(c *curve) bool { return c.name == text(0) })
	if at < 0 {
		if len(p.flows) == mostCurves {
			return
		}
		at = len(p.flows)
		p.flows = append(p.flows, &curve{name: text(0), every: 1})
	}
	w, errW := strconv.ParseFloat(text(1), 64)
	r, errR := strconv.ParseFloat(text(2), 64)
	if errW != nil || errR != nil { // a row that was rejected has neither
		return
	}
	p.flows[at].add(float64(int64(ns-p.start))/1e3, w/1e3, r/1e9)
}

// wait takes the wait of a row, in seconds.
func (p *picture) wait(ns uint64, seconds float64) {
	p.each = max(p.each, 1)
	at := plotter.XY{X: float64(ns) / 1e3, Y: seconds * 1e6}
	if p.waited%p.each == 0 {
		p.waits = append(p.waits, at)
	} else if last := &p.waits[len(p.waits)-1]; at.Y > last.Y {
		*last = at
	}
	p.waited++
	if len(p.waits) < mostPoints {
		return
	}
	for i := range len(p.waits) / 2 {
		p.waits[i] = p.waits[2*i]
		if other := p.waits[2*i+1]; other.Y > p.waits[i].Y {
			p.waits[i] = other
		}
	}
	p.waits, p.each = p.waits[:len(p.waits)/2], 2*p.each
}

func (c *curve) add(us, kB, gbps float64) {
	if c.seen++; (c.seen-1)%c.every != 0 {
		return
	}
	c.window, c.rate = append(c.window, plotter.XY{X: us, Y: kB}), append(c.rate, plotter.XY{X: us, Y: gbps})
	if len(c.window) < mostPoints {
		return
	}
	half := func(xy plotter.XYs) plotter.XYs {
		for i := range len(xy) / 2 {
			xy[i] = xy[2*i]
		}
		return xy[:len(xy)/2]
	}
	c.window, c.rate, c.every = half(c.window), half(c.rate), 2*c.every
}

// lineColors tell curves apart on a light background, for people with any colour vision (Okabe and Ito).
var lineColors = []color.Color{
	color.RGBA{0, 114, 178, 255}, color.RGBA{213, 94, 0, 255}, color.RGBA{0, 158, 115, 255}, color.RGBA{204, 121, 167, 255},
	color.RGBA{86, 180, 233, 255}, color.RGBA{230, 159, 0, 255}, color.RGBA{0, 0, 0, 255}, color.RGBA{153, 153, 153, 255},
}

// write draws the picture, W above R above the waits, as SVG.
func (p *picture) write() error {
	const width, panelHeight = 24 * vg.Centimeter, 7 * vg.Centimeter
	panels := make([][]*plot.Plot, 2)
	for i, label := range []string{"W, kB", "R, Gbit/s"} {
		panel := newPanel(label)
		for n, c := range p.flows {
			line, err := plotter.NewLine([]plotter.XYs{c.window, c.rate}[i])
			if err != nil {
				return fmt.Errorf("--plot: flow %s: %w", c.name, err)
			}
			line.Color, line.Width = lineColors[n], vg.Points(1)
			panel.Add(line)
			if i == 0 {
				panel.Legend.Add("flow "+c.name, line)
			}
		}
		panel.Y.Max *= 1.15 // the legend is above the curves
		panel.Legend.Top = true
		panel.X.Max = max(panel.X.Max, float64(p.end-p.start)/1e3)
		panels[i] = []*plot.Plot{panel}
	}
	if len(p.waits) > 0 {
		panel := newPanel("wait before issue, us")
		for i := range p.waits {
			p.waits[i].X -= float64(p.start) / 1e3
		}
		points, err := plotter.NewScatter(p.waits)
		if err != nil {
			return fmt.Errorf("--plot: waits: %w", err)
		}
		points.GlyphStyle = draw.GlyphStyle{Color: lineColors[0], Radius: vg.Points(1), Shape: draw.CircleGlyph{}}
		panel.Add(points)
		panel.X.Min, panel.X.Max = panels[0][0].X.Min, panels[0][0].X.Max
		panels = append(panels, []*plot.Plot{panel})
	}
	height := panelHeight * vg.Length(len(panels))
	panels[0][0].Title.Text, panels[len(panels)-1][0].X.Label.Text = p.title, "time, us"
	canvas := vgsvg.New(width, height)
	tiles := draw.Tiles{Rows: len(panels), Cols: 1, PadX: vg.Millimeter, PadY: 2 * vg.Millimeter, PadTop: 2 * vg.Millimeter,
		PadBottom: 2 * vg.Millimeter, PadLeft: 2 * vg.Millimeter, PadRight: 4 * vg.Millimeter}
	for i, row := range plot.Align(panels, tiles, draw.New(canvas)) {
		panels[i][0].Draw(row[0])
	}
	var text bytes.Buffer
	if _, err := canvas.WriteTo(&text); err != nil {
		return err
	}
	if _, err := p.file.Write(text.Bytes()); err != nil {
		return err
	}
	return p.file.Commit()
}

func newPanel(label string) *plot.Plot {
	panel := plot.New()
	panel.BackgroundColor = color.White
	panel.Y.Label.Text, panel.Y.Min = label, 0
	panel.Add(plotter.NewGrid())
	return panel
}

func init() { plot.DefaultFont = font.Font{Typeface: "Liberation", Variant: "Sans"} }
