package vgen_test

import (
	"math/big"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// messages are the problems of a design without their positions, which are in the file of the test.
func messages(t *testing.T, err error) []string {
	t.Helper()
	if err == nil {
		return nil
	}
	var ps vgen.Problems
	require.ErrorAs(t, err, &ps)
	_, file, _, _ := runtime.Caller(1)
	var out []string
	for _, p := range ps {
		assert.Equal(t, "vgen/"+filepath.Base(file), strings.Split(p.Pos.String(), ":")[0], "position of %s", p)
		text := p.Message
		if p.Hint != "" {
			text += " (" + p.Hint + ")"
		}
		out = append(out, text)
	}
	return out
}

func TestMessages(t *testing.T) {
	// each build gets a module with the inputs a (24 bits), b (25 bits), c (1 bit) and
	// the output o (24 bits), all of them used
	type parts struct {
		m       *vgen.Module
		a, b, c vgen.Signal
	}
	other := vgen.NewModule("other", "another module")
	foreign := other.Input("x", 24, "")
	var none vgen.Signal
	k := vgen.Const
	for _, c := range []struct {
		name  string
		build func(p parts)
		want  string
	}{
		{"widths first", func(p parts) { p.a.Add(p.b) },
			`Add: widths differ: "a" has 24 bits, "b" has 25 (extend the first with Zext(25))`},
		{"widths second", func(p parts) { p.b.Xor(p.a) },
			`Xor: widths differ: "b" has 25 bits, "a" has 24 (extend the second with Zext(25))`},
		{"widths signed", func(p parts) { p.a.LtS(p.b) },
			`LtS: widths differ: "a" has 24 bits, "b" has 25 (extend the first with Sext(25))`},
		{"widths expression", func(p parts) { p.a.Mul(p.a).Eq(k(8, 255)) },
			`Eq: widths differ: Mul result has 48 bits, constant 8'd255 has 8 (extend the second with Zext(48))`},
		{"never set", func(p parts) { p.a.Sub(none) },
			`Sub: an operand is a Signal that was never set (test it with Exists() first)`},
		{"width 0", func(p parts) { p.a.Or(p.m.Input("opt", 0, "")) },
			`Or: port "opt" has width 0 and does not exist (test it with Exists() first)`},
		{"nothing at all", func(p parts) { p.m.RegNext("r_q", none.Add(none)) },
			`Add: an operand is a Signal that was never set (test it with Exists() first)|register "r_q" is never read (remove it, or say Ignore)`},
		{"foreign", func(p parts) { p.a.And(foreign) }, `And: "x" belongs to module other (pass it through a port)`},
		{"foreign value", func(p parts) { p.m.RegNext("r_q", foreign) },
			`RegNext: "x" belongs to module other (pass it through a port)|register "r_q" is never read (remove it, or say Ignore)`},
		{"const", func(p parts) { p.a.Add(k(24, 1<<24)) }, `Const: 16777216 does not fit in 24 bits (it needs 25)`},
		{"const compared", func(p parts) { p.a.Lt(k(24, 1<<24)) }, `Const: 16777216 does not fit in 24 bits (it needs 25)`},
		{"const shifted out", func(p parts) { p.a.Add(k(24, 1<<24).Shl(24)) },
			`Const: 16777216 does not fit in 24 bits (it needs 25)`},
		{"const not chosen", func(p parts) { vgen.Mux(k(1, 1), p.a, k(24, 1<<24)) },
			`Const: 16777216 does not fit in 24 bits (it needs 25)`},
		{"const of no case", func(p parts) { vgen.Select(k(1, 1), []vgen.Signal{k(24, 1<<24), p.a}, p.a) },
			`Const: 16777216 does not fit in 24 bits (it needs 25)`},
		{"const as distance", func(p parts) { p.a.ShlBy(k(2, 4)) }, `Const: 4 does not fit in 2 bits (it needs 3)`},
		{"const width", func(p parts) { vgen.Cat(p.a, k(0, 0)) }, `Const: width 0, a constant needs at least 1 bit`},
		{"const negative", func(p parts) { p.a.Add(vgen.ConstBig(24, big.NewInt(-1<<24))) },
			`Const: -16777216 does not fit in 24 bits, the smallest value is -8388608`},
		{"const nil", func(p parts) { p.a.Add(vgen.ConstBig(24, nil)) }, `ConstBig: the value is nil`},
		{"slice", func(p parts) { p.a.Slice(24, 20) },
			`Slice: bits 24:20 of "a", which has 24 bits (legal bits are 23:0, the high one first)`},
		{"slice order", func(p parts) { p.a.Slice(0, 3) },
			`Slice: bits 0:3 of "a", which has 24 bits (legal bits are 23:0, the high one first)`},
		{"trunc", func(p parts) { p.a.Trunc(25) },
			`Slice: Trunc(25) of "a", which has 24 bits (to widen it, use Zext or Sext)`},
		{"zext", func(p parts) { p.a.Zext(8) }, `Zext: "a" has 24 bits already, more than 8 (to cut it, use Trunc(8))`},
		{"sext", func(p parts) { p.a.Sext(8) }, `Sext: "a" has 24 bits already, more than 8 (to cut it, use Trunc(8))`},
		{"shift", func(p parts) { p.a.Shl(-1) }, `Shl: the distance -1 is negative`},
		{"repeat", func(p parts) { p.a.Repeat(0) }, `Repeat: 0 copies (at least 1 is needed)`},
		{"cat", func(p parts) { p.m.Ignore(vgen.Cat(), "") }, `Cat: no parts given`},
		{"mux selector", func(p parts) { vgen.Mux(p.a, p.a, p.a) },
			`Mux: the selector "a" has 24 bits, it needs 1 (compare it, or reduce it with AnyBit())`},
		{"mux widths", func(p parts) { vgen.Mux(p.c, p.a, p.b) },
			`Mux: widths differ: "a" has 24 bits, "b" has 25 (extend the first with Zext(25))`},
		{"select index", func(p parts) { vgen.Select(p.c, []vgen.Signal{p.a, p.a, p.a}, p.a) },
			`Select: the index "c" has 1 bits, 3 cases need 2 (extend it with Zext(2))`},
		{"select case", func(p parts) { vgen.Select(p.c, []vgen.Signal{p.a, p.b}, p.a) },
			`Select: case 1 has 25 bits, the default has 24 (all cases need the width of the default)`},
		{"select none", func(p parts) { vgen.Select(p.c, nil, p.a) }, `Select: no cases given`},

		{"assign width", func(p parts) { p.m.Assign(p.m.Output("q", 8, ""), p.a) },
			`Assign: "q" has 8 bits, the value "a" has 24 (cut it with Trunc(8))`},
		{"assign narrow", func(p parts) { p.m.Assign(p.m.Output("q", 30, ""), p.a) },
			`Assign: "q" has 30 bits, the value "a" has 24 (extend it with Zext(30))`},
		{"assign twice", func(p parts) { q := p.m.Output("q", 24, ""); p.m.Assign(q, p.a); p.m.Assign(q, p.a) },
			`Assign: "q" is driven twice (combine the two with Mux)`},
		{"assign input", func(p parts) { p.m.Assign(p.a, p.a) },
			`Assign: "a" cannot be assigned (an output, a wire or an instance's input can be assigned)`},
		{"assign register", func(p parts) { q := p.m.RegNext("r_q", p.c); p.m.Ignore(q, ""); p.m.Assign(q, p.c) },
			`Assign: "r_q" cannot be assigned (give a register its value with Next)`},
		{"assign foreign", func(p parts) { p.m.Assign(foreign, p.a) },
			`Assign: "x" belongs to module other (assign it there)`},
		{"assign to a constant", func(p parts) { p.m.Assign(k(24, 0), p.a) },
			`Assign: constant 24'd0 belongs to no module (assign it there)`},
		{"assign absent", func(p parts) { p.m.Assign(p.m.Output("q", 0, ""), p.a) },
			`Assign: the target does not exist: port "q" has width 0 and does not exist (test it with Exists() first)`},
		{"assign nothing", func(p parts) { p.m.Assign(p.m.Output("q", 1, ""), none) },
			`Assign: the value for "q" does not exist: an operand is a Signal that was never set (test it with Exists() first)`},
		{"output undriven", func(p parts) { p.m.Output("q", 1, "") }, `output "q" is not driven (use Assign)`},
		{"wire undriven", func(p parts) { p.m.Wire("w", 1) }, `wire "w" is not driven (use Assign)`},
		{"pin undriven", func(p parts) {
			sub := vgen.NewModule("sub", "")
			sub.Assign(sub.Output("y", 1, ""), sub.Input("x", 1, ""))
			p.m.Instance("u_sub", sub)
		}, `input "x" of instance "u_sub" is not driven (use Assign)`},
		{"pin twice", func(p parts) {
			sub := vgen.NewModule("sub", "")
			sub.Assign(sub.Output("y", 1, ""), sub.Input("x", 1, ""))
			u := p.m.Instance("u_sub", sub)
			p.m.Assign(u.Port("x"), p.c)
			p.m.Assign(u.Port("x"), p.c)
		}, `Assign: "u_sub.x" is driven twice (combine the two with Mux)`},
		{"no such port", func(p parts) {
			sub := vgen.NewModule("sub", "")
			sub.Assign(sub.Output("y", 1, ""), k(1, 0))
			p.m.Instance("u_sub", sub).Port("z")
		}, `instance "u_sub": module sub has no port "z"`},
		{"inside itself", func(p parts) { p.m.Instance("u_self", p.m) },
			`instance "u_self": module top would contain itself`},
		{"nil module", func(p parts) { p.m.Instance("u_nil", nil) }, `instance "u_nil": the module is nil`},

		{"input unread", func(p parts) { p.m.Input("d", 4, "") },
			`input "d" is never read (give it width 0 where it is not needed, or say Ignore)`},
		{"input bits unread", func(p parts) {
			d := p.m.Input("d", 8, "")
			p.m.Assign(p.m.Output("q", 3, ""), vgen.Cat(d.Slice(6, 5), d.Bit(0)))
		}, `input "d": bits 7, 4:1 are never read (make it narrower, or say Ignore)`},
		{"register unread", func(p parts) { p.m.RegNext("r_q", p.c) },
			`register "r_q" is never read (remove it, or say Ignore)`},
		{"register that feeds itself", func(p parts) { r := p.m.Reg("r_q", 1); p.m.Next(r, r.Not()) },
			`register "r_q" is never read (remove it, or say Ignore)`},
		{"delay unread", func(p parts) { p.m.Delay("late", p.c, 3) },
			`register "late" is never read (remove it, or say Ignore)`},
		{"delay negative", func(p parts) { p.m.Delay("late", p.c, -1) }, `Delay: "late": -1 cycles (0 or more)`},
		{"no next", func(p parts) { p.m.Ignore(p.m.Reg("r_q", 1), "") }, `register "r_q" has no Next (use Next)`},
		{"next twice", func(p parts) { r := p.m.RegNext("r_q", p.c); p.m.Ignore(r, ""); p.m.Next(r, p.c) },
			`Next: register "r_q" is driven twice (combine the two with Mux)`},
		{"next of no register", func(p parts) { p.m.Next(p.a, p.a) },
			`Next: "a" is not a register of this module (declare it with Reg)`},
		{"control", func(p parts) { p.m.Ignore(p.m.RegNext("r_q", p.c, vgen.Control()), "") },
			`register "r_q" is control state and has no Reset (add the option Reset)`},
		{"reset value", func(p parts) { p.m.Ignore(p.m.RegNext("r_q", p.c, vgen.Reset(2)), "") },
			`register "r_q": the reset value 2 does not fit in 1 bits`},
		{"reset nil", func(p parts) { p.m.Ignore(p.m.RegNext("r_q", p.c, vgen.ResetBig(nil)), "") },
			`register "r_q": ResetBig: the value is nil`},
		{"enable", func(p parts) { p.m.Ignore(p.m.RegNext("r_q", p.c, vgen.Enable(p.a)), "") },
			`Enable: the enable of "r_q" has 1 bits, the value "a" has 24 (cut it with Trunc(1))`},

		{"memory unread", func(p parts) { p.m.Memory("ram", 2, 24, "").Write(p.c, p.c, p.a) },
			`memory "ram" is never read (remove it)`},
		{"memory unwritten", func(p parts) { p.m.Ignore(p.m.Memory("ram", 2, 24, "").Read("ram_q", p.c), "") },
			`memory "ram" is never written (use Write, or a ROM)`},
		{"memory output unread", func(p parts) {
			ram := p.m.Memory("ram", 2, 24, "")
			ram.Write(p.c, p.c, p.a)
			p.m.Ignore(ram.Read("ram_q", p.c), "")
			ram.Read("ram2_q", p.c)
		}, `memory output "ram2_q" is never read (remove it)`},
		{"memory two writes", func(p parts) {
			ram := p.m.Memory("ram", 2, 24, "")
			p.m.Ignore(ram.Read("ram_q", p.c), "")
			ram.Write(p.c, p.c, p.a)
			ram.Write(p.c, p.c, p.a)
		}, `Write: memory "ram" has a write port already (a memory has one)`},
		{"memory address", func(p parts) {
			ram := p.m.Memory("ram", 1024, 24, "")
			ram.Write(p.c, p.a.Trunc(10), p.a)
			p.m.Ignore(ram.Read("ram_q", p.a), "")
		}, `Read: the read address of "ram" has 10 bits, the value "a" has 24 (cut it with Trunc(10))`},
		{"memory size", func(p parts) {
			ram := p.m.Memory("ram", 0, 24, "")
			ram.Write(p.c, p.c, p.a)
			p.m.Ignore(ram.Read("ram_q", p.c), "")
		}, `memory "ram": 0 words of 24 bits (both must be at least 1)`},
		{"rom unread", func(p parts) { p.m.ROM("rom", 8, []uint64{1}) }, `ROM "rom" is never read (remove it)`},
		{"rom word", func(p parts) {
			p.m.Assign(p.m.Output("q", 2, ""),
				p.m.ROM("rom", 2, []uint64{1, 4}).ReadAsync(p.c))
		}, `ROM "rom": word 1, 4, does not fit in 2 bits`},
		{"rom field", func(p parts) {
			row := vgen.Cat(k(2, 3), k(64, 7), k(3, 8))
			p.m.Assign(p.m.Output("q", 69, ""), p.m.ROM("rom", 69, []vgen.Signal{row, row}).ReadAsync(p.c))
		}, `Const: 8 does not fit in 3 bits (it needs 4)`},
		{"rom word of another width", func(p parts) {
			p.m.Assign(p.m.Output("q", 2, ""), p.m.ROM("rom", 2, []vgen.Signal{k(2, 1), k(3, 1)}).ReadAsync(p.c))
		}, `ROM: word 1 of "rom" has 2 bits, the value constant 3'd1 has 3 (cut it with Trunc(2))`},
		{"rom word that varies", func(p parts) {
			p.m.Assign(p.m.Output("q", 1, ""), p.m.ROM("rom", 1, []vgen.Signal{k(1, 1), p.c}).ReadAsync(p.c))
		}, `ROM "rom": word 1, "c", is not a constant`},
		{"rom word nil", func(p parts) {
			p.m.Assign(p.m.Output("q", 2, ""),
				p.m.ROM("rom", 2, []*big.Int{nil}).ReadAsync(p.c))
		}, `ROM "rom": word 0 is nil`},
		{"rom contents", func(p parts) {
			p.m.Assign(p.m.Output("q", 2, ""),
				p.m.ROM("rom", 2, []int{1, 4}).ReadAsync(p.c))
		},
			`ROM "rom": contents of type []int ([]uint64, []*big.Int or []Signal)`},
		{"rom empty", func(p parts) {
			p.m.Assign(p.m.Output("q", 2, ""),
				p.m.ROM("rom", 2, []uint64{}).ReadAsync(p.c))
		}, `ROM "rom": no contents`},
		{"rom address", func(p parts) {
			p.m.Assign(p.m.Output("q", 2, ""),
				p.m.ROM("rom", 2, []uint64{1, 2, 3}).ReadAsync(p.c))
		},
			`ReadAsync: the address of ROM "rom" has 2 bits, the value "c" has 1 (extend it with Zext(2))`},

		{"illegal name", func(p parts) { p.a.Not().Named("2fast") },
			`value "2fast": not a legal name (letters, digits and underscores, not starting with a digit)`},
		{"reserved", func(p parts) { p.m.Assign(p.m.Output("output", 1, ""), p.c) },
			`port "output": a reserved word of Verilog (choose another)`},
		{"reserved SystemVerilog", func(p parts) { p.a.Not().Named("unique") },
			`value "unique": a reserved word of SystemVerilog (choose another)`},
		{"reserved C++", func(p parts) { p.a.Not().Named("template") },
			`value "template": a reserved word of C++ (choose another)`},
		{"clock", func(p parts) { p.a.Not().Named("rst") },
			`value "rst": the name is taken (it is the name of the clock or reset)`},
		{"constant's name", func(p parts) {
			p.m.Assign(p.m.Output("q", 24, ""), p.a.Add(k(24, 3).Named("step")).Add(k(24, 4).Named("step")))
		}, `constant "step": the name is taken by a constant of another value (choose another)`},
		{"constant's name in use", func(p parts) {
			p.m.Assign(p.m.Output("q", 24, ""), p.a.Add(k(24, 3).Named("c")))
		}, `constant "c": the name is taken (the port at vgen/check_test.go:`},
		{"clash", func(p parts) { p.a.Not().Named("a") }, `value "a": the name is taken (the port at vgen/check_test.go:`},
		{"timing", func(p parts) { p.m.SetTiming(3, 0) },
			`SetTiming: latency 3, initiation interval 0 (latency is 0 or more, the interval 1 or more)`},
		{"tap twice", func(p parts) { p.m.Tap("u", p.a, 0, ""); p.m.Tap("u", p.b, 0, "") },
			`tap "u": the name is taken by another tap (choose another)`},
		{"tap nothing", func(p parts) { p.m.Tap("u", none, 0, "") },
			`Tap: "u": an operand is a Signal that was never set (test it with Exists() first)`},
		{"port width", func(p parts) { p.m.Input("neg", -1, "") },
			`port "neg": width -1 (0 leaves the port out, otherwise 1 or more)`},

		{"loop", func(p parts) {
			w := p.m.Wire("w", 24)
			p.m.Assign(w, w.Add(p.a).Named("next_w"))
		},
			`combinational loop: next_w -> w -> next_w (put a register into it; a loop between different bits of one wire needs a wire per bit)`},
		{"loop through instances", func(p parts) {
			sub := vgen.NewModule("sub", "")
			sub.Assign(sub.Output("y", 1, ""), sub.Input("x", 1, "").Not())
			one, two := p.m.Instance("u_one", sub), p.m.Instance("u_two", sub)
			p.m.Assign(one.Port("x"), two.Port("y").And(p.c).Named("gate"))
			p.m.Assign(two.Port("x"), one.Port("y"))
		},
			`combinational loop: gate -> u_one.x -> u_one.y -> u_two.x -> u_two.y -> gate (put a register into it; a loop between different bits of one wire needs a wire per bit)`},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := vgen.NewModule("top", "")
			p := parts{m, m.Input("a", 24, ""), m.Input("b", 25, ""), m.Input("c", 1, "")}
			o := m.Output("o", 24, "")
			m.Assign(o, vgen.Mux(p.c, p.a, p.b.Slice(24, 1).Xor(p.b.Trunc(24))))
			require.NoError(t, vgen.Check(m), "before the mistake")
			c.build(p)
			got := strings.Join(messages(t, vgen.Check(m)), "|")
			if strings.HasSuffix(c.want, ":") {
				require.True(t, strings.HasPrefix(got, c.want), "want %s\n got %s", c.want, got)
				return
			}
			require.Equal(t, c.want, got)
			_, err := vgen.Emit(m, vgen.EmitOptions{})
			assert.Error(t, err)
			_, err = vgen.NewSim(m)
			assert.Error(t, err)
		})
	}
}

