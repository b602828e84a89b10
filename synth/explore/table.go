package explore

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"strconv"
)

// json is the whole result.
func (r *Result) json() ([]byte, error) {
	text, err := json.MarshalIndent(r, "", "  ")
	return append(text, '\n'), err
}

// csvColumns are those of points.csv. What is not known is left empty.
var csvColumns = []struct {
	name string
	get  func(p *Point) string
}{
	{"number", func(p *Point) string { return strconv.Itoa(p.Number) }},
	{"name", func(p *Point) string { return p.Name }},
	{"base", func(p *Point) string { return strconv.FormatBool(p.Base) }},
	{"order", func(p *Point) string { return string(p.Order) }},
	{"hop_divider", func(p *Point) string { return p.Hop }},
	{"quotient_divider", func(p *Point) string { return p.Quotient }},
	{"max_error", func(p *Point) string { return number(p.MaxError) }},
	{"state", func(p *Point) string { return string(p.State) }},
	{"front", func(p *Point) string { return strconv.FormatBool(p.Front) }},
	{"w_bound", func(p *Point) string { return number(p.Bound) }},
	{"r_bound", func(p *Point) string { return number(p.RBound) }},
	{"latency_cycles", func(p *Point) string { return number(float64(p.Latency)) }},
	{"interval_cycles", func(p *Point) string { return number(float64(p.Interval)) }},
	{"acks_per_s", func(p *Point) string { return number(float64(int64(p.ACKs()))) }},
	{"fmax_mhz", measured(func(m *Measurement) float64 { return m.FmaxMHz })},
	{"fmax_min_mhz", measured(func(m *Measurement) float64 { return m.FmaxMin })},
	{"fmax_max_mhz", measured(func(m *Measurement) float64 { return m.FmaxMax })},
	{"seeds", count(func(m *Measurement) int { return len(m.Placements) })},
	{"cells", count(func(m *Measurement) int { return m.Cells })},
	{"lut", count(func(m *Measurement) int { return m.LUT })},
	{"ff", count(func(m *Measurement) int { return m.FF })},
	{"carry", count(func(m *Measurement) int { return m.Carry })},
	{"ram", count(func(m *Measurement) int { return m.RAM })},
	{"lut_ram", count(func(m *Measurement) int { return m.LUTRAM })},
	{"dsp", count(func(m *Measurement) int { return m.DSP })},
	{"seconds", measured((*Measurement).Took)},
	{"critical_path", func(p *Point) string {
		if p.Measurement == nil {
			return ""
		}
		return p.Path
	}},
	{"config_hash", func(p *Point) string { return p.Hash }},
	{"why", func(p *Point) string { return p.Why }},
}

// number writes a figure; 0 stands for one that is not known.
func number(v float64) string {
	if v == 0 {
		return ""
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

func measured(get func(*Measurement) float64) func(*Point) string {
	return func(p *Point) string {
		if p.Measurement == nil {
			return ""
		}
		return number(get(p.Measurement))
	}
}

// count writes a number of cells: 0 is one.
func count(get func(*Measurement) int) func(*Point) string {
	return func(p *Point) string {
		if p.Measurement == nil {
			return ""
		}
		return fmt.Sprint(get(p.Measurement))
	}
}

func (r *Result) csv() ([]byte, error) {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	row := make([]string, len(csvColumns))
	for i, c := range csvColumns {
		row[i] = c.name
	}
	if err := w.Write(row); err != nil {
		return nil, err
	}
	for _, p := range r.Points {
		for i, c := range csvColumns {
			row[i] = c.get(p)
		}
		if err := w.Write(row); err != nil {
			return nil, err
		}
	}
	w.Flush()
	return b.Bytes(), w.Error()
}
