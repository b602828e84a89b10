package output

import (
	"fmt"
	"strings"

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

// table is the table of all registers.
func (g *switchGuide) table() {
	g.line(`
## Registers

AXI4-Lite, 32 bits, %d bits of address. Other addresses, writes of read-only registers, reads of write-only ones, `+
		`and writes whose strobes are not all ones get SLVERR.

| offset | name | access | reset | meaning |
|---|---|---|---|---|`, registers.AddressBits)
	for i := range g.m.Registers {
		r := &g.m.Registers[i]
		offset, reset := fmt.Sprintf("0x%04x", r.Offset), "-"
		if r.PerPort() {
			offset += fmt.Sprintf(" + 0x%x port", r.Stride)
		}
		if r.Readable() {
			reset = fmt.Sprintf("0x%08x", r.Reset())
		}
		g.line("| %s | %s | %s | %s | %s |", offset, r.Name, r.Access, reset, r.Doc)
	}
}

func (g *switchGuide) fields() {
	g.line("\n### Fields\n\n| register | bits | field | meaning |\n|---|---|---|---|")
	for i := range g.m.Registers {
		r := &g.m.Registers[i]
		for _, f := range r.Fields {
			doc := f.Doc
			var values []string
			for _, v := range f.Values {
				values = append(values, fmt.Sprintf("%d %s", v.Value, strings.ToLower(v.Name)))
			}
			if values != nil {
				doc += ": " + strings.Join(values, ", ")
			}
			g.line("| %s | %d:%d | %s | %s |", r.Name, f.Low+f.Bits-1, f.Low, f.Name, doc)
		}
	}
	g.line("\n### Commits\n\n| register | effect | refused |\n|---|---|---|")
	for i := range g.m.Registers {
		if r := &g.m.Registers[i]; r.Effect != "" {
			g.line("| %s | %s | %s |", r.Name, r.Effect, r.Refused)
		}
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
