package sample

import (
	"fmt"
	"math/rand/v2"

	"github.com/hdlpkg/hpccgen/config"
)

// axis is one thing that a grid varies.
type axis struct {
	name   string
	values []string
	set    func(c *Choice, value int)
}

func values[T any](name string, set func(c *Choice, v T), list ...T) axis {
	a := axis{name: name, set: func(c *Choice, value int) { set(c, list[value]) }}
	for _, v := range list {
		a.values = append(a.values, fmt.Sprint(v))
	}
	return a
}

var axes = []axis{
	values("hops", func(c *Choice, v int) { c.Hops = v }, 1, 2, 3, 4, 5, 6, 7, 8),
	values("serial", func(c *Choice, v bool) { c.Serial = v }, false, true),
	values("hop divider", func(c *Choice, v config.DividerKind) { c.HopDivider = Divider{Kind: v} }, Kinds...),
	values("quotient divider", func(c *Choice, v config.DividerKind) { c.QuotDiv = Divider{Kind: v} }, Kinds...),
	values("flows", func(c *Choice, v int) { c.Flows = v }, 2, 5, 32, 1000),
	values("profiles", func(c *Choice, v int) { c.Profiles = v }, 1, 2, 8, 16),
	values("link_id", func(c *Choice, v int) { c.LinkID = v }, 0, 1, 16),
	values("path_id", func(c *Choice, v int) { c.PathID = v }, 0, 12),
	values("receiver", func(c *Choice, v bool) { c.Receiver = v }, false, true),
	values("sojourn", func(c *Choice, v bool) { c.Sojourn = v }, false, true),
	values("async reset", func(c *Choice, v bool) { c.AsyncReset = v }, false, true),
	values("sequence bits", func(c *Choice, v int) { c.SeqBits = v }, 24, 32),
	values("stage bits", func(c *Choice, v int) { c.StageBits = v }, 1, 4),
	values("rate code bits", func(c *Choice, v int) { c.RateCodeBits = v }, 1, 4, 6),
	values("timestamp bits", func(c *Choice, v int) { c.TSBits, c.ClockBits = v, v+1 }, 18, 24, 48),
	values("error", func(c *Choice, v string) { c.MaxError = v }, "1e-5", "1e-3", "0.05"),
}

// plain is what the grid does not vary.
func plain() Choice {
	return Choice{
		TickNs: 1, TxBits: 20, TxUnit: 128, QlenBits: 17, CountBits: 32,
		Rates: []string{"10G", "100G"}, RTTMinNs: 1_000, RTTMaxNs: 100_000, WindowMin: 64, UMin: 0.016, UMax: 63,
	}
}

// pair is a value of one axis together with one of a later axis.
type pair struct{ a, va, b, vb int }

func pairs(row []int) []pair {
	var list []pair
	for a := range row {
		for b := a + 1; b < len(row); b++ {
			list = append(list, pair{a, row[a], b, row[b]})
		}
	}
	return list
}

// Grid is a list of choices in which every two values of different axes occur together: hops, order,
// dividers, flows, profiles, identifiers, mode, queue, reset, widths, precision. It is the same every
// time.
func Grid() []Choice {
	open := map[pair]bool{}
	for a := range axes {
		for b := a + 1; b < len(axes); b++ {
			for va := range axes[a].values {
				for vb := range axes[b].values {
					open[pair{a, va, b, vb}] = true
				}
			}
		}
	}
	r := rand.New(rand.NewPCG(1, 1))
	var list []Choice
	for len(open) > 0 {
		best, most := []int(nil), 0
		for range 40 {
			row := candidate(r, open)
			if n := covers(row, open); n > most {
				best, most = row, n
			}
		}
		if best == nil {
			continue
		}
		for _, p := range pairs(best) {
			delete(open, p)
		}
		c := plain()
		for i, a := range axes {
			a.set(&c, best[i])
		}
		c.Name = fmt.Sprintf("grid_%d", len(list))
		list = append(list, c)
	}
	return list
}

func covers(row []int, open map[pair]bool) int {
	n := 0
	for _, p := range pairs(row) {
		if open[p] {
			n++
		}
	}
	return n
}

// candidate fills the axes in random order, each with the value that covers most open pairs with those
// filled before.
func candidate(r *rand.Rand, open map[pair]bool) []int {
	row := make([]int, len(axes))
	for i := range row {
		row[i] = -1
	}
	for _, a := range r.Perm(len(axes)) {
		most := -1
		for _, v := range r.Perm(len(axes[a].values)) {
			n := 0
			for b, vb := range row {
				if vb < 0 {
					continue
				}
				p := pair{a, v, b, vb}
				if b < a {
					p = pair{b, vb, a, v}
				}
				if open[p] {
					n++
				}
			}
			if n > most {
				most, row[a] = n, v
			}
		}
	}
	return row
}
