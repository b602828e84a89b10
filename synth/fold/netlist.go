package fold

import (
	"encoding/json"
	"fmt"
)

// netlist is what write_json of Yosys writes.
type netlist struct {
	Creator string             `json:"creator"`
	Modules map[string]*module `json:"modules"`
}

type module struct {
	Attributes        json.RawMessage     `json:"attributes,omitempty"`
	ParameterDefaults json.RawMessage     `json:"parameter_default_values,omitempty"`
	Ports             map[string]*port    `json:"ports"`
	Cells             map[string]*cell    `json:"cells"`
	Memories          json.RawMessage     `json:"memories,omitempty"`
	Names             map[string]*netname `json:"netnames"`
}

type port struct {
	Direction string          `json:"direction"`
	Offset    json.RawMessage `json:"offset,omitempty"`
	Upto      json.RawMessage `json:"upto,omitempty"`
	Signed    json.RawMessage `json:"signed,omitempty"`
	Bits      []bit           `json:"bits"`
}

type cell struct {
	HideName    json.RawMessage   `json:"hide_name"`
	Type        string            `json:"type"`
	Parameters  map[string]string `json:"parameters"`
	Attributes  json.RawMessage   `json:"attributes"`
	Directions  map[string]string `json:"port_directions,omitempty"`
	Connections map[string][]bit  `json:"connections"`
}

type netname struct {
	HideName   json.RawMessage `json:"hide_name"`
	Offset     json.RawMessage `json:"offset,omitempty"`
	Upto       json.RawMessage `json:"upto,omitempty"`
	Signed     json.RawMessage `json:"signed,omitempty"`
	Bits       []bit           `json:"bits"`
	Attributes json.RawMessage `json:"attributes"`
}

// bit is a wire of one bit by its number, or a constant.
type bit int

// Constants are below all wires.
const (
	zero bit = -1 - iota
	one
	undefined
	floating
)

var constants = map[string]bit{`"0"`: zero, `"1"`: one, `"x"`: undefined, `"z"`: floating}

func (b bit) constant() bool { return b < 0 }

func (b *bit) UnmarshalJSON(text []byte) error {
	if c, ok := constants[string(text)]; ok {
		*b = c
		return nil
	}
	var n uint32
	if err := json.Unmarshal(text, &n); err != nil {
		return fmt.Errorf("%s is neither a wire nor a constant", text)
	}
	*b = bit(n)
	return nil
}

func (b bit) MarshalJSON() ([]byte, error) {
	for text, c := range constants {
		if b == c {
			return []byte(text), nil
		}
	}
	return fmt.Appendf(nil, "%d", int(b)), nil
}

// pin is the wire at a pin of one bit; undefined when the pin is not connected.
func (c *cell) pin(name string) bit {
	if bits := c.Connections[name]; len(bits) == 1 {
		return bits[0]
	}
	return undefined
}

// connect puts a wire on an input of one bit.
func (c *cell) connect(name string, b bit) {
	c.Connections[name] = []bit{b}
	if c.Directions != nil {
		c.Directions[name] = "input"
	}
}