func TestNoLoopThroughARegisterOrAnIndependentPath(t *testing.T) {
	sub := vgen.NewModule("crossed", "y depends on x only, z on w only")
	sub.Assign(sub.Output("y", 1, ""), sub.Input("x", 1, "").Not())
	sub.Assign(sub.Output("z", 1, ""), sub.RegNext("w_q", sub.Input("w", 1, "")))
	m := vgen.NewModule("top", "")
	u := m.Instance("u_sub", sub)
	m.Assign(u.Port("x"), u.Port("z"))
	m.Assign(u.Port("w"), u.Port("y"))
	m.Assign(m.Output("o", 1, ""), u.Port("y"))
	require.NoError(t, vgen.Check(m))
	lint(t, m, vgen.EmitOptions{})
}

func TestModulesOfOneName(t *testing.T) {
	sub := func(v uint64) *vgen.Module {
		m := vgen.NewModule("sub", "")
		m.Assign(m.Output("y", 8, ""), m.Input("x", 8, "").Add(vgen.Const(8, v)))
		return m
	}
	top := func(one, two *vgen.Module) *vgen.Module {
		m := vgen.NewModule("top", "")
		x := m.Input("x", 8, "")
		a, b := m.Instance("u_one", one), m.Instance("u_two", two)
		m.Assign(a.Port("x"), x)
		m.Assign(b.Port("x"), a.Port("y"))
		m.Assign(m.Output("o", 8, ""), b.Port("y"))
		return m
	}
	same := sub(1)
	for _, m := range []*vgen.Module{top(same, same), top(sub(1), sub(1))} {
		files := lint(t, m, vgen.EmitOptions{})
		assert.Len(t, files, 2, "equal modules are printed once")
	}
	got := messages(t, vgen.Check(top(sub(1), sub(2))))
	require.Len(t, got, 1)
	assert.Regexp(t,
		`^another, different module of this name is made at vgen/check_test.go:\d+ \(put the parameters that differ into the name\)$`, got[0])
}

