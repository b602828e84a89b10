// Package law builds the engine of a configuration: the frame around the law that it names.
package law

import (
	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/engine"
	"github.com/hdlpkg/hpccgen/rtlgen/law/hpcc"
)

// Build generates the engine of a configuration. An error is a mistake of the generator: a validated
// configuration has none of its own left.
func Build(c *config.NIC) (*engine.Engine, error) {
	return engine.Build(engine.FrameOf(c), hpcc.New(c))
}
