package synth

import (
	"slices"
	"strings"

	"github.com/hdlpkg/hpccgen/internal/toolchain"
)

// Family is a family of FPGAs that the open tools know.
type Family string

// The families.
const (
	ICE40 Family = "ice40"
	ECP5  Family = "ecp5"
	Gowin Family = "gowin"
)

// Families lists them.
func Families() []Family { return []Family{ICE40, ECP5, Gowin} }

// traits are what differs between families in the flow.
type traits struct {
	router      toolchain.Tool // place and route
	packer      toolchain.Tool // makes the bitstream
	bitstream   string         // extension of the bitstream's file
	constraints string         // extension of the constraint file
	routed      string         // name of the router's result
	columns     []column
}

// column is one of the figures of Cells: types of cells of the netlist that it counts, and the resource of nextpnr that
// says how many there are.
type column struct {
	of       func(*Cells) *Use
	types    []string
	resource string // for the number available
	routed   bool   // the number used is the resource's too: nextpnr packs what Yosys counts apart
}

var (
	ice40FF = []string{"SB_DFF", "SB_DFFE", "SB_DFFR", "SB_DFFS", "SB_DFFSR", "SB_DFFSS", "SB_DFFER", "SB_DFFES",
		"SB_DFFESR", "SB_DFFESS",
		"SB_DFFN", "SB_DFFNE", "SB_DFFNR", "SB_DFFNS", "SB_DFFNSR", "SB_DFFNSS", "SB_DFFNER", "SB_DFFNES", "SB_DFFNESR", "SB_DFFNESS"}
	gowinFF = []string{"DFF", "DFFE", "DFFS", "DFFSE", "DFFR", "DFFRE", "DFFP", "DFFPE", "DFFC", "DFFCE",
		"DFFN", "DFFNE", "DFFNS", "DFFNSE", "DFFNR", "DFFNRE", "DFFNP", "DFFNPE", "DFFNC", "DFFNCE"}
)

func lut(c *Cells) *Use    { return &c.LUT }
func ff(c *Cells) *Use     { return &c.FF }
func carry(c *Cells) *Use  { return &c.Carry }
func ram(c *Cells) *Use    { return &c.RAM }
func lutRAM(c *Cells) *Use { return &c.LUTRAM }
func dsp(c *Cells) *Use    { return &c.DSP }
func logic(c *Cells) *Use  { return &c.Logic }

var familyTraits = map[Family]traits{
	ICE40: {
		router: toolchain.NextpnrICE40, packer: toolchain.Icepack, bitstream: ".bin", constraints: ".pcf",
		routed: "routed.asc",
		columns: []column{
			{lut, []string{"SB_LUT4"}, "ICESTORM_LC", false},
			{ff, ice40FF, "ICESTORM_LC", false},
			{carry, []string{"SB_CARRY"}, "ICESTORM_LC", false},
			{ram, []string{"SB_RAM40_4K", "SB_RAM40_4KNR", "SB_RAM40_4KNW", "SB_RAM40_4KNRNW"}, "ICESTORM_RAM", false},
			{dsp, []string{"SB_MAC16"}, "ICESTORM_DSP", false},
			{logic, nil, "ICESTORM_LC", true},
		},
	},
	ECP5: {
		router: toolchain.NextpnrECP5, packer: toolchain.Ecppack, bitstream: ".bit", constraints: ".lpf",
		routed: "routed.config",
		columns: []column{
			{lut, []string{"LUT4"}, "TRELLIS_COMB", false},
			{ff, []string{"TRELLIS_FF"}, "TRELLIS_FF", false},
			{carry, []string{"CCU2C"}, "", false},
			{ram, []string{"DP16KD", "PDPW16KD"}, "DP16KD", false},
			{lutRAM, []string{"TRELLIS_DPR16X4"}, "", false},
			{dsp, []string{"MULT18X18D"}, "MULT18X18D", false},
			{logic, nil, "TRELLIS_COMB", true},
		},
	},
	Gowin: {
		router: toolchain.NextpnrGowin, packer: toolchain.GowinPack, bitstream: ".fs", constraints: ".cst",
		routed: "routed.json",
		columns: []column{
			{lut, []string{"LUT1", "LUT2", "LUT3", "LUT4"}, "SLICE", false},
			{ff, gowinFF, "SLICE", false},
			{carry, []string{"ALU"}, "SLICE", false},
			{ram, []string{"SP", "SPX9", "SDP", "SDPX9", "SDPB", "SDPX9B", "DPB", "DPX9B", "pROM", "pROMX9"}, "BSRAM", false},
			{lutRAM, []string{"RAM16SDP1", "RAM16SDP2", "RAM16SDP4"}, "RAMW", false},
			{dsp, []string{"MULT9X9", "MULT18X18", "MULT36X36"}, "", false},
			{logic, nil, "SLICE", true},
		},
	},
}

// Router is the program that places and routes for a family.
func (f Family) Router() toolchain.Tool { return familyTraits[f].router }

// Packer is the program that makes bitstreams for a family.
func (f Family) Packer() toolchain.Tool { return familyTraits[f].packer }

// ice40Multipliers maps products to the multipliers of an iCE40. It stands before synth_ice40, in place of its flag
// -dsp, which would also pack registers and adders into the multiplier blocks and makes wrong netlists of pipelined
// products: a register between two blocks is packed into both, and the second then adds an undriven value (Yosys 0.23
// and 0.52; the netlist engine detected it). Widths and parameters are those of -dsp.
var ice40Multipliers = []string{
	"proc", "opt_expr", "opt_clean", "opt -nodffe -nosdff", "wreduce", "opt_clean",
	"techmap -map +/mul2dsp.v -map +/ice40/dsp_map.v -D DSP_A_MAXWIDTH=16 -D DSP_B_MAXWIDTH=16 -D DSP_A_MINWIDTH=2 -D DSP_B_MINWIDTH=2 -D DSP_Y_MINWIDTH=11 -D DSP_NAME=$__MUL16X16",
	"setattr -unset mul2dsp a:mul2dsp", "opt_expr -fine", "chtype -set $mul t:$__soft_mul",
}

// Synthesis is the Yosys commands that map a design to the cells of a part, the last of which takes further flags.
func (p Part) Synthesis(top string) string {
	words := []string{"synth_" + string(p.Family)}
	switch p.Family {
	case ICE40:
		if p.hasDSP() {
			// Without -check: the cells of the family, such as a board's PLL, are known to synth_ice40 only, which
			// checks.
			words[0] = strings.Join(append(append([]string{"hierarchy -top " + top}, ice40Multipliers...), words[0]), "; ")
		}
	case Gowin:
		// nextpnr-gowin has no block RAM, no multipliers and no wide RAM with reset: memories go to the RAM of LUTs.
		words = append(words, "-nobram")
	}
	return strings.Join(append(words, "-top", top), " ")
}

// count sums the cells of a netlist by column.
func (f Family) count(types map[string]int) Cells {
	var c Cells
	for _, col := range familyTraits[f].columns {
		for t, n := range types {
			if slices.Contains(col.types, t) {
				col.of(&c).Used += n
			}
		}
	}
	return c
}

// fit adds the capacities of the part to the cells used.
func (f Family) fit(c *Cells, resources map[string]Use) {
	for _, col := range familyTraits[f].columns {
		r, known := resources[col.resource]
		if !known {
			continue
		}
		col.of(c).Available = r.Available
		if col.routed {
			col.of(c).Used = r.Used
		}
	}
}
