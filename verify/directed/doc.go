// Package directed describes a short test of a design: what happens at its ports, one thing after the other, and what
// the golden model says is to come out. It is data: verify/testbench writes it as a test bench in the languages of
// simulators.
package directed

// Test is a test of a design, which begins behind its reset.
type Test struct {
	Streams []string // with valid and ready that the design takes ("tw") or gives ("m")
	Wait    string   // the output that is high when the design has made itself ready after reset; "": none is
	Beat    int      // bytes of a beat of s_axis and m_axis; 0: the design has no packets
	Longest int      // bytes that a packet has at most, as it comes or as it leaves
	Steps   []Step
}

// Step is a part of a test: an ACK, a packet.
type Step struct {
	Name  string // "ACK 3": begins what a bench says when something is wrong
	About string // what happens
	Lines []Line
}

// Line is one line of a bench.
type Line struct {
	Do   []Statement
	Note string // what the values mean
}

// Statement is a Set, a Check or a Call.
type Statement interface{ statement() }

// Set gives an input, or some bits of it, a value. It stays until the next Set.
type Set struct{ Field }

// Check holds an output against its value.
type Check struct{ Field }

// Call does something that takes time, or concerns bytes of packets:
//
//	send_S             offer an element on the input stream S until it is taken
//	receive_M          wait for an element on the output stream M; its fields are checked next
//	accept_M           take that element
//	cycles(n)          let n cycles pass
//	write_register(address, data)
//	octets(n, value)   append n bytes to the packet that goes in, the most significant one first
//	counting(n, first) append n bytes, each one above that before it
//	send_packet        send what was appended; receive_packet waits for what leaves
//	expect_octets(name, n, value), expect_counting(name, n, first)
//	                   hold the next bytes of the packet that left against these
//	end_of_packet      that was the last of its bytes
type Call struct {
	Task string
	Text string // the first argument of the tasks that take a name
	Args []Value
}

func (Set) statement()   {}
func (Check) statement() {}
func (Call) statement()  {}

// Value is a number of at most 64 bits.
type Value struct {
	Bits int
	Of   uint64
	Hex  bool // is read as hexadecimal digits rather than as a number
}

// Field is a port, or some of its bits, with a value.
type Field struct {
	Port  string
	Part  string // of a port that has several: "egress port"
	Low   int    // its lowest bit
	Value        // of the port, or the part
}

// Name is what a bench calls the field.
func (f *Field) Name() string {
	if f.Part == "" {
		return f.Port
	}
	return f.Port + ", " + f.Part
}

// Step begins a step.
func (t *Test) Step(name, about string) *Step {
	t.Steps = append(t.Steps, Step{Name: name, About: about})
	return &t.Steps[len(t.Steps)-1]
}

// Add adds a line.
func (s *Step) Add(note string, do ...Statement) { s.Lines = append(s.Lines, Line{do, note}) }

// Call adds a line that calls a task.
func (s *Step) Call(note, task string, args ...Value) { s.Add(note, Call{Task: task, Args: args}) }

// Number is a decimal argument of 32 bits.
func Number(n int) Value { return Value{Bits: 32, Of: uint64(n)} }

// Digits is a hexadecimal argument.
func Digits(bits int, v uint64) Value { return Value{bits, v, true} }
