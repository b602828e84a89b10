package output

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/config/registers"
	"github.com/hdlpkg/hpccgen/rtlgen/transit"
)

// switchGuide writes what the programmer's guides of all switch designs have in common.
type switchGuide struct {
	page
	m         device
	portCount int
}

// switchOutputs says what is known of the outputs of all switch designs.
const switchOutputs = "and no output depends on an input of the same cycle"

// switchRows is the timing of a switch design in words, in cycles: from a packet's header to its decision, of a beat
// through the device, and of the clearing.
func switchRows(decision, through, sweep int) []timingRow {
	return []timingRow{
		{"from a packet's header cycle to its decision", decision},
		{"from a beat on s_axis to the same beat on m_axis, no decision awaited", through},
		{"between beats", 1},
		{"initialisation after reset", sweep},
	}
}

// streams describes the ports; the widths are those of times and of queue depths.
func (g *switchGuide) streams(timeBits, qlenBits int) {
	g.line(`
## Ports

A transfer happens at a rising edge at which valid and ready are high. Valid does not wait for ready; the payload ` +
		`stays as it is until taken; no output, ready included, depends on an input of the same cycle.

| port | direction | bits | meaning |
|---|---|---|---|`)
	for _, p := range g.ports {
		if p.Role != "clock" && p.Role != "reset" {
			g.line("| %s | %s | %d | %s |", p.Name, p.Dir, p.Width, p.Doc)
		}
	}
	g.line("\n### s_axis_tuser\n\nRead with the first beat of a packet. Times are in ns, the queue in bytes.\n\n| bits " +
		"| meaning |\n|---|---|")
	for _, f := range transit.UserFields(g.portCount, timeBits, qlenBits) {
		g.line("| %s | %s |", f.Range(), f.Name)
	}
	g.line("\n### m_axis_tuser\n\nThe same in every beat of a packet; the values of status are below.\n\n| bits | " +
		"meaning |\n|---|---|")
	for _, f := range transit.SentUserFields(g.portCount) {
		g.line("| %s | %s |", f.Range(), f.Name)
	}
}

// statusTable lists codes; stacked has none.
func (g *switchGuide) statusTable(list []registers.StatusInfo) {
	g.line("\n| code | status | packets |\n|---|---|---|")
	for _, s := range list {
		code := fmt.Sprint(s.Status)
		if s.Status == registers.StatusStacked {
			code = "-"
		}
		g.line("| %s | %s | %s |", code, s.Name, s.Doc)
	}
}

// timing lists the figures in words; window is the number of bytes after which a packet's header is complete.
func (g *switchGuide) timing(window, credits int, page string) {
	g.timingRows()
	g.line("| beats that wait inside at most | %d |", credits)
	g.line("\nThe header cycle of a packet is that in which its byte %d is accepted, or its last beat when it is "+
		"shorter. Cycle by cycle: %s of the generator, Hardware.", window, page)
}
