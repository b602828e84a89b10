package output

import (
	"fmt"
	"strings"

	"github.com/hdlpkg/hpccgen/config/registers"
)

// registerTable is the table of all registers of a design.
func (g *page) registerTable(m device) {
	g.line(`
## Registers

AXI4-Lite, 32 bits, %d bits of address. Other addresses, writes of read-only registers, reads of write-only ones, `+
		`and writes whose strobes are not all ones get SLVERR.

| offset | name | access | reset | meaning |
|---|---|---|---|---|`, registers.AddressBits)
	for i := range m.Registers {
		r := &m.Registers[i]
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

// registerFields are the tables of their fields, and of the registers that do something.
func (g *page) registerFields(m device, commands string) {
	g.line("\n### Fields\n\n| register | bits | field | meaning |\n|---|---|---|---|")
	for i := range m.Registers {
		r := &m.Registers[i]
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
	g.line("\n### %s\n\n| register | effect | refused |\n|---|---|---|", commands)
	for i := range m.Registers {
		if r := &m.Registers[i]; r.Effect != "" {
			g.line("| %s | %s | %s |", r.Name, r.Effect, r.Refused)
		}
	}
}
