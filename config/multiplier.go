package config

import (
	"fmt"
	"reflect"
)

// Multiplier is a multiplier block of a target: the bits of the two unsigned factors that it takes. Blocks that
// multiply signed numbers take a bit less of each.
type Multiplier string

// Bits gives the widths of the factors, the wider one first: those of the default where there is none.
func (m Multiplier) Bits() (a, b int) {
	if _, err := fmt.Sscanf(string(m), "%dx%d", &a, &b); err != nil {
		return 18, 18
	}
	return a, b
}

const defaultMultiplier = "18x18"

// multiplierKey is the row of designs whose products are pipelined; needs are the conditions under which they are.
func multiplierKey(needs ...condition) key {
	return key{name: "multiplier", kind: kindChoice, choices: []string{"16x16", defaultMultiplier, "24x17", "26x17"},
		otherwise: defaultMultiplier, needs: needs, text: multiplierText,
		why: "a block that takes 25 by 18 or 27 by 18 bits, signed, takes 24 by 17 or 26 by 17 unsigned",
		doc: "Multiplier block of the target, by the unsigned factors that it takes; products are cut for it. 16x16: " +
			"iCE40 UltraPlus. 18x18: ECP5, Gowin, Intel. 24x17 and 26x17: AMD (Xilinx), whose blocks take 25 by 18 and " +
			"27 by 18 bits, signed."}
}

// multiplierText leaves the default out, so that hashes are those of the time when there was no choice.
func multiplierText(c Design, _ int) string {
	f, ok := member(reflect.ValueOf(c).Elem(), 0, "multiplier")
	if !ok || f.String() == defaultMultiplier {
		return ""
	}
	return f.String()
}
