package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// asCommand makes the test binary behave as hpccgen.
const asCommand = "HPCCGEN_TEST_AS_COMMAND"

func TestMain(m *testing.M) {
	if os.Getenv(asCommand) != "" {
		main()
	}
	os.Exit(m.Run())
}

// result is what a command left behind.
type result struct {
	status      int
	out, errOut string
}

// hpccgen runs the tool as a process of its own, in a folder, with additions to the environment.
func hpccgen(t *testing.T, dir string, env []string, args ...string) result {
	t.Helper()
	cmd := exec.Command(os.Args[0], args...)
	cmd.Dir = dir
	cmd.Env = append(append(os.Environ(), asCommand+"=1"), env...)
	var out, errOut bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errOut
	if err := cmd.Run(); err != nil {
		require.ErrorAs(t, err, new(*exec.ExitError))
	}
	return result{cmd.ProcessState.ExitCode(), out.String(), errOut.String()}
}

func traceFile(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs("../../testdata/traces/" + name)
	require.NoError(t, err)
	return path
}

const tryHelp = "Try: hpccgen --help\n"

// Every message is part of the product: these are held to their wording.
func TestRefused(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	write("flows0.yaml", "design: nic\nname: x\nflows: 0\n")
	write("file", "")
	write("cut.trace.csv", "t_ns,flow\n1,2\n")
	write("cut.flows.csv", "flow\n1\n")
	for _, c := range []struct {
		args   string
		status int
		stderr string // the whole of it
	}{
		{"frobnicate", 2, "hpccgen: unexpected argument frobnicate\n" + tryHelp},
		{"generate", 2, "hpccgen: missing flags: --config=FILE, --out=DIR or --check=DIR\n" + tryHelp},
		{"generate --config nic-line --out d --colour", 2, "hpccgen: unknown flag --colour\n" + tryHelp},
		{"generate --config nic-lin --out d", 1,
			"hpccgen: no file and no preset is called \"nic-lin\"; presets: nic-line, nic-serial, nic-table, nic-aimd, csig-64p, csig-4p, int-switch; nearest: nic-line\n"},
		{"generate --config nic-line --out file", 1, "hpccgen: the output folder: mkdir file: not a directory\n"},
		{"generate --config nic-line --out file/below", 1, "hpccgen: the output folder: mkdir file: not a directory\n"},
		{"cosim", 2, "hpccgen: missing flags: --config=FILE\n" + tryHelp},
		{"cosim --config nic-line --engine vcs", 2,
			"hpccgen: --engine must be one of \"verilator\",\"go\",\"icarus\",\"netlist\",\"board\" but got \"vcs\"\n" +
				tryHelp},
		{"cosim --config nic-line --cycles many", 2,
			"hpccgen: --cycles: \"many\" is not a whole number of 1 or more, such as 100000, 100_000 or 1e5\n" + tryHelp},
		{"cosim --config nic-line --cycles 0", 2,
			"hpccgen: --cycles: 0 is below 1; legal are whole numbers of 1 or more\n" + tryHelp},
		{"cosim --config nic-line --cycles 1.5", 2,
			"hpccgen: --cycles: \"1.5\" is not a whole number of 1 or more, such as 100000, 100_000 or 1e5\n" + tryHelp},
		{"cosim --config nic-line --jobs 0", 2,
			"hpccgen: cosim: --jobs: 0; legal are 1 to 256\n" + tryHelp},
		{"cosim --config nic-line --jobs 257", 2,
			"hpccgen: cosim: --jobs: 257; legal are 1 to 256\n" + tryHelp},
		{"cosim --config nic-line --seed -1", 2,
			"hpccgen: --seed: \"-1\" is not a whole number from 0 to 18446744073709551615\n" + tryHelp},
		{"cosim --config nic-line --seed=x", 2,
			"hpccgen: --seed: \"x\" is not a whole number from 0 to 18446744073709551615\n" + tryHelp},
		{"cosim --config nic-line --cycles -5", 2,
			"hpccgen: --cycles: -5 is below 1; legal are whole numbers of 1 or more\n" + tryHelp},
		{"cosim --config nic-line --jobs -5", 2,
			"hpccgen: cosim: --jobs: -5; legal are 1 to 256\n" + tryHelp},
		{"cosim --config -5 --cycles 1", 1,
			"hpccgen: no file and no preset is called \"-5\"; presets: nic-line, nic-serial, nic-table, nic-aimd, csig-64p, csig-4p, int-switch\n"},
		{"cosim --config nic-line --json no/j", 1, "hpccgen: --json no/j: there is no folder no; create it first\n"},
		{"cosim --config nic-line --vcd file/v", 1, "hpccgen: --vcd file/v: file is not a folder\n"},
		{"init -5", 2, "hpccgen: unknown flag -5, did you mean \"-h\"?\n" + tryHelp},
		{"replay --config nic-line --engine go --out o", 2, "hpccgen: missing flags: --trace=FILE or --pcap=FILE\n" +
			tryHelp},
		{"replay --config nic-line --trace t --pcap p --engine go --out o", 2,
			"hpccgen: --trace and --pcap can't be used together\n" + tryHelp},
		{"replay --config nic-line --trace t --engine board --out o", 2,
			"hpccgen: replay: --engine board needs --port, the serial port of the board\n" + tryHelp},
		{"replay --config nic-line --pcap p --engine go --out o", 1,
			"hpccgen: nic_line is a NIC design and consumes telemetry, not packets: give it a trace with --trace; --pcap and --meta are for switch designs\n"},
		{"replay --config nic-line --trace nosuch.trace.csv --engine model --out o", 1,
			"hpccgen: --trace nosuch.trace.csv: no such file or directory\n"},
		{"replay --config nic-line --trace cut.trace.csv --flows nosuch.csv --engine model --out o", 1,
			"hpccgen: --flows nosuch.csv: no such file or directory\n"},
		{"replay --config nic-line --trace cut.trace.csv --engine model --out no/o", 1,
			"hpccgen: --out no/o: there is no folder no; create it first\n"},
		{"replay --config nic-line --trace cut.trace.csv --engine model --out .", 1,
			"hpccgen: --out . is a folder; name a file\n"},
		{"init nic-lin", 1,
			"hpccgen: no preset is called \"nic-lin\"; presets: nic-line, nic-serial, nic-table, nic-aimd, csig-64p, csig-4p, int-switch; nearest: nic-line\n"},
		{"presets --json=maybe", 2,
			"hpccgen: --json: bool value must be true, 1, yes, false, 0 or no but got \"maybe\"\n" + tryHelp},
	} {
		t.Run(c.args, func(t *testing.T) {
			r := hpccgen(t, dir, nil, strings.Fields(c.args)...)
			assert.Equal(t, c.stderr, r.errOut)
			assert.Equal(t, c.status, r.status)
			assert.NoFileExists(t, filepath.Join(dir, "o"))
			assert.NoDirExists(t, filepath.Join(dir, "d"))
		})
	}

	t.Run("wrong configuration", func(t *testing.T) {
		r := hpccgen(t, dir, nil, "generate", "--config", "flows0.yaml", "--out", "d")
		assert.Equal(t, 1, r.status)
		assert.Empty(t, r.out)
		lines := strings.Split(strings.TrimSuffix(r.errOut, "\n"), "\n")
		assert.Equal(t, "hpccgen: the configuration is wrong; nothing was done", lines[len(lines)-1])
		assert.True(t, strings.HasPrefix(r.errOut, "flows0.yaml:"), r.errOut)
		assert.Contains(t, r.errOut, "flows0.yaml:3:8: flows is 0; legal: an integer, 2 to 65536; reason: ")
		assert.NoDirExists(t, filepath.Join(dir, "d"))
	})
	t.Run("trace of another kind", func(t *testing.T) {
		r := hpccgen(t, dir, nil, "replay", "--config", "nic-line", "--trace", "cut.trace.csv", "--engine", "model",
			"--out", "o")
		assert.Equal(t, 1, r.status)
		assert.True(t, strings.HasPrefix(r.errOut, "hpccgen: cut."), r.errOut)
		assert.NoFileExists(t, filepath.Join(dir, "o"))
	})
}

