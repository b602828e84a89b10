package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
)

// piped runs the command with a standard input.
func piped(t *testing.T, in []byte, args ...string) result {
	t.Helper()
	cmd := exec.Command(os.Args[0], args...)
	cmd.Dir = t.TempDir()
	cmd.Env = append(os.Environ(), asCommand+"=1")
	cmd.Stdin = bytes.NewReader(in)
	var out, errOut bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errOut
	if err := cmd.Run(); err != nil {
		require.ErrorAs(t, err, new(*exec.ExitError))
	}
	return result{cmd.ProcessState.ExitCode(), out.String(), errOut.String()}
}

// "-" is the standard input and the standard output: a pipe gives what files give, packed or not, and what else there
// is to say goes to the standard error.
func TestStandardInputAndOutput(t *testing.T) {
	dir := t.TempDir()
	trace, flows := traceFile(t, "a_incast2_mi5.trace.csv.gz"), traceFile(t, "a_incast2_mi5.flows.csv")
	r := hpccgen(t, dir, nil, "replay", "--config", "nic-line", "--trace", trace, "--engine", "model", "--out", "o.csv")
	require.Zero(t, r.status, r.errOut)
	want, err := os.ReadFile(filepath.Join(dir, "o.csv"))
	require.NoError(t, err)
	packed, err := os.ReadFile(trace)
	require.NoError(t, err)
	gz, err := gzip.NewReader(bytes.NewReader(packed))
	require.NoError(t, err)
	plain, err := io.ReadAll(gz)
	require.NoError(t, err)
	for _, in := range [][]byte{packed, plain} {
		r = piped(t, in, "replay", "--config", "nic-line", "--trace", "-", "--flows", flows, "--engine", "model", "--out",
			"-")
		require.Zero(t, r.status, r.errOut)
		assert.True(t, r.out == string(want), "the same rows")
		assert.Contains(t, r.errOut, " of 2 flows, ")
	}
	packet := func(name string) string {
		path, err := filepath.Abs("../../testdata/packets/" + name)
		require.NoError(t, err)
		return path
	}
	in, err := os.ReadFile(packet("in.pcap"))
	require.NoError(t, err)
	want, err = os.ReadFile(packet("out.pcap"))
	require.NoError(t, err)
	r = piped(t, in, "replay", "--config", packet("switch.yaml"), "--pcap", "-", "--meta", packet("meta.csv"), "--engine",
		"model", "--out", "-")
	require.Zero(t, r.status, r.errOut)
	assert.True(t, r.out == string(want), "the same packets")

	yaml, err := config.PresetYAML("nic-serial")
	require.NoError(t, err)
	r = piped(t, yaml, "cosim", "--config", "-", "--engine", "go", "--cycles", "300", "--seed", "1", "--json", "-")
	require.Zero(t, r.status, r.errOut)
	assert.True(t, json.Valid([]byte(r.out)))
	r = piped(t, yaml[:len(yaml)/2], "generate", "--config", "-", "--out", "d")
	assert.Equal(t, exitWrong, r.status)
	assert.Regexp(t, `^-:\d+:\d+: `, r.errOut)

	// A redirection that appends is appended to, not replaced.
	both := filepath.Join(dir, "both")
	require.NoError(t, os.WriteFile(both, []byte("before\n"), 0o666))
	f, err := os.OpenFile(both, os.O_WRONLY|os.O_APPEND, 0)
	require.NoError(t, err)
	cmd := exec.Command(os.Args[0], "replay", "--config", "nic-line", "--trace", trace, "--engine", "model", "--out", "-")
	cmd.Env, cmd.Stdout = append(os.Environ(), asCommand+"=1"), f
	require.NoError(t, cmd.Run())
	require.NoError(t, f.Close())
	text, err := os.ReadFile(both)
	require.NoError(t, err)
	assert.True(t, strings.HasPrefix(string(text), "before\nrow,flow,"))

	for line, says := range map[string]string{
		"replay --config - --trace - --engine model --out o":                 "--trace -: --config reads the standard input already",
		"replay --config nic-line --trace - --engine model --out o":          "name it with --flows",
		"cosim --config nic-serial --engine go --vcd -":                      "--vcd -: simulators write waveforms into files",
		"cosim --config nic-serial --engine go --json - --junit -":           "--junit - is the file of --json too",
		"replay --config nic-line --trace - --engine model --out - --json -": "--json - is the file of --out too",
	} {
		r := piped(t, yaml, strings.Fields(line)...)
		assert.Equal(t, exitWrong, r.status, line)
		assert.Contains(t, r.errOut, says, line)
	}
}
