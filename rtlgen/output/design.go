// Package output turns a configuration into the files that a user takes away: the Verilog, a manifest, file lists
// for other tools, constraints, and the documents of the design.
//
// Build makes everything in memory; Write replaces the files of a folder, so that a mistake leaves the folder as it
// was. The same configuration and the same version give the same bytes: no dates, no paths of the machine.
package output

import (
	"fmt"
	"strings"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/nic"
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
	Config  *config.NIC
	Timing  nic.Timing
	Top     string            // name of the top module
	Modules []vgen.ModuleInfo // children before parents; File is relative to the output folder
	Files   []File            // the manifest last
}

// Build generates the design of a configuration. A validated configuration can be built: an error is a mistake of
// the generator.
func Build(c *config.NIC) (*Design, error) {
	engine, err := nic.Build(c)
	if err != nil {
		return nil, err
	}
	verilog, err := vgen.Emit(engine.Top, vgen.EmitOptions{
		Tool: "hpccgen " + Version, Command: command(c), ConfigHash: c.Hash, Reset: resetStyle(c),
	})
	if err != nil {
		return nil, fmt.Errorf("generated design %s: %w", c.Name, err)
	}
	d := &Design{Config: c, Timing: engine.Timing, Top: engine.Top.Name(), Modules: modules(c, engine.Top)}
	for _, f := range verilog {
		d.add("rtl/"+f.Name, f.Text)
	}
	d.add("config.yaml", c.Canonical())
	d.add(c.Name+".f", d.fileList())
	d.add(c.Name+".core", d.fuseSoC())
	d.add("constraints/"+c.Name+".sdc", d.constraints())
	d.add("docs/registers.md", d.registers(engine.Top))
	d.add("docs/precision.md", d.precision())
	manifest, err := d.manifest()
	if err != nil {
		return nil, err
	}
	d.add(manifestName, manifest)
	return d, nil
}

func (d *Design) add(path string, data []byte) { d.Files = append(d.Files, File{path, data}) }

// command is the command that makes the files again: by the preset's name, or from the configuration that is written
// beside them.
func command(c *config.NIC) string {
	for _, p := range config.Presets() {
		if strings.ReplaceAll(p.Name, "-", "_") != c.Name {
			continue
		}
		if preset, err := config.Load(p.Name); err == nil && preset.Hash == c.Hash {
			return "hpccgen generate --config " + p.Name
		}
	}
	return "hpccgen generate --config config.yaml"
}

func resetStyle(c *config.NIC) vgen.ResetStyle {
	if c.AsyncReset {
		return vgen.AsyncLow
	}
	return vgen.SyncHigh
}

// modules describes the emitted modules, with the reset port that they have and their place in the output folder.
func modules(c *config.NIC, top *vgen.Module) []vgen.ModuleInfo {
	list := vgen.Manifest(top)
	for i := range list {
		m := &list[i]
		m.File = "rtl/" + m.File
		for j := range m.Ports {
			if p := &m.Ports[j]; p.Role == "reset" && c.AsyncReset {
				p.Name, p.Doc = "rst_n", "asynchronous reset, active low"
			}
		}
	}
	return list
}
