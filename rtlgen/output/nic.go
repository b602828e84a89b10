package output

import (
	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/engine"
	"github.com/hdlpkg/hpccgen/rtlgen/law"
)

// nicProduct generates an engine.
func nicProduct(c *config.NIC) (product, error) {
	e, err := law.Build(c)
	if err != nil {
		return product{}, err
	}
	t := e.Timing
	return product{
		top: e.Top, timing: t, bounds: c.Budget.Rows(),
		rows: nicTiming(t, e.Top.Name()),
		kind: wording{title: "HPCC++ engine", short: "engine", outputs: "and every output is a register",
			period: "hpcc_clk_period", bounds: "Precision of one step"},
		documents: func(d *Design) ([]File, error) {
			g := &guide{page{Design: d, ports: e.Top.Ports()}, c, t}
			return []File{{"docs/registers.md", g.registers()}, {"docs/precision.md",
				d.precision(nicPrecision, "what", "bound", "from")}}, nil
		},
	}, nil
}

const nicPrecision = `Bounds of the error of one step: the engine's result against the draft's equations in exact ` +
	`arithmetic, from the same telemetry and the same
U and Wc before the step. They hold where nothing saturates, in the range that heads each block, two hops that are
nearly equal aside (a near tie). docs/numeric.md of the generator has the arithmetic.`

// nicTiming is the timing of an engine in words. In serial order an ACK is worked on while it waits at the port, and
// the latency of the module counts from there.
func nicTiming(t engine.Timing, top string) []timingRow {
	rows := []timingRow{{"from an ACK taken on s to its decision on m", t.Decision()}}
	if t.Hold > 0 {
		rows = append(rows, timingRow{"before that, from its issue at the port until it is taken", t.Hold},
			timingRow{"latency of " + top + ": both, from its issue to its decision", t.Hold + t.Decision()})
	}
	return append(rows,
		timingRow{"between ACKs", t.Interval},
		timingRow{"between ACKs of one flow", max(t.Interval, t.Hazard+1)},
		timingRow{"clearing of contexts and tables after reset", t.Clearing()},
	)
}
