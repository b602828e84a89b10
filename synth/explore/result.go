package explore

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hdlpkg/hpccgen/internal/outfolder"
)

// Result is what is known of a space.
type Result struct {
	Generator string `json:"generator"` // version of hpccgen
	Command   string `json:"command"`
	Base      string `json:"base"` // name of the base's design
	BaseHash  string `json:"base_hash"`
	Identity
	Seeds  []int    `json:"seeds,omitempty"` // of placement
	Points []*Point `json:"points"`
}

// add appends a point, and notes when an earlier one is the same hardware.
func (r *Result) add(p *Point) {
	for _, q := range r.Points {
		if p.design != nil && p.key == q.key {
			p.State, p.Why = Same, fmt.Sprintf("the hardware of point %d", q.Number)
			break
		}
	}
	r.Points = append(r.Points, p)
}

// Method says how the points are measured.
func (r *Result) Method() string {
	switch n := len(r.Seeds); n {
	case 0:
		return "packed, not placed"
	case 1:
		return fmt.Sprintf("placed and routed towards %g MHz, seed %d", r.ClockMHz, r.Seeds[0])
	default:
		return fmt.Sprintf("placed and routed towards %g MHz, median of seeds %d to %d", r.ClockMHz, r.Seeds[0], r.Seeds[n-1])
	}
}

// Took is the wall-clock time that the tools took for all points, when they were measured.
func (r *Result) Took() time.Duration {
	sum := 0.0
	for _, p := range r.Points {
		if p.Measurement != nil {
			sum += p.Took()
		}
	}
	return time.Duration(sum * float64(time.Second)).Round(time.Second)
}

// Clocked reports whether any point has been placed and routed.
func (r *Result) Clocked() bool {
	for _, p := range r.Points {
		if p.State == Measured && p.FmaxMHz > 0 {
			return true
		}
	}
	return false
}

// shown reports whether a point is compared with others. Until the first one is placed, cells and the initiation interval
// are what is known of all.
func (r *Result) shown(p *Point) bool { return p.State == Measured || p.State == Sized && !r.Clocked() }

// rate is what points are compared by: ACKs a second where clocks are known, else ACKs a cycle.
func (r *Result) rate(p *Point) float64 {
	if r.Clocked() {
		return p.ACKs()
	}
	return p.PerCycle()
}

// markFront marks the points of the Pareto front.
func (r *Result) markFront() {
	var list []*Point
	var goals []Goals
	for _, p := range r.Points {
		p.Front = false
		if r.shown(p) {
			list = append(list, p)
			goals = append(goals, Goals{Bound: p.Bound, Cells: p.Cells, Rate: r.rate(p)})
		}
	}
	for i, in := range front(goals) {
		list[i].Front = in
	}
}

// In counts the points in a state.
func (r *Result) In(s State) int {
	n := 0
	for _, p := range r.Points {
		if p.State == s {
			n++
		}
	}
	return n
}

// Best is the Pareto front: the fastest first, of equally fast ones the most exact, then the smallest.
func (r *Result) Best() []*Point {
	var list []*Point
	for _, p := range r.Points {
		if p.Front {
			list = append(list, p)
		}
	}
	slices.SortStableFunc(list, func(a, b *Point) int {
		return cmp.Or(cmp.Compare(r.rate(b), r.rate(a)), cmp.Compare(a.Bound, b.Bound), cmp.Compare(a.Cells, b.Cells))
	})
	return list
}

// Summary counts the points by state.
func (r *Result) Summary() string {
	var list []string
	for _, s := range []State{Measured, Same, TooLarge, Illegal, Failed, Sized, Open} {
		if n := r.In(s); n > 0 {
			list = append(list, fmt.Sprintf("%d %s", n, s.text()))
		}
	}
	points := "points"
	if len(r.Points) == 1 {
		points = "point"
	}
	text := fmt.Sprintf("%d %s: %s.", len(r.Points), points, strings.Join(list, ", "))
	if best := len(r.Best()); best > 0 {
		text += fmt.Sprintf(" Pareto front: %d.", best)
	}
	return text
}

// FailedPoints is the error of a run in which a tool failed on some points.
type FailedPoints struct {
	Failed, Of int
	First      string // what the first of them said
}

func (e *FailedPoints) Error() string {
	return fmt.Sprintf("%d of %d points failed; the first: %s", e.Failed, e.Of, e.First)
}

func (r *Result) failed() error {
	n := r.In(Failed)
	if n == 0 {
		return nil
	}
	for _, p := range r.Points {
		if p.State == Failed {
			return &FailedPoints{n, len(r.Points), p.Name + ": " + p.Why}
		}
	}
	return nil
}

// write writes all files of the result but those of single points.
func (r *Result) write(dir *outfolder.Folder) error {
	r.markFront()
	for _, f := range []struct {
		name string
		make func() ([]byte, error)
	}{{"points.csv", r.csv}, {"points.json", r.json}, {"pareto.svg", r.svg}, {PageFile, r.page}} {
		data, err := f.make()
		if err != nil {
			return fmt.Errorf("%s: %w", f.name, err)
		}
		if err := dir.Replace(f.name, data); err != nil {
			return err
		}
	}
	return nil
}
