package main

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/hdlpkg/hpccgen/internal/toolchain"
	"github.com/hdlpkg/hpccgen/synth"
)

type doctorCommand struct {
	JSON bool `help:"Print JSON."`
}

// engineStatus says whether an engine can run.
type engineStatus struct {
	Name    string   `json:"name"`
	Works   bool     `json:"works"`
	Missing []string `json:"missing,omitempty"` // tools
}

// engineTools are the tools that each engine needs; the first engines need none.
var engineTools = []struct {
	name  string
	tools []string
}{
	{"model", nil},
	{"go", nil},
	{"verilator", []string{"verilator", "g++"}},
	{"icarus", []string{"iverilog", "vvp"}},
	{"netlist", []string{"yosys", "verilator", "g++"}},
	{"board", nil},
}

// boardStatus says whether bitstreams for a board can be built.
type boardStatus struct {
	Name    string   `json:"name"`
	Title   string   `json:"title"`
	Part    string   `json:"part"`
	Builds  bool     `json:"builds"`
	Missing []string `json:"missing,omitempty"` // tools; how to get them is said with the tools
}

// boardStates are told from the tools that each board's flow uses.
func boardStates() []boardStatus {
	var list []boardStatus
	for _, b := range synth.Boards() {
		state := boardStatus{Name: b.Name, Title: b.Title, Part: b.Part.String(), Builds: true}
		for _, t := range []toolchain.Tool{toolchain.Yosys, b.Part.Family.Router(), b.Part.Family.Packer()} {
			_, err := t.Find()
			var missing toolchain.Missing
			if errors.As(err, &missing) {
				state.Builds, state.Missing = false, append(state.Missing, missing.Tool)
			}
		}
		list = append(list, state)
	}
	return list
}

// Run looks at the tools. It fails when an engine, or lint, lacks one; tools for boards and proofs are only reported.
func (c *doctorCommand) Run(s streams) error {
	tools := toolchain.All()
	engines := engineStates(tools)
	if c.JSON {
		if err := printJSON(s, struct {
			Go      string             `json:"go"`
			Engines []engineStatus     `json:"engines"`
			Boards  []boardStatus      `json:"boards"`
			Tools   []toolchain.Status `json:"tools"`
		}{runtime.Version(), engines, boardStates(), tools}); err != nil {
			return err
		}
	} else if err := c.print(s, tools, engines); err != nil {
		return err
	}
	if slices.ContainsFunc(engines, func(e engineStatus) bool { return !e.Works }) {
		return errToolsMissing
	}
	return nil
}

func engineStates(tools []toolchain.Status) []engineStatus {
	var list []engineStatus
	for _, e := range engineTools {
		state := engineStatus{Name: e.name, Works: true}
		for _, t := range tools {
			if !t.Found && slices.Contains(e.tools, t.Name) {
				state.Works, state.Missing = false, append(state.Missing, t.Name)
			}
		}
		list = append(list, state)
	}
	return list
}

func (c *doctorCommand) print(s streams, tools []toolchain.Status, engines []engineStatus) error {
	t := tabwriter.NewWriter(s.out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "Tool\tversion\tneeded for\n  go\t%s\tbuilding hpccgen\n", runtime.Version())
	for _, tool := range tools {
		version := tool.Version
		switch {
		case tool.Wrong != "":
			version = "does not work: " + tool.Wrong
		case !tool.Found:
			version = "missing: " + tool.Install
		case version == "":
			version = "found"
		}
		fmt.Fprintf(t, "  %s\t%s\t%s\n", tool.Name, version, tool.Needed)
	}
	fmt.Fprintf(t, "\nEngine\tstate\n")
	for _, e := range engines {
		state := "works"
		if !e.Works {
			state = fmt.Sprintf("lacks %v", e.Missing)
		}
		fmt.Fprintf(t, "  %s\t%s\n", e.Name, state)
	}
	fmt.Fprintf(t, "\nBoard\tbitstreams\tpart\n")
	for _, b := range boardStates() {
		state := "can be built"
		if !b.Builds {
			state = "lacks " + strings.Join(b.Missing, ", ")
		}
		fmt.Fprintf(t, "  %s\t%s\t%s, %s\n", b.Name, state, b.Title, b.Part)
	}
	return t.Flush()
}
