package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hdlpkg/hpccgen/rtlgen/output"
)

type generateCommand struct {
	configFlag
	Out string `required:"" placeholder:"DIR" help:"Folder for rtl/*.v, manifest.json and the rest; made when missing."`
}

// Run writes the files of a design and says what they are.
func (c *generateCommand) Run(s streams) error {
	cfg, err := c.load()
	if err != nil {
		return err
	}
	design, err := output.Build(cfg)
	if err != nil {
		return bug{err}
	}
	if err := keepConfiguration(c.Config, c.Out, design.Files); err != nil {
		return err
	}
	if err := design.Write(c.Out); err != nil {
		return err
	}
	if err := design.Summary(s.out); err != nil {
		return err
	}
	return mustWrite(fmt.Fprintf(s.out, "\n%d files in %s: %s\n", len(design.Files), c.Out,
		strings.Join(places(design.Files), ", ")))
}

// places lists where the files of a design are: folders, and files beside them.
func places(files []output.File) []string {
	list := []string{"rtl/*.v"}
	var folders, beside []string
	for _, f := range files {
		folder, _, inside := strings.Cut(f.Path, "/")
		switch {
		case !inside && f.Path != "config.yaml" && f.Path != "manifest.json":
			list = append(list, f.Path)
		case !inside:
			beside = append(beside, f.Path)
		case folder != "rtl" && !slices.Contains(folders, folder+"/"):
			folders = append(folders, folder+"/")
		}
	}
	return slices.Concat(list, folders, beside)
}
