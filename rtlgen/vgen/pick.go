package vgen

import (
	"fmt"
	"math/bits"
	"strings"
)

// pick is a Select among equal parts of one vector that follow one another, all of those that the index can name. It is
// printed as an index into the vector.
type pick struct {
	vector *node
	first  int // lowest bit of the first part
	width  int // of a part
	index  *node
}

// picked returns how a Select is an index into a vector, if it is one: parts are a power of two of bits wide, and what
// comes before the first is a whole number of tables of the same size.
func picked(n *node) (pick, bool) {
	if n.op != opSelect {
		return pick{}, false
	}
	index, cases := n.args[0], n.args[2:]
	q := pick{index: index, width: n.width}
	if len(cases) < 2 || len(cases) != 1<<index.width || q.width&(q.width-1) != 0 {
		return pick{}, false
	}
	for i, c := range cases {
		if c.op != opSlice || c.name != "" {
			return pick{}, false
		}
		if i == 0 {
			q.vector, q.first = c.args[0], c.p1
		}
		if c.args[0] != q.vector || c.p1 != q.first+i*q.width {
			return pick{}, false
		}
	}
	return q, q.first%(q.width*len(cases)) == 0 && !q.vector.size.known()
}

// pickText is the text of a pick.
func (p *printer) pickText(q pick, base string) string {
	name := p.declare(q.vector, base)
	count := 1 << q.index.width
	p.readBits(q.vector, q.first+q.width*count-1, q.first)
	low := bits.Len(uint(q.width)) - 1
	high := indexWidth(q.vector.width) - low - q.index.width
	index := p.inline(q.index, base+"_index")
	var parts []string
	if high > 0 {
		parts = append(parts, fmt.Sprintf("%d'd%d", high, q.first/(q.width*count)))
	}
	parts = append(parts, index)
	if low > 0 {
		parts = append(parts, zeros(low))
	}
	if len(parts) > 1 {
		index = "{" + strings.Join(parts, ", ") + "}"
	}
	if q.width > 1 {
		return fmt.Sprintf("%s[%s +: %d]", name, index, q.width)
	}
	return fmt.Sprintf("%s[%s]", name, index)
}
