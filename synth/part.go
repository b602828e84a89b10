package synth

import (
	"fmt"
	"slices"
	"strings"
)

// Part is an FPGA as nextpnr knows it.
type Part struct {
	Family  Family `json:"family"`
	Device  string `json:"device"`          // hx8k, lp8k, up5k; 25k, 85k; GW1NR-LV9QN88PC6/I5
	Package string `json:"package"`         // ct256, CABGA381; "" where the device's name has it
	Speed   string `json:"speed,omitempty"` // grade of an ECP5: 6, 7 or 8
}

func (p Part) String() string {
	text := string(p.Family) + " " + p.Device
	if p.Package != "" {
		text += " " + p.Package
	}
	if p.Speed != "" {
		text += " speed " + p.Speed
	}
	return text
}

// Parts that designs are measured on.
var (
	HX8K    = Part{Family: ICE40, Device: "hx8k", Package: "ct256"}
	UP5K    = Part{Family: ICE40, Device: "up5k", Package: "sg48"}
	LP8K    = Part{Family: ICE40, Device: "lp8k", Package: "cm81"}
	ECP5x85 = Part{Family: ECP5, Device: "85k", Package: "CABGA381", Speed: "6"}
	ECP5x25 = Part{Family: ECP5, Device: "25k", Package: "CABGA381", Speed: "6"}
)

// namedParts are the parts by short names.
var namedParts = []struct {
	name string
	part Part
}{{"hx8k", HX8K}, {"lp8k", LP8K}, {"up5k", UP5K}, {"ecp5-25k", ECP5x25}, {"ecp5-85k", ECP5x85}}

// PartNames lists the names that PartByName knows.
func PartNames() []string {
	var names []string
	for _, p := range namedParts {
		names = append(names, p.name)
	}
	return names
}

// PartByName finds one of the parts that designs are measured on.
func PartByName(name string) (Part, error) {
	for _, p := range namedParts {
		if p.name == name {
			return p.part, nil
		}
	}
	return Part{}, fmt.Errorf("no part is called %q; parts: %s", name, strings.Join(PartNames(), ", "))
}

// hasDSP reports whether the part has multipliers that Yosys must be told to use: of the iCE40 family only the
// UltraPlus have any.
func (p Part) hasDSP() bool { return slices.Contains([]string{"up3k", "up5k"}, p.Device) }
