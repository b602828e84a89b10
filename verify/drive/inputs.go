package drive

import "fmt"

// Inputs keeps the last transfers into a design, as a report shows them.
type Inputs struct {
	Cycle int64
	Lines []string
}

// lastInputs is how many.
const lastInputs = 8

// Add notes a transfer in the current cycle.
func (l *Inputs) Add(format string, args ...any) {
	l.Lines = append(l.Lines, fmt.Sprintf("cycle %d: ", l.Cycle)+fmt.Sprintf(format, args...))
	if len(l.Lines) > lastInputs {
		l.Lines = l.Lines[1:]
	}
}
