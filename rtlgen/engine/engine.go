package engine

import (
	"fmt"
	"strings"

	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// Engine is a generated design with its timing.
type Engine struct {
	Law    *Law
	Top    *vgen.Module
	Timing Timing
}

// Build generates the engine of a law. An error is a mistake of the generator: a validated
// configuration has none of its own left.
func Build(f Frame, l *Law) (*Engine, error) {
	top, t := l.Form.build(f, l)
	if f.AXILite {
		top = front(top, f, l, &t)
	}
	top.Prefix(f.Prefix)
	if err := vgen.Check(top); err != nil {
		return nil, fmt.Errorf("generated design %s: %w", f.Name, err)
	}
	return &Engine{Law: l, Top: top, Timing: t}, nil
}

// newTop starts the top module with its ports. about describes the engine's capacity and rate.
func newTop(f Frame, l *Law, about ...string) (*vgen.Module, *Ports) {
	m := vgen.NewModule(l.Name+"_nic", l.Title+" "+l.Purpose)
	m.Doc(about...)
	m.Doc(
		"Write the tables and open flows by context writes first; ACKs of flows that are not open are counted and change nothing.")
	if n := len(l.Software.Tables); n > 1<<TableBits {
		m.Fail(fmt.Sprintf("law %s: %d tables", l.Name, n), fmt.Sprintf("tw_table has %d bits", TableBits))
	}
	p := declare(m, f, l)
	l.agrees(m, p)
	return m, p
}

// answers offers on cd the result of a context read in the core's registers, from the cycle after read, and returns
// the issue when it is taken.
func (p *Ports) answers(m *vgen.Module, read vgen.Signal, context *contextData, toIssue vgen.Signal) {
	valid := m.State("cd_valid_q", 1)
	taken := valid.And(p.Data.Ready).Named("cd_taken")
	m.Next(valid, read.Or(valid.And(p.Data.Ready.Not())))
	m.Assign(toIssue, taken)
	m.Assign(p.Data.Valid, valid)
	vgen.Connect(m, &p.Data.Payload, context)
}

// counters counts the decisions of each of the law's statuses; hit is told in the cycle of the decision, with its
// status, or a register later.
func (p *Ports) counters(m *vgen.Module, f Frame, l *Law, valid, status vgen.Signal, later bool) {
	list := vgen.Leaves(&p.Count)
	if len(list) != len(l.Counted) {
		m.Fail(fmt.Sprintf("law %s: %d counters for %d statuses", l.Name, len(list), len(l.Counted)), "a counter for each")
		return
	}
	for i, port := range list {
		name := strings.TrimPrefix(port.Name(), "n_")
		hit := valid.And(status.Is(l.Counted[i]))
		if later {
			hit = m.RegNext(name+"_hit", hit, vgen.Reset(0))
		}
		q := m.State(name+"_q", f.CountBits)
		m.Next(q, vgen.Mux(hit, q.Plus(1), q))
		m.Assign(*port, q)
	}
}

// decision is the field of a core's decision that has a name: that of the port of the engine.
func (p *Ports) decision(of *any, name string) vgen.Signal {
	list := vgen.Leaves(of)
	for i, port := range vgen.Leaves(&p.Result.Payload.Law) {
		if port.Name() == "m_"+name {
			return *list[i]
		}
	}
	return vgen.Signal{}
}
