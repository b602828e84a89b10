package main

import "github.com/hdlpkg/hpccgen/config"

type schemaCommand struct{}

// Run prints the schema.
func (c *schemaCommand) Run(s streams) error { return mustWrite(s.out.Write(config.Schema())) }
