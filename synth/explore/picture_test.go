package explore

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func explored(t *testing.T, preset string, f *fake, precisions ...float64) (*Result, string) {
	t.Helper()
	dir := t.TempDir()
	r, err := Run(context.Background(), Options{Space: space(t, preset, precisions...), Measurer: f, Dir: dir, Seeds: []int{1},
		Command: "hpccgen explore --config " + preset})
	require.NoError(t, err)
	return r, dir
}

// wellFormed reads a text as XML and gives the elements by name.
func wellFormed(t *testing.T, text []byte) map[string]int {
	t.Helper()
	elements := map[string]int{}
	d := xml.NewDecoder(bytes.NewReader(text))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return elements
		}
		require.NoError(t, err)
		if s, ok := token.(xml.StartElement); ok {
			elements[s.Name.Local]++
		}
	}
}

// The picture has every measured point once, and labels exactly those on the front and the base.
func TestPicture(t *testing.T) {
	for _, routed := range []bool{true, false} {
		r, dir := explored(t, "nic-line", &fake{routed: routed}, 1e-2, 1e-4)
		svg, err := os.ReadFile(filepath.Join(dir, "pareto.svg"))
		require.NoError(t, err)
		elements := wellFormed(t, svg)
		assert.Equal(t, 1, elements["svg"])
		for _, p := range r.Points {
			n := strings.Count(string(svg), `data-point="`+strconv.Itoa(p.Number)+`"`)
			if p.State == Measured {
				assert.Equal(t, 1, n, p.Name)
			} else {
				assert.Zero(t, n, p.Name)
			}
		}
		labels := regexp.MustCompile(`class="label" x="[^"]*" y="[^"]*">([^<]*)<`).FindAllSubmatch(svg, -1)
		want := len(r.Best())
		if !r.Points[0].Front {
			want++ // the base
		}
		assert.Len(t, labels, want)
		assert.NotContains(t, string(svg), "NaN")
		assert.NotContains(t, string(svg), "Inf")
		if routed {
			assert.Contains(t, string(svg), "ACKs a second")
		} else {
			assert.Contains(t, string(svg), "ACKs a cycle")
		}
	}
}

// The page needs nothing from elsewhere.
func TestPageStandsAlone(t *testing.T) {
	_, dir := explored(t, "nic-serial", &fake{routed: true}, 1e-2, 1e-3)
	page, err := os.ReadFile(filepath.Join(dir, PageFile))
	require.NoError(t, err)
	text := strings.ReplaceAll(string(page), `xmlns="http://www.w3.org/2000/svg"`, "")
	for _, elsewhere := range []string{"http:", "https:", "src=", "@import", "url(", "<link", "ZgotmplZ"} {
		assert.NotContains(t, text, elsewhere)
	}
	assert.Equal(t, 2, strings.Count(text, "<svg"))
	assert.Contains(t, text, "prefers-color-scheme: dark")
	assert.Contains(t, text, "hpccgen explore --config nic-serial")
	assert.Contains(t, text, "the dividers alone are off by")
	body, _, _ := strings.Cut(text, "<script>")
	_, body, _ = strings.Cut(body, "<body>")
	for _, tag := range []string{"table", "tbody", "tr", "td", "th", "div", "p", "dl", "svg", "g", "text"} {
		assert.Equal(t, strings.Count(body, "<"+tag+">")+strings.Count(body, "<"+tag+" "),
			strings.Count(body, "</"+tag+">"), tag)
	}
}

// Points that are nowhere, all in one place, or alone give a picture too.
func TestPictureOfLittle(t *testing.T) {
	s := Space{Base: load(t, "nic-serial")}
	dir := t.TempDir()
	_, err := Run(context.Background(), Options{Space: s, Measurer: &fake{}, Dir: dir})
	require.NoError(t, err)
	svg, err := os.ReadFile(filepath.Join(dir, "pareto.svg"))
	require.NoError(t, err)
	wellFormed(t, svg)
	assert.NotContains(t, string(svg), "NaN")
	empty := &Result{Base: "nothing", Points: nil}
	text, err := empty.svg()
	require.NoError(t, err)
	wellFormed(t, text)
	page, err := empty.page()
	require.NoError(t, err)
	assert.Contains(t, string(page), "Nothing is measured yet.")
}

