package output

import (
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/config/registers"
)

// driverVariants are devices whose register maps differ in what there is.
func driverVariants(t testing.TB) []*Design {
	list := []*Design{build(t, "csig-64p"), build(t, "csig-4p"), build(t, "int-switch")}
	for _, text := range []string{
		"design: csig\nname: field\nports: 4\nstream_bits: 64\nbandwidth: {method: ewma}\ntags: {compact: none}\n",
		"design: csig\nname: Main\nports: 1\nstream_bits: 64\nbandwidth: {method: dre}\ntags: {split: uec}\n",
		"design: int\nname: int_ifa\nstream_bits: 64\nformat: ifa\nports: 3\n",
		"design: int\nname: int_ioam\nstream_bits: 128\nformat: ioam\ntrace: {namespace: 7}\n",
		"design: nic\nname: bus\nflows: 100\nbus: axi_lite\n",
		"design: nic\nname: receiver\nbus: axi_lite\nhops: {order: serial}\nmode: receiver\ncounter_bits: 64\n" +
			"profiles: 1\ngeneration_bits: 0\ntelemetry: {path_id_bits: 0}\n",
		"design: nic\nlaw: aimd\nname: all\nbus: axi_lite\nformats: {window: UQ12.4, inv_t: UQ-9.40}\n",
		"design: nic\nlaw: aimd\nname: streams\n",
	} {
		list = append(list, parsed(t, text))
	}
	return list
}

// parsed builds the design of a configuration.
func parsed(t testing.TB, text string) *Design {
	t.Helper()
	c, err := config.ParseDesign("x.yaml", []byte(text))
	require.NoError(t, err)
	d, err := Build(c)
	require.NoError(t, err)
	return d
}

func mapOf(t testing.TB, d *Design) (*registers.Map, []registers.Write) {
	switch c := d.Config.(type) {
	case *config.INT:
		return registers.NewINT(c), registers.ProgramINT(c)
	case config.EngineDesign:
		if !c.Frame().AXILite {
			return &registers.Map{}, nil
		}
		return registers.NewNIC(c.Frame(), c.Software()), nil
	}
	c := d.Config.(*config.CSIG)
	program, err := registers.Program(c)
	require.NoError(t, err)
	return registers.New(c), program
}

// needs skips a test without a tool; continuous integration has all of them.
func needs(t testing.TB, tool string) string {
	t.Helper()
	path, err := exec.LookPath(tool)
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatalf("%s is missing", tool)
		}
		t.Skipf("%s is missing", tool)
	}
	return path
}

// wantedNumbers are the constants of tuser and of statuses, from the configuration and the widths of the emitted ports
// (docs/csig.md, Ports).
func wantedNumbers(t testing.TB, d *Design) []number {
	t.Helper()
	if c, ok := d.Config.(config.EngineDesign); ok {
		return engineNumbersOf(c)
	}
	var ports, time, qlen int
	names := "plain short malformed fragment foreign off hops full mtu inserted no_port"
	switch c := d.Config.(type) {
	case *config.INT:
		ports, time, qlen = c.Ports, c.TimeBits, c.QlenBits
	case *config.CSIG:
		ports, time, qlen = c.Ports, c.TimeBits, c.QlenBits
		names = "untagged short hidden truncated updated kept held passed stripped distrusted no_port dropped"
	}
	port := 1
	for 1<<port <= ports {
		port++
	}
	list := []number{
		{"S_AXIS_TUSER_INGRESS_PORT_LOW", 0, ""}, {"S_AXIS_TUSER_INGRESS_PORT_WIDTH", port, ""},
		{"S_AXIS_TUSER_EGRESS_PORT_LOW", port, ""}, {"S_AXIS_TUSER_EGRESS_PORT_WIDTH", port, ""},
		{"S_AXIS_TUSER_INGRESS_TIME_LOW", 2 * port, ""}, {"S_AXIS_TUSER_INGRESS_TIME_WIDTH", time, ""},
		{"S_AXIS_TUSER_EGRESS_TIME_LOW", 2*port + time, ""}, {"S_AXIS_TUSER_EGRESS_TIME_WIDTH", time, ""},
		{"S_AXIS_TUSER_QUEUE_DEPTH_LOW", 2*port + 2*time, ""}, {"S_AXIS_TUSER_QUEUE_DEPTH_WIDTH", qlen, ""},
		{"M_AXIS_TUSER_EGRESS_PORT_LOW", 0, ""}, {"M_AXIS_TUSER_EGRESS_PORT_WIDTH", port, ""},
		{"M_AXIS_TUSER_STATUS_LOW", port, ""}, {"M_AXIS_TUSER_STATUS_WIDTH", 4, ""},
	}
	for _, p := range d.Modules[len(d.Modules)-1].Ports {
		switch p.Name {
		case "s_axis_tuser":
			assert.Equal(t, p.Width, 2*port+2*time+qlen)
		case "m_axis_tuser":
			assert.Equal(t, p.Width, port+4)
		}
	}
	for i, s := range strings.Fields(names) {
		list = append(list, number{"STATUS_" + strings.ToUpper(s), i, ""})
	}
	return list
}

