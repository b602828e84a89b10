package output

import (
	"strings"

	"github.com/hdlpkg/hpccgen/config/registers"
)

// device is a design with a register map, for the files that drivers are written with.
type device struct {
	name, hash string // of the design
	title      string // what it is
	what       string // where its registers are described
	*registers.Map
	program  []registers.Write // what sets it up
	user     []userPort
	statuses []registers.StatusInfo // of m_axis_tuser
}

// documents are the guide, the bounds, and the register map in other languages.
func (m device) documents(guide, precision []byte) ([]File, error) {
	constants, err := m.goConstants()
	return []File{
		{"docs/registers.md", guide},
		{"docs/precision.md", precision},
		{"docs/" + m.name + ".rdl", m.systemRDL()},
		{"driver/" + m.name + "_regs.h", m.cHeader()},
		{"driver/" + m.name + "_regs.go", constants},
	}, err
}

// camel turns PORT_COMMIT into PortCommit.
func camel(name string) string {
	var b strings.Builder
	for _, word := range strings.Split(name, "_") {
		switch {
		case word == "ID":
			b.WriteString(word)
		case word != "":
			b.WriteString(word[:1] + strings.ToLower(word[1:]))
		}
	}
	return b.String()
}
