package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/verify/packets"
)

func packetFile(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs("../../testdata/packets/" + name)
	require.NoError(t, err)
	return path
}

// The committed sample through the model and the design: the same file, the same counters.
func TestReplayPackets(t *testing.T) {
	dir := t.TempDir()
	want, err := os.ReadFile(packetFile(t, "out.pcap"))
	require.NoError(t, err)
	var reports []packets.Report
	for _, engine := range []string{"model", "go"} {
		r := hpccgen(t, dir, nil, "replay", "--config", packetFile(t, "switch.yaml"), "--pcap",
			packetFile(t, "in.pcap"), "--meta", packetFile(t, "meta.csv"),
			"--engine", engine, "--out", "out.pcap", "--json", "out.json")
		require.Equal(t, 0, r.status, r.errOut)
		assert.Empty(t, r.errOut)
		assert.Regexp(t,
			`^\S+in\.pcap through mixed_switch on `+engine+`: 363 packets, \d+ bytes in, \d+ out; \d+ packets/s\n`, r.out)
		assert.Regexp(t,
			`(?m)^ *port  untagged  short  hidden  truncated  updated  kept  held  passed  stripped  distrusted  no_port  dropped  stacked$`, r.out)
		assert.Regexp(t, `(?m)^ +7( +\d+){11} +\d+$`, r.out)
		assert.Regexp(t, `(?m)^ +all( +\d+){13}$`, r.out)
		page, err := os.ReadFile(guide)
		require.NoError(t, err)
		for _, line := range strings.Split(strings.TrimSpace(r.out), "\n")[1:] {
			shown := strings.Contains(string(page), "\n    "+strings.TrimRight(line, " ")+"\n")
			assert.True(t, shown, "docs/integration.md does not show this: %s", line)
		}
		got, err := os.ReadFile(filepath.Join(dir, "out.pcap"))
		require.NoError(t, err)
		assert.True(t, string(want) == string(got), engine)
		data, err := os.ReadFile(filepath.Join(dir, "out.json"))
		require.NoError(t, err)
		var rep packets.Report
		require.NoError(t, json.Unmarshal(data, &rep))
		reports = append(reports, rep)
	}
	assert.Equal(t, reports[0].Statuses, reports[1].Statuses)
	assert.Equal(t, reports[0].Counters, reports[1].Counters)
	assert.Equal(t, reports[0].Ports, reports[1].Ports)
	assert.Len(t, reports[0].Ports, 8)
	assert.Zero(t, reports[0].Cycles)
	assert.NotZero(t, reports[1].Cycles)
}

