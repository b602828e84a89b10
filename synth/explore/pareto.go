package explore

// Goals are what a point is judged by.
type Goals struct {
	Bound float64 // of the relative error of W: less is better
	Cells int     // logic cells: fewer are better
	Rate  float64 // ACKs a second, or a cycle where no clock is known: more is better
}

// dominates says whether g is no worse than other in anything, and better in something.
func (g Goals) dominates(other Goals) bool {
	if g.Bound > other.Bound || g.Cells > other.Cells || g.Rate < other.Rate {
		return false
	}
	return g != other
}

// front says of each which no other dominates. Of equal ones all are there.
func front(list []Goals) []bool {
	in := make([]bool, len(list))
	for i, g := range list {
		in[i] = true
		for _, other := range list {
			if other.dominates(g) {
				in[i] = false
				break
			}
		}
	}
	return in
}
