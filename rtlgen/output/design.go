// Package output turns a configuration into files: the Verilog, a manifest, file lists for other tools, constraints,
// and the documents of the design.
//
// Build makes everything in memory; Write replaces the files of a folder, so that a mistake leaves the folder
// unchanged. The same configuration and the same version give the same bytes: no dates, no paths of the machine.
package output

import (
	"fmt"
	"strings"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// Version is the version of the generator. It goes into every emitted file, so it changes with what is emitted and not
// with how the tool was built.
const Version = "0.1.0"

// File is one file of a design. Path is relative to the output folder, with slashes.
type File struct {
	Path string
	Data []byte
}

// Design is a generated design with all its files.
type Design struct {
	Config  config.Design
	Timing  any               // a record of config/timing
	Top     string            // name of the top module
	Modules []vgen.ModuleInfo // children before parents, each variant of one; File is relative to the output folder
	Files   []File            // the manifest last

	kind   wording
	bounds []config.Row // of errors
	rows   []timingRow
}

// product is what a generator has made of a configuration.
type product struct {
	top       *vgen.Module
	timing    any
	rows      []timingRow // the timing in words
	bounds    []config.Row
	kind      wording
	documents func(d *Design) ([]File, error)
}

// wording is what the files of a kind of design call it.
type wording struct {
	title   string // "HPCC++ engine"
	short   string // "engine"
	outputs string // what is known of the timing of its ports
	bounds  string // heads the bounds
}

// products is what is generated of each type of design: a new kind or law is one more entry.
var products = config.Entries[product]{
	config.EntryOf(nicProduct), config.EntryOf(csigProduct), config.EntryOf(intProduct),
}

func generate(c config.Design) (product, error) { return products.Of(c, "generator") }

// Build generates the design of a configuration, and adds what more gives. A validated configuration can be built: an
// error is a mistake of the generator.
func Build(c config.Design, more ...func(*Design) ([]File, error)) (*Design, error) {
	p, err := generate(c)
	if err != nil {
		return nil, err
	}
	verilog, err := emit(c, p.top)
	if err != nil {
		return nil, err
	}
	d := &Design{Config: c, Timing: p.timing, Top: p.top.Name(), Modules: modules(c, p.top), kind: p.kind,
		bounds: p.bounds, rows: p.rows}
	for _, f := range verilog {
		d.add("rtl/"+f.Name, f.Text)
	}
	d.add("config.yaml", c.Canonical())
	d.add(c.DesignName()+".f", d.fileList())
	d.add(c.DesignName()+".core", nil) // with what is generated after it
	d.add(c.DesignName()+"_inst.v", d.instance())
	d.add(d.constraintsPath(), d.constraints(DefaultClockMHz))
	documents, err := p.documents(d)
	if err != nil {
		return nil, err
	}
	d.Files = append(d.Files, documents...)
	for _, make := range more {
		files, err := make(d)
		if err != nil {
			return nil, err
		}
		d.Files = append(d.Files, files...)
	}
	d.put(c.DesignName()+".core", d.fuseSoC())
	manifest, err := d.manifest()
	if err != nil {
		return nil, err
	}
	d.add(manifestName, manifest)
	return d, nil
}

// Title is the kind of the design: "HPCC++ engine".
func (d *Design) Title() string { return d.kind.title }

// Command is the command that makes the files again.
func (d *Design) Command() string { return command(d.Config) }

// Module generates only the module of a configuration.
func Module(c config.Design) (*vgen.Module, error) {
	p, err := generate(c)
	return p.top, err
}

// Verilog is the text of a module that [Module] has made, with the headers of a design.
func Verilog(c config.Design, top *vgen.Module) ([]vgen.File, error) { return emit(c, top) }

func emit(c config.Design, top *vgen.Module) ([]vgen.File, error) {
	files, err := vgen.Emit(top, vgen.EmitOptions{
		Tool: "hpccgen " + Version, Command: command(c), ConfigHash: c.DesignHash(), Reset: resetStyle(c),
	})
	if err != nil {
		return nil, fmt.Errorf("generated design %s: %w", c.DesignName(), err)
	}
	return files, nil
}

func (d *Design) add(path string, data []byte) { d.Files = append(d.Files, File{path, data}) }

// put changes a file.
func (d *Design) put(path string, data []byte) {
	for i := range d.Files {
		if d.Files[i].Path == path {
			d.Files[i].Data = data
		}
	}
}

// command is the command that makes the files again: by the preset's name, or from the configuration that is written
// beside them.
func command(c config.Design) string {
	for _, p := range config.Presets() {
		if strings.ReplaceAll(p.Name, "-", "_") != c.DesignName() {
			continue
		}
		if preset, err := config.LoadDesign(p.Name); err == nil && preset.DesignHash() == c.DesignHash() {
			return "hpccgen generate --config " + p.Name
		}
	}
	return "hpccgen generate --config config.yaml"
}

func resetStyle(c config.Design) vgen.ResetStyle {
	if c.ResetAsync() {
		return vgen.AsyncLow
	}
	return vgen.SyncHigh
}

// modules describes the emitted modules, with the reset port that they have and their place in the output folder.
func modules(c config.Design, top *vgen.Module) []vgen.ModuleInfo {
	list := vgen.Manifest(top)
	for i := range list {
		m := &list[i]
		m.File = "rtl/" + m.File
		for j := range m.Ports {
			if p := &m.Ports[j]; p.Role == "reset" && c.ResetAsync() {
				p.Name, p.Doc = "rst_n", "asynchronous reset, active low"
			}
		}
	}
	return list
}
