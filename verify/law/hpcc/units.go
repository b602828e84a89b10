package hpcc

import (
	"regexp"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/fixed"
	"github.com/hdlpkg/hpccgen/verify/bind"
)

// ofHop is a field of a hop, or the u' of one.
var ofHop = regexp.MustCompile(`^(?:hop\d+_|(u)_hop\d+$)`)

// units are those of docs/numeric.md. Counters that wrap, as clocks, sequence numbers and bytes sent do, have none that
// says more than the number.
func units(cfg *config.NIC) bind.Units {
	f, tel := &cfg.Formats, &cfg.Telemetry
	tick := float64(tel.TickNs) * 1e-9
	counts := func(unit string, scale float64) fixed.Quantity { return fixed.Quantity{Unit: unit, Scale: scale} }
	queue := counts("B", float64(tel.QlenUnitBytes))
	if cfg.Sojourn {
		queue = counts("s", float64(tel.QlenUnitBytes)*tick)
	}
	u, window := fixed.Quantity{Format: f.U}, fixed.Quantity{Format: f.Window, Unit: "B"}
	table := map[string]fixed.Quantity{
		"u": u, "u_max": u, "u_new": u, "alpha": {Format: f.Alpha}, "quotient": {Format: f.Quot},
		"w": window, "wc": window, "window": window, "rate": {Format: f.Rate, Unit: "bit/s", Scale: 8 / tick},
		"tau": counts("s", tick), "qlen": queue,
	}
	return func(field string) (fixed.Quantity, bool) {
		q, ok := table[ofHop.ReplaceAllString(field, "$1")]
		return q, ok
	}
}
