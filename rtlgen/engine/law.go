package engine

import (
	"fmt"
	"strings"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// Law is the part of an engine that a congestion control adds to the frame. Fields of type any are pointers to structs
// of signals with the tags of [vgen.Ports]; the frame declares the ports with its own around them, and hands structs of
// the same types, filled in, to the law's pipeline.
type Law struct {
	Name     string // the modules are NAME_nic, NAME_issue and NAME_core
	Title    string // first word of the engine's purpose: "HPCC++"
	Purpose  string // of the engine, after the title
	Core     string // purpose of the core, after the title
	Capacity string // capacities besides flows, for the header comment

	Software *config.Software // tables, fields of contexts and counters: those that the ports below are for

	Widths   vgen.Widths // of the law's fields
	Event    any         // fields of an ACK, on s after flow, tag and generation
	Write    any         // fields of a context that software writes, on cw
	Held     any         // the same fields where they are held in the core; nil for those of Write
	Context  any         // fields of a context that software reads, on cd after the flow
	Decision any         // fields of a decision, on m after flow, generation, tag, kind and status
	Counters any         // counters of the statuses below, one for each
	Counted  []uint64

	KindBits, StatusBits int
	IndexDoc             string // meaning of an entry's index
	Taps                 []Tap  // fields of the decision that are observation points

	Form Form
	Guide
}

// Tap is a field of the decision as an observation point.
type Tap struct{ Field, Doc string }

// Form is a microarchitecture: [Pipelined] takes up to an operation a cycle, [Slotted] one an interval, and is small.
type Form interface {
	build(f Frame, l *Law) (*vgen.Module, Timing)
}

// Frame is the part of a configuration that does not depend on the law.
type Frame = config.Engine

// Widths are the width keys of the frame's part of a block's ports.
func Widths(f Frame) vgen.Widths {
	return vgen.Widths{"op": opBits, "flow": f.FlowBits(), "generation": f.GenBits, "tag": f.TagBits, "count": f.CountBits}
}

// held are the fields of a context write where they are held in the core.
func (l *Law) held() any {
	if l.Held != nil {
		return l.Held
	}
	return l.Write
}

// OpenMask and CloseMask are the masks that open a flow with all its fields, and that close it.
func (l *Law) OpenMask() uint64  { return 2<<l.Software.Start() - 1 }
func (l *Law) CloseMask() uint64 { return 1 << l.Software.Close() }

func (l *Law) maskNames() string {
	return strings.Join(append(l.Writable(), "start", "close"), ", ")
}

// Writable are the names of the fields that software writes, by their bits in the mask.
func (l *Law) Writable() []string {
	var names []string
	for _, f := range l.Software.Write {
		names = append(names, f.Name)
	}
	return names
}

func (l *Law) tableNames() string {
	names := make([]string, len(l.Software.Tables))
	for i, t := range l.Software.Tables {
		names[i] = fmt.Sprintf("%d %s", i, t.Name)
	}
	return strings.Join(names, ", ")
}

// largest is the number of entries of the largest table.
func (l *Law) largest() int {
	n := 1
	for _, t := range l.Software.Tables {
		n = max(n, t.Entries)
	}
	return n
}

// widths are the width keys of the ports of the engine, its issue and its core.
func (l *Law) widths(f Frame) vgen.Widths {
	w := Widths(f)
	for key, bits := range l.Widths {
		w[key] = bits
	}
	w["table"], w["tindex"], w["tdata"] = TableBits, l.Software.TableIndexBits(), l.Software.TableDataBits()
	w["index"] = max(f.FlowBits(), l.Software.TableIndexBits())
	w["mask"], w["kind"], w["status"] = l.Software.Mask(), l.KindBits, l.StatusBits
	return w
}
