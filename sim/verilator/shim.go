// Package verilator holds the C++ side of the Verilator engine: the template of the shim that is compiled with a
// verilated model into one shared object, and the names of the functions that the shared object exports.
//
// With the shim, whole batches of cycles cross the boundary between Go and C++ in one call. It does not depend on Go
// and can be read, compiled and debugged on its own.
package verilator

import (
	_ "embed"
	"fmt"
	"strings"
	"text/template"
)

//go:embed shim.cpp.tmpl
var shimText string

var shim = template.Must(template.New("shim.cpp").Parse(shimText))

// The functions that the shared object exports. Their C prototypes are in
// shim.cpp.tmpl.
const (
	SymNew    = "hpccgen_new"    // create an instance
	SymFree   = "hpccgen_free"   // destroy an instance
	SymRun    = "hpccgen_run"    // run a batch of cycles
	SymBare   = "hpccgen_bare"   // run cycles without records
	SymError  = "hpccgen_error"  // text of the last failure
	SymDigest = "hpccgen_digest" // digest of the record layout
)

// Port is one port of the bench module that the shim drives or samples. The
// ports have positional names so that no port name of a design can collide with
// a C++ keyword or with Verilator's own escapes.
type Port struct {
	Member string // member of the verilated class, such as "in3"
	Name   string // name in the design, for the comment
	Width  int    // bits
	Offset int    // first 64-bit word within the cycle's record
}

// Words is the number of 64-bit words that the port takes in a record.
func (p Port) Words() int { return (p.Width + 63) / 64 }

// Limbs is the number of 32-bit words in Verilator's representation of a port
// above 64 bits.
func (p Port) Limbs() int { return (p.Width + 31) / 32 }

// Wide reports whether Verilator keeps the port as an array of 32-bit words.
func (p Port) Wide() bool { return p.Width > 64 }

// Mask is the C++ literal that selects the legal bits of the most significant
// word of the port: of the value itself up to 64 bits, of the last 32-bit word
// above.
func (p Port) Mask() string {
	if p.Wide() {
		return fmt.Sprintf("0x%xu", ^uint32(0)>>uint(31-(p.Width-1)%32))
	}
	return fmt.Sprintf("0x%xull", ^uint64(0)>>uint(64-p.Width))
}

// Full reports whether the port fills its most significant word, so that no
// mask is needed.
func (p Port) Full() bool { return p.Width%32 == 0 && p.Wide() || p.Width == 64 }

// Shim describes the source to generate.
type Shim struct {
	Class    string // prefix of the verilated class
	Clock    bool   // the bench has a clock
	Reset    string // member of the reset, active high; "" for none
	Inputs   []Port
	Outputs  []Port // outputs, then taps
	InWords  int
	OutWords int
	Trace    bool   // compile in VCD writing
	Ones     bool   // state starts at ones, in a model built with --x-initial unique
	Digest   string // of the record layout, [0-9a-f]*
}

// Source returns the C++ source of the shim.
func (s Shim) Source() (string, error) {
	var b strings.Builder
	if err := shim.Execute(&b, s); err != nil {
		return "", fmt.Errorf("generating the Verilator shim: %w", err)
	}
	return b.String(), nil
}
