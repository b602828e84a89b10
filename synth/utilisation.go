package synth

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// resourceLine is a row of nextpnr's table "Device utilisation".
var resourceLine = regexp.MustCompile(`^Info:\s+([A-Za-z0-9_]+):\s*(\d+)/\s*(\d+)\s+\d+%$`)

// utilisation reads the table of resources in a log of nextpnr. It is there after packing, also when the design does
// not fit; the JSON report is only there when all went well.
func utilisation(log string) map[string]Use {
	resources := map[string]Use{}
	inTable := false
	for line := range strings.Lines(log) {
		line = strings.TrimRight(line, "\r\n ")
		if strings.HasSuffix(line, "Device utilisation:") {
			inTable = true
			clear(resources)
			continue
		}
		row := resourceLine.FindStringSubmatch(line)
		if !inTable || row == nil {
			inTable = false
			continue
		}
		used, _ := strconv.Atoi(row[2])
		available, _ := strconv.Atoi(row[3])
		resources[row[1]] = Use{used, available}
	}
	return resources
}

// resourceNames are nextpnr's names of resources in words.
var resourceNames = map[string]string{
	"ICESTORM_LC": "logic cells", "ICESTORM_RAM": "block RAMs", "ICESTORM_DSP": "multipliers", "ICESTORM_PLL": "PLLs",
	"ICESTORM_SPRAM": "large RAMs", "SB_IO": "pins", "SB_GB": "global buffers",
	"TRELLIS_COMB": "LUTs", "TRELLIS_FF": "flip-flops", "TRELLIS_RAMW": "RAMs of LUTs", "DP16KD": "block RAMs",
	"MULT18X18D": "multipliers",
	"ALU54B":     "54-bit adders", "TRELLIS_IO": "pins", "EHXPLLL": "PLLs", "DCCA": "global buffers",
	"SLICE": "LUTs", "IOB": "pins", "RAMW": "RAMs of LUTs", "BSRAM": "block RAMs", "rPLL": "PLLs",
	"MUX2_LUT5": "multiplexers of two LUTs",
}

// shortages lists the resources that are exceeded, by the fraction needed.
func shortages(resources map[string]Use) []Shortage {
	var over []Shortage
	for name, u := range resources {
		if u.Used <= u.Available {
			continue
		}
		words, known := resourceNames[name]
		if !known {
			words = name
		}
		over = append(over, Shortage{words, u})
	}
	slices.SortFunc(over, func(a, b Shortage) int {
		return cmp.Or(cmp.Compare(float64(b.Used)/float64(max(b.Available, 1)),
			float64(a.Used)/float64(max(a.Available, 1))), strings.Compare(a.Resource, b.Resource))
	})
	return over
}

// noRoom are the beginnings of what nextpnr says when it finds no place for a cell, though there are enough by number.
var noRoom = regexp.MustCompile(
	`(?i)no BELs? remaining|unable to (find legal placement|place cell)|failed to (find|place)|not enough`)

// errorLine is the first line of a log that states an error; "" when none does.
func errorLine(log string) string {
	for line := range strings.Lines(log) {
		if text, found := strings.CutPrefix(strings.TrimSpace(line), "ERROR: "); found {
			return text
		}
	}
	return ""
}

// lastLines is the end of a text.
func lastLines(text string, n int) string {
	lines := strings.Split(strings.TrimRight(text, "\n "), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}