// engineNumbersOf are the constants of an engine (docs/architecture.md, docs/aimd.md).
func engineNumbersOf(c config.EngineDesign) (list []number) {
	tables, masks := "W_AI W_MIN W_MAX INV_T", "PROFILE W SEQ START CLOSE"
	kinds, statuses := "NONE FIRST UPDATE", map[string]int{"OK": 0, "FIRST": 1, "REJECTED_FLOW": 5, "NO_COMMIT": 10,
		"CLAMPED_MIN": 11, "CLAMPED_MAX": 12}
	entries := func(int) (int, int) { return 0, 0 }
	switch c := c.(type) {
	case *config.AIMD:
		entries = func(i int) (int, int) {
			return c.Profiles, []int{c.Window.Width(), c.Window.Width(), c.Window.Width(), c.InvT.Width()}[i]
		}
	case *config.NIC:
		tables, masks = "RATE QUEUE T INV_T ETA STAGE W_AI W_MIN W_MAX", "PROFILE U WC W STAGE SEQ START CLOSE"
		kinds = "NONE FIRST UPDATE FAST"
		for i, s := range strings.Fields("OK FIRST NO_TELEMETRY REJECTED_HOPS REJECTED_RATE REJECTED_FLOW PATH_CHANGED " +
			"STALE IDLE NO_TIME NO_COMMIT CLAMPED_MIN CLAMPED_MAX") {
			statuses[s] = i
		}
		entries = func(i int) (int, int) { return c.TableEntries(config.Table(i)), c.TableEntryBits(config.Table(i)) }
	}
	for i, name := range strings.Fields(tables) {
		n, bits := entries(i)
		list = append(list, number{"TABLE_" + name, i, ""}, number{"TABLE_" + name + "_ENTRIES", n, ""},
			number{"TABLE_" + name + "_BITS", bits, ""})
	}
	open := 0
	for i, name := range strings.Fields(masks) {
		list = append(list, number{"MASK_" + name, 1 << i, ""})
		open |= 1 << i
		if name == "CLOSE" {
			open &^= 1 << i
		}
	}
	list = append(list, number{"MASK_OPEN", open, ""})
	for i, name := range strings.Fields(kinds) {
		list = append(list, number{"KIND_" + name, i, ""})
	}
	for name, code := range statuses {
		list = append(list, number{"STATUS_" + name, code, ""})
	}
	return list
}

