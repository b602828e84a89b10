// Package lint runs the checks of three Verilog tools over emitted designs: Verilator's lint, Icarus Verilog's
// warnings, and Yosys' check of the elaborated netlist. They overlap little: Verilator sees widths, unused and undriven
// signals; Icarus is strict about the language; Yosys sees what synthesis would: latches, loops, several drivers, also
// across modules.
//
// Emitted designs must produce no message at all.
package lint

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/hdlpkg/hpccgen/internal/toolchain"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// Message is what a tool said about a design.
type Message struct {
	Tool string
	Text string // all that it printed
}

func (m Message) String() string { return m.Tool + ":\n" + m.Text }

// tool is one of the checkers.
type tool struct {
	name string
	args func(top string, files []string) []string
}

var tools = []tool{
	{"verilator", func(top string, files []string) []string {
		return append([]string{"--lint-only", "-Wall", "--top-module", top}, files...)
	}},
	{"iverilog", func(top string, files []string) []string {
		return append([]string{"-g2005", "-Wall", "-s", top, "-t", "null"}, files...)
	}},
	{"yosys", func(top string, files []string) []string {
		// Quiet mode leaves warnings and errors. Flattened, a loop that crosses modules shows.
		return []string{"-q", "-p", fmt.Sprintf(
			"read_verilog %s; hierarchy -check -top %s; proc; flatten; check -noinit -initdrv -assert",
			strings.Join(files, " "), top)}
	}},
}

// Tools names the checkers, in the order of Check.
func Tools() []string {
	var names []string
	for _, t := range tools {
		names = append(names, t.name)
	}
	return names
}

// Check runs the named tools, all of them when none is named, over the files of a design, and returns
// what they said; no message means that the design is clean. A tool that is missing is an
// toolchain.Missing error.
func Check(top string, files []vgen.File, names ...string) ([]Message, error) {
	if len(names) == 0 {
		names = Tools()
	}
	dir, err := os.MkdirTemp("", "hpccgen-lint-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	var list []string
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(dir, f.Name), f.Text, 0o644); err != nil {
			return nil, err
		}
		list = append(list, f.Name)
	}
	var messages []Message
	for _, name := range names {
		text, err := run(name, dir, top, list)
		if err != nil {
			return nil, err
		}
		if text != "" {
			messages = append(messages, Message{name, text})
		}
	}
	return messages, nil
}

// run returns what a tool printed; a failure without a word counts as one.
func run(name, dir, top string, files []string) (string, error) {
	path, err := find(name)
	if err != nil {
		return "", err
	}
	for _, t := range tools {
		if t.name != name {
			continue
		}
		cmd := exec.Command(path, t.args(top, files)...)
		cmd.Dir = dir
		var output bytes.Buffer
		cmd.Stdout, cmd.Stderr = &output, &output
		err := cmd.Run()
		text := strings.TrimSpace(output.String())
		var exit *exec.ExitError
		switch {
		case err == nil || text != "" && errors.As(err, &exit):
			return text, nil
		case errors.As(err, &exit):
			return fmt.Sprintf("failed without a message: %v", err), nil
		default:
			return "", fmt.Errorf("running %s: %w", name, err)
		}
	}
	return "", fmt.Errorf("lint: there is no checker %q; there are %s", name, strings.Join(Tools(), ", "))
}

// find returns the path of a tool.
func find(name string) (string, error) {
	for _, s := range toolchain.All() {
		switch {
		case s.Name != name:
		case s.Found:
			return s.Path, nil
		default:
			return "", toolchain.Missing{Tool: name, Needed: "lint of emitted Verilog", Install: s.Install}
		}
	}
	return "", fmt.Errorf("lint: there is no checker %q; there are %s", name, strings.Join(Tools(), ", "))
}
