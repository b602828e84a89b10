package explore

import (
	"fmt"
	"math"
	"strings"
)

// theme is the colours of a picture on one kind of background.
type theme struct {
	back, ink, soft, grid, minor string
	levels                       [][3]float64 // from the coarsest precision to the finest
}

// The levels are told apart by lightness too, for those who do not see the hues, and in print.
var (
	light = theme{back: "#ffffff", ink: "#1c2330", soft: "#5a6473", grid: "#d5dae1", minor: "#eceff3",
		levels: [][3]float64{{230, 126, 34}, {190, 60, 110}, {110, 65, 175}, {30, 70, 160}, {10, 110, 120}}}
	dark = theme{back: "#161b22", ink: "#e6eaf0", soft: "#9aa5b4", grid: "#343c48", minor: "#232a33",
		levels: [][3]float64{{245, 170, 85}, {240, 120, 165}, {185, 145, 250}, {115, 165, 255}, {85, 205, 205}}}
)

// colour is that of a level among n, in between where there are more than the theme has.
func (t theme) colour(level, n int) string {
	at := float64(level)
	if last := float64(len(t.levels) - 1); float64(n-1) > last {
		at = at * last / float64(n-1)
	}
	i := min(int(at), len(t.levels)-1)
	j := min(i+1, len(t.levels)-1)
	share := at - float64(i)
	var c [3]int
	for k := range c {
		c[k] = int(math.Round(t.levels[i][k]*(1-share) + t.levels[j][k]*share))
	}
	return fmt.Sprintf("#%02x%02x%02x", c[0], c[1], c[2])
}

// styleSheet has the colours as plain values, not as variables, which viewers other than browsers do not know.
func styleSheet(id string, levels int) string {
	var b strings.Builder
	rule := func(selector, format string, args ...any) {
		fmt.Fprintf(&b, "#%s %s{%s}\n", id, selector, fmt.Sprintf(format, args...))
	}
	fmt.Fprintf(&b,
		"#%s{font-family:system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif;font-size:12px}\n", id)
	rule(".title", "font-size:16px;font-weight:600")
	rule(".head", "font-weight:600")
	rule(".name", "font-weight:600")
	rule(".label", "font-size:10.5px;paint-order:stroke;stroke-width:3;stroke-linejoin:round")
	rule(".mid", "text-anchor:middle")
	rule(".end", "text-anchor:end")
	rule(".axis", "fill:none;stroke-width:1.2")
	rule(".grid", "stroke-width:1")
	rule(".line", "fill:none;stroke-width:1.6;stroke-linejoin:round;opacity:.75")
	rule(".mark", "stroke-width:1.7")
	rule(".faded", "opacity:.32")
	rule(".mark.lit", "opacity:1;stroke-width:4")
	colours(rule, light, levels)
	b.WriteString("@media (prefers-color-scheme:dark){\n")
	colours(rule, dark, levels)
	b.WriteString("}\n")
	return b.String()
}

func colours(rule func(string, string, ...any), t theme, levels int) {
	rule(".back", "fill:%s", t.back)
	rule("text", "fill:%s", t.ink)
	rule(".sub", "fill:%s", t.soft)
	rule(".tick", "fill:%s", t.soft)
	rule(".label", "stroke:%s", t.back)
	rule(".axis", "stroke:%s", t.soft)
	rule(".grid", "stroke:%s", t.grid)
	rule(".grid.minor", "stroke:%s", t.minor)
	rule(".mark.plain", "fill:%s;stroke:%s", t.soft, t.soft)
	rule(".line.plain", "stroke:%s", t.grid)
	for i := range levels {
		c := t.colour(i, levels)
		rule(fmt.Sprintf(".mark.l%d", i), "fill:%s;stroke:%s", c, c)
		rule(fmt.Sprintf(".line.l%d", i), "stroke:%s", c)
	}
	rule(".mark.hollow", "fill:%s", t.back)
}
