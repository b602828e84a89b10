package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What a command reads is never what it replaces.
func TestInputsAreKept(t *testing.T) {
	dir := t.TempDir()
	put := func(name string, data []byte) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), data, 0o666))
	}
	get := func(name string) string {
		data, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		return string(data)
	}
	for _, kind := range []string{"trace.csv.gz", "flows.csv"} {
		data, err := os.ReadFile(traceFile(t, "s_solo_mi5."+kind))
		require.NoError(t, err)
		put("s."+kind, data)
	}
	preset := hpccgen(t, dir, nil, "init", "nic-serial").out
	put("config.yaml", []byte(preset))
	require.NoError(t, os.Symlink("s.trace.csv.gz", filepath.Join(dir, "link")))

	for _, c := range []struct{ flag, out, input string }{
		{"--out", "s.trace.csv.gz", "s.trace.csv.gz"},
		{"--out", "link", "s.trace.csv.gz"},
		{"--out", "s.flows.csv", "s.flows.csv"},
		{"--out", "config.yaml", "config.yaml"},
		{"--json", "s.trace.csv.gz", "s.trace.csv.gz"},
	} {
		before := get(c.input)
		args := []string{"replay", "--config", "config.yaml", "--trace", "s.trace.csv.gz", "--engine", "model", c.flag, c.out}
		if c.flag != "--out" {
			args = append(args, "--out", "o.csv")
		}
		r := hpccgen(t, dir, nil, args...)
		assert.Equal(t,
			"hpccgen: "+c.flag+" "+c.out+" is the input "+c.input+" and would replace it; name another file\n", r.errOut)
		assert.Equal(t, 1, r.status)
		assert.Equal(t, before, get(c.input), c.out)
		assert.NoFileExists(t, filepath.Join(dir, "o.csv"))
	}

	r := hpccgen(t, dir, nil, "generate", "--config", "config.yaml", "--out", ".")
	assert.Equal(t,
		"hpccgen: config.yaml in . is written by generate and would replace the configuration config.yaml; name another folder, or the configuration differently\n", r.errOut)
	assert.Equal(t, 1, r.status)
	assert.Equal(t, preset, get("config.yaml"))
	assert.NoDirExists(t, filepath.Join(dir, "rtl"))

	// The configuration that generate wrote stays as it is, so that a folder can be generated again from itself.
	require.Equal(t, 0, hpccgen(t, dir, nil, "generate", "--config", "config.yaml", "--out", "d").status)
	written := get("d/config.yaml")
	r = hpccgen(t, dir, nil, "generate", "--config", "d/config.yaml", "--out", "d")
	assert.Equal(t, 0, r.status, r.errOut)
	assert.Equal(t, written, get("d/config.yaml"))
}

// What a symbolic link leads to is replaced, and the link stays: it may be /dev/stdout, a link into /proc.
func TestLinksAreKept(t *testing.T) {
	dir := t.TempDir()
	trace := traceFile(t, "w_wrap_mtu4000_mi5.trace.csv.gz")
	at := func(name string) string { return filepath.Join(dir, name) }
	require.NoError(t, os.Mkdir(at("sub"), 0o777))
	require.NoError(t, os.WriteFile(at("sub/there"), []byte("before"), 0o640))
	require.NoError(t, os.Symlink("sub", at("folder")))
	require.NoError(t, os.Symlink("folder/there", at("old")))
	require.NoError(t, os.Symlink("sub/missing", at("new")))
	nameless, err := os.Create(at("nameless"))
	require.NoError(t, err)
	t.Cleanup(func() { _ = nameless.Close() })
	require.NoError(t, os.Remove(at("nameless")))
	require.NoError(t, os.Symlink(fmt.Sprintf("/proc/self/fd/%d", nameless.Fd()), at("deleted")))

	var want string
	for _, flag := range []string{"--out", "--json"} {
		shell, err := os.Create(at("redirected" + flag))
		require.NoError(t, err)
		t.Cleanup(func() { _ = shell.Close() })
		require.NoError(t, os.Symlink(fmt.Sprintf("/proc/self/fd/%d", shell.Fd()), at("stdout"+flag)))
		for _, c := range []struct{ link, file string }{{"plain", "plain"}, {"old", "sub/there"},
			{"new", "sub/missing"},
			{"stdout" + flag, "redirected" + flag}, {"deleted", fmt.Sprintf("/proc/self/fd/%d", nameless.Fd())}} {
			args := []string{"replay", "--config", "nic-line", "--trace", trace, "--engine", "model", "--out", at("o"),
				flag, at(c.link)}
			if flag == "--out" {
				args = append(args[:7], flag, at(c.link))
			}
			var said bytes.Buffer
			require.Equal(t, exitOK, run(args, streams{out: io.Discard, err: &said}), "%s: %s", c.link, &said)
			file := c.file
			if !filepath.IsAbs(file) {
				file = at(file)
			}
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			if c.link == "plain" {
				want = string(text)
				continue
			}
			if flag == "--out" {
				assert.True(t, want == string(text), c.link)
			} else {
				assert.True(t, json.Valid(text), c.link)
			}
			info, err := os.Lstat(at(c.link))
			require.NoError(t, err)
			assert.NotZero(t, info.Mode()&os.ModeSymlink, "%s %s is no link any more", flag, c.link)
		}
	}
	info, err := os.Stat(at("sub/there"))
	require.NoError(t, err)
	assert.EqualValues(t, 0o640, info.Mode().Perm())
}

// Two outputs into one file are refused, as one of them would be lost.
func TestOutputsApart(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.Mkdir("sub", 0o777))
	require.NoError(t, os.Symlink("sub", "folder"))
	require.NoError(t, os.WriteFile("there", nil, 0o666))
	require.NoError(t, os.Symlink("there", "link"))
	trace := traceFile(t, "w_wrap_mtu4000_mi5.trace.csv.gz")
	replay := "replay --config nic-line --trace " + trace + " --engine go --out "
	packets := "replay --config csig-4p --pcap ../../testdata/packets/in.pcap --engine go --out "
	cosim := "cosim --config nic-serial --engine go --cycles 100 "
	for line, says := range map[string]string{
		replay + "x --json ./x":              "--json ./x is the file of --out too; name another file",
		replay + "sub/x --vcd folder/x":      "--vcd folder/x is the file of --out too",
		replay + "there --json link":         "--json link is the file of --out too",
		replay + "y --json link --vcd there": "--vcd there is the file of --json too",
		packets + "x --json x":               "--json x is the file of --out too",
		cosim + "--json x --vcd x":           "--vcd x is the file of --json too",
	} {
		var said bytes.Buffer
		assert.Equal(t, exitWrong, run(strings.Fields(line), streams{out: io.Discard, err: &said}), line)
		assert.Contains(t, said.String(), says, line)
	}
	var said bytes.Buffer
	assert.Equal(t, exitOK, run(strings.Fields(cosim+"--json /dev/null --vcd /dev/null"), streams{out: io.Discard,
		err: &said}), &said)
}
