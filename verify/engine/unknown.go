package engine

import (
	"fmt"
	"math/bits"
	"strings"

	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// UnknownRule reports whether unknown bits (X or Z) of a slot are allowed. record is the output record of the cycle
// with unknown bits as 0, mask has a one for each unknown bit.
type UnknownRule func(slot vgen.Slot, record, mask []uint64) bool

// UnknownBits is the error for an output that is unknown where it must not be.
type UnknownBits struct {
	Port  string
	Cycle int    // counted from the start of the instance
	Value string // binary, with x for unknown bits
}

func (e UnknownBits) Error() string {
	return fmt.Sprintf("icarus: %s is unknown in cycle %d: %s; something that was never written or reset reaches it",
		e.Port, e.Cycle, e.Value)
}

// PayloadMayBeUnknown returns the usual rule for a layout: unknown bits are allowed in a tap, and in a field of an
// output stream whose valid is low. The stream of a field P_x is identified by the outputs P_valid or P_tvalid with the
// longest P.
func PayloadMayBeUnknown(l *vgen.Layout) UnknownRule {
	firstTap := l.OutWords
	if len(l.Taps) > 0 {
		firstTap = l.Taps[0].Offset
	}
	valid := map[string]int{} // prefix with its underscore, to the offset of valid
	for _, s := range l.Outputs {
		for _, suffix := range []string{"_valid", "_tvalid"} {
			if p, ok := strings.CutSuffix(s.Name, suffix); ok && s.Width == 1 {
				valid[p+"_"] = s.Offset
			}
		}
	}
	governor := map[string]int{} // slot, to the offset of its stream's valid
	for _, s := range l.Outputs {
		best := ""
		for p, at := range valid {
			if strings.HasPrefix(s.Name, p) && len(p) > len(best) && at != s.Offset {
				best, governor[s.Name] = p, at
			}
		}
	}
	return func(slot vgen.Slot, record, mask []uint64) bool {
		if slot.Offset >= firstTap {
			return true
		}
		at, ok := governor[slot.Name]
		return ok && record[at] == 0 && mask[at] == 0
	}
}

// unknownText writes a slot's value in binary.
func unknownText(slot vgen.Slot, record, mask []uint64) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d'b", slot.Width)
	for i := slot.Width - 1; i >= 0; i-- {
		w, bit := slot.Offset+i/64, uint(i%64)
		switch {
		case mask[w]>>bit&1 == 1:
			b.WriteByte('x')
		case record[w]>>bit&1 == 1:
			b.WriteByte('1')
		default:
			b.WriteByte('0')
		}
	}
	return b.String()
}

// findUnknown returns the first fault of a record by the rule.
func findUnknown(l *vgen.Layout, cycle int, record, mask []uint64, rule UnknownRule) error {
	for _, group := range [][]vgen.Slot{l.Outputs, l.Taps} {
		for _, s := range group {
			n := 0
			for _, w := range mask[s.Offset : s.Offset+s.Words] {
				n += bits.OnesCount64(w)
			}
			if n > 0 && !rule(s, record, mask) {
				return UnknownBits{Port: s.Name, Cycle: cycle, Value: unknownText(s, record, mask)}
			}
		}
	}
	return nil
}
