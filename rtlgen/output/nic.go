package output

import (
	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/nic"
)

// nicProduct generates an engine.
func nicProduct(c *config.NIC) (product, error) {
	engine, err := nic.Build(c)
	if err != nil {
		return product{}, err
	}
	t := engine.Timing
	return product{
		top: engine.Top, timing: t, bounds: c.Budget.Rows(),
		rows: []timingRow{
			{"from an ACK taken on s to its decision on m", t.Decision()},
			{"between ACKs", t.Interval},
			{"between ACKs of one flow", max(t.Interval, t.Hazard+1)},
			{"clearing of contexts and tables after reset", t.Clearing()},
		},
		kind: wording{title: "HPCC++ engine", short: "engine", outputs: "and every output is a register", period: "hpcc_clk_period", bounds: "Precision of one step"},
		documents: func(d *Design) ([]File, error) {
			g := &guide{Design: d, c: c, t: t, ports: engine.Top.Ports()}
			return []File{{"docs/registers.md", g.registers()}, {"docs/precision.md", d.precision()}}, nil
		},
	}, nil
}
