package engine

// Timing is when the engine does what, in cycles; docs/architecture.md defines each figure.
type Timing struct {
	Latency    int `json:"latency"`
	Interval   int `json:"interval"`
	Hazard     int `json:"hazard"`
	Credits    int `json:"credits"`
	Sweep      int `json:"sweep"`
	InputDepth int `json:"input_depth"`
	Hold       int `json:"hold,omitempty"`
	Count      int `json:"count"`
	Front      int `json:"front"`
	Output     int `json:"output"`
}

// Slotted reports whether input elements are issued from their ports, in cycles that are multiples of the
// interval.
func (t Timing) Slotted() bool { return t.InputDepth == 0 }

// Through is the number of cycles from an ACK in its slice to its decision on m, when neither waits.
func (t Timing) Through() int { return 1 + t.Front + t.Latency + 1 + t.Output }

// Clearing is the number of cycles after reset in which contexts and tables are cleared.
func (t Timing) Clearing() int {
	if t.Slotted() {
		return t.Sweep
	}
	return t.Sweep * t.Interval
}

// Decision is the number of cycles from the transfer of an ACK on s to its decision on m, when neither waits. In
// serial order the ACK has been at the port since its issue.
func (t Timing) Decision() int {
	if t.Slotted() {
		return t.Latency + 1 + t.Output - t.Hold
	}
	return t.Through()
}

// Write is the least number of cycles between two transfers on cw, or on tw: a write is done before the next one is
// taken.
func (t Timing) Write() int {
	if t.Slotted() {
		return (t.Latency/t.Interval + 1) * t.Interval
	}
	if t.Front > 0 {
		return t.Front + t.Latency + 3 // the front learns of it a cycle later than of an ACK
	}
	return t.Latency + 2
}
