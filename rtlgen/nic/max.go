package nic

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

type maxHop struct {
	U   vgen.Signal `port:"u" width:"u" doc:"normalised inflight of the hop"`
	DTS vgen.Signal `port:"dts" width:"dts" doc:"its time difference, ticks"`
}

type maxPorts struct {
	Valid vgen.Signal `port:"s_valid" dir:"in" width:"serial" role:"valid" doc:"a hop is in"`
	First vgen.Signal `port:"s_first" dir:"in" width:"serial" doc:"it is the first of an ACK"`
	Hop   []maxHop    `port:"s_hop%d_" count:"lanes" dir:"in"`
	U     vgen.Signal `port:"m_u" dir:"out" width:"u" doc:"largest normalised inflight"`
	Tau   vgen.Signal `port:"m_tau" dir:"out" width:"dts" doc:"time difference of that hop, ticks"`
}

// maxBlock builds hop_max: the largest u' of the path and the time difference of its hop; of equal
// ones the first (draft Figure 4, lines 6 and 7). In serial order the maximum grows hop by hop and is
// out one cycle after the last.
func maxBlock(c *config.NIC) *vgen.Module {
	m := vgen.NewModule("hop_max", "Largest normalised inflight of the path; of equal ones the first")
	w := widths(c)
	w["serial"] = serialOnly(c, 1)
	ports := vgen.Ports[maxPorts](m, w)
	if c.Serial {
		h := ports.Hop[0]
		u, tau := m.Reg("u_q", c.Formats.U.Width()), m.Reg("tau_q", c.Telemetry.TSBits-1)
		take := ports.Valid.And(ports.First.Or(h.U.Gt(u))).Named("take")
		m.Next(u, vgen.Mux(take, h.U, u))
		m.Next(tau, vgen.Mux(take, h.DTS, tau))
		m.Assign(ports.U, u)
		m.Assign(ports.Tau, tau)
		m.SetTiming(1, 1)
		return m
	}
	p := lib.NewPipe(m)
	cands := make([]lib.Candidate, len(ports.Hop))
	for i, h := range ports.Hop {
		cands[i] = lib.Candidate{
			Value:   p.Reg(fmt.Sprintf("hop%d_u", i), 0, h.U).Signal,
			Payload: p.Reg(fmt.Sprintf("hop%d_dts", i), 0, h.DTS).Signal,
		}
	}
	u, tau := p.Max("largest", 1, cands)
	m.Assign(ports.U, u.Signal)
	m.Assign(ports.Tau, tau.Signal)
	m.SetTiming(u.Stage, 1)
	return m
}