// Every message is part of the product: these are held to their wording.
func TestReplayPacketsRefused(t *testing.T) {
	dir := t.TempDir()
	sample, err := os.ReadFile(packetFile(t, "in.pcap"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "cut.pcap"), sample[:1000], 0o666))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "in.pcap"), sample, 0o666))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "meta.csv"),
		[]byte("packet,ingress_port,egress_port,ingress_ns,egress_ns,qlen_bytes\n1,0,0,5,x,0\n"), 0o666))
	for _, c := range []struct {
		args   []string
		status int
		stderr string
	}{
		{[]string{"--config", "csig-4p", "--trace", "t.trace.csv"}, 1,
			"hpccgen: csig_4p is a switch design and takes packets, not telemetry: give it a capture with --pcap; --trace and --flows are for NIC designs\n"},
		{[]string{"--config", "nic-line", "--pcap", "in.pcap"}, 1,
			"hpccgen: nic_line is a NIC design and consumes telemetry, not packets: give it a trace with --trace; --pcap and --meta are for switch designs\n"},
		{[]string{"--config", "csig-4p"}, 2, "hpccgen: missing flags: --trace=FILE or --pcap=FILE\n" + tryHelp},
		{[]string{"--config", "csig-4p", "--pcap", "in.pcap", "--trace", "t"}, 2,
			"hpccgen: --trace and --pcap can't be used together\n" + tryHelp},
		{[]string{"--config", "csig-4p", "--pcap", "in.pcap", "--flows", "f"}, 2,
			"hpccgen: replay: --flows, --resync and --plot go with --trace, not with --pcap\n" + tryHelp},
		{[]string{"--config", "csig-4p", "--pcap", "in.pcap", "--resync"}, 2,
			"hpccgen: replay: --flows, --resync and --plot go with --trace, not with --pcap\n" + tryHelp},
		{[]string{"--config", "nic-line", "--trace", "t.trace.csv", "--meta", "m"}, 2,
			"hpccgen: replay: --meta goes with --pcap, not with --trace\n" + tryHelp},
		{[]string{"--config", "nic-line", "--trace", "t.trace.csv", "--window", "8"}, 2,
			"hpccgen: replay: --window goes with --pcap, not with --trace\n" + tryHelp},
		{[]string{"--config", "csig-4p", "--pcap", "in.pcap", "--window", "-8"}, 2,
			"hpccgen: replay: --window: -8; legal are 1 to 1048576\n" + tryHelp},
		{[]string{"--config", "csig-4p", "--pcap", "in.pcap", "--window", "0"}, 2,
			"hpccgen: replay: --window: 0; legal are 1 to 1048576\n" + tryHelp},
		{[]string{"--config", "csig-4p", "--pcap", "nosuch.pcap"}, 1,
			"hpccgen: --pcap nosuch.pcap: no such file or directory\n"},
		{[]string{"--config", "csig-4p", "--pcap", "."}, 1, "hpccgen: --pcap . is a folder; name a file\n"},
		{[]string{"--config", "csig-4p", "--pcap", "in.pcap", "--meta", "nosuch.csv"}, 1,
			"hpccgen: --meta nosuch.csv: no such file or directory\n"},
		{[]string{"--config", "csig-4p", "--pcap", "in.pcap", "--vcd", "no/v"}, 1,
			"hpccgen: --vcd no/v: there is no folder no; create it first\n"},
		{[]string{"--config", "csig-4p", "--pcap", "cut.pcap"}, 1,
			"hpccgen: cut.pcap: packet 6: the file ends inside it: it is truncated\n"},
		{[]string{"--config", "csig-4p", "--pcap", "in.pcap", "--meta", "meta.csv"}, 1,
			"hpccgen: meta.csv: line 2, column egress_ns: \"x\" is not a whole number of 0 or more\n"},
	} {
		t.Run(c.stderr, func(t *testing.T) {
			r := hpccgen(t, dir, nil, append([]string{"replay", "--engine", "go", "--out", "o", "--json", "j"}, c.args...)...)
			assert.Equal(t, c.stderr, r.errOut)
			assert.Equal(t, c.status, r.status)
			assert.Empty(t, r.out)
			assert.NoFileExists(t, filepath.Join(dir, "o"))
			assert.NoFileExists(t, filepath.Join(dir, "j"))
		})
	}

	for _, c := range []struct{ flag, out string }{{"--out", "in.pcap"}, {"--json", "in.pcap"}, {"--vcd", "meta.csv"}} {
		args := []string{"replay", "--config", "csig-4p", "--engine", "go", "--pcap", "in.pcap", "--meta", "meta.csv",
			c.flag, c.out}
		if c.flag != "--out" {
			args = append(args, "--out", "o")
		}
		r := hpccgen(t, dir, nil, args...)
		assert.Equal(t,
			"hpccgen: "+c.flag+" "+c.out+" is the input "+c.out+" and would replace it; name another file\n", r.errOut)
		assert.Equal(t, 1, r.status)
	}
	kept, err := os.ReadFile(filepath.Join(dir, "in.pcap"))
	require.NoError(t, err)
	assert.Equal(t, sample, kept)

	r := hpccgen(t, dir, []string{"PATH=" + t.TempDir(), "CXX=", "VERILATOR="}, "replay", "--config", "csig-4p",
		"--engine", "verilator", "--pcap", "in.pcap", "--out", "o")
	assert.Equal(t, 3, r.status)
	assert.Contains(t, r.errOut, "install it with: apt-get install verilator")
	assert.NoFileExists(t, filepath.Join(dir, "o"))
}
