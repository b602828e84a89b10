package vgen_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

type framed struct {
	In  vgen.Stream[framedPayload] `stream:"s" dir:"in"`
	Out any                        `port:"m_" dir:"out" doc:", later"`
}

type framedPayload struct {
	Flow vgen.Signal `port:"flow" width:"2" doc:"flow"`
	Rest any
}

type framedPart struct {
	Mark vgen.Signal   `port:"mark" width:"1" doc:"mark"`
	Gone vgen.Signal   `port:"gone" width:"none" doc:"left out"`
	Hop  []vgen.Signal `port:"hop%d" count:"hops" width:"3" doc:"hop"`
}

// Parts that only another package knows are declared in their places, for the module and for its instances.
func TestPortsLike(t *testing.T) {
	like := &framed{Out: new(framedPart)}
	like.In.Payload.Rest = new(framedPart)
	m := vgen.NewModule("framed", "Parts of others")
	p := vgen.PortsLike(m, like, vgen.Widths{"none": 0, "hops": 2})
	m.Describe(p.In.Payload.Flow, "number of the flow")
	m.Assign(p.In.Ready, p.In.Valid)
	m.Ignore(p.In.Payload.Flow, "not of interest")
	in, out := p.In.Payload.Rest.(*framedPart), p.Out.(*framedPart)
	assert.NotSame(t, like.Out, p.Out, "like stays as it was")
	for i, s := range vgen.Leaves(in) {
		m.Assign(*vgen.Leaves(out)[i], m.RegNext(s.Name()+"_q", *s))
	}
	m.AssignIf(out.Gone, in.Gone)
	require.NoError(t, vgen.Check(m))
	var ports [][2]string
	for _, port := range m.Ports() {
		ports = append(ports, [2]string{port.Name, port.Doc})
	}
	assert.Equal(t, [][2]string{{"s_valid", "the payload is valid"},
		{"s_ready", "ready to take the payload"},
		{"s_flow", "number of the flow"}, {"s_mark", "mark"}, {"s_hop0", "hop"}, {"s_hop1", "hop"},
		{"m_mark", "mark, later"}, {"m_hop0", "hop, later"}, {"m_hop1", "hop, later"}}, ports)

	top := vgen.NewModule("top", "An instance")
	outside := vgen.PortsLike(top, like, vgen.Widths{"none": 0, "hops": 2})
	u := vgen.Instantiate[framed](top, "u_framed", m)
	top.Assign(outside.In.Ready, u.In.Ready)
	top.Assign(u.In.Valid, outside.In.Valid)
	word := vgen.Pack(&outside.In.Payload)
	require.Equal(t, 9, word.Width())
	vgen.Connect(top, &u.In.Payload, vgen.Unpack(&outside.In.Payload, word))
	vgen.Forward(top, &outside.Out, &u.Out)
	require.NoError(t, vgen.Check(top))
	s, err := vgen.NewSim(top)
	require.NoError(t, err)
	s.Set("s_hop1", 5)
	s.Set("s_mark", 1)
	s.Step()
	assert.EqualValues(t, 5, s.Get("m_hop1"))
	assert.EqualValues(t, 1, s.Get("m_mark"))
}

func TestPortsLikeMistakes(t *testing.T) {
	for _, part := range []any{nil, framedPart{}, (*framedPart)(nil)} {
		m := vgen.NewModule("framed", "Parts of others")
		vgen.PortsLike(m, &framed{Out: part}, vgen.Widths{"none": 0, "hops": 2})
		assert.ErrorContains(t, vgen.Check(m), "field Out holds no pointer to a struct")
	}
	m := vgen.NewModule("described", "A comment on nothing")
	m.Describe(vgen.Const(1, 0).Named("none"), "a constant")
	assert.ErrorContains(t, vgen.Check(m), "Describe")
}
