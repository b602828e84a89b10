package lib

import (
	"fmt"
	"math/bits"

	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// Candidate is one entry of a search for the maximum: the value compared, and what travels with it.
type Candidate struct {
	Value   vgen.Signal
	Payload vgen.Signal
}

// Max is the largest of the candidates, all valid at stage, found by a tree of comparisons with a register after each
// level. Of equal values the first wins (draft Figure 4, line 6: u' > u). Where the clock is near the limit, the
// answer of a comparison is a register too, since it selects many bits.
func (p *Pipe) Max(name string, stage int, cands []Candidate) (value, payload Value) {
	selects := 0 // stages from a comparison to the selection
	if p.fast {
		selects = 1
	}
	for level := 1; len(cands) > 1; level++ {
		if p.fast {
			p.m.StageDoc(stage+1, fmt.Sprintf("level %d of the search: is the later of each pair larger?", level))
		}
		p.m.StageDoc(stage+selects+1,
			fmt.Sprintf("level %d of the search: the larger of each two, the first of equal ones", level))
		var next []Candidate
		for i := 0; i < len(cands); i += 2 {
			tag := fmt.Sprintf("%s_l%d_%d", name, level, i/2)
			best := cands[i]
			if i+1 < len(cands) {
				later := cands[i+1]
				larger := Less(tag+"_later", best.Value, later.Value)
				if p.fast {
					larger = p.Reg(tag+"_later", stage, larger).Signal
					best, later = p.register(tag+"_left", stage, best), p.register(tag+"_right", stage, later)
				}
				best = Candidate{vgen.Mux(larger, later.Value, best.Value), vgen.Mux(larger, later.Payload, best.Payload)}
			} else if p.fast {
				best = p.register(tag+"_left", stage, best)
			}
			next = append(next, p.register(tag, stage+selects, best))
		}
		cands = next
		stage += selects + 1
	}
	return p.Value(name, stage, cands[0].Value.Named(name)), p.Value(name+"_of", stage, cands[0].Payload.Named(name+"_of"))
}

// register is a candidate a stage later.
func (p *Pipe) register(name string, stage int, c Candidate) Candidate {
	return Candidate{p.Reg(name, stage, c.Value).Signal, p.Reg(name+"_of", stage, c.Payload).Signal}
}

// MaxPorts are the ports of a stand-alone compare tree.
type MaxPorts struct {
	Valid    vgen.Signal   `port:"s_valid" dir:"in" width:"1" role:"valid" doc:"values are valid"`
	Values   []vgen.Signal `port:"s_value%d" count:"n" dir:"in" width:"value" doc:"value compared"`
	OutValid vgen.Signal   `port:"m_valid" dir:"out" width:"1" role:"valid" doc:"maximum is valid"`
	Max      vgen.Signal   `port:"m_max" dir:"out" width:"value" doc:"largest value"`
	Index    vgen.Signal   `port:"m_index" dir:"out" width:"index" doc:"number of the first of the largest"`
}

// CompareTree is the search for the maximum of n values as a module of its own.
func CompareTree(name string, n, valueBits int) *vgen.Module {
	m := vgen.NewModule(name, fmt.Sprintf("Largest of %d values; the first of equal ones", n))
	indexBits := max(1, bits.Len(uint(n-1)))
	ports := vgen.Ports[MaxPorts](m, vgen.Widths{"n": n, "value": valueBits, "index": indexBits})
	p := NewPipe(m)
	cands := make([]Candidate, n)
	for i, v := range ports.Values {
		cands[i] = Candidate{Value: v, Payload: vgen.Const(indexBits, uint64(i))}
	}
	value, index := p.Max("largest", 0, cands)
	m.SetTiming(value.Stage, 1)
	m.Assign(ports.Max, value.Signal)
	m.Assign(ports.Index, index.Signal)
	m.Assign(ports.OutValid, m.Delay("valid", ports.Valid, value.Stage, vgen.Reset(0)))
	return m
}
