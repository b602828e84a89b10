package vgen_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// A pipeline is printed stage by stage, whatever the order it was built in; what only waits is a vector.
func TestStages(t *testing.T) {
	for _, c := range []struct {
		style vgen.ResetStyle
		reset string
	}{
		{vgen.SyncHigh, "        if (rst) begin\n            valid_s <= 3'd0;\n        end\n"},
		{vgen.AsyncLow, "        if (!rst_n) begin\n            valid_s <= 3'd0;\n        end else begin\n"},
	} {
		m := vgen.NewModule("three", "Adds, then doubles")
		a, valid := m.Input("a", 4, "a number"), m.Input("valid", 1, "there is one")
		for k := 1; k <= 3; k++ {
			valid = m.RegNext([]string{"valid_s1", "valid_s2", "valid_s3"}[k-1], valid, vgen.Reset(0))
			m.Stage(k, valid)
		}
		sum := m.Reg("sum_s1", 4)
		wait := m.RegNext("sum_s2", sum)
		twice := m.RegNext("twice_s3", wait.Add(wait))
		m.Next(sum, a.Add(vgen.Const(4, 3)))
		m.Stage(1, sum)
		m.Stage(2, wait)
		m.Stage(3, twice)
		m.StageDoc(3, "doubled")
		m.Assign(m.Output("m", 4, "the result"), twice)
		m.Assign(m.Output("m_valid", 1, "there is a result"), valid)
		files, err := vgen.Emit(m, vgen.EmitOptions{Reset: c.style})
		require.NoError(t, err)
		text := string(files[0].Text)
		last := -1
		for _, part := range []string{
			"reg [3:1] valid_s; // a bit a stage\n", "// Stage 1\n", "sum_s1 <= a + 4'd3;", "// Stage 3: doubled\n",
			"twice_s3 <= sum_s2 + sum_s2;", "// Outputs\n", "assign m_valid = valid_s[3];", "// Values that wait\n",
		} {
			at := indexFrom(text, part, last+1)
			assert.Greater(t, at, last, "%q in its place in\n%s", part, text)
			last = max(last, at)
		}
		assert.Contains(t, text, "valid_s <= {valid_s[2:1], valid};")
		assert.Contains(t, text, "sum_s2 <= sum_s1;")
		assert.Contains(t, text, c.reset)
	}
}

func indexFrom(text, part string, from int) int {
	if i := strings.Index(text[from:], part); i >= 0 {
		return from + i
	}
	return -1
}
