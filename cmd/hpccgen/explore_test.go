package main

import (
	"encoding/csv"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/internal/toolchain"
)

// tiny is an engine that is synthesized in seconds.
const tiny = `design: nic
name: tiny
hops: {max: 1, order: serial}
flows: 2
profiles: 1
telemetry: {timestamp_bits: 16, tx_bits: 12, tx_unit: 64B, qlen_bits: 8, qlen_unit: 256B, rate_code_bits: 1, path_id_bits: 0}
sequence_bits: 24
clock_bits: 60
stage_bits: 1
counter_bits: 8
rates: [10G]
base_rtt: {min: 4us, max: 16us}
window: {min: 1kB, max: 20kB}
utilisation: {min: 0.1, max: 4}
dividers: {hop: {kind: restoring_serial}, quotient: {kind: restoring_serial}}
precision: {max_error: 0.05}
`

func TestExploreRefuses(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "d", "configs"), 0o777))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "d", "configs", "tiny.yaml"), []byte(tiny), 0o666))
	for _, c := range []struct {
		args   string
		status int
		stderr string
	}{
		{"", 2, "missing flags: --config=FILE, --out=DIR"},
		{"--config nic-line --out d --part hx9k", 2, `no part is called "hx9k"; parts: hx8k, `},
		{"--config nic-line --out d --board hx9k", 2, `no board is called "hx9k"; boards: hx8k, icebreaker, `},
		{"--config nic-line --out d --board hx8k --part hx8k", 2, "--part and --board can't be used together"},
		{"--config nic-line --out d --orders sideways", 2, `--orders: order "sideways"; legal: parallel, serial`},
		{"--config nic-line --out d --dividers srt,newton_raphson:eps=1", 2,
			`--dividers: divider "srt": no such kind; legal: restoring_serial, `},
		{"--config nic-line --out d --precisions 1e-3,fine", 2,
			`--precisions: precision "fine"; legal: a relative error below 1, such as 1e-3, or base`},
		{"--config nic-line --out d --points=-1", 2, "--points: -1 is below 0"},
		{"--config nic-line --out d --seeds 0", 2, "--seeds: 0; legal are 1 to 1000"},
		{"--config nic-line --out d --jobs=-1", 2, "--jobs: -1 is below 0"},
		{"--config nic-line --out d --clock=-5", 2, "--clock: \"-5\" is no frequency"},
		{"--config nic-line --out d --clock NaN", 2,
			"--clock: \"NaN\" is no frequency; legal are MHz above 0, such as 25 or 12.5"},
		{"--config nic-line --out d --clock +Inf", 2, "--clock: \"+Inf\" is no frequency"},
		{"--config nic-line --out d --clock 0", 2, "--clock: \"0\" is no frequency"},
		{"--config nic-line --out d --precisions NaN", 2, "precision \"NaN\"; legal: a relative error below 1"},
		{"--config d/configs/tiny.yaml --out d", 2,
			"--config d/configs/tiny.yaml is in the result of an exploration in d; take another --out"},
		{"--config csig-4p --out d", 1, "design is csig"},
		{"--config nic-lin --out d", 1, "nearest: nic-line"},
	} {
		r := hpccgen(t, dir, nil, append([]string{"explore"}, strings.Fields(c.args)...)...)
		assert.Equal(t, c.status, r.status, c.args)
		assert.Contains(t, r.errOut, c.stderr, c.args)
	}
}

func TestExploreWithoutTools(t *testing.T) {
	dir := t.TempDir()
	env := []string{"PATH=" + dir, "HPCCGEN_TOOLS=" + dir, "YOSYS=", "NEXTPNR_ICE40=", "NEXTPNR_ECP5="}
	r := hpccgen(t, dir, env, "explore", "--config", "nic-serial", "--out", "d", "--part", "hx8k")
	assert.Equal(t, 3, r.status)
	assert.Contains(t, r.errOut, "nextpnr-ice40 is not installed")
	assert.Contains(t, r.errOut, "apt-get install nextpnr-ice40")
	assert.NoDirExists(t, filepath.Join(dir, "d"))
}

// needsTools skips a test whose tools are missing, but not in CI.
func needsTools(t *testing.T, tools ...toolchain.Tool) {
	t.Helper()
	for _, tool := range tools {
		if _, err := tool.Find(); err != nil {
			if os.Getenv("CI") == "true" {
				require.NoError(t, err)
			}
			t.Skip(err)
		}
	}
}

