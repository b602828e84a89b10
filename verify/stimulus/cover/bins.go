package cover

import "strings"

// Bins counts what a run has exercised, in rows known beforehand. Not safe for concurrent use.
type Bins struct{ groups []group }

type group struct {
	names  []string
	counts Counts
}

// Counts are those of some rows.
type Counts []uint64

// Hit counts for a row if something is so.
func (c Counts) Hit(row int, when bool) {
	if when {
		c[row]++
	}
}

// Group adds a row for each name, prefixed with the name of its kind, and returns their counts. What has no name is not
// in reports.
func (b *Bins) Group(kind string, names ...string) Counts {
	g := group{make([]string, len(names)), make(Counts, len(names))}
	for i, name := range names {
		if name != "" {
			g.names[i] = strings.TrimSpace(kind + " " + name)
		}
	}
	b.groups = append(b.groups, g)
	return g.counts
}

// Merge adds what another run has exercised, of which the rows are the same.
func (b *Bins) Merge(o *Bins) {
	for i, g := range b.groups {
		for j := range g.counts {
			g.counts[j] += o.groups[i].counts[j]
		}
	}
}

// Rows lists all rows with how often each was reached.
func (b *Bins) Rows() (rows []Row) {
	for _, g := range b.groups {
		for i, name := range g.names {
			if name != "" {
				rows = append(rows, Row{name, g.counts[i]})
			}
		}
	}
	return rows
}

// Holes names the rows that were never reached.
func (b *Bins) Holes() (holes []string) {
	for _, r := range b.Rows() {
		if r.Count == 0 {
			holes = append(holes, r.Name)
		}
	}
	return holes
}

// String is a table of all rows, the least reached first.
func (b *Bins) String() string { return Table(b.Rows()) }
