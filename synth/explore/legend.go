package explore

import (
	"bytes"
	"fmt"
)

func (c *chart) legendHeight() float64 {
	h := 0.0
	for _, block := range c.legend {
		h += legendLine + 6
		for _, r := range block.rows {
			h += float64(len(r.text))*legendLine + 3
		}
		h += 10
	}
	return h
}

func (c *chart) drawLegend(b *bytes.Buffer) {
	y := legendTop
	for _, block := range c.legend {
		text(b, "head", legendLeft, y, block.title)
		y += legendLine + 6
		for _, r := range block.rows {
			if r.line != nil {
				fmt.Fprintf(b, `<path class="line l%d" d="M%.1f %.1fh20"/>`+"\n", r.line.level, legendLeft, y-4)
			}
			if r.mark != nil {
				drawMark(b, *r.mark, legendLeft+10, y-4)
			}
			for i, t := range r.text {
				text(b, "row", legendLeft+28, y+float64(i)*legendLine, t)
			}
			y += float64(len(r.text))*legendLine + 3
		}
		y += 10
	}
}
