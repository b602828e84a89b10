package output

import (
	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/config/registers"
	"github.com/hdlpkg/hpccgen/rtlgen/csig"
)

// csigProduct generates a CSIG switch.
func csigProduct(c *config.CSIG) (product, error) {
	s, err := csig.Build(c)
	if err != nil {
		return product{}, err
	}
	program, err := registers.Program(c)
	if err != nil {
		return product{}, err
	}
	t := s.Timing
	return product{
		top: s.Top, timing: t, bounds: c.ErrorRows(),
		rows: switchRows(t.Decision, t.Through(), t.Sweep),
		kind: wording{title: "CSIG switch", short: "pipeline", outputs: switchOutputs, bounds: "Errors of the signals"},
		documents: func(d *Design) ([]File, error) {
			m := device{
				name: c.Name, hash: c.Hash, title: "CSIG telemetry pipeline of a switch", what: "docs/csig.md of the generator",
				Map: registers.New(c), program: program,
				groups: switchNumbers(userPorts(c.Ports, c.TimeBits, c.QlenBits), registers.Statuses()),
			}
			g := &csigGuide{switchGuide{page{Design: d, ports: s.Top.Ports()}, m, c.Ports}, c, t}
			return m.documents(g.registers(), d.precision(csigPrecision, "signal", "error, at most", "from"))
		},
	}, nil
}

const csigPrecision = `Bounds of the errors of the signals: what the device computes against the formulas of ` +
	`draft-ravi-ippm-csig-00, sections 5.1.1 and 5.2.1, in exact arithmetic (ewma and dre: their averages without ` +
	`rounding), as long as
no count saturates. docs/csig.md of the generator has the derivation. Codes follow from the values without further ` +
	`error: where the exact value is further than the bound from the bounds of its bucket, the code is right.`
