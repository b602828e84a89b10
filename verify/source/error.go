package source

// Error is a fault of an input file.
type Error struct {
	File   string
	Where  string // "packet 7", "line 3, column egress_ns", ...; "" for the file as a whole
	Reason string
}

// Error gives file, place and reason in one line.
func (e *Error) Error() string {
	if e.Where == "" {
		return e.File + ": " + e.Reason
	}
	return e.File + ": " + e.Where + ": " + e.Reason
}
