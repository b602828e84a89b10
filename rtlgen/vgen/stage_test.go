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
			"reg [3:1] valid_s; // one bit per stage\n", "// Stage 1\n", "sum_s1 <= a + 4'd3;", "// Stage 3: doubled\n",
			"twice_s3 <= sum_s2 + sum_s2;", "// Outputs\n", "assign m_valid = valid_s[3];", "// Delays\n",
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

// loops is a pipeline with state: a sum that items of stage 1 add to and the flag that stops it, a flag of stage 3 that
// items read on their way into stage 1, a bit that is computed and then passed on, and a part of a vector.
func loops() *vgen.Module {
	m := vgen.NewModule("loops", "Adds while it may")
	a, valid := m.Input("a", 4, "a number"), m.Input("valid", 1, "there is one")
	place := m.Input("place", 2, "of a bit")
	staged := func(k int, s vgen.Signal) vgen.Signal { m.Stage(k, s); return s }
	on := staged(1, m.RegNext("on_s1", valid.And(a.AnyBit()), vgen.Reset(0)))
	a1 := staged(1, m.RegNext("a_s1", a))
	full, sum := m.State("full", 1), m.State("sum", 4)
	next := sum.Add(a1).Named("sum_next")
	m.Next(sum, vgen.Mux(on.And(full.Not()), next, sum))
	m.Next(full, next.Top())
	again := staged(3, m.State("again_s3", 1))
	on2 := staged(2, m.RegNext("on_s2", on, vgen.Reset(0)))
	on3 := staged(3, m.RegNext("on_s3", on2, vgen.Reset(0)))
	bit := staged(1, m.RegNext("bit_s1", vgen.Select(place, []vgen.Signal{a.Bit(0), a.Bit(1), a.Bit(2), a.Bit(3)}, valid)))
	m.Next(again, on2.And(again.Not()))
	early := staged(1, m.RegNext("early_s1", again.Xor(valid)))
	m.Assign(m.Output("m", 4, "the sum"), sum)
	m.Assign(m.Output("m_again", 1, "another flag"), early)
	m.Assign(m.Output("m_on", 1, "there was a number"), on3)
	m.Assign(m.Output("m_bit", 1, "a bit of it"), bit)
	return m
}

// A fed-back value belongs to the stage of its readers, a computed bit in one vector with the registers that pass
// it on, and a register that may keep its value under an enable.
func TestLoops(t *testing.T) {
	files := lint(t, loops(), vgen.EmitOptions{})
	text := string(files[0].Text)
	last := -1
	for _, part := range []string{
		"reg [3:1] on_s; // one bit per stage\n",
		"// Stage 1\n", "reg bit_s1;", "// from later stages\n    reg again_s3;\n",
		"on_s <= {on_s[2:1], valid & (|a)};", "bit_s1 <= a[place];", "early_s1 <= again_s3 ^ valid;", "on_s <= 3'd0;",
		"// Stage 2\n", "reg [3:0] sum;", "reg       full;", "wire [3:0] sum_next = sum + a_s1;",
		"if (on_s[1] & ~full) begin\n            sum <= sum_next;\n        end\n", "full <= sum_next[3];",
		"// Stage 3\n", "again_s3 <= on_s[2] & ~again_s3;",
		"// Outputs\n", "assign m_on = on_s[3];",
	} {
		at := indexFrom(text, part, last+1)
		assert.Greater(t, at, last, "%q in its place in\n%s", part, text)
		last = max(last, at)
	}
	const cycles = 300
	in := stimulus(loops(), cycles, 7)
	in[0], in[vgen.NewLayout(loops(), false).InWords] = 1, 1
	allLegs(t, loops(), false, cycles, 4, in)
}

type headedPorts struct {
	In  vgen.Signal `port:"a" dir:"in" width:"4" doc:"a number"`
	Out vgen.Signal `port:"m" dir:"out" width:"4" doc:"the next one"`
}

// A part is headed by what its author says, or else by hints and by what its instances do. What comes back to an
// instance from later stages does not move it after its outputs, and settings come first.
func TestHeadings(t *testing.T) {
	child := vgen.NewModule("child", "Adds one")
	in := vgen.Ports[headedPorts](child, nil)
	child.Assign(in.Out, child.RegNext("sum", in.In.Plus(1)))
	settings := vgen.NewModule("settings", "AXI slave")
	set := vgen.Ports[headedPorts](settings, nil)
	settings.Assign(set.Out, settings.RegNext("kept", set.In))

	m := vgen.NewModule("headed", "Headings")
	a := m.Input("a", 4, "a number")
	staged := func(k int, s vgen.Signal) vgen.Signal { m.Stage(k, s); return s }
	a1, late := staged(1, m.RegNext("a_s1", a.Not())), staged(3, m.Reg("late_s3", 4))
	s := vgen.Instantiate[headedPorts](m, "u_settings", settings)
	vgen.Settled(m, s)
	m.Assign(s.In, late)
	c := vgen.Instantiate[headedPorts](m, "u_child", child)
	m.Assign(c.In, a1.Add(s.Out).Xor(late))
	a2 := staged(2, c.Out)
	m.Next(late, a2.Not())
	m.StageHint(1, "inverted")
	m.StageHint(1, "inverted")
	m.StageHint(3, "a hint")
	m.StageDoc(3, "what the author says")
	m.Assign(m.Output("m", 4, "the result"), late)
	files := lint(t, m, vgen.EmitOptions{})
	text := string(files[len(files)-1].Text)
	last := -1
	for _, part := range []string{
		"// Stage 0: u_settings: AXI slave\n\n", "settings u_settings (",
		"// Stage 1: inverted\n\n", "a_s1 <= ~a;",
		"// Stage 2: u_child: adds one\n\n", "child u_child (",
		"// Stage 3: what the author says\n\n", "late_s3 <= ~u_child_m;",
	} {
		at := indexFrom(text, part, last+1)
		assert.Greater(t, at, last, "%q in its place in\n%s", part, text)
		last = max(last, at)
	}
}
