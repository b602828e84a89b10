// Package testbench writes self-checking test benches that a user takes away: the directed test of a design (package
// directed) in Verilog-2005 and as C++ for Verilator, with a Makefile.
package testbench

import (
	"bytes"
	"embed"
	"fmt"
	"slices"
	"strings"
	"text/template"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/config/timing"
	"github.com/hdlpkg/hpccgen/rtlgen/output"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
	"github.com/hdlpkg/hpccgen/verify/csig"
	"github.com/hdlpkg/hpccgen/verify/directed"
	"github.com/hdlpkg/hpccgen/verify/inband"
	"github.com/hdlpkg/hpccgen/verify/law"
)

// tests are the directed tests of each type of design.
var tests = config.Entries[func(*output.Design) (*directed.Test, error)]{
	config.EntryOf(func(c config.EngineDesign) (func(*output.Design) (*directed.Test, error), error) {
		e, err := law.Of(c)
		return func(d *output.Design) (*directed.Test, error) { return e.Directed(d.Timing.(timing.Engine)) }, err
	}),
	config.EntryOf(func(c *config.CSIG) (func(*output.Design) (*directed.Test, error), error) {
		return func(*output.Design) (*directed.Test, error) { return csig.Directed(c) }, nil
	}),
	config.EntryOf(func(c *config.INT) (func(*output.Design) (*directed.Test, error), error) {
		return func(*output.Design) (*directed.Test, error) { return inband.Directed(c) }, nil
	}),
}

// Files are the test benches of a design: an addition for [output.Build].
func Files(d *output.Design) ([]output.File, error) {
	make, err := tests.Of(d.Config, "directed test")
	if err != nil {
		return nil, err
	}
	test, err := make(d)
	if err != nil {
		return nil, fmt.Errorf("directed test of %s: %w", d.Config.DesignName(), err)
	}
	top := d.Modules[len(d.Modules)-1]
	b := &bench{Test: test, Name: d.Config.DesignName(), Top: d.Top, Title: d.Title(), Hash: d.Config.DesignHash(),
		Version: output.Version, Command: d.Command(), Ports: top.Ports, Patience: patience(d.Timing)}
	var files []output.File
	for _, f := range []struct{ path, template string }{
		{"tb/" + b.Name + "_tb.v", "bench.v.tmpl"}, {"tb/" + b.Name + "_tb.cpp", "bench.cpp.tmpl"},
		{"tb/Makefile", "Makefile.tmpl"},
	} {
		var text bytes.Buffer
		if err := templates.ExecuteTemplate(&text, f.template, b); err != nil {
			return nil, err
		}
		files = append(files, output.File{Path: f.path, Data: text.Bytes()})
	}
	return files, nil
}

//go:embed *.tmpl
var texts embed.FS

var templates = template.Must(template.New("").Funcs(template.FuncMap{
	"verilog": func(s directed.Step) string { return step(verilog{}, s) },
	"cpp":     func(s directed.Step) string { return step(cpp{}, s) },
	"bits":    bits,
}).ParseFS(texts, "*.tmpl"))

// bench is what the templates are given.
type bench struct {
	*directed.Test
	Name, Top, Title, Hash, Version, Command string

	Ports    []vgen.PortInfo
	Patience int // cycles that a handshake may take
}

// Reset is the reset port.
func (b *bench) Reset() vgen.PortInfo {
	for _, p := range b.Ports {
		if p.Role == "reset" {
			return p
		}
	}
	return vgen.PortInfo{}
}

// Active is the value of the reset port that resets; Idle the other one.
func (b *bench) Active() int { return 1 - b.Idle() }

// Idle is the value of the reset port that does not reset.
func (b *bench) Idle() int {
	if strings.HasSuffix(b.Reset().Name, "_n") {
		return 1
	}
	return 0
}

// Registers reports whether software reaches the design over AXI4-Lite.
func (b *bench) Registers() bool {
	return slices.ContainsFunc(b.Ports, func(p vgen.PortInfo) bool { return p.Name == "s_axil_awvalid" })
}

// Inputs are the input ports but clock and reset.
func (b *bench) Inputs() (list []vgen.PortInfo) {
	for _, p := range b.Ports {
		if p.Dir == "in" && p.Role != "clock" && p.Role != "reset" {
			list = append(list, p)
		}
	}
	return list
}

// Outputs are the output ports.
func (b *bench) Outputs() (list []vgen.PortInfo) {
	for _, p := range b.Ports {
		if p.Dir == "out" {
			list = append(list, p)
		}
	}
	return list
}

// Room is for the bytes of a packet that comes out, and for those of a beat that should not.
func (b *bench) Room() int { return b.Longest + b.Beat }

// Sources are the streams that the bench gives elements to; Sinks those that it takes them from.
func (b *bench) Sources() []string { return b.streams("in") }

// Sinks are the streams that the design gives.
func (b *bench) Sinks() []string { return b.streams("out") }

func (b *bench) streams(dir string) (list []string) {
	for _, s := range b.Streams {
		for _, p := range b.Ports {
			if p.Name == s+"_valid" && p.Dir == dir {
				list = append(list, s)
			}
		}
	}
	return list
}

// patience is for how many cycles a bench waits: longer than memories are cleared after reset, and than anything else
// takes.
func patience(of any) int {
	const most = 10_000
	switch t := of.(type) {
	case timing.Engine:
		return most + t.Clearing()
	case timing.CSIG:
		return most + t.Sweep
	case timing.INT:
		return most + t.Sweep
	}
	return most
}

// bits is the range of a port in Verilog, of one length for all.
func bits(width int) string {
	if width == 1 {
		return "       "
	}
	return fmt.Sprintf("%-7s", fmt.Sprintf("[%d:0]", width-1))
}
