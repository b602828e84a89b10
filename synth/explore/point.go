package explore

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
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
	Same     State = "same"      // its hardware is that of a point before it
	Failed   State = "failed"    // a tool failed; the next run tries again
	Open     State = "open"      // not measured yet
	Sized    State = "sized"     // its cells are counted; it is not placed with every seed yet
)

// text is the state in words.
func (s State) text() string {
	switch s {
	case TooLarge:
		return "too large for the part"
	case Illegal:
		return "not possible"
	case Same:
		return "the same hardware as another"
	case Sized:
		return "not placed yet"
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
	Front bool `json:"front"` // on the Pareto front: no other point is better in one thing and as good in the others

	dividers Dividers
	design   *output.Design
	yaml     []byte
	key      string
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

// verilog is the size of the emitted text, a measure of how long the tools take.
func (p *Point) verilog() int {
	n := 0
	for _, f := range p.design.Files {
		if filepath.Ext(f.Path) == ".v" {
			n += len(f.Data)
		}
	}
	return n
}

// take gives a point its size. With that it is measured when it is not to be placed.
func (p *Point) take(size Size, seeds []int) {
	p.Measurement = &Measurement{Size: size}
	p.settle(seeds)
}

// place gives a point a placement. It is measured when it has one for each seed.
func (p *Point) place(placed Placement, seeds []int) {
	p.Measurement.place(placed)
	p.settle(seeds)
}

func (p *Point) settle(seeds []int) {
	switch m := p.Measurement; {
	case m.TooLarge == "" && len(m.Placements) < len(seeds):
		p.State = Sized
	case m.TooLarge != "" && (len(m.Placements) == 0 || len(m.Placements) == len(seeds)):
		p.State, p.Why = TooLarge, m.TooLarge
	case len(m.Placements) == len(seeds):
		p.State = Measured
	}
}
