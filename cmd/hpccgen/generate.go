package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hdlpkg/hpccgen/rtlgen/output"
	"github.com/hdlpkg/hpccgen/verify/testbench"
)

type generateCommand struct {
	configFlag
	Out     string    `required:"" xor:"folder" placeholder:"DIR" help:"Folder for rtl/*.v, manifest.json and the rest; created if missing."`
	Verbose bool      `help:"Also print the error bounds and every module."`
	Force   bool      `help:"Write to DIR even if it holds another design, one with another top module, and remove the files of that."`
	Clock   megahertz `placeholder:"MHZ" help:"Clock in the constraints (150)."`
	Check   string    `required:"" xor:"folder" placeholder:"DIR" help:"Write nothing: report how DIR differs from what would be generated, as a unified diff, with exit status 1."`
}

// Run writes the files of a design and says what they are, or compares them with those of a folder.
func (c *generateCommand) Run(s streams) error {
	cfg, err := c.load()
	if err != nil {
		return err
	}
	design, err := output.Build(cfg, testbench.Files)
	if err != nil {
		return bug{err}
	}
	if c.Clock != 0 {
		design.Constrain(float64(c.Clock))
	}
	if c.Check != "" {
		return check(s, design, c.Check)
	}
	if err := keepConfiguration(c.Config, c.Out, design.Files); err != nil {
		return err
	}
	write := design.Write
	if c.Force {
		write = design.Replace
	}
	if err := write(c.Out); errors.As(err, &output.OtherDesign{}) {
		return fmt.Errorf("--out: %w; name another folder, or replace that design with --force", err)
	} else if err != nil {
		return err
	}
	if err := design.Summary(s.out, c.Verbose); err != nil {
		return err
	}
	clock := cmp.Or(float64(c.Clock), output.DefaultClockMHz)
	return mustWrite(fmt.Fprintf(s.out, "\n%d files in %s: %s\nThe constraints ask for %g MHz (--clock).\n", len(design.Files),
		c.Out, strings.Join(places(design.Files), ", "), clock))
}

// check reports how a folder differs from what would be generated into it.
func check(s streams, design *output.Design, dir string) error {
	list, err := design.Compare(dir)
	if err != nil {
		return fmt.Errorf("--check: %w", err)
	}
	if len(list) == 0 {
		return mustWrite(fmt.Fprintf(s.out, "%s is up to date: %d files\n", dir, len(design.Files)))
	}
	for _, d := range list {
		fmt.Fprintf(s.out, "%s: %s\n", d.What, d.Path)
	}
	for _, d := range list {
		if d.Diff != "" {
			fmt.Fprint(s.out, d.Diff)
		}
	}
	if err := mustWrite(fmt.Fprintf(s.out, "%s is not what this configuration and this version generate: %s\n", dir,
		plural(len(list), "difference"))); err != nil {
		return err
	}
	return errMismatch
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