func TestAllProblemsAreCollectedInOrder(t *testing.T) {
	build := func() error {
		m := vgen.NewModule("top", "")
		a := m.Input("a", 4, "")
		m.Assign(m.Output("y", 8, ""), a)
		m.Output("z", 1, "")
		a.Add(vgen.Const(5, 1))
		return vgen.Check(m)
	}
	err := build()
	assert.Equal(t, []string{
		`Assign: "y" has 8 bits, the value "a" has 4 (extend it with Zext(8))`,
		`output "z" is not driven (use Assign)`,
		`Add: widths differ: "a" has 4 bits, constant 5'd1 has 5 (extend the first with Zext(5))`,
	}, messages(t, err), "and not that a is unread")
	for range 5 {
		assert.Equal(t, err, build())
	}
	assert.Regexp(t, `^3 problems:\n  vgen/check_test.go:\d+: module top: Assign: "y" has 8 bits`, err.Error())
}

type badPorts struct {
	A vgen.Signal              `port:"a" dir:"in" width:"wide"`
	B vgen.Signal              `port:"b" dir:"inout" width:"1"`
	C vgen.Signal              `dir:"in" width:"1"`
	D vgen.Signal              `port:"s_valid" dir:"in" width:"1"`
	E vgen.Signal              `port:"e" dir:"in"`
	F int                      `port:"f"`
	G []vgen.Signal            `port:"g" count:"2" dir:"in" width:"1"`
	H vgen.Stream[childFields] `stream:"h"`
	I vgen.Stream[vgen.Signal] `stream:"i" dir:"out"`
	J vgen.Stream[badFields]   `stream:"j" dir:"out"`
	k vgen.Signal
	L vgen.Stream[childFields] `dir:"out"`
}
type badFields struct {
	X vgen.Signal `port:"x" dir:"out" width:"1"`
}

