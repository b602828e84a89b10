package cosim

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
	"github.com/hdlpkg/hpccgen/verify/engine"
)

// mutable is a design with what mutations change: a wire, a wire of several lines, a condition, and assignments of
// registers.
func mutable() *engine.Source {
	return &engine.Source{
		Top: "top", Layout: &vgen.Layout{InWords: 3},
		Files: []vgen.File{
			{Name: "top.v", Text: []byte("module top (\n    input wire clk\n);\n    wire a = b & c;\nendmodule\n")},
			{Name: "part.v",
				Text: []byte(
					"module part;\n    wire d = {\n        e,\n        f\n    };\n    always @(posedge clk) begin\n        if (g | h) begin\n            i[j] <= k;\n        end\n" +
						"        l <= m;\n    end\nendmodule\n")},
		},
	}
}

// Mutants stand beside what they change, each behind its number.
func TestMutantsInOneBuild(t *testing.T) {
	m := func(name, module, pattern, replace string) Mutation {
		return Mutation{name, module, regexp.MustCompile(pattern), replace}
	}
	s := mutable()
	changed, err := Mutants{
		m("one", "top", `b & `, ""), m("two", "top", ` & c`, " | c"), m("three", "part", `f\n`, "e\n"),
		m("four", "part", `g \| h`, "g"),
		m("five", "part", `j\]`, "0]"), m("six", "part", `\n +l <= m;`, ""), m("seven", "part", `<= m;`, "<= ~m;"),
	}.Apply(s)
	require.NoError(t, err)
	assert.Equal(t, mutable(), s, "the source stays")
	assert.Equal(t, "module top (\n    input wire [2:0] mutation_select,\n    input wire clk\n);\n"+
		"    wire a = (mutation_select == 3'd1) ? (c) : (mutation_select == 3'd2) ? (b | c) : (b & c);\nendmodule\n", string(changed.Files[0].Text))
	assert.Equal(t,
		"module part;\n    wire d = (top.mutation_select == 3'd3) ? ({\n        e,\n        e\n    }) : ({\n        e,\n        f\n    });\n    always @(posedge clk) begin\n"+
			"        if ((top.mutation_select == 3'd4) ? (g) : (g | h)) begin\n            if (top.mutation_select == 3'd5) begin i[0] <= k; end else begin i[j] <= k; end\n        end\n"+
			"        if (top.mutation_select == 3'd6) begin  end else if (top.mutation_select == 3'd7) begin l <= ~m; end else begin l <= m; end\n    end\nendmodule\n", string(changed.Files[1].Text))
	assert.Equal(t, []vgen.Slot{{Name: "mutation_select", Width: 3, Offset: 3, Words: 1}}, changed.Layout.Inputs)
	assert.Equal(t, 4, changed.Layout.InWords)

	for _, wrong := range []struct {
		m    Mutation
		says string
	}{
		{m("another wire", "top", `wire a`, "wire z"),
			"mutation another wire: what it changes is neither an assignment nor a condition: wire a = b & c;"},
		{m("a wire less", "top", ` +wire .*;`, ""),
			"mutation a wire less: what it changes is neither an assignment nor a condition: wire a = b & c;"},
		{m("an end", "part", `end\n +l`, "l"),
			"mutation an end: what it changes is neither an assignment nor a condition: end\n        l <= m;"},
		{m("nothing", "part", `n`, ""), "mutation nothing: n matches 5 times in part.v; it must match once"},
	} {
		_, err := Mutants{wrong.m}.Apply(s)
		assert.EqualError(t, err, wrong.says)
	}
}
