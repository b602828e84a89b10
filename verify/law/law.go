// Package law lists the laws that verification knows, each a package of its own beside this one.
package law

import (
	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/verify/law/hpcc"
	"github.com/hdlpkg/hpccgen/verify/stimulus"
)

// engines has an entry for each law.
var engines = config.Entries[stimulus.Engine]{
	config.EntryOf(func(c *config.NIC) (stimulus.Engine, error) { return hpcc.New(c) }),
}

// Of is the engine of a design. A design of another kind, or of a law without an entry, is an error.
func Of(d config.Design) (stimulus.Engine, error) { return engines.Of(d, "golden model") }
