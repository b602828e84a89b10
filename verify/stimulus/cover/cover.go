// Package cover defines the form in which stimulus reports its coverage.
package cover

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Row is a line of a coverage report.
type Row struct {
	Name  string `json:"name"`
	Count uint64 `json:"count"`
}

// Table is a table of all rows, the least reached first.
func Table(rows []Row) string {
	rows = slices.Clone(rows)
	slices.SortStableFunc(rows, func(a, b Row) int { return cmp.Compare(a.Count, b.Count) })
	var b strings.Builder
	for _, r := range rows {
		fmt.Fprintf(&b, "%12d  %s\n", r.Count, r.Name)
	}
	return b.String()
}
