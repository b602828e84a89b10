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
		top: s.Top, timing: csigTiming(t), bounds: c.ErrorRows(),
		rows: []timingRow{
			{"from a packet's header cycle to its decision", t.Decision},
			{"from a beat on s_axis to the same beat on m_axis, no decision awaited", t.Offer + csig.Leave(c)},
			{"between beats", 1},
			{"clearing of the counters after reset", t.Sweep},
		},
		kind: wording{title: "CSIG switch", short: "pipeline", outputs: "and no output depends on an input of the same cycle", period: "csig_clk_period", bounds: "Errors of the signals"},
		documents: func(d *Design) ([]File, error) {
			m := device{
				name: c.Name, hash: c.Hash, title: "CSIG telemetry pipeline of a switch", what: "docs/csig.md of the generator",
				Map: registers.New(c), program: program, user: userPorts(c.Ports, c.TimeBits, c.QlenBits), statuses: registers.Statuses(),
			}
			g := &csigGuide{switchGuide{Design: d, m: m, ports: s.Top.Ports(), portCount: c.Ports}, c, t}
			driver, err := m.drivers()
			return append([]File{{"docs/registers.md", g.registers()}, {"docs/precision.md", d.signalErrors(c)}}, driver...), err
		},
	}, nil
}

// csigTiming is csig.Timing as the manifest writes it.
type csigTiming struct {
	Lookup   int `json:"lookup"` // after a packet's header cycle, as all up to Decision
	Meter    int `json:"meter"`
	Scale    int `json:"scale"`
	Code     int `json:"code"`
	Count    int `json:"count"`
	Decision int `json:"decision"`
	Offer    int `json:"offer"`   // from a beat's acceptance until the editor can take it
	Credits  int `json:"credits"` // beats that the pipeline holds
	Room     int `json:"room"`    // beats between the taking of one and m_axis; 0: m_axis stops the editor
	Act      int `json:"act"`     // from the cycle in which an access is chosen to that in which it acts
	Answer   int `json:"answer"`  // from there to its answer
	Sweep    int `json:"sweep"`   // cycles after reset in which nothing is accepted
}
