package main

import "github.com/hdlpkg/hpccgen/config"

type initCommand struct {
	Preset string `arg:"" optional:"" default:"nic-line" help:"Name of the preset (${default})."`
}

// Run prints a preset.
func (c *initCommand) Run(s streams) error {
	text, err := config.PresetYAML(c.Preset)
	if err != nil {
		return err
	}
	return mustWrite(s.out.Write(text))
}
