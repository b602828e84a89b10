package toolchain

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// program writes an executable script and returns its folder.
func program(t *testing.T, folder, name, says string) string {
	t.Helper()
	require.NoError(t, os.MkdirAll(folder, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte("#!/bin/sh\necho '"+says+"'\n"), 0o755))
	return folder
}

// PATH comes first, then the directory of scripts/tools; what is in neither is missing, and the message says how to get
// it.
func TestWhereToolsAreFound(t *testing.T) {
	home := t.TempDir()
	path, own := program(t, filepath.Join(home, "path"), "yosys", "Yosys on PATH"), filepath.Join(home, "tools")
	t.Setenv("PATH", path)
	t.Setenv("HPCCGEN_TOOLS", own)
	t.Setenv("YOSYS", "")

	_, err := NextpnrECP5.Find()
	assert.Equal(t, Missing{Tool: "nextpnr-ecp5", Needed: NextpnrECP5.needed, Install: NextpnrECP5.install}, err)
	assert.ErrorContains(t, err, "install it with: make tools")

	program(t, filepath.Join(own, "bin"), "yosys", "Yosys of its own")
	pnr := program(t, filepath.Join(own, "bin"), "nextpnr-ecp5", "nextpnr") + "/nextpnr-ecp5"
	found, err := NextpnrECP5.Find()
	require.NoError(t, err)
	assert.Equal(t, pnr, found)

	found, version, err := Yosys.Locate()
	require.NoError(t, err)
	assert.Equal(t, filepath.Join(path, "yosys"), found)
	assert.Equal(t, "Yosys on PATH", version)

	// The synthesis that belongs to a place and route is the one beside it.
	found, err = Yosys.FindBeside(pnr)
	require.NoError(t, err)
	assert.Equal(t, filepath.Join(own, "bin", "yosys"), found)
	found, err = Verilator.FindBeside(pnr)
	assert.ErrorAs(t, err, &Missing{}, found)

	t.Setenv("YOSYS", filepath.Join(own, "bin", "yosys"))
	found, err = Yosys.Find()
	require.NoError(t, err)
	assert.Equal(t, filepath.Join(own, "bin", "yosys"), found)
}

// A tool that leaves a program running with its output open has said its version all the same, and the program is
// ended.
func TestToolThatForks(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "yosys")
	require.NoError(t, os.WriteFile(path, []byte("#!/bin/sh\nsleep 60 &\necho $! >"+dir+"/pid\necho Yosys 9\n"), 0o755))
	done := make(chan string, 1)
	go func() {
		version, err := Yosys.AskVersion(path)
		assert.NoError(t, err)
		done <- version
	}()
	select {
	case version := <-done:
		assert.Equal(t, "Yosys 9", version)
	case <-time.After(15 * time.Second):
		t.Fatal("it waits for the program that was left")
	}
	pid, err := os.ReadFile(filepath.Join(dir, "pid"))
	require.NoError(t, err)
	assert.Eventually(t, func() bool {
		state, err := os.ReadFile("/proc/" + strings.TrimSpace(string(pid)) + "/stat")
		return err != nil || strings.Contains(string(state), ") Z ")
	}, 5*time.Second, 10*time.Millisecond)
}

// A program that is not the tool, whatever its name, is reported as missing.
func TestToolThatIsNone(t *testing.T) {
	for name, c := range map[string]struct{ script, says string }{
		"silent": {"exit 0",
			"--version printed no version: it said nothing; is it another program of that name? CXX names the right one"},
		"nonsense": {"echo I am a teapot", `-V printed no version: it said nothing that begins with "Icarus Verilog"`},
		"failing":  {"exit 7", "-V printed no version: exit status 7"},
		"endless": {"exec yes I am a teapot",
			`-V printed no version: it says more than 64 KiB, and nothing that begins with "Icarus Verilog"`},
	} {
		path := filepath.Join(t.TempDir(), "iverilog")
		require.NoError(t, os.WriteFile(path, []byte("#!/bin/sh\n"+c.script+"\n"), 0o755))
		tool := Iverilog
		if name == "silent" {
			tool = CXX
		}
		_, err := tool.AskVersion(path)
		require.EqualError(t, err, path+" "+c.says)
	}
	t.Setenv("PATH", program(t, t.TempDir(), "verilator", "lorem ipsum"))
	t.Setenv("VERILATOR", "")
	for _, s := range All() {
		if s.Name == "verilator" {
			assert.False(t, s.Found)
			assert.Equal(t,
				s.Path+` --version printed no version: it said nothing that begins with "Verilator"; is it another program of that name? VERILATOR names the right one`, s.Wrong)
		}
	}
}

func TestQuote(t *testing.T) {
	for word, want := range map[string]string{
		"nic-line": "nic-line", "a/b.yaml": "a/b.yaml", "/dev/ttyUSB0": "/dev/ttyUSB0",
		"my file.yaml": "'my file.yaml'", "it's": `'it'\''s'`, "": "''", "$HOME": "'$HOME'", "a;b": "'a;b'", "~": "'~'",
		"a\nb": "'a\nb'",
	} {
		assert.Equal(t, want, Quote(word))
		read, err := exec.Command("sh", "-c", "printf %s "+Quote(word)).Output()
		require.NoError(t, err)
		assert.Equal(t, word, string(read))
	}
}

func TestDir(t *testing.T) {
	t.Setenv("HPCCGEN_TOOLS", "")
	t.Setenv("XDG_DATA_HOME", "")
	t.Setenv("HOME", "/home/user")
	dir, err := Dir()
	require.NoError(t, err)
	assert.Equal(t, "/home/user/.local/share/hpccgen/tools", dir)
	t.Setenv("XDG_DATA_HOME", "/data")
	dir, err = Dir()
	require.NoError(t, err)
	assert.Equal(t, "/data/hpccgen/tools", dir)
}

// Every tool is listed with what it is for and how to get it.
func TestAll(t *testing.T) {
	names := map[string]Status{}
	for _, s := range All() {
		names[s.Name] = s
		assert.NotEmpty(t, s.Needed, s.Name)
		assert.Regexp(t, "^(apt-get install|make tools) ", s.Install, s.Name)
	}
	for _, n := range []string{"verilator", "g++", "iverilog", "vvp", "yosys"} {
		s, ok := names[n]
		if assert.True(t, ok, n) && s.Found {
			assert.NotEmpty(t, s.Version, n)
			assert.NotEmpty(t, s.Path, n)
		}
	}
	t.Setenv("PATH", t.TempDir())
	t.Setenv("HPCCGEN_TOOLS", t.TempDir())
	for _, s := range All() {
		assert.False(t, s.Found, s.Name)
	}
}
