package engine

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// MissingTool is the error for an external program that is not on PATH. The
// command line answers it with exit code 3.
type MissingTool struct {
	Tool    string // program that was looked for, such as "verilator"
	Needed  string // what it is needed for
	Install string // how to get it
}

func (e MissingTool) Error() string {
	return fmt.Sprintf("%s is not installed or not on PATH; it is needed for %s; install it with: %s", e.Tool, e.Needed, e.Install)
}

// ToolStatus says whether an external tool is there.
type ToolStatus struct {
	Name    string `json:"name"`
	Found   bool   `json:"found"`
	Path    string `json:"path,omitempty"`
	Version string `json:"version,omitempty"` // first line of what the tool says
	Needed  string `json:"needed_for"`
	Install string `json:"install"`
}

// tool describes an external program.
type tool struct {
	name    string   // as it is shown
	command []string // candidates, the first one found is taken
	env     string   // environment variable that overrides the command; "" for none
	version []string // arguments that print the version
	prefix  string   // start of the line that holds the version; "" for the first line
	needed  string
	install string
}

var (
	toolVerilator = tool{
		name: "verilator", command: []string{"verilator"}, env: "VERILATOR", version: []string{"--version"},
		needed: "the verilator engine and lint", install: "apt-get install verilator (5.006 or later)",
	}
	toolCXX = tool{
		name: "g++", command: []string{"g++", "c++", "clang++"}, env: "CXX", version: []string{"--version"},
		needed: "the verilator engine (it compiles the model)", install: "apt-get install g++",
	}
	toolIverilog = tool{
		name: "iverilog", command: []string{"iverilog"}, version: []string{"-V"}, prefix: "Icarus Verilog",
		needed: "the icarus engine and lint", install: "apt-get install iverilog (11.0 or later)",
	}
	toolVVP = tool{
		name: "vvp", command: []string{"vvp"}, version: []string{"-V"}, prefix: "Icarus Verilog",
		needed: "the icarus engine", install: "apt-get install iverilog (11.0 or later)",
	}
	toolYosys = tool{
		name: "yosys", command: []string{"yosys"}, version: []string{"-V"},
		needed: "synthesis, netlist simulation and proofs", install: "apt-get install yosys",
	}
	toolSMT = tool{
		name: "yosys-smtbmc", command: []string{"yosys-smtbmc"},
		needed: "proofs", install: "apt-get install yosys z3 boolector",
	}
	toolZ3 = tool{
		name: "z3", command: []string{"z3"}, version: []string{"--version"},
		needed: "proofs", install: "apt-get install z3",
	}
	toolBoolector = tool{
		name: "boolector", command: []string{"boolector"}, version: []string{"--version"},
		needed: "proofs", install: "apt-get install boolector",
	}
	toolNextpnrICE40 = tool{
		name: "nextpnr-ice40", command: []string{"nextpnr-ice40"}, version: []string{"--version"},
		needed: "boards with an iCE40", install: "apt-get install nextpnr-ice40 fpga-icestorm",
	}
	toolIcepack = tool{
		name: "icepack", command: []string{"icepack"},
		needed: "bitstreams for an iCE40", install: "apt-get install fpga-icestorm",
	}
	toolNextpnrECP5 = tool{
		name: "nextpnr-ecp5", command: []string{"nextpnr-ecp5"}, version: []string{"--version"},
		needed: "boards with an ECP5", install: "apt-get install nextpnr-ecp5 (Debian 13 or later)",
	}
	toolEcppack = tool{
		name: "ecppack", command: []string{"ecppack"}, version: []string{"--version"},
		needed: "bitstreams for an ECP5", install: "apt-get install fpga-trellis (Debian 13 or later)",
	}
	toolNextpnrGowin = tool{
		name: "nextpnr-himbaechel", command: []string{"nextpnr-himbaechel", "nextpnr-gowin"}, version: []string{"--version"},
		needed: "boards with a Gowin part", install: "apt-get install nextpnr-gowin (Debian 13 or later)",
	}
)

var allTools = []tool{
	toolVerilator, toolCXX, toolIverilog, toolVVP, toolYosys, toolSMT, toolZ3, toolBoolector,
	toolNextpnrICE40, toolIcepack, toolNextpnrECP5, toolEcppack, toolNextpnrGowin,
}

// Tools looks for every external tool of the project and reports, in a fixed
// order, which are there.
func Tools() []ToolStatus {
	status := make([]ToolStatus, len(allTools))
	var wait sync.WaitGroup
	for i, t := range allTools {
		wait.Go(func() {
			s := ToolStatus{Name: t.name, Needed: t.needed, Install: t.install}
			if path, err := t.find(); err == nil {
				s.Found, s.Path = true, path
				s.Version, _ = t.askVersion(path)
			}
			status[i] = s
		})
	}
	wait.Wait()
	return status
}

// find returns the path of the tool, or a MissingTool.
func (t tool) find() (string, error) {
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
	}
	return "", MissingTool{Tool: candidates[0], Needed: t.needed, Install: t.install}
}

type versionKey struct {
	path    string
	args    string
	size    int64
	changed time.Time
}

// versions remembers what a tool said about itself: asking takes tens of
// milliseconds, which would be most of the time of opening a cached design.
var versions sync.Map // versionKey -> string

// askVersion returns the line in which the tool at path states its version.
func (t tool) askVersion(path string) (string, error) {
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
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	// The exit status is no guide: iverilog -V fails when a part of it that is
	// not needed is missing, and prints its version nevertheless.
	text, err := exec.CommandContext(ctx, path, t.version...).CombinedOutput()
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" && strings.HasPrefix(line, t.prefix) {
			versions.Store(key, line)
			return line, nil
		}
	}
	return "", fmt.Errorf("%s %s printed no version: %w", path, strings.Join(t.version, " "), err)
}

// locate returns path and version of the tool.
func (t tool) locate() (path, version string, err error) {
	if path, err = t.find(); err != nil {
		return "", "", err
	}
	version, err = t.askVersion(path)
	return path, version, err
}
