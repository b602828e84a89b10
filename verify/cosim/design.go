package cosim

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/verify/drive"
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

// newSubject is what the kind of a design brings to the comparison.
func newSubject(d config.Design, taps bool) (drive.Subject, error) {
	switch c := d.(type) {
	case *config.NIC:
		return newNIC(c, taps)
	case *config.CSIG:
		return newCSIG(c, taps)
	case *config.INT:
		return newINT(c, taps)
	}
	return nil, fmt.Errorf("there is no golden model for designs of kind %s", d.DesignKind())
}
