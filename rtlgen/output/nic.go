package output

import (
	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/engine"
	"github.com/hdlpkg/hpccgen/rtlgen/law"
)

// nicProduct generates an engine, whatever its law.
func nicProduct(c config.EngineDesign) (product, error) {
	e, err := law.Build(c)
	if err != nil {
		return product{}, err
	}
	t, l := e.Timing, e.Law
	return product{
		top: e.Top, timing: t, bounds: l.Bounds,
		rows: nicTiming(t, e.Top.Name()),
		kind: wording{title: l.Title + " engine", short: "engine", outputs: "and every output is a register",
			bounds: "Precision of one step"},
		documents: func(d *Design) ([]File, error) {
			m := engineDevice(c, l)
			g := &guide{page{Design: d, ports: e.Top.Ports()}, m, c.Frame(), l, t}
			var precision []byte
			if len(l.Bounds) > 0 {
				precision = d.precision(l.Precision, "what", "bound", "from")
			}
			return m.documents(g.registers(), precision)
		},
	}, nil
}

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
		timingRow{"initialisation after reset", t.Clearing()},
	)
}
