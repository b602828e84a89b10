package output

import (
	"strings"

	"github.com/hdlpkg/hpccgen/config/registers"
	"github.com/hdlpkg/hpccgen/rtlgen/transit"
)

// userPort is a tuser port with its fields.
type userPort struct {
	name   string // "s_axis_tuser"
	fields []transit.UserField
}

// userPorts are those of a switch design.
func userPorts(ports, timeBits, qlenBits int) []userPort {
	return []userPort{
		{"s_axis_tuser", transit.UserFields(ports, timeBits, qlenBits)}, {"m_axis_tuser", transit.SentUserFields(ports)}}
}

// switchNumbers are the layout of tuser and the values of its status.
func switchNumbers(user []userPort, list []registers.StatusInfo) []numbers {
	layout := numbers{title: "Fields of tuser", more: ", by bit and width: s_axis_tuser is wider than a word"}
	for _, p := range user {
		for _, f := range p.fields {
			name := strings.ToUpper(p.name + "_" + strings.ReplaceAll(f.Name, " ", "_"))
			layout.list = append(layout.list, number{name + "_LOW", f.Low, "bit 0 of the " + f.Name + " in " + p.name},
				number{name + "_WIDTH", f.Width, "its bits"})
		}
	}
	statuses := numbers{title: "Statuses in m_axis_tuser: what became of a packet"}
	for _, s := range list {
		if s.Status != registers.StatusStacked { // a counter only
			statuses.list = append(statuses.list,
				number{"STATUS_" + strings.ToUpper(s.Name), int(s.Status), "packets " + s.Doc})
		}
	}
	return []numbers{layout, statuses}
}
