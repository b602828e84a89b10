// Package law builds the engine of a configuration: the frame with the law that the configuration names.
package law

import (
	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/engine"
	"github.com/hdlpkg/hpccgen/rtlgen/law/aimd"
	"github.com/hdlpkg/hpccgen/rtlgen/law/hpcc"
)

// laws are the laws by the types of their designs: a new one is one more entry.
var laws = config.Entries[*engine.Law]{entry(hpcc.New), entry(aimd.New)}

func entry[T config.Design](law func(T) *engine.Law) config.Entry[*engine.Law] {
	return config.EntryOf(func(c T) (*engine.Law, error) { return law(c), nil })
}

// Build generates the engine of a configuration. An error is a mistake of the generator: a validated
// configuration has none of its own left.
func Build(c config.EngineDesign) (*engine.Engine, error) {
	l, err := laws.Of(c, "law")
	if err != nil {
		return nil, err
	}
	return engine.Build(*c.Frame(), l)
}
