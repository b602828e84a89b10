package engine

import "fmt"

// Timing is what the generator publishes of a design, docs/architecture.md. The model takes it as data.
type Timing struct {
	Latency    int // cycles from an operation's issue to its result at the entrance of the output FIFO
	Interval   int // least distance, in cycles, between two issues
	Hazard     int // cycles after an operation in which no operation of its flow may issue
	Credits    int // results that the output FIFO holds
	Sweep      int // operations of the initialisation sweep
	InputDepth int // capacity of the register slice of stream s, 2 (skid) or 1; 0: no stream has a slice
	Hold       int // without slices: cycles from an event's issue to its transfer
	Count      int // cycles from an event's issue until it is counted
	Front      int // registers that an operation passes between its slice and its issue
	Output     int // registers that a result passes after the memory of the output FIFO
}

// Slotted reports whether there are no slices: elements are issued from the ports, in cycles that are multiples of the
// interval.
func (t Timing) Slotted() bool { return t.InputDepth == 0 }

// Clearing is the number of cycles after reset in which contexts and tables are cleared.
func (t Timing) Clearing() int {
	if t.Slotted() {
		return t.Sweep
	}
	return t.Sweep * t.Interval
}

func (t Timing) check() error {
	for _, v := range []struct {
		name        string
		got, lowest int
	}{
		{"latency", t.Latency, 1}, {"interval", t.Interval, 1}, {"hazard", t.Hazard, 0}, {"credits", t.Credits, 1},
		{"sweep", t.Sweep, 0}, {"input depth", t.InputDepth, 0}, {"count", t.Count, 0}, {"front", t.Front, 0},
		{"output", t.Output, 1},
	} {
		if v.got < v.lowest {
			return fmt.Errorf("golden model: timing: %s is %d; must be at least %d", v.name, v.got, v.lowest)
		}
	}
	if t.Count > t.Latency+1 {
		return fmt.Errorf("golden model: timing: count is %d; must be at most the latency and one, %d",
			t.Count, t.Latency+1)
	}
	if !t.Slotted() {
		return nil
	}
	if t.Hold < 1 || t.Hold >= t.Interval {
		return fmt.Errorf("golden model: timing: hold is %d; must be at least 1 and below the interval, %d",
			t.Hold, t.Interval)
	}
	if t.Hold > t.Latency || t.Hold > t.Count {
		return fmt.Errorf("golden model: timing: hold is %d; must be at most the latency, %d, and the count, %d",
			t.Hold, t.Latency, t.Count)
	}
	if t.Hazard >= t.Interval {
		return fmt.Errorf("golden model: timing: hazard is %d; must be below the interval, %d, where there are no slices",
			t.Hazard, t.Interval)
	}
	return nil
}
