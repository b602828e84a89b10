package engine

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/internal/toolchain"
)

// sampleFolder has the files of sampleSource, each changed by replacing old with new where name is its.
func sampleFolder(t *testing.T, sub, name, old, new string) string {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(dir, sub), 0o755))
	for _, f := range sampleSource().Files {
		text := string(f.Text)
		if f.Name == name {
			require.Contains(t, text, old)
			text = strings.ReplaceAll(text, old, new)
		}
		require.NoError(t, os.WriteFile(filepath.Join(dir, sub, f.Name), []byte(text), 0o644))
	}
	return dir
}

func put(t *testing.T, dir, name, text string) {
	t.Helper()
	require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
}

// fromFolder runs the Verilog of a folder for some cycles, and reports whether it does what the sample does.
func fromFolder(t *testing.T, name, dir string) (same bool, err error) {
	t.Helper()
	s := sampleSource()
	s.Layout.Taps, s.Layout.OutWords, s.TapPaths = nil, s.Layout.Taps[0].Offset, nil
	if s, err = s.From(dir); err != nil {
		return false, err
	}
	e, err := OpenSource(name, s, Options{CacheDir: sharedCache})
	if err != nil {
		return false, err
	}
	const cycles = 200
	in, out := make([]uint64, cycles*s.Layout.InWords), make([]uint64, cycles*s.Layout.OutWords)
	want := make([]uint64, cycles*sampleSource().Layout.OutWords)
	r, m := rand.New(rand.NewPCG(1, 2)), &sampleModel{}
	same = true
	for c := range cycles {
		rec := in[c*s.Layout.InWords:][:s.Layout.InWords]
		for i, v := range []uint64{0, 1, 15, ^uint64(0), top36} {
			rec[i] = r.Uint64() & v
		}
		rec[0] = uint64(b2i(c == 0))
		m.cycle(rec, want[c*sampleSource().Layout.OutWords:])
	}
	require.NoError(t, e.Run(cycles, in, out))
	for c := range cycles {
		n := s.Layout.OutWords
		same = same && assert.ObjectsAreEqual(want[c*sampleSource().Layout.OutWords:][:n], out[c*n:][:n])
	}
	return same, e.Close()
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

var readers = []struct {
	name string
	tool toolchain.Tool
}{{"verilator", toolchain.Verilator}, {"icarus", toolchain.Iverilog}}

// The user's files run in place of the emitted ones, from the folder or from its folder rtl, with headers.
func TestFromFolder(t *testing.T) {
	for _, r := range readers {
		needTools(t, r.tool)
		for _, sub := range []string{".", "rtl"} {
			dir := sampleFolder(t, sub, "", "", "")
			if sub == "rtl" { // what is beside it is no module: the instantiation that generate writes
				put(t, dir, "sample_inst.v", "sample u_sample (\n    .clk (clk)\n);\n")
			}
			same, err := fromFolder(t, r.name, dir)
			assert.NoError(t, err, r.name)
			assert.True(t, same, r.name)
		}
		same, err := fromFolder(t, r.name, sampleFolder(t, ".", "sample.v", "~{4'd0, s_addr}", "~{4'd1, s_addr}"))
		assert.NoError(t, err, r.name)
		assert.False(t, same, "%s: a change of the text is one of the design", r.name)

		dir := sampleFolder(t, ".", "sample.v", "m_data[63:0] ^", "m_data[`TOP:0] ^")
		text, err := os.ReadFile(filepath.Join(dir, "sample.v"))
		require.NoError(t, err)
		put(t, dir, "sample.v", "`include \"sizes.vh\"\n"+string(text))
		put(t, dir, "sizes.vh", "`define TOP 63\n")
		same, err = fromFolder(t, r.name, dir)
		assert.NoError(t, err, r.name)
		assert.True(t, same, r.name)
	}
}

// What does not fit is named: the module, the port, the place in the user's files.
func TestFolderThatDoesNotFit(t *testing.T) {
	const fits = "is not the top of this design: "
	for _, c := range []struct{ name, file, old, new, says string }{
		{"no top", "sample.v", "module sample ", "module example ",
			"has no module sample, the top of this design; its modules: example, sample_core"},
		{"two tops", "sample_core.v", "endmodule", "endmodule\nmodule sample; endmodule",
			"the module sample, the top of this design, is there 2 times: DIR/sample.v:3, DIR/sample_core.v:26; leave one"},
		{"no module but in comments", "sample.v", "module sample ", "// module sample (\n/* module sample */ module m ",
			"its modules: m, sample_core"},
		{"missing module", "sample_core.v", "module sample_core ", "module sample_center ", "DIR/sample.v:"},
		{"two of another module", "sample_core.v", "endmodule", "endmodule\nmodule sample_core; endmodule",
			"DIR/sample_core.v:4:"},
		{"missing port", "sample.v", "m_inv", "m_inverse",
			fits + "the port m_inv is missing"},
		{"another port", "sample.v", "s_valid,\n", "s_valid,\n  input wire s_more,\n",
			fits + "the port s_more is none of this design"},
		{"width", "sample.v", "input  wire [3:0]   s_addr", "input  wire [4:0]   s_addr",
			fits + "the port s_addr has 5 bits; in this design it has 4"},
		{"syntax", "sample_core.v", "endmodule", "endmodul", "DIR/sample_core.v:2"},
	} {
		for _, r := range readers {
			needTools(t, r.tool)
			dir := sampleFolder(t, ".", c.file, c.old, c.new)
			_, err := fromFolder(t, r.name, dir)
			require.Error(t, err, "%s, %s", c.name, r.name)
			assert.Contains(t, strings.ReplaceAll(err.Error(), dir, "DIR"), c.says, "%s, %s", c.name, r.name)
			assert.Contains(t, err.Error(), "--rtl: ", c.name)
			assert.NotContains(t, err.Error(), "src/sample", c.name)
			assert.NotContains(t, err.Error(), "Looked in", c.name)
		}
	}
	_, err := sampleSource().From(t.TempDir())
	assert.ErrorContains(t, err, "has no Verilog: no *.v and no *.sv, nor has its folder rtl")
	_, err = sampleSource().From(filepath.Join(t.TempDir(), "none"))
	assert.ErrorContains(t, err, "no such file")
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "a.v"), 0o755))
	_, err = sampleSource().From(dir)
	assert.ErrorContains(t, err, "a.v is not a file")
}
