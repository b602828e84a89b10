package main

import (
	"encoding/json"
	"fmt"
	"text/tabwriter"

	"github.com/hdlpkg/hpccgen/config"
)

type presetsCommand struct {
	JSON bool `help:"Print JSON."`
}

// Run lists the presets.
func (c *presetsCommand) Run(s streams) error {
	if c.JSON {
		type preset struct {
			Name    string `json:"name"`
			Kind    string `json:"design"`
			Law     string `json:"law,omitempty"`
			Summary string `json:"summary"`
		}
		list := []preset{}
		for _, p := range config.Presets() {
			list = append(list, preset(p))
		}
		return printJSON(s, list)
	}
	t := tabwriter.NewWriter(s.out, 0, 0, 2, ' ', 0)
	for _, p := range config.Presets() {
		fmt.Fprintf(t, "%s\t%s\n", p.Name, p.Summary)
	}
	return t.Flush()
}

func printJSON(s streams, v any) error {
	enc := json.NewEncoder(s.out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}