// readPoints gives the rows of points.csv, by column.
func readPoints(t *testing.T, dir string) []map[string]string {
	t.Helper()
	file, err := os.Open(filepath.Join(dir, "points.csv"))
	require.NoError(t, err)
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	require.NoError(t, err)
	var list []map[string]string
	for _, row := range rows[1:] {
		m := map[string]string{}
		for i, name := range rows[0] {
			m[name] = row[i]
		}
		list = append(list, m)
	}
	return list
}

// One point of a small engine with the real tools.
func TestExplore(t *testing.T) {
	needsTools(t, toolchain.NextpnrICE40, toolchain.Yosys)
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "tiny.yaml"), []byte(tiny), 0o666))
	env := []string{"HPCCGEN_CACHE=" + filepath.Join(dir, "cache")}
	args := []string{"explore", "--config", "tiny.yaml", "--out", "d", "--board", "icebreaker", "--orders", "serial",
		"--dividers", "base,reciprocal_table", "--precisions", "0.05,1e-3", "--quick", "--points", "1"}
	r := hpccgen(t, dir, env, args...)
	require.Zero(t, r.status, r.errOut)
	assert.Contains(t, r.out, "Pareto front  hops    dividers")
	assert.Contains(t, r.out,
		"5 points: 1 measured, 1 the same hardware as another, 1 not possible, 2 not measured yet. Pareto front: 1.")
	assert.Empty(t, r.errOut, "quiet when not a terminal")
	for _, name := range []string{"index.html", "pareto.svg", "points.json", "measurements.jsonl"} {
		assert.FileExists(t, filepath.Join(dir, "d", name))
	}
	points := readPoints(t, filepath.Join(dir, "d"))
	base := points[slices.IndexFunc(points, func(p map[string]string) bool { return p["state"] == "measured" })]
	for _, name := range []string{"cells", "lut", "ff", "w_bound", "interval_cycles"} {
		assert.NotEmpty(t, base[name], name)
		assert.NotEqual(t, "0", base[name], name)
	}
	assert.Empty(t, base["fmax_mhz"])

	// The point is a configuration that the same design is generated from.
	r = hpccgen(t, dir, nil, "generate", "--config", "d/configs/"+base["name"]+".yaml", "--out", "g")
	require.Zero(t, r.status, r.errOut)
	assert.Contains(t, r.out, base["config_hash"])
}

// With place and route: minutes.
func TestExploreRouted(t *testing.T) {
	if os.Getenv("HPCCGEN_LONG") == "" {
		t.Skip("takes minutes; HPCCGEN_LONG=1 runs it")
	}
	needsTools(t, toolchain.NextpnrICE40, toolchain.Yosys)
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "tiny.yaml"), []byte(tiny), 0o666))
	r := hpccgen(t, dir, []string{"HPCCGEN_CACHE=" + filepath.Join(dir, "cache")}, "explore", "--config", "tiny.yaml",
		"--out", "d", "--part", "up5k",
		"--orders", "serial", "--dividers", "base", "--precisions", "base")
	require.Zero(t, r.status, r.errOut)
	base := readPoints(t, filepath.Join(dir, "d"))[0]
	for _, name := range []string{"fmax_mhz", "acks_per_s", "critical_path"} {
		assert.NotEmpty(t, base[name], name)
	}
}

// Interrupted, the command leaves what it has, and says how to go on.
func TestExploreInterrupted(t *testing.T) {
	dir := t.TempDir()
	// A Yosys that never ends.
	tool := func(name, script string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+script), 0o755))
	}
	tool("nextpnr-ice40", "echo nextpnr-ice40 -- Next Generation Place and Route\n")
	tool("yosys", "[ \"$1\" = -V ] && echo Yosys 9 && exit\ntouch "+filepath.Join(dir, "started")+"\nexec sleep 60\n")
	cmd := exec.Command(os.Args[0], "explore", "--config", "nic-serial", "--out", "d", "--part", "hx8k", "--jobs", "1")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), asCommand+"=1", "PATH="+dir+":"+os.Getenv("PATH"), "NEXTPNR_ICE40=", "YOSYS=",
		"HPCCGEN_CACHE="+filepath.Join(dir, "cache"))
	var out, errOut strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errOut
	require.NoError(t, cmd.Start())
	require.Eventually(t, func() bool {
		_, err := os.Stat(filepath.Join(dir, "started"))
		return err == nil
	}, 30*time.Second, 20*time.Millisecond)
	require.NoError(t, cmd.Process.Signal(os.Interrupt))
	require.ErrorAs(t, cmd.Wait(), new(*exec.ExitError))
	assert.Equal(t, 1, cmd.ProcessState.ExitCode())
	assert.Contains(t, errOut.String(), "interrupted: what was measured is kept, the same command goes on")
	assert.Contains(t, out.String(), "not measured yet")
	assert.FileExists(t, filepath.Join(dir, "d", "index.html"))
}
