package main

import (
	"fmt"

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
	return mustWrite(fmt.Fprintf(s.out, "\n%d files in %s: rtl/*.v, %s.f, %s.core, constraints/, docs/, config.yaml, manifest.json\n",
		len(design.Files), c.Out, cfg.Name, cfg.Name))
}
