package hpcc

import "github.com/hdlpkg/hpccgen/model/wide"

// Counters count ACKs by status, modulo 2^CountBits.
type Counters struct {
	RejectedHops, RejectedRate, RejectedFlow, Stale, NoTelemetry, PathChanged uint64
}

func (c *Counters) count(s Status, width int) {
	var n *uint64
	switch s {
	case StatusRejectedHops:
		n = &c.RejectedHops
	case StatusRejectedRate:
		n = &c.RejectedRate
	case StatusRejectedFlow:
		n = &c.RejectedFlow
	case StatusStale:
		n = &c.Stale
	case StatusNoTelemetry:
		n = &c.NoTelemetry
	case StatusPathChanged:
		n = &c.PathChanged
	default:
		return
	}
	*n = (*n + 1) & wide.Mask(width)
}