func TestNoCommand(t *testing.T) {
	r := hpccgen(t, "", nil)
	assert.Equal(t, 2, r.status)
	assert.Contains(t, r.out, "Usage: hpccgen <command>")
	r = hpccgen(t, "", nil, "--help")
	assert.Equal(t, 0, r.status)
	for _, command := range []string{"generate", "cosim", "replay", "synth", "presets", "init", "schema", "doctor",
		"version"} {
		assert.Contains(t, r.out, "\n  "+command+" ")
		assert.Equal(t, 0, hpccgen(t, "", nil, command, "--help").status, command)
	}
}

func TestGenerate(t *testing.T) {
	dir := t.TempDir()
	r := hpccgen(t, dir, nil, "generate", "--config", "nic-serial", "--out", "a/b", "--verbose")
	require.Equal(t, 0, r.status, r.errOut)
	assert.Empty(t, r.errOut)
	for _, part := range []string{"Precision of one step", "W, relative", "Module", "hpcc_core", "Timing",
		"between ACKs", "files in a/b: rtl/*.v, nic_serial.f"} {
		assert.Contains(t, r.out, part)
	}
	var m struct {
		Top        string
		ConfigHash string `json:"config_hash"`
		Modules    []struct{ Module, File string }
	}
	data, err := os.ReadFile(filepath.Join(dir, "a/b/manifest.json"))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(data, &m))
	assert.Equal(t, "nic_serial_hpcc_nic", m.Top)
	assert.Len(t, m.ConfigHash, 16)
	for _, mod := range m.Modules {
		assert.FileExists(t, filepath.Join(dir, "a/b", mod.File))
	}

	// The configuration that is written beside the design gives the same design again, but for the command in the headers.
	r = hpccgen(t, dir, nil, "generate", "--config", "a/b/config.yaml", "--out", "c")
	require.Equal(t, 0, r.status, r.errOut)
	again, err := os.ReadFile(filepath.Join(dir, "c/manifest.json"))
	require.NoError(t, err)
	assert.Equal(t, string(data), string(again))
}

