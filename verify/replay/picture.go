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

// picture gathers what is drawn of a replay: W and R of the first flows over the time of the trace.
type picture struct {
	title   string
	columns [3]int // of the output: flow, w_bytes, rate_bps
	flows   []*curve
	start   uint64 // ns, of the first row
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

// write draws the picture, W above R, as SVG.
func (p *picture) write() error {
	const width, height = 24 * vg.Centimeter, 14 * vg.Centimeter
	panels := make([][]*plot.Plot, 2)
	for i, label := range []string{"W, kB", "R, Gbit/s"} {
		panel := plot.New()
		panel.BackgroundColor = color.White
		panel.Y.Label.Text, panel.Y.Min = label, 0
		panel.X.Label.Text = ""
		panel.Add(plotter.NewGrid())
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
		panels[i] = []*plot.Plot{panel}
	}
	panels[0][0].Title.Text, panels[1][0].X.Label.Text = p.title, "time, us"
	canvas := vgsvg.New(width, height)
	tiles := draw.Tiles{Rows: 2, Cols: 1, PadX: vg.Millimeter, PadY: 2 * vg.Millimeter, PadTop: 2 * vg.Millimeter,
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

func init() { plot.DefaultFont = font.Font{Typeface: "Liberation", Variant: "Sans"} }
