package engine

type File struct{ Name, Text string }
type Slot struct {
	Name          string
	Width         int
	Offset, Words int
}
type Layout struct {
	Inputs, Outputs, Taps []Slot
	InWords, OutWords     int
}
