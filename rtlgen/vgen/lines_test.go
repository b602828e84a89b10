package vgen_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// What is too long for a line is broken at its operators, and makes no wires; a priority chain has a line a case.
func TestLines(t *testing.T) {
	m := vgen.NewModule("lines", "Long expressions")
	in := func(name string) vgen.Signal { return m.Input("condition_of_the_"+name, 1, "a condition") }
	first, second, third, fourth := in("first"), in("second"), in("third"), in("fourth")
	code := func(v uint64) vgen.Signal { return vgen.Const(4, v) }
	m.Assign(m.Output("m_any", 1, "any"), vgen.AnyOf(first, second.And(third), third, fourth, second))
	m.Assign(m.Output("m_code", 4, "the first that holds"), vgen.FirstOf(code(0),
		vgen.When(first, code(1)), vgen.When(second.And(third), code(2)), vgen.When(fourth, code(3))))
	q := m.Reg("q", 1)
	m.Next(q, vgen.AllOf(q.Or(first), second.Or(third), fourth, third.Or(fourth)).Not())
	m.Assign(m.Output("m_q", 1, "kept"), q)
	files, err := vgen.Emit(m, vgen.EmitOptions{})
	require.NoError(t, err)
	text := string(files[0].Text)
	for _, part := range []string{`
    assign m_any =
        condition_of_the_first
        | (condition_of_the_second & condition_of_the_third)
        | condition_of_the_third
        | condition_of_the_fourth
        | condition_of_the_second;
`, `
    assign m_code =
        condition_of_the_first                             ? 4'd1 :
        (condition_of_the_second & condition_of_the_third) ? 4'd2 :
        condition_of_the_fourth                            ? 4'd3 :
                                                             4'd0;
`, `
        q <=
            ~((q | condition_of_the_first)
              & (condition_of_the_second | condition_of_the_third)
              & condition_of_the_fourth
              & (condition_of_the_third | condition_of_the_fourth));
`} {
		assert.Contains(t, text, part)
	}
	assert.Empty(t, files[0].Made)
}

// An unnamed value with several readers is named by where it goes, or else by its operator, which Emit reports.
func TestMadeNames(t *testing.T) {
	m := vgen.NewModule("made", "A count and its double")
	step := m.Input("step", 8, "added in each cycle")
	count := m.State("count_q", 8)
	next := count.Add(step)
	m.Next(count, next)
	double := m.RegNext("double_q", next.Add(next))
	odd := step.Xor(count)
	m.Assign(m.Output("m_double", 8, "twice the next count"), double.Add(odd).Xor(odd.Shr(1)))
	files, err := vgen.Emit(m, vgen.EmitOptions{})
	require.NoError(t, err)
	text := string(files[0].Text)
	assert.Contains(t, text, "wire [7:0] count_next = count_q + step;")
	assert.Contains(t, text, "wire [7:0] m_double_xor = step ^ count_q;")
	require.Len(t, files[0].Made, 1)
	assert.Equal(t, "m_double_xor", files[0].Made[0].Name)
	assert.Contains(t, files[0].Made[0].Pos.String(), "lines_test.go:")
}
