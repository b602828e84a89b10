package explore

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/google/renameio/v2"
)

// Result is what is known of a space.
type Result struct {
	Generator string `json:"generator"` // version of hpccgen
	Command   string `json:"command"`
	Base      string `json:"base"` // name of the base's design
	BaseHash  string `json:"base_hash"`
	Identity
	Points []*Point `json:"points"`
}

// Clocked says whether the points have clocks: whether they were placed and routed.
func (r *Result) Clocked() bool {
	for _, p := range r.Points {
		if p.Measurement != nil && p.FmaxMHz > 0 {
			return true
		}
	}
	return false
}

// rate is what points are compared by: ACKs a second where clocks are known, else ACKs a cycle.
func (r *Result) rate(p *Point) float64 {
	if r.Clocked() {
		return p.ACKs()
	}
	return p.PerCycle()
}

// markFront says of each point whether it is on the front.
func (r *Result) markFront() {
	var list []*Point
	var goals []Goals
	for _, p := range r.Points {
		p.Front = false
		if p.State == Measured {
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

// Best are the points that no other beats: the fastest first, of equally fast ones the most exact, then the smallest.
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
	for _, s := range []State{Measured, TooLarge, Illegal, Failed, Open} {
		if n := r.In(s); n > 0 {
			list = append(list, fmt.Sprintf("%d %s", n, s.text()))
		}
	}
	text := fmt.Sprintf("%d points: %s.", len(r.Points), strings.Join(list, ", "))
	if best := len(r.Best()); best > 0 {
		text += fmt.Sprintf(" No other is better than %d of them.", best)
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
func (r *Result) write(dir string) error {
	r.markFront()
	for _, f := range []struct {
		name string
		make func() ([]byte, error)
	}{{"points.csv", r.csv}, {"points.json", r.json}, {"pareto.svg", r.svg}, {PageFile, r.page}} {
		data, err := f.make()
		if err != nil {
			return fmt.Errorf("%s: %w", f.name, err)
		}
		if err := replace(filepath.Join(dir, f.name), data); err != nil {
			return err
		}
	}
	return nil
}

// replace writes a file so that whoever reads it meanwhile sees the old one or the new one, also when another run
// writes it at the same time.
func replace(path string, data []byte) error { return renameio.WriteFile(path, data, 0o666) }