func TestGenerateSwitch(t *testing.T) {
	dir := t.TempDir()
	r := hpccgen(t, dir, nil, "generate", "--config", "csig-4p", "--out", "d", "--verbose")
	require.Equal(t, 0, r.status, r.errOut)
	for _, part := range []string{"Errors of the signals", "ABW at 1G", "csig_switch", "Timing",
		"files in d: rtl/*.v, csig_4p.f, csig_4p.core, csig_4p_inst.v, constraints/, docs/, driver/, tb/, config.yaml, " +
			"manifest.json\n"} {
		assert.Contains(t, r.out, part)
	}
	for _, f := range []string{"rtl/csig_4p_csig_switch.v", "driver/csig_4p_regs.h", "driver/csig_4p_regs.go",
		"docs/csig_4p.rdl", "docs/registers.md", "docs/precision.md"} {
		assert.FileExists(t, filepath.Join(dir, "d", f))
	}
	r = hpccgen(t, dir, nil, "generate", "--config", "int-switch", "--out", "i", "--verbose")
	require.Equal(t, 0, r.status, r.errOut)
	for _, part := range []string{"Values in records", "qLen", "int_source", "files in i: rtl/*.v, int_switch.f"} {
		assert.Contains(t, r.out, part)
	}
}

// A co-simulation of a switch counts packets, and says how many beats went through a cycle.
func TestCosimSwitch(t *testing.T) {
	dir := t.TempDir()
	for _, preset := range []string{"csig-4p", "int-switch"} {
		r := hpccgen(t, dir, nil, "cosim", "--config", preset, "--engine", "go", "--cycles", "6000", "--seed", "1",
			"--json", "r.json")
		require.Equal(t, 0, r.status, r.out+r.errOut)
		assert.Regexp(t, `(?m)^6000 cycles, \d+ packets, \d+ taps compared: 0 mismatches; \d+ cycles/s$`, r.out)
		assert.Contains(t, r.out, "\nbeats a cycle offered ")
		assert.Contains(t, r.out, "\nuncovered: ")
		for line := range strings.Lines(r.out) {
			assert.LessOrEqual(t, len(line), columns+1, line)
		}
		var rep struct{ Cycles, Mismatches, Packets int }
		data, err := os.ReadFile(filepath.Join(dir, "r.json"))
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(data, &rep))
		assert.Equal(t, []int{6000, 0}, []int{rep.Cycles, rep.Mismatches})
		assert.Positive(t, rep.Packets)
	}
}

