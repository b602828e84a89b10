package board

import (
	"fmt"
	"strings"
)

// pll is the text that makes clk and locked.
func (p *Platform) pll() string {
	switch {
	case p.ICE40 != nil:
		return p.ice40()
	case p.ECP5 != nil:
		return p.ecp5()
	case p.Gowin != nil:
		return p.gowin()
	}
	return "    assign clk = clk_osc;\n    assign locked = 1'b1;\n"
}

// instance writes an instance of a primitive; pairs are names and values.
func instance(of, name string, parameters, ports [][2]string) string {
	list := func(pairs [][2]string) string {
		var lines []string
		for _, p := range pairs {
			lines = append(lines, fmt.Sprintf("        .%s(%s)", p[0], p[1]))
		}
		return strings.Join(lines, ",\n")
	}
	return fmt.Sprintf("    %s #(\n%s\n    ) %s (\n%s\n    );\n", of, list(parameters), name, list(ports))
}

func quoted(s string) string { return `"` + s + `"` }

func (p *Platform) ice40() string {
	s := p.ICE40
	of, in := "SB_PLL40_CORE", "REFERENCECLK"
	if p.PLLFromPad {
		of, in = "SB_PLL40_PAD", "PACKAGEPIN"
	}
	return instance(of, "u_pll", [][2]string{
		{"FEEDBACK_PATH", quoted("SIMPLE")},
		{"DIVR", fmt.Sprintf("4'd%d", s.DivR)}, {"DIVF", fmt.Sprintf("7'd%d", s.DivF)},
		{"DIVQ", fmt.Sprintf("3'd%d", s.DivQ)},
		{"FILTER_RANGE", fmt.Sprintf("3'd%d", s.FilterRange)},
	}, [][2]string{{in, "clk_osc"}, {"PLLOUTGLOBAL", "clk"}, {"LOCK", "locked"}, {"RESETB", "1'b1"}, {"BYPASS", "1'b0"}})
}

func (p *Platform) ecp5() string {
	s := p.ECP5
	// The analog settings are those that Lattice's tool gives for any ratio (project Trellis, ecppll).
	return "    (* ICP_CURRENT = \"12\", LPF_RESISTOR = \"8\", MFG_ENABLE_FILTEROPAMP = \"1\", MFG_GMCREF_SEL = \"2\" *)\n" +
		instance("EHXPLLL", "u_pll", [][2]string{
			{"CLKI_DIV", fmt.Sprint(s.CLKIDiv)}, {"CLKFB_DIV", fmt.Sprint(s.CLKFBDiv)}, {"CLKOP_DIV", fmt.Sprint(s.CLKOPDiv)},
			{"CLKOP_CPHASE", fmt.Sprint(s.CLKOPDiv - 1)}, {"CLKOP_FPHASE", "0"}, {"CLKOP_ENABLE", quoted("ENABLED")},
			{"OUTDIVIDER_MUXA", quoted("DIVA")},
			{"FEEDBK_PATH", quoted("CLKOP")}, {"PLLRST_ENA", quoted("DISABLED")}, {"INTFB_WAKE", quoted("DISABLED")},
			{"STDBY_ENABLE", quoted("DISABLED")}, {"DPHASE_SOURCE", quoted("DISABLED")},
		}, [][2]string{
			{"CLKI", "clk_osc"}, {"CLKFB", "clk"}, {"CLKOP", "clk"}, {"LOCK", "locked"}, {"RST", "1'b0"}, {"STDBY", "1'b0"},
			{"PHASESEL0", "1'b0"}, {"PHASESEL1", "1'b0"}, {"PHASEDIR", "1'b0"}, {"PHASESTEP", "1'b0"}, {"PHASELOADREG", "1'b0"},
			{"PLLWAKESYNC", "1'b0"}, {"ENCLKOP", "1'b0"},
		})
}

func (p *Platform) gowin() string {
	s := p.Gowin
	return instance("rPLL", "u_pll", [][2]string{
		{"FCLKIN", quoted(strings.TrimSuffix(fmt.Sprintf("%g", float64(p.OscillatorHz)/1e6), ".0"))},
		{"DEVICE", quoted(p.GowinPart)},
		{"IDIV_SEL", fmt.Sprint(s.IDivSel)}, {"FBDIV_SEL", fmt.Sprint(s.FBDivSel)}, {"ODIV_SEL", fmt.Sprint(s.ODivSel)},
		{"DYN_IDIV_SEL", quoted("false")}, {"DYN_FBDIV_SEL", quoted("false")}, {"DYN_ODIV_SEL", quoted("false")},
		{"CLKFB_SEL", quoted("internal")}, {"PSDA_SEL", quoted("0000")}, {"DUTYDA_SEL", quoted("1000")},
	}, [][2]string{
		{"CLKIN", "clk_osc"}, {"CLKOUT", "clk"}, {"LOCK", "locked"}, {"RESET", "1'b0"}, {"RESET_P", "1'b0"},
		{"CLKFB", "1'b0"},
		{"FBDSEL", "6'd0"}, {"IDSEL", "6'd0"}, {"ODSEL", "6'd0"}, {"PSDA", "4'd0"}, {"DUTYDA", "4'd0"}, {"FDLY", "4'd0"},
	})
}
