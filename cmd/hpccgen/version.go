package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/hdlpkg/hpccgen/rtlgen/output"
)

type versionCommand struct {
	JSON bool `help:"Print JSON."`
}

// versionInfo is what is known about the running program.
type versionInfo struct {
	Version   string `json:"version"`   // of the module, or devel
	Revision  string `json:"revision"`  // of the source, when it was built from a checkout
	Generator string `json:"generator"` // what the emitted files carry
	Go        string `json:"go"`
	Platform  string `json:"platform"`
}

// Run prints the version.
func (c *versionCommand) Run(s streams) error {
	v := readVersion(debug.ReadBuildInfo())
	if c.JSON {
		return printJSON(s, v)
	}
	revision := ""
	if v.Revision != "" {
		revision = ", revision " + v.Revision
	}
	return mustWrite(fmt.Fprintf(s.out, "hpccgen %s (generator %s%s, %s, %s)\n", v.Version, v.Generator, revision, v.Go,
		v.Platform))
}

func readVersion(info *debug.BuildInfo, ok bool) versionInfo {
	v := versionInfo{Version: "devel", Generator: output.Version, Go: runtime.Version(),
		Platform: runtime.GOOS + "/" + runtime.GOARCH}
	if !ok {
		return v
	}
	if m := info.Main.Version; m != "" && m != "(devel)" {
		v.Version = m
	}
	modified := ""
	for _, set := range info.Settings {
		switch set.Key {
		case "vcs.revision":
			v.Revision = set.Value
		case "vcs.modified":
			if set.Value == "true" {
				modified = "-modified"
			}
		}
	}
	if v.Revision != "" {
		v.Revision = v.Revision[:min(12, len(v.Revision))] + modified
	}
	return v
}