func TestPortStructMessages(t *testing.T) {
	m := vgen.NewModule("top", "")
	p := vgen.Ports[badPorts](m, vgen.Widths{"w": 1, "sum": 2})
	_ = p.k
	vgen.Ports[childFields](m, nil)
	var got []string
	for _, s := range messages(t, vgen.Check(m)) {
		if strings.HasPrefix(s, "Ports: ") {
			got = append(got, strings.TrimPrefix(s, "Ports: "))
		}
	}
	assert.ElementsMatch(t, []string{
		`field A: width key "wide" is not in the Widths (known: sum, w)`,
		`port "b": dir "inout" (dir:"in" or dir:"out")`,
		`field C has no port tag (such as port:"s_num")`,
		`port "s_valid" is a handshake outside of a Stream (use a Stream, or say role:"valid")`,
		`field E has no width tag (a key of the Widths, or a number)`,
		`field F has type int (Signal, Stream, a struct, or a slice of these)`,
		`field G has no %d in its name (such as port:"s_hop%d_")`,
		`stream "h": dir "" (dir:"in" or dir:"out")`,
		`stream "i": the payload is a vgen.Signal (use a struct of Signals)`,
		`port "j_x" is part of a stream and has a dir tag (the stream's dir holds for all of it)`,
		`field vgen_test.badPorts.k is not exported`,
		`field L has no stream tag (such as stream:"s")`,
		`called a second time on this module (put all ports in one struct)`,
	}, got)

	top := vgen.NewModule("top", "")
	vgen.Instantiate[childFields](top, "u_lane", lane(8))
	vgen.Instantiate[lanePorts](top, "u_other", lane(8), vgen.Widths{"w": 9})
	vgen.Instantiate[lanePorts](top, "u_nil", nil)
	all := strings.Join(messages(t, vgen.Check(top)), "|")
	assert.Contains(t, all,
		`Instantiate: module lane was not declared with Ports[vgen_test.childFields] (use the same struct type, or Instance)`)
	assert.Contains(t, all, `Instantiate: width "w" is 9, module lane was declared with 8`)
	assert.Contains(t, all, `instance "u_nil": the module is nil`)
}

