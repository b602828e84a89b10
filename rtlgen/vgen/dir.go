package vgen

// Dir is the direction of a port, "in" or "out", as its own module sees it; the same for the pin of
// an instance. It is "" for a signal that is no port.
func (s Signal) Dir() string {
	if s.n == nil || s.n.port == nil {
		return ""
	}
	return s.n.port.dir
}
