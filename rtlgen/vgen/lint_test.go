package vgen_test

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// lint requires that Verilator, Icarus and Yosys have nothing to say about a design.
func lint(t testing.TB, top *vgen.Module, opt vgen.EmitOptions, verilatorArgs ...string) []vgen.File {
	t.Helper()
	files, err := vgen.Emit(top, opt)
	require.NoError(t, err)
	for _, l := range linters {
		require.Empty(t, lintOutput(t, l, top.Name(), files, verilatorArgs), "%s\n%s", l, files[len(files)-1].Text)
	}
	return files
}

var linters = []string{"verilator", "iverilog", "yosys"}

// lintOutput returns the output of a linter on files.
func lintOutput(t testing.TB, linter, top string, files []vgen.File, verilatorArgs []string) string {
	t.Helper()
	dir := t.TempDir()
	var names []string
	for _, f := range files {
		writeFile(t, dir, f.Name, string(f.Text))
		names = append(names, f.Name)
	}
	var args []string
	switch linter {
	case "verilator":
		args = append([]string{"--lint-only", "-Wall", "--top-module", top}, append(verilatorArgs, names...)...)
	case "iverilog":
		args = append([]string{"-g2005", "-Wall", "-s", top, "-t", "null"}, names...)
	case "yosys":
		args = []string{"-q", "-p", "read_verilog " + strings.Join(names, " ") + "; hierarchy -check -top " + top +
			"; proc; check -assert"}
	}
	cmd := exec.Command(tool(t, linter), args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Sprintf("%v\n%s", err, out)
	}
	return strings.TrimSpace(string(out))
}

type childPorts struct {
	In  vgen.Stream[childFields] `stream:"s" dir:"in" doc:"operands"`
	Out vgen.Stream[childSum]    `stream:"m" dir:"out"`
	Hop []hop                    `port:"s_hop%d_" count:"hops"`
	Opt vgen.Signal              `port:"s_opt" dir:"in" width:"opt"`
	Max vgen.Signal              `port:"m_max" dir:"out" width:"w" doc:"largest hop"`
}
type hop struct {
	Ts vgen.Signal `port:"ts" dir:"in" width:"w"`
}
type childFields struct {
	A vgen.Signal `port:"a" width:"w" doc:"first"`
	B vgen.Signal `port:"b" width:"w"`
}
type childSum struct {
	Sum vgen.Signal `port:"sum" width:"sum"`
}

func child() *vgen.Module {
	m := vgen.NewModule("adder", "Adder behind a register")
	m.Doc("cycle 0: operands", "cycle 1: sum")
	m.SetTiming(1, 1)
	p := vgen.Ports[childPorts](m, vgen.Widths{"w": 8, "sum": 9, "hops": 3, "opt": 0})
	full := m.Reg("full_q", 1, vgen.Reset(0), vgen.Control())
	take := full.Not().Or(p.Out.Ready).Named("take")
	m.Next(full, vgen.Mux(take, p.In.Valid, full))
	sum := m.RegNext("sum_q", p.In.Payload.A.Zext(9).Add(p.In.Payload.B.Sext(9)), vgen.Enable(take))
	m.Assign(p.In.Ready, take)
	m.Assign(p.Out.Valid, full)
	m.Assign(p.Out.Payload.Sum, sum)
	best := p.Hop[0].Ts
	for _, h := range p.Hop[1:] {
		best = vgen.Mux(h.Ts.GtS(best), h.Ts, best)
	}
	m.Tap("u_best", best, 0, "largest")
	m.Assign(p.Max, best)
	return m
}

func smoke() *vgen.Module {
	sub := child()
	m := vgen.NewModule("smoke", "All kinds of things")
	a := m.Input("a", 8, "operand")
	b := m.Input("b", 8, "operand")
	idx := m.Input("idx", 4, "index")
	u := vgen.Instantiate[childPorts](m, "u_adder", sub)
	m.Assign(u.In.Valid, a.AnyBit())
	m.Assign(u.In.Payload.A, a)
	m.Assign(u.In.Payload.B, b.Xor(a).Add(b))
	m.Assign(u.Out.Ready, u.Out.Valid)
	for i, h := range u.Hop {
		m.Assign(h.Ts, m.Delay("ts"+string(rune('0'+i)), a, i+1))
	}
	m.Section("Tables.")
	prod := a.MulS(b)
	o := m.Output("o", 8, "result")
	rom := m.ROM("seed", 6, []uint64{1, 2, 3, 60, 5})
	mem := m.Memory("ctx", 10, 24, "contexts")
	mem.Write(a.Bit(0), idx, vgen.Cat(prod.Slice(11, 4), a, b))
	w := mem.Read("ctx_q", idx)
	w2 := mem.ReadAsync(idx)
	sel := vgen.Select(idx.Trunc(3), []vgen.Signal{a, b, vgen.Const(8, 3), w.Slice(7, 0),
		w2.Slice(17, 10).Add(a.Mul(b).Trunc(8))}, a.Not())
	m.Assign(o, sel.Add(rom.Read("seed_q",
		idx).Zext(8)).Add(rom.ReadAsync(idx).Sext(8)).Xor(u.Max).Add(u.Out.Payload.Sum.Trunc(8)))
	return m
}

func TestSmoke(t *testing.T) {
	lint(t, smoke(), vgen.EmitOptions{Tool: "hpccgen v0", Command: "x", ConfigHash: "1234"})
	lint(t, smoke(), vgen.EmitOptions{Reset: vgen.AsyncLow})
}