type axiPorts struct {
	S    vgen.Stream[axiBeat]   `stream:"s_axis_t%s" dir:"in"`
	M    []vgen.Stream[axiBeat] `stream:"m%d_axis_t%s" dir:"out" count:"2"`
	Hot  []vgen.Signal          `port:"hot%d" dir:"out" count:"n" width:"1"`
	Cfg  cfgPorts               `port:"cfg_"`
	Done vgen.Signal            `port:"done_valid" dir:"out" width:"1" role:"valid"`
}
type axiBeat struct {
	Data vgen.Signal `port:"data" width:"data"`
	User vgen.Signal `port:"user" width:"user"`
	Last vgen.Signal `port:"last" width:"1"`
}
type cfgPorts struct {
	Mode vgen.Signal `port:"mode" dir:"in" width:"1" doc:"0: first, 1: second"`
}

func TestPortStructNames(t *testing.T) {
	m := vgen.NewModule("split", "")
	p := vgen.Ports[axiPorts](m, vgen.Widths{"data": 8, "user": 0, "n": 2})
	assert.False(t, p.S.Payload.User.Exists())
	assert.True(t, p.S.Payload.Last.Exists())
	assert.Zero(t, p.S.Payload.User.Width())
	var got []string
	for _, i := range vgen.Manifest(m)[0].Ports {
		got = append(got, i.Dir+" "+i.Name)
	}
	assert.Equal(t, []string{
		"in s_axis_tvalid", "out s_axis_tready", "in s_axis_tdata", "in s_axis_tlast",
		"out m0_axis_tvalid", "in m0_axis_tready", "out m0_axis_tdata", "out m0_axis_tlast",
		"out m1_axis_tvalid", "in m1_axis_tready", "out m1_axis_tdata", "out m1_axis_tlast",
		"out hot0", "out hot1", "in cfg_mode", "out done_valid",
	}, got)
}

