package cosim

import (
	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/verify/csig"
	"github.com/hdlpkg/hpccgen/verify/drive"
	"github.com/hdlpkg/hpccgen/verify/inband"
	"github.com/hdlpkg/hpccgen/verify/law"
	"github.com/hdlpkg/hpccgen/verify/stimulus/transit"
)

// The types of a comparison are those of the loop.
type (
	Options    = drive.Options
	Report     = drive.Report
	Divergence = drive.Divergence
)

// RunDesign compares the generated design of a configuration with the golden model. A mismatch is not an error: it is
// in the report. A tool that the engine lacks is a toolchain.Missing.
func RunDesign(d config.Design, o Options) (*Report, error) {
	s, err := newSubject(d, o.HasTaps())
	if err != nil {
		return nil, err
	}
	return drive.Compare(s, d.DesignName(), d.DesignHash(), o)
}

// Run is RunDesign for an engine of a NIC.
func Run(cfg *config.NIC, o Options) (*Report, error) { return RunDesign(cfg, o) }

// switches are the designs that take packets.
var switches = config.Entries[func(taps bool) (drive.Subject, error)]{entry(csig.NewSubject), entry(inband.NewSubject)}

func entry[T config.Design](open func(T, bool) (*transit.Subject,
	error)) config.Entry[func(bool) (drive.Subject, error)] {
	return config.EntryOf(func(c T) (func(bool) (drive.Subject, error), error) {
		return func(taps bool) (drive.Subject, error) { return open(c, taps) }, nil
	})
}

// newSubject returns the part of the comparison that depends on the kind of design.
func newSubject(d config.Design, taps bool) (drive.Subject, error) {
	if d.DesignKind() == config.KindNIC {
		e, err := law.Of(d)
		if err != nil {
			return nil, err
		}
		return e.Subject(taps)
	}
	open, err := switches.Of(d, "golden model")
	if err != nil {
		return nil, err
	}
	return open(taps)
}