func TestInitIsAConfiguration(t *testing.T) {
	dir := t.TempDir()
	r := hpccgen(t, dir, nil, "presets", "--json")
	require.Equal(t, 0, r.status)
	var presets []struct{ Name, Summary string }
	require.NoError(t, json.Unmarshal([]byte(r.out), &presets))
	require.NotEmpty(t, presets)
	assert.Equal(t, "nic-line", presets[0].Name)
	text := hpccgen(t, dir, nil, "presets").out
	for _, p := range presets {
		assert.Contains(t, text, p.Name+" ")
		assert.Contains(t, text, p.Summary+"\n")
		r := hpccgen(t, dir, nil, "init", p.Name)
		require.Equal(t, 0, r.status)
		assert.Contains(t, r.out, "#", "comments")
		require.NoError(t, os.WriteFile(filepath.Join(dir, "x.yaml"), []byte(r.out), 0o666))
		assert.Equal(t, 0, hpccgen(t, dir, nil, "generate", "--config", "x.yaml", "--out", p.Name).status)
	}
	assert.Equal(t, hpccgen(t, dir, nil, "init", "nic-line").out, hpccgen(t, dir, nil, "init").out)
}

func TestSchemaAndVersion(t *testing.T) {
	r := hpccgen(t, "", nil, "schema")
	assert.Equal(t, 0, r.status)
	assert.True(t, json.Valid([]byte(r.out)))
	r = hpccgen(t, "", nil, "version")
	assert.Equal(t, 0, r.status)
	assert.Regexp(t, `^hpccgen \S+ \(generator \d+\.\d+\.\d+(, revision \S+)?, go1\S+, \w+/\w+\)\n$`, r.out)
	r = hpccgen(t, "", nil, "version", "--json")
	var v versionInfo
	require.NoError(t, json.Unmarshal([]byte(r.out), &v))
	assert.NotEmpty(t, v.Version)
}

func TestMissingTools(t *testing.T) {
	empty := []string{"PATH=" + t.TempDir(), "CXX=", "VERILATOR=", "HPCCGEN_TOOLS=" + t.TempDir()}
	dir := t.TempDir()
	r := hpccgen(t, dir, empty, "cosim", "--config", "nic-serial", "--cycles", "100")
	assert.Equal(t, 3, r.status)
	assert.Equal(t, "hpccgen: verilator is not installed or not on PATH; it is needed for the verilator engine and lint; "+
		"install it with: apt-get install verilator (5.006 or later)\n", r.errOut)

	r = hpccgen(t, dir, empty, "replay", "--config", "nic-line", "--engine", "verilator", "--trace",
		traceFile(t, "s_solo_mi0.trace.csv.gz"), "--out", "o.csv")
	assert.Equal(t, 3, r.status)
	assert.NoFileExists(t, filepath.Join(dir, "o.csv"))

	r = hpccgen(t, dir, empty, "doctor")
	assert.Equal(t, 3, r.status)
	assert.Empty(t, r.errOut)
	assert.Regexp(t, `(?m)^  verilator +missing: apt-get install verilator`, r.out)
	assert.Regexp(t, `(?m)^  verilator +lacks \[verilator g\+\+\]$`, r.out)
	assert.Regexp(t, `(?m)^  go +works$`, r.out)
	assert.Regexp(t, `(?m)^  ulx3s +lacks yosys, nextpnr-ecp5, ecppack +ULX3S`, r.out)

	r = hpccgen(t, dir, empty, "doctor", "--json")
	assert.Equal(t, 3, r.status)
	var d struct {
		Engines []engineStatus
		Boards  []boardStatus
	}
	require.NoError(t, json.Unmarshal([]byte(r.out), &d))
	assert.Equal(t, []engineStatus{{Name: "model", Works: true}, {Name: "go", Works: true},
		{Name: "verilator", Missing: []string{"verilator", "g++"}}, {Name: "icarus", Missing: []string{"iverilog", "vvp"}},
		{Name: "netlist", Missing: []string{"verilator", "g++", "yosys"}}, {Name: "board", Works: true}}, d.Engines)
	assert.Len(t, d.Boards, 7)
	assert.Equal(t, boardStatus{Name: "icebreaker", Title: "iCEBreaker", Part: "ice40 up5k sg48",
		Missing: []string{"yosys", "nextpnr-ice40", "icepack"}}, d.Boards[1])

	// What needs no tool works without.
	r = hpccgen(t, dir, empty, "generate", "--config", "nic-serial", "--out", "d")
	assert.Equal(t, 0, r.status, r.errOut)
}

