package engine

import (
	"fmt"
	"strings"

	"github.com/hdlpkg/hpccgen/config"
)

// Guide is the law's part of an engine's documents, beside what follows from ports and tables.
type Guide struct {
	TickNs   uint64            // of the local clock
	Setup    string            // bring-up: what software writes on tw first
	Opening  string            // bring-up: the values of a write that opens a flow
	Applied  string            // the results on m that a sender applies, such as "W and R"
	Forgets  string            // the state that a start and a close discard
	Terms    string            // the symbols in the contents of tables
	Formats  map[string]string // of ports, by the names of their fields
	Fields   map[string]string // what fields of a context mean, where their ports do not say it
	Kinds    []Code
	Statuses []Code

	// After the tables: Markdown, and a profile with its entries. Either may be empty.
	Entries string
	Example string // title of the profile
	Profile []config.TableWrite

	Bounds    []config.Row // of the error of a step; without any there is no document of them
	Precision string       // conditions of the bounds
}

// Code is a value of m_kind or m_status.
type Code struct {
	Value     int
	Name, Doc string
}

// kinds describes the kinds, for the ports.
func (l *Law) kinds() string {
	names := make([]string, len(l.Guide.Kinds))
	for i, k := range l.Guide.Kinds {
		names[i] = fmt.Sprintf("%d %s", k.Value, k.Name)
	}
	return strings.Join(names, ", ")
}

// Hex writes a raw value with the digits of its width.
func Hex(v uint64, bits int) string { return fmt.Sprintf("0x%0*x", (bits+3)/4, v) }
