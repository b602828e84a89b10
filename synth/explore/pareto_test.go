package explore

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

func TestFront(t *testing.T) {
	for _, c := range []struct {
		name string
		list []Goals
		want []bool
	}{
		{"none", nil, []bool{}},
		{"one", []Goals{{1e-3, 100, 1e6}}, []bool{true}},
		{"equal ones are all there", []Goals{{1e-3, 100, 1e6}, {1e-3, 100, 1e6}}, []bool{true, true}},
		{"better in one", []Goals{{1e-3, 100, 1e6}, {1e-3, 99, 1e6}}, []bool{false, true}},
		{"better in one, worse in another", []Goals{{1e-3, 100, 1e6}, {1e-3, 99, 9e5}}, []bool{true, true}},
		{"more exact but larger", []Goals{{1e-3, 100, 1e6}, {1e-4, 101, 1e6}}, []bool{true, true}},
		{"slower", []Goals{{1e-3, 100, 1e6}, {1e-3, 100, 1e5}}, []bool{true, false}},
	} {
		assert.Equal(t, c.want, front(c.list), c.name)
	}
}

// The definition, tried on all pairs: a point is off the front exactly when there is one as good in all three and
// better in one.
func TestFrontIsItsDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		// Few values, so that points are often equal in something.
		goal := rapid.Custom(func(t *rapid.T) Goals {
			return Goals{float64(rapid.IntRange(1, 4).Draw(t, "bound")), rapid.IntRange(1, 4).Draw(t, "cells"),
				float64(rapid.IntRange(1, 4).Draw(t, "rate"))}
		})
		list := rapid.SliceOfN(goal, 0, 12).Draw(t, "list")
		got := front(list)
		for i, g := range list {
			beaten := false
			for _, o := range list {
				asGood := o.Bound <= g.Bound && o.Cells <= g.Cells && o.Rate >= g.Rate
				better := o.Bound < g.Bound || o.Cells < g.Cells || o.Rate > g.Rate
				beaten = beaten || asGood && better
			}
			if got[i] == beaten {
				t.Fatalf("%v among %v: on the front %v, beaten %v", g, list, got[i], beaten)
			}
		}
		// What is off the front is beaten by one that is on it.
		for i, g := range list {
			by := got[i]
			for j, o := range list {
				by = by || got[j] && o.dominates(g)
			}
			if !by {
				t.Fatalf("nothing on the front beats %v of %v", g, list)
			}
		}
	})
}