// Misuse must be reported; it must not panic whatever the order of calls.
func TestMisuseDoesNotPanic(t *testing.T) {
	m := vgen.NewModule("", "")
	var none vgen.Signal
	mem := m.Memory("9", -1, -1, "")
	mem.Write(none, none, none)
	mem.Read("", none)
	mem.ReadEn("", none, none)
	mem.ReadAsync(none)
	rom := m.ROM("r", 0, nil)
	rom.Read("", none)
	rom.ReadAsync(none)
	for _, s := range []vgen.Signal{none, vgen.Const(-3, 9), m.Input("i", 0, ""), m.Wire("w", -2),
		m.Reg("", 0, nil, vgen.Enable(none), vgen.ResetBig(big.NewInt(-1)))} {
		m.Assign(none, s)
		m.Assign(s, none)
		m.Assign(s, s)
		m.Next(s, s)
		m.Tap("t", s, 0, "")
		m.Ignore(s, "")
		m.Delay("d", s, 3)
		m.RegNext("q", s)
		s.Named("n").Named("n")
		_ = s.Name()
		s.IsConst()
		for _, b := range []vgen.Signal{none, s, vgen.Const(200, 1)} {
			s.Add(b)
			s.Mul(b)
			s.MulS(b)
			s.Lt(b)
			s.ShlBy(b)
			s.SraBy(b)
			vgen.Mux(s, b, s)
			vgen.Select(s, []vgen.Signal{b, s, b}, s)
			vgen.Cat(s, b)
		}
		s.Not()
		s.Shl(3)
		s.Sra(-3)
		s.Slice(-1, -5)
		s.Bit(-1)
		s.Top()
		s.Repeat(-1)
		s.Zext(-1)
		s.Sext(0)
		s.Trunc(-1)
		s.AnyBit().AllBits().Parity()
	}
	m.Instance("", nil).Port("x")
	vgen.Ports[int](m, nil)
	assert.Error(t, vgen.Check(m))
	assert.Error(t, vgen.Check(nil))
	vgen.Manifest(nil)
	vgen.Taps(nil)
	vgen.NewLayout(nil, true)
}
