package csig

import (
	"fmt"
	"math/bits"
	"strings"
)

// UserField is a field of tuser: Width bits from bit Low on.
type UserField struct {
	Name       string // "egress port"
	Low, Width int
}

// Range is where the field is, as Verilog writes it: "13:7".
func (f UserField) Range() string { return fmt.Sprintf("%d:%d", f.Low+f.Width-1, f.Low) }

// Fields of s_axis_tuser, in their order.
const (
	userIngress = iota
	userEgress
	userIngressTime
	userEgressTime
	userQlen
)

// UserFields are the fields of s_axis_tuser of a switch design, from bit 0 on. Port numbers have a bit more than ports need where their number is a
// power of two, so that there is always one that does not exist.
func UserFields(ports, timeBits, qlenBits int) []UserField {
	port := bits.Len(uint(ports))
	return inRow([]UserField{
		userIngress:     {Name: "ingress port", Width: port},
		userEgress:      {Name: "egress port", Width: port},
		userIngressTime: {Name: "ingress time", Width: timeBits},
		userEgressTime:  {Name: "egress time", Width: timeBits},
		userQlen:        {Name: "queue depth", Width: qlenBits},
	})
}

// SentUserFields are those of m_axis_tuser.
func SentUserFields(ports int) []UserField {
	return inRow([]UserField{{Name: "egress port", Width: bits.Len(uint(ports))}, {Name: "status", Width: statusBits}})
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

// UserWidth is the width of tuser with these fields.
func UserWidth(list []UserField) int {
	last := list[len(list)-1]
	return last.Low + last.Width
}

// UserDoc is the layout in a line for the header of a module: "s_axis_tuser: [6:0] ingress port, ...".
func UserDoc(name string, list []UserField) string {
	var words []string
	for _, f := range list {
		words = append(words, fmt.Sprintf("[%s] %s", f.Range(), f.Name))
	}
	return name + ": " + strings.Join(words, ", ") + "."
}
