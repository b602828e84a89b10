package main

import (
	"slices"
	"strings"
)

// joinNegatives writes "--flag -5" as "--flag=-5". kong takes -5 for a flag of its own, and its message then says what
// it expected instead of what is legal; no flag here is a digit.
func joinNegatives(args []string) []string {
	var out []string
	for i, a := range args {
		if a == "--" {
			return slices.Concat(out, args[i:])
		}
		last := len(out) - 1
		if len(a) > 1 && a[0] == '-' && a[1] >= '0' && a[1] <= '9' && last >= 0 && strings.HasPrefix(out[last], "--") &&
			!strings.Contains(out[last], "=") {
			out[last] += "=" + a
			continue
		}
		out = append(out, a)
	}
	return out
}
