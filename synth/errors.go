package synth

import (
	"fmt"
	"strings"
)

// TooLarge is the error of a design that does not fit its part.
type TooLarge struct {
	Design string
	Part   Part
	Over   []Shortage // the resources that are short, the worst first; empty when it fits by number but has no legal placement
	Reason string     // what nextpnr said

	resources map[string]Use
}

// Shortage is a resource that a design wants more of than there is.
type Shortage struct {
	Resource string // in words
	Use
}

func (e *TooLarge) Error() string {
	if len(e.Over) == 0 {
		return fmt.Sprintf("%s cannot be placed in %s: %s", e.Design, e.Part, e.Reason)
	}
	var list []string
	for _, s := range e.Over {
		list = append(list, fmt.Sprintf("%d %s of %d", s.Used, s.Resource, s.Available))
	}
	return fmt.Sprintf("%s is too large for %s: it needs %s", e.Design, e.Part, strings.Join(list, ", "))
}

// TimingFailure is the error of a clock that does not meet its target.
type TimingFailure struct {
	Design string
	Part   Part
	Clock  string
	Fmax
	Path Path
}

func (e *TimingFailure) Error() string {
	text := fmt.Sprintf("%s in %s: timing not met: clock %s reaches %.2f MHz of %.2f MHz", e.Design, e.Part, e.Clock, e.Reached, e.Target)
	if len(e.Path.Hops) > 0 {
		text += fmt.Sprintf("; its critical path takes %.2f ns (%.2f ns of it wires): %s", e.Path.DelayNs,
			e.Path.RoutingNs, e.Path.Route())
	}
	return text
}

// ToolFailed is the failure of a program for a reason of its own.
type ToolFailed struct {
	Tool string
	Err  error
	Said string // its last lines
	Log  string // where the whole is; "" when it was not kept
}

func (e *ToolFailed) Error() string {
	text := fmt.Sprintf("%s failed (%v)", e.Tool, e.Err)
	if e.Said != "" {
		text += ":\n" + e.Said
	}
	if e.Log != "" {
		text += "\nthe whole log: " + e.Log
	}
	return text
}

func (e *ToolFailed) Unwrap() error { return e.Err }
