package vgen_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// What is made of operators, for all values of two operands of three bits.
func TestLogic(t *testing.T) {
	m := vgen.NewModule("shorthands", "What is made of operators")
	a, b, on := m.Input("a", 3, "operand"), m.Input("b", 3, "operand"), m.Input("on", 1, "bit")
	out := func(name string, s vgen.Signal) { m.Assign(m.Output(name, s.Width(), "result"), s) }
	var absent vgen.Signal
	out("wide", a.Fit(5))
	out("cut", a.Fit(2))
	out("is", a.Is(5))
	out("plus", a.Plus(3))
	out("where", a.Where(on))
	out("any", vgen.AnyOf(absent, a, absent, b))
	out("all", vgen.AllOf(a, absent, b))
	out("first", vgen.FirstOf(b, vgen.When(on, a), vgen.When(a.Is(2), vgen.Const(3, 7))))
	out("held", m.StateNext("held_q", a))
	count := m.State("count_q", 3)
	m.Next(count, count.Plus(1))
	out("count", count)
	s, err := vgen.NewSim(m)
	require.NoError(t, err)
	bit := func(v bool) uint64 {
		if v {
			return 1
		}
		return 0
	}
	for i := range uint64(128) {
		x, y, o := i&7, i>>3&7, i>>6
		s.Set("a", x)
		s.Set("b", y)
		s.Set("on", o)
		first := y
		switch {
		case o == 1:
			first = x
		case x == 2:
			first = 7
		}
		want := map[string]uint64{"wide": x, "cut": x & 3, "is": bit(x == 5), "plus": (x + 3) & 7, "where": x * o,
			"any": x | y, "all": x & y, "first": first}
		for name, v := range want {
			assert.Equal(t, v, s.Get(name), "%s of a %d, b %d, on %d", name, x, y, o)
		}
	}
	s.Set("a", 6)
	s.Step()
	assert.EqualValues(t, 6, s.Get("held"))
	s.Set("rst", 1)
	s.Step()
	assert.EqualValues(t, 0, s.Get("held"))
	assert.EqualValues(t, 0, s.Get("count"))
}

// A mistake that a generator finds is reported with the others.
func TestFail(t *testing.T) {
	m := vgen.NewModule("refused", "What a generator does not build")
	m.Fail("seven legs", "four")
	assert.ErrorContains(t, vgen.Check(m), "logic_test.go")
	assert.ErrorContains(t, vgen.Check(m), "seven legs (four)")
}
