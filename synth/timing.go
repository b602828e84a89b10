package synth

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
)

// routerReport is the JSON that nextpnr writes with --report.
type routerReport struct {
	Critical []struct {
		From string `json:"from"`
		To   string `json:"to"`
		Path []struct {
			Delay float64   `json:"delay"`
			From  routerPin `json:"from"`
			To    routerPin `json:"to"`
			Net   string    `json:"net"`
			Type  string    `json:"type"`
		} `json:"path"`
	} `json:"critical_paths"`
	Fmax map[string]struct {
		Achieved   float64 `json:"achieved"`
		Constraint float64 `json:"constraint"`
	} `json:"fmax"`
}

type routerPin struct {
	Cell string `json:"cell"`
	Port string `json:"port"`
}

// readTiming takes clocks and critical paths from the report of nextpnr.
func readTiming(text []byte, h hierarchy) (map[string]Fmax, []Path, error) {
	var rep routerReport
	if err := json.Unmarshal(text, &rep); err != nil {
		return nil, nil, fmt.Errorf("the report of nextpnr: %w", err)
	}
	fmax := map[string]Fmax{}
	for name, f := range rep.Fmax {
		fmax[clockName(name)] = Fmax{Reached: thousandths(f.Achieved), Target: thousandths(f.Constraint),
			Met: f.Achieved >= f.Constraint}
	}
	var paths []Path
	for _, c := range rep.Critical {
		if c.From == "<async>" || c.To == "<async>" {
			continue // from and to pins: unclocked paths have no limit
		}
		p := Path{From: clockName(c.From), To: clockName(c.To)}
		for _, s := range c.Path {
			// A delay through a cell has the cell at its end; nextpnr puts the next cell at its beginning for the first
			// of a path.
			at := s.To
			if s.Type == "routing" {
				at = s.From
			}
			instance, module := h.locate(at.Cell)
			if n := len(p.Hops); n > 0 && strings.HasPrefix(at.Cell, "$nextpnr") {
				// A cell that nextpnr has put in, such as the entry to a carry chain, belongs to where the path comes from.
				instance, module = p.Hops[n-1].Instance, p.Hops[n-1].Module
			}
			p.Hops = append(p.Hops, Hop{Kind: s.Type, DelayNs: thousandths(s.Delay), Instance: instance, Module: module,
				Cell: at.Cell, Port: at.Port, Net: s.Net})
		}
		p.sum()
		paths = append(paths, p)
	}
	slices.SortStableFunc(paths, func(a, b Path) int {
		own := func(p Path) int {
			if p.From == p.To {
				return 0
			}
			return 1
		}
		return cmp.Or(cmp.Compare(own(a), own(b)), cmp.Compare(b.DelayNs, a.DelayNs), strings.Compare(a.From+" "+a.To,
			b.From+" "+b.To))
	})
	return fmax, paths, nil
}

// clockDecoration matches what nextpnr adds to the name of a clock: the edge, and cells between pin and net.
var clockDecoration = regexp.MustCompile(
	`^(posedge|negedge) |^\$glbnet\$|\$SB_IO_IN|\$TRELLIS_IO_IN|_\$glb_clk$|\$glb_clk$`)

// clockName is the name of a clock's net in the design.
func clockName(name string) string {
	for {
		short := clockDecoration.ReplaceAllString(name, "")
		if short == name {
			return name
		}
		name = short
	}
}

// thousandths rounds what nextpnr prints of its single-precision numbers: ps, kHz.
func thousandths(v float64) float64 { return math.Round(v*1000) / 1000 }
