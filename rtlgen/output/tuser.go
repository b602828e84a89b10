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

// number is a constant of a driver that belongs to no register.
type number struct {
	name  string // in capitals
	value int
	doc   string
}

// numbers are the layout of tuser, and then the values of its status.
func (m device) numbers() (layout, statuses []number) {
	for _, p := range m.user {
		for _, f := range p.fields {
			name := strings.ToUpper(p.name + "_" + strings.ReplaceAll(f.Name, " ", "_"))
			layout = append(layout, number{name + "_LOW", f.Low, "bit 0 of the " + f.Name + " in " + p.name},
				number{name + "_WIDTH", f.Width, "its bits"})
		}
	}
	for _, s := range m.statuses {
		if s.Status != registers.StatusStacked { // a counter only
			statuses = append(statuses, number{"STATUS_" + strings.ToUpper(s.Name), int(s.Status), "packets " + s.Doc})
		}
	}
	return layout, statuses
}
