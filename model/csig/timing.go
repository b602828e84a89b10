package csig

import "fmt"

// Timing is what the generator publishes of a csig_switch; the fields are those of docs/csig.md, "Cycles of a packet", in
// cycles.
type Timing struct {
	Lookup, Meter, Scale, Code, Count, Decision int // after a packet's header cycle
	Offer                                       int // from a beat's acceptance until the editor can take it
	Credits                                     int // beats that the pipeline holds
	Room                                        int // beats between the taking of one and m_axis; 0: m_axis stops the editor
	Act                                         int // from the cycle in which an access is chosen to that in which it acts
	Answer                                      int // from there to its answer
	Sweep                                       int // cycles after reset in which nothing is accepted
}

// window is the number of bytes of a packet that the walk may read: the header beat holds the last of them.
const window = 54

// Cycles of an editor that never stops: from the taking of a beat until A holds it, and from the cycle in which it leaves B until
// m_axis shows it.
const (
	enterDelay = 3
	leaveDelay = 3
)

// foldedCycles is how many cycles a packet takes with a folded pipeline.
const foldedCycles = 8

// foldedStacked is how many cycles later the counter of stacked tags counts there.
const foldedStacked = 2

func (t Timing) check(beatBytes int) error {
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
	if least := (window + beatBytes - 1) / beatBytes; t.Credits < least {
		return fmt.Errorf("csig: timing: credits are %d, must be at least the %d beats of %d bytes that a decision takes", t.Credits, least, beatBytes)
	}
	return nil
}
