package explore

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"maps"
	"slices"
)

//go:embed page.html
var pageText string

var pageTemplate = template.Must(template.New("page").Parse(pageText))

// page is the result for a browser, with nothing outside of it.
func (r *Result) page() ([]byte, error) {
	data := pageData{Result: r, Headings: r.headings()}
	if slices.ContainsFunc(r.Points, r.shown) {
		data.Plot = template.HTML(r.rateChart().svg()) // our own, escaped there
		data.Precision = template.HTML(r.errorChart().svg())
	}
	for _, tool := range slices.Sorted(maps.Keys(r.Tools)) {
		data.Versions = append(data.Versions, r.Tools[tool])
	}
	for _, p := range r.Points {
		if r.shown(p) || p.State == TooLarge && p.Measurement.Cells > 0 {
			data.All = append(data.All, r.row(p))
		}
		if !r.shown(p) {
			data.Others = append(data.Others, p)
		}
	}
	for _, p := range r.Best() {
		data.Front = append(data.Front, r.row(p))
	}
	var b bytes.Buffer
	err := pageTemplate.Execute(&b, data)
	return b.Bytes(), err
}

type pageData struct {
	*Result
	Plot, Precision template.HTML
	Versions        []string
	Headings        []heading
	Front, All      []pageRow
	Others          []*Point
}

// Rate is what the third goal is called.
func (d pageData) Rate() string {
	if d.Clocked() {
		return "ACKs a second"
	}
	return "ACKs a cycle"
}

type heading struct {
	Text, Title string
	Words       bool // a column of words, not of numbers
}

type pageRow struct {
	*Point
	Columns []pageCell
}

// pageCell is a text, and what it is sorted by.
type pageCell struct {
	Text  string
	Sort  string
	Words bool
}

func (r *Result) headings() []heading {
	list := []heading{
		{Text: "#", Title: "number of the point in the picture"},
		{Text: "hops", Title: "side by side or one after the other", Words: true},
		{Text: "dividers", Title: "of the hops, and of the quotient", Words: true},
		{Text: "asked", Title: "largest error that the formats were derived for; base: the formats of the base"},
		{Text: "error of W", Title: "proven bound of the relative error of W in one step"},
		{Text: "cells", Title: "logic cells"},
		{Text: "LUT"}, {Text: "FF"}, {Text: "RAM", Title: "block RAMs"}, {Text: "DSP", Title: "multipliers"},
		{Text: "interval", Title: "cycles from ACK to ACK"},
		{Text: "latency", Title: "cycles from an ACK to its window"},
	}
	took := heading{Text: "seconds", Title: "wall clock of the tools when it was measured"}
	if r.Clocked() {
		return append(list, heading{Text: "MHz",
			Title: "after place and route, worst case of the part; with several seeds the median, the least and the most"},
			heading{Text: "ACKs/s", Title: "clock over interval"}, took)
	}
	return append(list, heading{Text: "ACKs/cycle"}, took)
}

func (r *Result) row(p *Point) pageRow {
	words := func(text string) pageCell { return pageCell{text, text, true} }
	whole := func(n int) pageCell { return pageCell{grouped(n), fmt.Sprint(n), false} }
	asked := pageCell{p.PrecisionText(), fmt.Sprint(p.MaxError), false}
	columns := []pageCell{
		whole(p.Number), words(string(p.Order)), words(p.dividers.String()), asked,
		{boundText(p.Bound), fmt.Sprint(p.Bound), false},
		whole(p.Cells), whole(p.LUT), whole(p.FF), whole(p.RAM), whole(p.DSP), whole(p.Interval), whole(p.Latency),
	}
	switch {
	case p.State == TooLarge:
		columns = append(columns, words("too large"))
		if r.Clocked() {
			columns = append(columns, words(""))
		}
	case r.Clocked():
		columns = append(columns, pageCell{p.ClockText(), fmt.Sprint(p.FmaxMHz), false},
			pageCell{siPrefix(p.ACKs()), fmt.Sprint(p.ACKs()), false})
	default:
		columns = append(columns, pageCell{fraction(p.PerCycle()), fmt.Sprint(p.PerCycle()), false})
	}
	seconds := fmt.Sprintf("%.0f", p.Took())
	return pageRow{p, append(columns, pageCell{seconds, seconds, false})}
}

// ClockText is the median of the clock in MHz, with the least and the most of several seeds.
func (p *Point) ClockText() string {
	if len(p.Placements) < 2 {
		return fmt.Sprintf("%.1f", p.FmaxMHz)
	}
	return fmt.Sprintf("%.1f (%.1f to %.1f)", p.FmaxMHz, p.FmaxMin, p.FmaxMax)
}

// PrecisionText is what the formats are made for.
func (p *Point) PrecisionText() string {
	if p.MaxError == 0 {
		return wordBase
	}
	return shortError(p.MaxError)
}

// StateText is the state in words.
func (p *Point) StateText() string { return p.State.text() }

// grouped writes 12345 as 12,345.
func grouped(n int) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