// A point whose error has no bound is in the picture of ACKs, in a colour of its own, and has no place in that of
// errors.
func TestPictureWithoutABound(t *testing.T) {
	r, _ := explored(t, "nic-serial", &fake{routed: true}, 1e-2)
	r.Points[1].Bound = 1e100
	l := r.levels()
	assert.Equal(t, 1, l.of(r.Points[1]))
	assert.Equal(t, "above 1e-2", l.text(1))
	assert.Contains(t, string(r.rateChart().svg()), `data-point="2"`)
	picture := string(r.errorChart().svg())
	assert.NotContains(t, picture, `data-point="2"`)
	assert.Contains(t, picture, `data-point="1"`)
	page, err := r.page()
	require.NoError(t, err)
	assert.True(t, strings.Contains(string(page), ">none<"))
}

// No value makes an axis without end.
func TestAxisOfAnything(t *testing.T) {
	for _, v := range []float64{1e305, math.MaxFloat64, math.Inf(1), math.SmallestNonzeroFloat64} {
		for _, other := range []float64{1, v, 1e-300} {
			a := newAxis([]float64{v, other}, 100, 700)
			assert.LessOrEqual(t, len(a.ticks()), 500)
			assert.False(t, math.IsNaN(a.at(1)))
		}
	}
}

func TestAxis(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		least     int // labels
	}{{2188, 3639, 3}, {3000, 3100, 1}, {3000, 5000, 2}, {900, 30000, 3}, {1e4, 1e8, 4}, {0.005, 1, 2}} {
		a := newAxis([]float64{c.low, c.high, 0, -3}, 100, 700)
		assert.Less(t, a.low, c.low)
		assert.Greater(t, a.high, c.high)
		assert.InDelta(t, 100, a.at(a.low), 1e-6)
		assert.InDelta(t, 700, a.at(a.high), 1e-6)
		labels := 0
		before := math.Inf(-1)
		for _, tick := range a.ticks() {
			if !tick.label {
				continue
			}
			labels++
			assert.Greater(t, a.at(tick.value)-before, 24.0, "labels of %v to %v overlap", c.low, c.high)
			before = a.at(tick.value)
		}
		assert.GreaterOrEqual(t, labels, c.least, "%v to %v", c.low, c.high)
	}
}

func TestFigures(t *testing.T) {
	for v, want := range map[float64]string{1: "1", 7680: "7.68k", 10000: "10k", 999.7: "1k", 1.5e8: "150M",
		148.8e6: "149M", 2e9: "2G", 20: "20"} {
		assert.Equal(t, want, siPrefix(v))
	}
	assert.Equal(t, []string{"1/28", "1", "1/200", "1/3.33"}, []string{fraction(1.0 / 28), fraction(1), fraction(0.005),
		fraction(0.3)})
	assert.Equal(t, "4.16e-4", boundText(4.16e-4))
	assert.Equal(t, "none", boundText(1e100))
	assert.Equal(t, "1e-3", shortError(1e-3))
	assert.Equal(t, []string{"1", "12,345", "1,234,567", "999"}, []string{grouped(1), grouped(12345), grouped(1234567),
		grouped(999)})
}

// Labels of points that lie close together are next to them and not on each other.
func TestLabelsKeepApart(t *testing.T) {
	c := chart{id: "c", title: "t", xText: siPrefix, yText: siPrefix, levels: 1}
	for i := range 12 {
		c.marks = append(c.marks, mark{x: 1000 + 90*float64(i%4), y: 1e6 * (1 + 0.15*float64(i/4)),
			label: strconv.Itoa(10 + i)})
	}
	c.marks = append(c.marks, mark{x: 20000, y: 1e8})
	var boxes []box
	for _, m := range regexp.MustCompile(`class="label" x="([^"]*)" y="([^"]*)">(\d+)<`).FindAllSubmatch(c.svg(), -1) {
		x, err := strconv.ParseFloat(string(m[1]), 64)
		require.NoError(t, err)
		y, err := strconv.ParseFloat(string(m[2]), 64)
		require.NoError(t, err)
		b := box{x, y + 2 - letterHeight, x + letterWidth*float64(len(m[3])), y + 2}
		for _, other := range boxes {
			assert.LessOrEqual(t, b.overlap(other), 1.0)
		}
		boxes = append(boxes, b)
	}
	assert.Len(t, boxes, 12)
}
