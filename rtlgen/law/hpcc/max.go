package hpcc

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

type maxHop struct {
	Live vgen.Signal `port:"live" width:"1" doc:"the hop counts; at least one hop does"`
	U    vgen.Signal `port:"u" width:"u" doc:"normalised inflight of the hop"`
	DTS  vgen.Signal `port:"dts" width:"dts" doc:"its time difference, ticks"`
}

type maxPorts struct {
	Hop []maxHop    `port:"s_hop%d_" count:"hops" dir:"in"`
	U   vgen.Signal `port:"m_u" dir:"out" width:"u" doc:"largest normalised inflight"`
	Tau vgen.Signal `port:"m_tau" dir:"out" width:"dts" doc:"time difference of that hop, ticks"`
}

// maxBlock builds hop_max: the largest u' of the live hops and the time difference of its hop; of equal
// ones the first (draft Figure 4, lines 6 and 7). A hop that is not live comes with an u' of 0. The bit below
// u' makes it smaller than a live one whose u' is 0 as well.
func maxBlock(c *config.NIC, interval int) *vgen.Module {
	m := vgen.NewModule("hop_max", "Largest normalised inflight of the path; the first of equal ones")
	ports := vgen.Ports[maxPorts](m, widths(c))
	p := lib.NewPipe(m)
	if interval == 1 {
		p.Fast()
	}
	m.StageDoc(1, "u' with the bit live appended below it: at equal u' a live hop is larger than one that is not")
	cands := make([]lib.Candidate, len(ports.Hop))
	for i, h := range ports.Hop {
		cands[i] = lib.Candidate{
			Value:   p.Reg(fmt.Sprintf("hop%d_u", i), 0, vgen.Cat(h.U, h.Live)).Signal,
			Payload: p.Reg(fmt.Sprintf("hop%d_dts", i), 0, h.DTS).Signal,
		}
	}
	u, tau := p.Max("largest", 1, cands)
	m.Assign(ports.U, u.Slice(u.Width()-1, 1))
	m.Assign(ports.Tau, tau.Signal)
	m.SetTiming(u.Stage, 1)
	return m
}
