package timing

// Engine is the timing of an engine, of any law (docs/architecture.md, Timing data).
type Engine struct {
	Latency    int `json:"latency"`             // from an operation's issue to its result at the output FIFO
	Interval   int `json:"interval"`            // least distance of two issues
	Hazard     int `json:"hazard"`              // after an operation, in which no operation of its flow may issue
	Credits    int `json:"credits"`             // results that the output FIFO holds
	Sweep      int `json:"sweep"`               // operations of the initialisation sweep; without slices its cycles
	InputDepth int `json:"input_depth"`         // capacity of the register slice of stream s; 0: no stream has a slice
	Told       int `json:"told"`                // from the transfer of an element on tw or cw until it may be taken
	ToldRead   int `json:"told_read"`           // likewise on cr
	Hold       int `json:"hold,omitempty"`      // without slices: from an event's issue to its transfer
	HoldRead   int `json:"hold_read,omitempty"` // likewise of a context read
	Count      int `json:"count"`               // from an event's issue until it is counted
	Front      int `json:"front"`               // registers that an operation passes between its slice and its issue
	Output     int `json:"output"`              // registers that a result passes behind the memory of the output FIFO

	Bus *EngineBus `json:"bus,omitempty"` // of a design with registers
}

// EngineBus is the timing of an engine's registers. An access of software is chosen, acts and is answered; one that
// commands the engine, when that has done it.
type EngineBus struct {
	Act    int `json:"act"`    // from the cycle in which an access is chosen to that in which it acts
	Answer int `json:"answer"` // from there to its answer
	Taken  int `json:"taken"`  // from a command's transfer, of a read from that of the context, to the answer
}

// Slotted reports whether there are no slices: elements are issued from their ports, in cycles that are multiples of
// the interval.
func (t Engine) Slotted() bool { return t.InputDepth == 0 }

// Clearing is the number of cycles after reset in which contexts and tables are cleared.
func (t Engine) Clearing() int {
	if t.Slotted() {
		return t.Sweep
	}
	return t.Sweep * t.Interval
}

// Through is from an event in its slice to its decision on m, when neither waits.
func (t Engine) Through() int { return 1 + t.Front + t.Latency + 1 + t.Output }

// Decision is from the transfer of an event on s to its decision on m, when neither waits. Without slices the event has
// been at the port since its issue.
func (t Engine) Decision() int {
	if t.Slotted() {
		return t.Latency + 1 + t.Output - t.Hold
	}
	return t.Through()
}

// Write is the least distance of two transfers on cw, or on tw: a write is done before the next one is taken.
func (t Engine) Write() int {
	if t.Slotted() {
		return (t.Latency/t.Interval + 1) * t.Interval
	}
	return t.Told + t.Front + t.Latency + 1
}