func TestReplay(t *testing.T) {
	dir := t.TempDir()
	args := func(engine string) []string {
		return []string{"replay", "--config", "nic-line", "--trace", traceFile(t, "s_solo_mi0.trace.csv.gz"),
			"--engine", engine, "--resync", "--out", engine + ".csv", "--json", engine + ".json"}
	}
	var outputs []string
	for _, engine := range []string{"model", "go"} {
		r := hpccgen(t, dir, nil, args(engine)...)
		require.Equal(t, 0, r.status, r.errOut)
		assert.Empty(t, r.errOut)
		assert.Contains(t, r.out, "s_solo_mi0.trace.csv.gz on "+engine+": 3000 rows of 1 flow, ")
		assert.Contains(t, r.out, "one step at a time: |dU| at most ")
		data, err := os.ReadFile(filepath.Join(dir, engine+".csv"))
		require.NoError(t, err)
		outputs = append(outputs, string(data))
		var rep struct{ Rows int }
		data, err = os.ReadFile(filepath.Join(dir, engine+".json"))
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(data, &rep))
		assert.Equal(t, 3000, rep.Rows)
	}
	assert.Equal(t, outputs[0], outputs[1])
	assert.Equal(t, 3001, strings.Count(outputs[0], "\n"))
	assert.True(t, strings.HasPrefix(outputs[0], "row,flow,kind,u,w_bytes,wc_bytes,rate_bps,stage,status\n1,0,first,1,"))
}

// A trace that ends in the middle gives an error with its row and no output.
func TestReplayTruncated(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"s_solo_mi0.trace.csv.gz", "s_solo_mi0.flows.csv"} {
		data, err := os.ReadFile(traceFile(t, name))
		require.NoError(t, err)
		if strings.HasSuffix(name, ".gz") {
			data = data[:len(data)/2]
		}
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), data, 0o666))
	}
	r := hpccgen(t, dir, nil, "replay", "--config", "nic-line", "--trace", "s_solo_mi0.trace.csv.gz", "--engine",
		"model", "--out", "o.csv", "--json", "o.json")
	assert.Equal(t, 1, r.status)
	assert.Empty(t, r.out)
	assert.Regexp(t, `^hpccgen: s_solo_mi0.trace.csv.gz: line \d+: .*\n$`, r.errOut)
	assert.NoFileExists(t, filepath.Join(dir, "o.csv"))
	assert.NoFileExists(t, filepath.Join(dir, "o.json"))
}

func TestCosim(t *testing.T) {
	dir := t.TempDir()
	r := hpccgen(t, dir, nil, "cosim", "--config", "nic-serial", "--engine", "go", "--cycles", "2_000", "--jobs", "2",
		"--json", "c.json")
	require.Equal(t, 0, r.status, r.errOut)
	assert.Empty(t, r.errOut)
	assert.Regexp(t,
		`^nic_serial on go: seed \d+\n2000 cycles, \d+ ACKs, \d+ taps compared: 0 mismatches; \d+ cycles/s\n`, r.out)
	data, err := os.ReadFile(filepath.Join(dir, "c.json"))
	require.NoError(t, err)
	var rep map[string]any
	require.NoError(t, json.Unmarshal(data, &rep))
	assert.EqualValues(t, 2000, rep["cycles"])
	assert.EqualValues(t, 0, rep["mismatches"])
	assert.Contains(t, rep, "seed")
	assert.Contains(t, rep, "cycles_per_second")

	// A seed that is given is used.
	r = hpccgen(t, dir, nil, "cosim", "--config", "nic-serial", "--engine", "go", "--cycles", "1e3", "--seed", "7")
	require.Equal(t, 0, r.status, r.errOut)
	assert.Contains(t, r.out, "seed 7\n")
}
