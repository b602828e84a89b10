package nic

// Decision is the number of cycles from the transfer of an ACK on s to its decision on m, when neither waits. In serial
// order the ACK has been at the port since its issue.
func (t Timing) Decision() int {
	if t.Slotted() {
		return t.Latency + 1 + t.Output - t.Hold
	}
	return t.Through()
}

// Write is the least number of cycles between two transfers on cw, or on tw: a write is done before the next one is taken.
func (t Timing) Write() int {
	if t.Slotted() {
		return (t.Latency/t.Interval + 1) * t.Interval
	}
	if t.Front > 0 {
		return t.Front + t.Latency + 3 // the front learns of it a cycle later than of an ACK
	}
	return t.Latency + 2
}
