// Package toolchain finds and runs the external programs of the project: simulators, synthesis, place and route,
// solvers. It knows their purpose and how to install them, and searches PATH and the directory that scripts/tools fills
// (see Dir).
package toolchain

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Missing is the error for an external program that is not there. The
// command line answers it with exit code 3.
type Missing struct {
	Tool    string // program that was looked for, such as "verilator"
	Needed  string // what it is needed for
	Install string // how to get it
}

func (e Missing) Error() string {
	return fmt.Sprintf("%s is not installed or not on PATH; it is needed for %s; install it with: %s", e.Tool, e.Needed,
		e.Install)
}

// Status reports whether an external tool is installed.
type Status struct {
	Name    string `json:"name"`
	Found   bool   `json:"found"`
	Path    string `json:"path,omitempty"`
	Version string `json:"version,omitempty"` // first line of the tool's version output
	Wrong   string `json:"wrong,omitempty"`   // why a program of that name is not the tool
	Needed  string `json:"needed_for"`
	Install string `json:"install"`
}

// Dir is where scripts/tools puts programs that the system lacks: $HPCCGEN_TOOLS, or hpccgen/tools under $XDG_DATA_HOME
// or ~/.local/share. They are in its folder bin.
func Dir() (string, error) {
	if dir := os.Getenv("HPCCGEN_TOOLS"); dir != "" {
		return dir, nil
	}
	if dir := os.Getenv("XDG_DATA_HOME"); dir != "" {
		return filepath.Join(dir, "hpccgen", "tools"), nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(home, ".local", "share", "hpccgen", "tools"), nil
}

// Tool describes an external program.
type Tool struct {
	name    string   // as it is shown
	command []string // candidates, the first one found is taken
	env     string   // environment variable that overrides the command; "" for none
	version []string // arguments that print the version
	prefix  string   // start of the line that holds the version; "" for the first line
	needed  string
	install string
}

// All looks for every external tool of the project and reports, in a fixed
// order, which are there.
func All() []Status {
	status := make([]Status, len(allTools))
	var wait sync.WaitGroup
	for i, t := range allTools {
		wait.Go(func() {
			s := Status{Name: t.name, Needed: t.needed, Install: t.install}
			if path, err := t.Find(); err == nil {
				s.Path = path
				if s.Version, err = t.AskVersion(path); err != nil {
					s.Wrong = err.Error()
				}
				s.Found = err == nil
			}
			status[i] = s
		})
	}
	wait.Wait()
	return status
}

// FindBeside prefers the tool in the folder that holds another: programs that read each other's files, such as
// synthesis and place and route, should come from the same release. Without it there, it is Find.
func (t Tool) FindBeside(other string) (string, error) {
	for _, name := range t.command {
		if path, err := exec.LookPath(filepath.Join(filepath.Dir(other), name)); err == nil {
			return path, nil
		}
	}
	return t.Find()
}

// Find returns the path of the tool, from its environment variable, from PATH or from Dir; or a Missing.
func (t Tool) Find() (string, error) {
	candidates := t.command
	if t.env != "" {
		if override := os.Getenv(t.env); override != "" {
			candidates = []string{override}
		}
	}
	for _, name := range candidates {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
		if dir, err := Dir(); err == nil {
			if path, err := exec.LookPath(filepath.Join(dir, "bin", name)); err == nil {
				return path, nil
			}
		}
	}
	return "", Missing{Tool: candidates[0], Needed: t.needed, Install: t.install}
}

type versionKey struct {
	path    string
	args    string
	size    int64
	changed time.Time
}

// versionPatience is how long a tool may take to say its version.
const versionPatience = 30 * time.Second

// versionBytes is how much of a tool's version output is read; yosys and others print a few lines.
const versionBytes = 64 << 10

// versions caches the versions that tools reported: asking takes tens of
// milliseconds, which would be most of the time of opening a cached design.
var versions sync.Map // versionKey -> string

// AskVersion returns the line in which the tool at path states its version.
func (t Tool) AskVersion(path string) (string, error) {
	if len(t.version) == 0 {
		return "", nil
	}
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	key := versionKey{path, strings.Join(t.version, " "), info.Size(), info.ModTime()}
	if v, ok := versions.Load(key); ok {
		return v.(string), nil
	}
	ctx, cancel := context.WithTimeout(lifetime, versionPatience)
	defer cancel()
	// The exit status is no guide: iverilog -V fails when a part of it that is
	// not needed is missing, and prints its version nevertheless.
	cmd := Command(ctx, path, t.version...)
	text := Said{Most: versionBytes}
	cmd.Stdout, cmd.Stderr = &text, &text
	err = Run(ctx, cmd)
	for line := range strings.Lines(text.String()) {
		if line = strings.TrimSpace(line); line != "" && strings.HasPrefix(line, t.prefix) {
			versions.Store(key, line)
			return line, nil
		}
	}
	said := "it said nothing that begins with " + strconv.Quote(t.prefix)
	switch {
	case text.Over:
		said = text.Error().Error() + ", and nothing that begins with " + strconv.Quote(t.prefix)
	case errors.Is(err, context.DeadlineExceeded):
		said = fmt.Sprintf("it did not end within %v", versionPatience)
	case err != nil:
		said = err.Error()
	case t.prefix == "":
		said = "it said nothing"
	}
	hint := ""
	if t.env != "" {
		hint = fmt.Sprintf("; is it another program of that name? %s names the right one", t.env)
	}
	return "", fmt.Errorf("%s %s printed no version: %s%s", path, strings.Join(t.version, " "), said, hint)
}

// Locate returns path and version of the tool.
func (t Tool) Locate() (path, version string, err error) {
	if path, err = t.Find(); err != nil {
		return "", "", err
	}
	version, err = t.AskVersion(path)
	return path, version, err
}

// Ask runs a program and returns the first line that it prints.
func Ask(path string, args ...string) (string, error) {
	return Tool{version: args}.AskVersion(path)
}
