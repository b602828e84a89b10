package explore

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/engine"
	"github.com/hdlpkg/hpccgen/rtlgen/output"
)

// State is what is known of a point.
type State string

// The states.
const (
	Measured State = "measured"
	TooLarge State = "too_large" // it does not fit the part
	Illegal  State = "illegal"   // the configuration refuses it
	Failed   State = "failed"    // a tool failed; the next run tries again
	Open     State = "open"      // not measured yet
)

// text is the state in words.
func (s State) text() string {
	switch s {
	case TooLarge:
		return "too large for the part"
	case Illegal:
		return "not possible"
	case Open:
		return "not measured yet"
	}
	return string(s)
}

// Point is a candidate with what is known of it.
type Point struct {
	Number   int     `json:"number"` // from 1, in the order of the space
	Name     string  `json:"name"`
	Base     bool    `json:"base"`
	Order    Order   `json:"order"`
	Hop      string  `json:"hop_divider"`
	Quotient string  `json:"quotient_divider"`
	MaxError float64 `json:"max_error"` // what the formats are derived for; 0: the formats of the base
	State    State   `json:"state"`
	Why      string  `json:"why,omitempty"` // of a point that is not measured

	Hash     string  `json:"config_hash,omitempty"`
	Bound    float64 `json:"w_bound,omitempty"` // of the relative error of W in one step, over the whole range; three digits, rounded up
	RBound   float64 `json:"r_bound,omitempty"` // of R
	Latency  int     `json:"latency,omitempty"` // cycles
	Interval int     `json:"interval,omitempty"`
	*Measurement
	Front bool `json:"front"` // no other point is better in one thing and as good in the others

	dividers Dividers
	design   *output.Design
	yaml     []byte
	key      string
}

// Measurement is what synthesis says of a design.
type Measurement struct {
	Cells    int     `json:"cells"` // logic cells
	LUT      int     `json:"lut"`
	FF       int     `json:"ff"`
	Carry    int     `json:"carry"`
	RAM      int     `json:"ram"`
	LUTRAM   int     `json:"lut_ram"`
	DSP      int     `json:"dsp"`
	FmaxMHz  float64 `json:"fmax_mhz,omitempty"` // 0: not placed and routed
	Path     string  `json:"critical_path,omitempty"`
	Seconds  float64 `json:"seconds"`
	TooLarge string  `json:"too_large,omitempty"` // why it does not fit the part; "" when it does
}

// check refuses figures that no part has: a file of measurements may be damaged, and a tool may say anything.
func (m Measurement) check() error {
	for _, f := range []struct {
		name  string
		value float64
		most  float64
	}{
		{"cells", float64(m.Cells), 1e9}, {"LUTs", float64(m.LUT), 1e9}, {"flip-flops", float64(m.FF), 1e9},
		{"carry cells", float64(m.Carry), 1e9},
		{"RAM blocks", float64(m.RAM), 1e9}, {"LUT RAM", float64(m.LUTRAM), 1e9}, {"DSP blocks", float64(m.DSP), 1e9},
		{"MHz", m.FmaxMHz, 1e5}, {"seconds", m.Seconds, 1e9},
	} {
		if !(f.value >= 0 && f.value <= f.most) {
			return fmt.Errorf("the measurement says %g %s; believed are 0 to %g", f.value, f.name, f.most)
		}
	}
	return nil
}

// ACKs is the number of ACKs a second; 0 without a clock.
func (p *Point) ACKs() float64 {
	if p.Measurement == nil || p.Interval == 0 {
		return 0
	}
	return p.FmaxMHz * 1e6 / float64(p.Interval)
}

// Dividers names the dividers of a point.
func (p *Point) Dividers() string { return p.dividers.String() }

// PerCycle is the number of ACKs a cycle.
func (p *Point) PerCycle() float64 {
	if p.Interval == 0 {
		return 0
	}
	return 1 / float64(p.Interval)
}

// newPoint generates the design of a candidate; a bug of the generator is the error. What the configuration refuses is
// a point as well.
func (s Space) newPoint(number int, c Candidate) (*Point, error) {
	p := &Point{Number: number, Name: c.Name(), Base: c.Base, Order: c.Order, Hop: dividerString(c.Dividers.Hop),
		Quotient: dividerString(c.Dividers.Quotient),
		MaxError: c.MaxError, State: Open, dividers: c.Dividers}
	cfg, yaml, err := s.configuration(c)
	if err != nil {
		p.State, p.Why = Illegal, reason(err)
		return p, nil
	}
	p.design, err = output.Build(cfg)
	if err != nil {
		return nil, err
	}
	timing := p.design.Timing.(engine.Timing) // that of every engine
	p.yaml, p.Hash = yaml, cfg.Hash
	p.Bound, p.RBound = roundedUp(cfg.Budget.WindowRel), roundedUp(cfg.Budget.RateRel)
	p.Latency, p.Interval = timing.Latency, timing.Interval
	return p, nil
}

// reason is what the configuration says of a variant, without the lines of a file that nobody has.
func reason(err error) string {
	var problems config.Problems
	if !errors.As(err, &problems) {
		return err.Error()
	}
	list := make([]string, len(problems))
	for i, q := range problems {
		q.File, q.Line = "", 0
		list[i] = strings.TrimPrefix(q.Error(), ": ")
	}
	return strings.Join(list, "\n")
}

// roundedUp keeps three digits: what comes out is a bound as well. Points whose bounds differ by less are as good as
// each other.
func roundedUp(bound float64) float64 {
	if bound <= 0 || math.IsInf(bound, 0) {
		return bound
	}
	unit := math.Pow(10, math.Floor(math.Log10(bound))-2)
	// A bound with three digits is itself: the division may be off by a little. The text has the nearest number with
	// three digits.
	rounded, err := strconv.ParseFloat(fmt.Sprintf("%.2e", math.Ceil(bound/unit-1e-9)*unit), 64)
	if err != nil {
		return bound
	}
	return rounded
}
