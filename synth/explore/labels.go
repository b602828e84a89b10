package explore

import (
	"bytes"
	"math"
	"unicode/utf8"
)

// box is a rectangle that a label or a mark takes.
type box struct{ left, top, right, bottom float64 }

// overlap is the area that two boxes share.
func (a box) overlap(b box) float64 {
	w := min(a.right, b.right) - max(a.left, b.left)
	h := min(a.bottom, b.bottom) - max(a.top, b.top)
	if w <= 0 || h <= 0 {
		return 0
	}
	return w * h
}

// labels writes the labels of marks where they hide the least: each takes the best of the places around its mark, away
// from marks and from the labels before it.
func (c *chart) labels(b *bytes.Buffer, x, y axis, bottom float64) {
	var marks, labels []box
	for _, m := range c.marks {
		px, py := x.at(m.x), y.at(m.y)
		marks = append(marks, box{px - 7, py - 7, px + 7, py + 7})
	}
	frame := box{plotLeft, plotTop, plotRight, bottom}
	for _, m := range c.marks {
		if m.label == "" {
			continue
		}
		px, py := x.at(m.x), y.at(m.y)
		best, least := box{}, math.Inf(1)
		for _, p := range places(px, py, float64(utf8.RuneCountInString(m.label))*letterWidth) {
			hidden := (p.right-p.left)*(p.bottom-p.top) - p.overlap(frame)
			for _, t := range marks {
				hidden += p.overlap(t)
			}
			for _, t := range labels {
				hidden += 4 * p.overlap(t) // two labels on each other cannot be read at all
			}
			if hidden < least {
				best, least = p, hidden
			}
		}
		labels = append(labels, best)
		text(b, "label", best.left, best.bottom-2, m.label)
	}
}

// places are where a label of a width may stand around a mark, the best first: near ones, then far ones.
func places(x, y, width float64) []box {
	var list []box
	for _, far := range []float64{9, 17, 26, 36} {
		near := far * 0.72
		for _, p := range [][2]float64{ // left and lower edge
			{x + far, y + letterHeight/2}, {x - far - width, y + letterHeight/2}, {x - width/2, y - far},
			{x - width/2, y + far + letterHeight},
			{x + near, y - near}, {x - near - width, y - near}, {x + near, y + near + letterHeight},
			{x - near - width, y + near + letterHeight},
		} {
			list = append(list, box{p[0], p[1] - letterHeight, p[0] + width, p[1]})
		}
	}
	return list
}
