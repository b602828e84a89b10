package fold

import (
	"encoding/json"
	"fmt"
)

// Folded is what became of a netlist.
type Folded struct {
	Memories    int                       // flip-flops that went into block memories
	Multipliers int                       // flip-flops that went into multipliers
	Carries     int                       // lookup tables that went into carry cells
	Cells       map[string]map[string]int // number of cells of each type that is left, by module
}

// Netlist folds registers into the blocks of a netlist that Yosys wrote as JSON, and lookup tables into carry cells,
// and gives the new netlist in the same form.
func Netlist(text []byte) ([]byte, Folded, error) {
	var n netlist
	if err := json.Unmarshal(text, &n); err != nil {
		return nil, Folded{}, fmt.Errorf("the netlist that Yosys made: %w", err)
	}
	f := Folded{Cells: map[string]map[string]int{}}
	for name, m := range n.Modules {
		x := newIndex(m) // of the original netlist: folded cells are no longer in m.Cells
		f.Memories += x.memories(m.ofType("DP16KD"))
		f.Multipliers += x.multipliers(m.ofType("MULT18X18D"))
		f.Carries += x.carries(m.ofType("CCU2C"))
		m.forget()
		types := map[string]int{}
		for _, c := range m.Cells {
			types[c.Type]++
		}
		f.Cells[name] = types
	}
	out, err := json.Marshal(&n)
	return out, f, err
}

// forget takes the names away from wires that are no longer connected to anything.
func (m *module) forget() {
	x := newIndex(m)
	for _, n := range m.Names {
		for i, b := range n.Bits {
			if !b.constant() && len(x.drivers[b])+len(x.readers[b]) == 0 {
				n.Bits[i] = undefined
			}
		}
	}
}
