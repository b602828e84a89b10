// Package law lists the laws known to verification; each has a package below this one.
package law

import (
	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/config/timing"
	"github.com/hdlpkg/hpccgen/model/engine"
	"github.com/hdlpkg/hpccgen/verify/directed"
	"github.com/hdlpkg/hpccgen/verify/drive"
	"github.com/hdlpkg/hpccgen/verify/law/aimd"
	"github.com/hdlpkg/hpccgen/verify/law/hpcc"
	"github.com/hdlpkg/hpccgen/verify/replay"
)

// Engine is what a law brings to verification.
type Engine interface {
	// Timing is that of the generated engine.
	Timing() (engine.Timing, error)
	// Subject is the generated engine, with or without its taps, with its golden model and its stimulus.
	Subject(taps bool) (drive.Subject, error)
	// Directed is a short test with what the golden model says, for an engine of the given timing.
	Directed(t timing.Engine) (*directed.Test, error)
	// Replay replays a trace of the law's own.
	Replay(o replay.Options) (*replay.Report, error)
}

// engines has an entry for each law.
var engines = config.Entries[Engine]{
	config.EntryOf(func(c *config.NIC) (Engine, error) { return hpcc.New(c) }),
	config.EntryOf(func(c *config.AIMD) (Engine, error) { return aimd.New(c) }),
}

// Of is the engine of a design. A design of another kind, or of a law without an entry, is an error.
func Of(d config.Design) (Engine, error) { return engines.Of(d, "golden model") }

// Replay replays a trace on the engine of a design.
func Replay(d config.Design, o replay.Options) (*replay.Report, error) {
	e, err := Of(d)
	if err != nil {
		return nil, err
	}
	return e.Replay(o)
}
