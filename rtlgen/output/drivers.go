package output

import (
	"slices"
	"strings"

	"github.com/hdlpkg/hpccgen/config/registers"
)

// device is a design with a register map, for the files that drivers are written with.
type device struct {
	name, hash     string            // of the design
	title          string            // what it is
	what           string            // where its registers are described
	*registers.Map                   // without registers where software does not reach the design over a bus
	program        []registers.Write // what sets it up; none: its values are not in the configuration
	groups         []numbers         // constants that belong to no register
	engine         *driven           // what the driver of an engine does; nil: the design is none
}

// numbers are constants of a driver that belong together.
type numbers struct {
	title string // what they are, and for C more of it
	more  string
	list  []number
}

// number is a constant of a driver that belongs to no register.
type number struct {
	name  string // in capitals
	value int
	doc   string
}

// documents are the guide, the bounds, and the register map in other languages.
func (m device) documents(guide, precision []byte) ([]File, error) {
	files := []File{{"docs/registers.md", guide}}
	if precision != nil {
		files = append(files, File{"docs/precision.md", precision})
	}
	if len(m.Registers) > 0 {
		files = append(files, File{"docs/" + m.name + ".rdl", m.systemRDL()})
	}
	constants, err := m.goConstants()
	return append(files, File{"driver/" + m.name + "_regs.h", m.cHeader()},
		File{"driver/" + m.name + "_regs.go", constants}), err
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

// perPort reports whether there are registers that there is one a port of.
func (m device) perPort() bool {
	return slices.ContainsFunc(m.Registers, func(r registers.Register) bool { return r.PerPort() })
}

// content is what the files for drivers hold.
func (m device) content() string {
	if len(m.Registers) == 0 {
		return "constants"
	}
	return "registers"
}
