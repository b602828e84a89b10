package budget

import (
	"fmt"
	"math"

	"github.com/hdlpkg/hpccgen/synth"
)

// Row is the budget of a module with everything in it.
type Row struct {
	Preset string
	Part   string // as synth.PartByName knows it
	Module string
	Cells  map[string]int // by the names in Columns; by Yosys, the hierarchy kept
	// Logic and Fmax are of the module by itself, flattened, placed and routed between shift registers (synth.Measure);
	// 0 where not measured.
	Logic int
	Fmax  float64 // MHz
}

// Columns are the kinds of cells, in the order of the file.
var Columns = []string{"lut", "ff", "carry", "ram", "lut_ram", "dsp"}

func (r Row) key() string { return r.Preset + " " + r.Part + " " + r.Module }

// FromCells is a row of counted cells.
func FromCells(preset, part, module string, c synth.Cells) Row {
	return Row{Preset: preset, Part: part, Module: module, Cells: map[string]int{
		"lut": c.LUT.Used, "ff": c.FF.Used, "carry": c.Carry.Used, "ram": c.RAM.Used, "lut_ram": c.LUTRAM.Used,
		"dsp": c.DSP.Used,
	}}
}

// Change is a figure that differs from the budget.
type Change struct {
	Row      Row
	What     string // a column, logic or fmax_mhz
	Old, New float64
	Worse    bool
}

func (c Change) String() string {
	sign := "+"
	if c.New < c.Old {
		sign = ""
	}
	return fmt.Sprintf("%s on %s: %s: %s %g -> %g (%s%g)", c.Row.Preset, c.Row.Part, c.Row.Module, c.What, c.Old, c.New,
		sign, math.Round(100*(c.New-c.Old))/100)
}

// Compare holds figures of today against budgets. Rows that are only in one of the two are named; they are no change.
func Compare(budgets, today []Row) (changes []Change, added, gone []Row) {
	old := map[string]Row{}
	for _, r := range budgets {
		old[r.key()] = r
	}
	seen := map[string]bool{}
	for _, r := range today {
		seen[r.key()] = true
		b, known := old[r.key()]
		if !known {
			added = append(added, r)
			continue
		}
		for _, c := range Columns {
			if r.Cells[c] != b.Cells[c] {
				changes = append(changes, Change{r, c, float64(b.Cells[c]), float64(r.Cells[c]), r.Cells[c] > b.Cells[c]})
			}
		}
		if r.Logic > 0 && b.Logic > 0 && r.Logic != b.Logic {
			changes = append(changes, Change{r, "logic", float64(b.Logic), float64(r.Logic), r.Logic > b.Logic})
		}
		if r.Fmax > 0 && b.Fmax > 0 && r.Fmax != b.Fmax {
			changes = append(changes, Change{r, "fmax_mhz", b.Fmax, r.Fmax, r.Fmax < b.Fmax})
		}
	}
	for _, r := range budgets {
		if !seen[r.key()] {
			gone = append(gone, r)
		}
	}
	return changes, added, gone
}

// Worse are the changes for the worse.
func Worse(changes []Change) []Change {
	var list []Change
	for _, c := range changes {
		if c.Worse {
			list = append(list, c)
		}
	}
	return list
}
