package main

import "github.com/hdlpkg/hpccgen/config"

// configFlag is the flag of the commands that work on a design.
type configFlag struct {
	Config string `required:"" placeholder:"FILE" help:"Configuration: a file, or the name of a preset."`
}

func (f configFlag) load() (config.Design, error) {
	if err := regularFile("--config", f.Config); err != nil {
		return nil, err
	}
	return config.LoadDesign(f.Config)
}