// The C header compiles without a warning, and what it says is what the map says.
func TestCHeader(t *testing.T) {
	gcc := needs(t, "gcc")
	for _, d := range driverVariants(t) {
		name := d.Config.DesignName()
		dir := t.TempDir()
		header := d.text(t, "driver/"+name+"_regs.h")
		require.NoError(t, os.WriteFile(filepath.Join(dir, name+"_regs.h"), []byte(header), 0o666))
		m, program := mapOf(t, d)
		p := strings.ToUpper(name)
		var b strings.Builder
		fmt.Fprintf(&b,
			"#include \"%s_regs.h\"\n#include <stdio.h>\n\nstatic int print(void *bus, uint32_t offset, uint32_t data)\n{\n\t(void)bus;\n\tprintf(\"%%x %%x\\n\", (unsigned)offset, (unsigned)data);\n\treturn 0;\n}\n\nint main(void)\n{\n", name)
		var want strings.Builder
		say := func(macro string, v uint32) {
			fmt.Fprintf(&b, "\tprintf(\"%%x\\n\", (unsigned)(%s_%s));\n", p, macro)
			fmt.Fprintf(&want, "%x\n", v)
		}
		for i := range m.Registers {
			r := &m.Registers[i]
			say(r.Name, r.Offset)
			if r.PerPort() {
				say(r.Name+"_OF("+strconv.Itoa(r.Count-1)+")", r.Offset+r.Stride*uint32(r.Count-1))
			}
			if r.Readable() {
				say(r.Name+"_RESET", r.Reset())
			}
			for _, f := range r.Fields {
				say(r.Name+"_"+f.Name+"_MASK", f.Mask())
				say(r.Name+"_"+f.Name+"_SHIFT", uint32(f.Low))
				for _, v := range f.Values {
					say(r.Name+"_"+f.Name+"_"+v.Name, v.Value)
				}
			}
		}
		for _, n := range wantedNumbers(t, d) {
			say(n.name, uint32(n.value))
		}
		for _, w := range program {
			fmt.Fprintf(&want, "%x %x\n", w.Offset, w.Data)
		}
		if program != nil {
			fmt.Fprintf(&b, "\treturn %s_setup(print, NULL);\n}\n", strings.ToLower(name))
		} else {
			fmt.Fprintf(&b, "\t(void)print;\n\treturn 0;\n}\n")
		}
		source, binary := filepath.Join(dir, "use.c"), filepath.Join(dir, "use")
		require.NoError(t, os.WriteFile(source, []byte(b.String()), 0o666))
		out, err := exec.Command(gcc, "-std=c99", "-Wall", "-Wextra", "-pedantic", "-Wconversion", "-Werror", "-o", binary,
			source).CombinedOutput()
		require.NoError(t, err, "%s", out)
		// Included and not used it is as quiet, in C++ too.
		for compiler, standard := range map[string]string{gcc: "-std=c99", needs(t, "g++"): "-std=c++17"} {
			alone := filepath.Join(dir, "alone.c"+map[bool]string{true: "c"}[compiler != gcc])
			require.NoError(t, os.WriteFile(alone, fmt.Appendf(nil, "#include \"%s_regs.h\"\nint used;\n", name), 0o666))
			out, err := exec.Command(compiler, standard, "-Wall", "-Wextra", "-pedantic", "-Wconversion", "-Werror", "-fsyntax-only",
				alone).CombinedOutput()
			require.NoError(t, err, "%s", out)
		}
		out, err = exec.Command(binary).Output()
		require.NoError(t, err)
		assert.Equal(t, want.String(), string(out), name)
	}
}

// The Go file is a package that go vet accepts, formatted, with the numbers of the map.
func TestGoConstants(t *testing.T) {
	gotool := needs(t, "go")
	for _, d := range driverVariants(t) {
		name := d.Config.DesignName()
		text := d.text(t, "driver/"+name+"_regs.go")
		formatted, err := format.Source([]byte(text))
		require.NoError(t, err)
		assert.Equal(t, string(formatted), text)
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, "regs.go", text, parser.ParseComments)
		require.NoError(t, err)
		values := map[string]uint64{}
		ast.Inspect(file, func(n ast.Node) bool {
			if v, ok := n.(*ast.ValueSpec); ok && len(v.Values) == 1 {
				if lit, ok := v.Values[0].(*ast.BasicLit); ok {
					n, err := strconv.ParseUint(lit.Value, 0, 64)
					require.NoError(t, err)
					values[v.Names[0].Name] = n
				}
			}
			return true
		})
		m, program := mapOf(t, d)
		n := 0
		for i := range m.Registers {
			r := &m.Registers[i]
			n++
			assert.EqualValues(t, r.Offset, values[camel(r.Name)], r.Name)
			for _, f := range r.Fields {
				n += 2 + len(f.Values)
				assert.EqualValues(t, f.Mask(), values[camel(r.Name)+camel(f.Name)+"Mask"])
				assert.EqualValues(t, f.Low, values[camel(r.Name)+camel(f.Name)+"Shift"])
				for _, v := range f.Values {
					assert.EqualValues(t, v.Value, values[camel(r.Name)+camel(f.Name)+camel(v.Name)])
				}
			}
		}
		for _, w := range wantedNumbers(t, d) {
			n++
			v, found := values[camel(w.name)]
			assert.True(t, found, w.name)
			assert.EqualValues(t, w.value, v, w.name)
		}
		assert.Len(t, values, n, "every constant once, and no other")
		assert.Equal(t, len(program), strings.Count(text, "\n\t\t{"))

		dir := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module regs\n\ngo 1.21\n"), 0o666))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "regs.go"), []byte(text), 0o666))
		cmd := exec.Command(gotool, "vet", ".")
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
		out, err := cmd.CombinedOutput()
		assert.NoError(t, err, "%s", out)
	}
}

func TestGoPackage(t *testing.T) {
	for name, want := range map[string]string{"csig_64p": "csig_64p", "Main": "main_regs", "range": "range_regs",
		"_": "__regs", "X1": "x1"} {
		assert.Equal(t, want, goPackage(name))
	}
}
