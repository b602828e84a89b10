package transit

import "fmt"

// Write is a write over the register bus.
type Write struct {
	Addr uint16 `json:"addr"`
	Data uint32 `json:"data"`
	Strb uint8  `json:"strb"`
	Lag  int    `json:"lag,omitempty"` // cycles from the address to the data; negative: the data come first
}

// AllStrobes writes all four bytes.
const AllStrobes = 15

// String is the write on one line.
func (w *Write) String() string {
	text := fmt.Sprintf("%#04x = %#x", w.Addr, w.Data)
	if w.Strb != AllStrobes {
		text += fmt.Sprintf(" strobes %04b", w.Strb)
	}
	switch {
	case w.Lag > 0:
		text += fmt.Sprintf(" data %d later", w.Lag)
	case w.Lag < 0:
		text += fmt.Sprintf(" data %d earlier", -w.Lag)
	}
	return text
}
