package csig

import "fmt"

// Timing is what the generator publishes of a csig_switch; the fields are those of docs/csig.md, "Cycles of a packet",
// in cycles.
type Timing struct {
	Lookup, Meter, Scale, Code, Count, Decision int // after a packet's header cycle
	Offer                                       int // from a beat's acceptance until the editor can take it
	Credits                                     int // beats that the pipeline holds
	Room                                        int // beats from the taking of one to m_axis; 0: m_axis stops the editor
	Act                                         int // from the cycle in which an access is chosen to that in which it acts
	Answer                                      int // from there to its answer
	Sweep                                       int // cycles after reset in which nothing is accepted
}

// window is the number of bytes of a packet that the walk may read: the header beat holds the last of them.
const window = 54

// never is a cycle long after the last.
const never = 1 << 62

// foldedCycles is how many cycles a packet takes with a folded pipeline.
const foldedCycles = 8

// foldedStacked is how many cycles later the counter of stacked tags counts there.
const foldedStacked = 2

func (t Timing) check() error {
	for _, v := range []struct {
		name           string
		got, lowest    int
		least, because string
	}{
		{"lookup", t.Lookup, 1, "", ""},
		{"meter", t.Meter, t.Lookup, "lookup", "a stripped tag does not count"},
		{"scale", t.Scale, t.Meter, "meter", "it scales what the meter has"},
		{"code", t.Code, t.Scale, "scale", "it codes what has been scaled"},
		{"count", t.Count, t.Code, "code", "it counts what the comparison says"},
		{"decision", t.Decision, t.Code, "code", "it is the comparison's"},
		{"offer", t.Offer, 1, "", ""},
		{"room", t.Room, 0, "", ""},
		{"act", t.Act, 2, "", ""},
		{"answer", t.Answer, 1, "", ""},
		{"sweep", t.Sweep, 1, "", ""},
	} {
		if v.got >= v.lowest {
			continue
		}
		if v.least != "" {
			return fmt.Errorf("csig: timing: %s is %d, earlier than %s, %d: %s", v.name, v.got, v.least, v.lowest, v.because)
		}
		return fmt.Errorf("csig: timing: %s is %d, must be at least %d", v.name, v.got, v.lowest)
	}
	return nil
}
