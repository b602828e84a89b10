package transit

import (
	"fmt"
	"math/bits"
	"strings"

	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// UserField is a field of tuser: Width bits from bit Low on.
type UserField struct {
	Name       string // "egress port"
	Low, Width int
}

// Range is where the field is, as Verilog writes it: "13:7".
func (f UserField) Range() string { return fmt.Sprintf("%d:%d", f.Low+f.Width-1, f.Low) }

// UserFields are the fields of s_axis_tuser, from bit 0 on. Where the number of ports is a power of two, port numbers
// have a bit more than needed, so that there is always one that names no port.
func UserFields(ports, timeBits, qlenBits int) []UserField {
	port := bits.Len(uint(ports))
	return inRow([]UserField{
		{Name: "ingress port", Width: port},
		{Name: "egress port", Width: port},
		{Name: "ingress time", Width: timeBits},
		{Name: "egress time", Width: timeBits},
		{Name: "queue depth", Width: qlenBits},
	})
}

// SentUserFields are the fields of m_axis_tuser.
func SentUserFields(ports int) []UserField {
	return inRow([]UserField{{Name: "egress port", Width: bits.Len(uint(ports))}, {Name: "status", Width: StatusBits}})
}

// Meta is what s_axis_tuser says of a packet, in the order of its fields.
type Meta struct{ Ingress, Egress, IngressTime, EgressTime, Qlen vgen.Signal }

// Meta cuts s_axis_tuser into its fields.
func (s Shape) Meta(user vgen.Signal) (m Meta) {
	fields := s.UserFields()
	for i, part := range []*vgen.Signal{&m.Ingress, &m.Egress, &m.IngressTime, &m.EgressTime, &m.Qlen} {
		f := fields[i]
		*part = user.Slice(f.Low+f.Width-1, f.Low)
	}
	return m
}

// inRow gives each field the bits above the one before it.
func inRow(list []UserField) []UserField {
	at := 0
	for i := range list {
		list[i].Low = at
		at += list[i].Width
	}
	return list
}

// userWidth is the width of tuser with these fields.
func userWidth(list []UserField) int {
	last := list[len(list)-1]
	return last.Low + last.Width
}

// userDoc is the layout in a line for the header of a module: "s_axis_tuser: [6:0] ingress port, ...".
func userDoc(name string, list []UserField) string {
	var words []string
	for _, f := range list {
		words = append(words, fmt.Sprintf("[%s] %s", f.Range(), f.Name))
	}
	return name + ": " + strings.Join(words, ", ") + "."
}
