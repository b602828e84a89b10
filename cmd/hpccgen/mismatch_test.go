package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/internal/toolchain"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
	"github.com/hdlpkg/hpccgen/verify/engine"
)

// faulty flips the lowest bit of a port of an engine.
type faulty struct {
	engine.Engine
	port string
}

func (f faulty) Run(cycles int, in, out []uint64) error {
	if err := f.Engine.Run(cycles, in, out); err != nil {
		return err
	}
	for _, slot := range f.Layout().Outputs {
		if slot.Name == f.port {
			for c := range cycles {
				out[c*f.Layout().OutWords+slot.Offset] ^= 1
			}
		}
	}
	return nil
}

// A design that differs from the model gives exit status 1, and where it differs is said.
func TestCosimMismatch(t *testing.T) {
	var out, errOut bytes.Buffer
	text, err := config.PresetYAML("nic-serial")
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "my design.yaml")
	require.NoError(t, os.WriteFile(file, text, 0o666))
	status := run([]string{"cosim", "--config", file, "--engine", "go", "--cycles", "5000", "--seed", "3",
		"--junit", file + ".xml"}, streams{
		out: &out, err: &errOut,
		open: func(name string, d engine.Design, o engine.Options) (engine.Engine, error) {
			e, err := engine.Open(name, d, o)
			return faulty{e, "m_w"}, err
		},
	})
	assert.Equal(t, 1, status)
	assert.Empty(t, errOut.String())
	assert.NotContains(t, out.String(), ": 0 mismatches")
	xml, err := os.ReadFile(file + ".xml")
	require.NoError(t, err)
	assert.Regexp(t, `<failure message="output m_w in cycle \d+ \(seed 3\): expected .*" type="mismatch">`, string(xml))
	assert.Regexp(t, `first mismatch: output m_w in cycle \d+ \(seed 3\): expected 0x\w+ \([\d.]+ k?B\), `+
		`got 0x\w+ \([\d.]+ k?B\)`, out.String())
	assert.Regexp(t, `\n  shrunk from \d+ operations to \d+, none of which can be left out; m_w differs in cycle \d+:\s+expected\s+0x[^;]*;\s+the\s+`+
		`stimulus is in the report \(--json\)\n    cycle 0  rst for \d cycles\n    cycle `, out.String())
	assert.Contains(t, out.String(), " to 1, ", "an ACK has a result, whatever was written before")
	assert.Regexp(t,
		`again, with a waveform: hpccgen cosim --config '/\S+/my design.yaml' --engine go --seed 3 --cycles \d+ --vcd `, out.String())
}

func TestExitStatus(t *testing.T) {
	for _, c := range []struct {
		err    error
		status int
		text   string
	}{
		{nil, 0, ""},
		{errMismatch, 1, ""},
		{errToolsMissing, 3, ""},
		{errors.New("the trace is odd"), 1, "hpccgen: the trace is odd\n"},
		{fmt.Errorf("opening: %w", toolchain.Missing{Tool: "vvp", Needed: "x", Install: "y"}), 3,
			"hpccgen: opening: vvp is not installed or not on PATH; it is needed for x; install it with: y\n"},
		{fmt.Errorf("design: %w", vgen.Problems{{Module: "m", Message: "x is not driven"}}), 1,
			"hpccgen: internal error: design: " + vgen.Problems{{Module: "m", Message: "x is not driven"}}.Error() + reportIt},
		{bug{errors.New("index out of range")}, 1, "hpccgen: internal error: index out of range" + reportIt},
	} {
		var text bytes.Buffer
		assert.Equal(t, c.status, report(&text, c.err))
		assert.Equal(t, c.text, text.String())
	}
}

const reportIt = "\nThis is a mistake in hpccgen, not in your configuration. Please report it with the configuration at\nhttps://github.com/hdlpkg/hpccgen/issues\n"

// A panic ends as an internal error, not as a stack trace.
func TestPanicIsReported(t *testing.T) {
	var out, errOut bytes.Buffer
	status := run([]string{"cosim", "--config", "nic-serial", "--engine", "go", "--cycles", "10"}, streams{
		out: &out, err: &errOut,
		open: func(string, engine.Design, engine.Options) (engine.Engine, error) { panic("lost my way") },
	})
	require.Equal(t, 1, status)
	assert.Equal(t, "hpccgen: internal error: lost my way"+reportIt, errOut.String())
}

func TestCount(t *testing.T) {
	for text, want := range map[string]count{"1": 1, "100000": 1e5, "10_000_000": 1e7, "1e7": 1e7, "2.5e3": 2500} {
		var c count
		require.NoError(t, c.UnmarshalText([]byte(text)), text)
		assert.Equal(t, want, c, text)
	}
	for _, text := range []string{"", "x", "-1", "0", "1.5", "1e30", "_1", "1_", "NaN", "Inf", "0x10"} {
		var c count
		assert.Error(t, c.UnmarshalText([]byte(text)), text)
	}
}

// Lines of a report are folded where a value ends.
func TestFolded(t *testing.T) {
	word := strings.Repeat("x", 120)
	for text, want := range map[string]string{
		"short":      "  short\n",
		"  indented": "    indented\n",
		"ACK: " + strings.Repeat("hop_ts 0x123456 qlen 132 (10.56 kB) ", 4) + "nhop 5": "  ACK: hop_ts 0x123456 qlen 132 " +
			"(10.56 kB) hop_ts 0x123456 qlen 132 (10.56 kB) hop_ts 0x123456\n      qlen 132 (10.56 kB) hop_ts 0x123456 " +
			"qlen 132 (10.56 kB) nhop 5\n",
		word:               "  " + word + "\n",
		"a " + word + " b": "  a\n      " + word + "\n      b\n",
	} {
		assert.Equal(t, want, folded(text))
	}
}
