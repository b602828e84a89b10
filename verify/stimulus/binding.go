package stimulus

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hdlpkg/hpccgen/model/engine"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
	"github.com/hdlpkg/hpccgen/verify/bind"
)

// tableBits is the width of tw_table.
const tableBits = 4

// AllPorts are the ports of the design: those of the law and of the frame, docs/architecture.md. With registers, those
// of software are inside.
func (l *Law[E, C, W, D, R, T, P]) AllPorts() *bind.Table {
	t := l.streamPorts()
	if !l.Engine.AXILite {
		return t
	}
	inside := func(p bind.Port) bool {
		for _, prefix := range []string{"cw_", "cr_", "tw_", "cd_", "n_", "init_done"} {
			if strings.HasPrefix(p.Name, prefix) {
				return true
			}
		}
		return false
	}
	t.Inputs = append(slices.DeleteFunc(t.Inputs, inside), bind.AXILInputs()...)
	t.Outputs = append(slices.DeleteFunc(t.Outputs, inside), append(bind.AXILOutputs(), bind.At("irq", 1))...)
	return t
}

// streamPorts are the ports of the engine behind registers, if there are any.
func (l *Law[E, C, W, D, R, T, P]) streamPorts() *bind.Table {
	c, p := l.Engine, bind.At
	flow, generation := c.FlowBits(), c.GenBits
	return &bind.Table{
		Owner: l.Ports.Owner, Doc: l.Ports.Doc,
		Inputs: slices.Concat([]bind.Port{
			p("rst", 1), p("s_valid", 1), p("s_flow", flow), p("s_generation", generation), p("s_tag", c.TagBits),
			p("cw_valid", 1), p("cw_flow", flow), p("cw_generation", generation), p("cr_valid", 1), p("cr_flow", flow),
			p("tw_valid", 1), p("tw_table", tableBits), p("m_ready", 1), p("cd_ready", 1),
		}, l.Ports.Inputs),
		Outputs: slices.Concat([]bind.Port{
			p("s_ready", 1), p("cw_ready", 1), p("cr_ready", 1), p("tw_ready", 1), p("m_valid", 1), p("m_flow", flow),
			p("m_generation", generation), p("m_tag", c.TagBits), p("cd_valid", 1), p("cd_flow", flow), p("cd_open", 1),
			p("cd_generation", generation), p("init_done", 1),
		}, l.Ports.Outputs),
	}
}

// Binding connects the model's ports with those of a layout.
type Binding[E, W, D, R any] struct {
	Layout *vgen.Layout

	in    *bind.Record[engine.Inputs[E, W]]
	out   *bind.Record[engine.Outputs[D, R]]
	valid int    // word of m_valid
	ready [4]int // words of the ready outputs of s, cw, cr and tw; without registers
	resp  []int  // words of the AXI4-Lite responses
}

// Bind finds the ports of the engine in a layout. The error lists every port that is missing, of another width, or
// unknown.
func (l *Law[E, C, W, D, R, T, P]) Bind(layout *vgen.Layout) (*Binding[E, W, D, R], error) {
	if err := l.AllPorts().Check(layout); err != nil {
		return nil, err
	}
	b := &Binding[E, W, D, R]{Layout: layout, valid: bind.Find(layout.Outputs, "m_valid").Offset}
	for i, stream := range []string{"s", "cw", "cr", "tw"} {
		b.ready[i] = bind.Find(layout.Outputs, stream+"_ready").Offset
	}
	if l.Engine.AXILite {
		b.resp = []int{bind.Find(layout.Outputs, "s_axil_bresp").Offset, bind.Find(layout.Outputs, "s_axil_rresp").Offset}
	}
	b.in = bind.New[engine.Inputs[E, W]](layout.Inputs, false, l.portOf)
	b.out = bind.New[engine.Outputs[D, R]](layout.Outputs, true, l.portOf)
	unbound := slices.DeleteFunc(append(b.in.Unbound, b.out.Unbound...), func(name string) bool {
		return l.Engine.AXILite && strings.HasSuffix(name, "prot") // means nothing
	})
	if len(unbound) > 0 {
		return nil, fmt.Errorf("the golden model has no field for the ports %s", strings.Join(unbound, ", "))
	}
	return b, nil
}

// portOf is the port of a field where that is not the field's path: a read has a flow alone, and a counter is that of a
// status.
func (l *Law[E, C, W, D, R, T, P]) portOf(path string) string {
	if path == "cr" {
		return "cr_flow"
	}
	if port, is := countPort(path); is {
		return port
	}
	if port, is := axilPort(path); is {
		return port
	}
	return path
}

// PutInputs writes one cycle's inputs to words, Layout.InWords of them. Values are cut to their ports.
func (b *Binding[E, W, D, R]) PutInputs(words []uint64, in *engine.Inputs[E, W]) { b.in.Put(words, in) }

// Inputs reads one cycle's inputs back from words. Ports that the configuration leaves out read 0.
func (b *Binding[E, W, D, R]) Inputs(words []uint64, in *engine.Inputs[E, W]) {
	*in = engine.Inputs[E, W]{}
	b.in.Get(words, in)
}

// PutOutputs writes one cycle's outputs to words, Layout.OutWords of them. The payload of a stream whose valid
// is low is left alone.
func (b *Binding[E, W, D, R]) PutOutputs(words []uint64, out *engine.Outputs[D, R]) {
	b.out.Put(words, out)
	for _, w := range b.resp {
		words[w] = words[w] & 1 << 1 // an error is SLVERR
	}
}

// Ready reports the ready outputs of the input streams.
func (b *Binding[E, W, D, R]) Ready(words []uint64) (s, cw, cr, tw bool) {
	r := &b.ready
	return words[r[0]] != 0, words[r[1]] != 0, words[r[2]] != 0, words[r[3]] != 0
}

// Result reads the decision on stream m; ok is false when there is none in this cycle.
func (b *Binding[E, W, D, R]) Result(words []uint64) (r R, ok bool) {
	if words[b.valid] == 0 {
		return r, false
	}
	var out engine.Outputs[D, R]
	b.out.Get(words, &out)
	return out.M.Payload, true
}
