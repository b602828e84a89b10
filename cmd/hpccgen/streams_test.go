package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// full takes so many bytes and then no more.
type full struct{ room int }

func (f *full) Write(p []byte) (int, error) {
	if len(p) > f.room {
		n := f.room
		f.room = 0
		return n, errors.New("no space left on device")
	}
	f.room -= len(p)
	return len(p), nil
}

// small are command lines of every command that prints something, and what they need little time for.
func small(t *testing.T) []string {
	const switches = "../../testdata/packets/"
	trace, out := traceFile(t, "w_wrap_mtu4000_mi5.trace.csv.gz"), t.TempDir()
	return []string{
		"--help", "cosim --help", "presets", "presets --json", "init", "schema", "doctor", "doctor --json", "version",
		"version --json",
		"generate --config nic-serial --out " + out + "/g",
		"cosim --config nic-serial --engine go --cycles 500 --seed 1",
		"cosim --config csig-4p --engine go --cycles 500 --seed 1",
		"cosim --config nic-serial --engine go --cycles 500 --seed 1 --json -",
		"replay --config nic-line --trace " + trace + " --engine model --out " + out + "/o",
		"replay --config " + switches + "switch.yaml --pcap " + switches + "in.pcap --engine model --out " + out + "/o",
	}
}

// Whatever of its output a command cannot write, it does not report success.
func TestOutputThatCannotBeWritten(t *testing.T) {
	for _, line := range small(t) {
		args := strings.Fields(line)
		var whole bytes.Buffer
		status := run(args, streams{out: &whole, err: io.Discard})
		for _, room := range []int{0, 1, whole.Len() / 2, whole.Len() - 20} {
			var said bytes.Buffer
			assert.Equal(t, exitWrong, run(args, streams{out: &full{room}, err: &said}), "%s, %d of %d bytes", line,
				room, whole.Len())
			assert.Contains(t, said.String(), "hpccgen: the output cannot be written: no space left on device\n", line)
			if strings.HasPrefix(line, "cosim --config") {
				break // the speed that it prints is of varying length
			}
		}
		assert.Equal(t, status, run(args, streams{out: io.Discard, err: io.Discard}), line)
	}
}

// As a shell does it.
func TestFullDevice(t *testing.T) {
	for _, line := range []string{"cosim --config nic-serial --engine go --cycles 100",
		"generate --config nic-serial --out " + t.TempDir()} {
		device, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
		require.NoError(t, err)
		cmd := exec.Command(os.Args[0], strings.Fields(line)...)
		cmd.Env = append(os.Environ(), asCommand+"=1")
		var said bytes.Buffer
		cmd.Stdout, cmd.Stderr = device, &said
		require.Error(t, cmd.Run())
		assert.Equal(t, exitWrong, cmd.ProcessState.ExitCode())
		assert.Equal(t, "hpccgen: the output cannot be written: write /dev/stdout: no space left on device\n", said.String())
		require.NoError(t, device.Close())
	}
}

// Files on a full disk: an error, and no device is replaced by a file.
func TestFullFiles(t *testing.T) {
	trace := traceFile(t, "w_wrap_mtu4000_mi5.trace.csv.gz")
	at := func(name string) string { return traceFile(t, "../packets/"+name) }
	for _, line := range []string{
		"cosim --config nic-serial --engine go --cycles 100 --json /dev/full",
		"cosim --config nic-serial --engine go --cycles 2000 --vcd /dev/full",
		"replay --config nic-line --trace " + trace + " --engine model --out /dev/full",
		"replay --config nic-line --trace " + trace + " --engine model --out " + t.TempDir() + "/o --json /dev/full",
		"replay --config nic-line --trace " + trace + " --engine model --out " + t.TempDir() + "/o --plot /dev/full",
		"replay --config nic-line --trace " + trace + " --engine model --out " + t.TempDir() + "/o --junit /dev/full",
		"replay --config " + at("switch.yaml") + " --pcap " + at("in.pcap") + " --meta " + at("meta.csv") +
			" --engine model --out /dev/full",
		"replay --config " + at("switch.yaml") + " --pcap " + at("in.pcap") + " --meta " + at("meta.csv") +
			" --engine model --out " + t.TempDir() + "/o --json /dev/full",
	} {
		var said bytes.Buffer
		assert.Equal(t, exitWrong, run(strings.Fields(line), streams{out: io.Discard, err: &said}), line)
		assert.Regexp(t, `^hpccgen: .*write /dev/full: no space left on device\n$`, said.String(), line)
		info, err := os.Lstat("/dev/full")
		require.NoError(t, err)
		require.NotZero(t, info.Mode()&os.ModeDevice)
	}
}

// --json - is the standard output, and nothing else is on it.
func TestReportOnStandardOutput(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	var out, said bytes.Buffer
	require.Equal(t, exitOK, run(strings.Fields("cosim --config nic-serial --engine go --cycles 500 --seed 1 --json -"),
		streams{out: &out, err: &said}), &said)
	var report struct{ Cycles int }
	require.NoError(t, json.Unmarshal(out.Bytes(), &report))
	assert.Equal(t, 500, report.Cycles)
	assert.Contains(t, said.String(), "nic_serial on go: seed 1\n500 cycles, ")
	assert.NoFileExists(t, filepath.Join(dir, "-"))
}

// A signal ends a command and every program that it has started.
func TestSignals(t *testing.T) {
	says := map[string]string{"verilator": "Verilator", "g++": "g++", "vvp": "Icarus Verilog",
		"iverilog": "Icarus Verilog", "nextpnr-ice40": "nextpnr", "icepack": "icepack", "yosys": "Yosys"}
	for _, c := range []struct {
		name   string
		signal syscall.Signal
		line   string
		tool   string // that never ends, and starts another that does not
		asked  string // how it is asked for its version
	}{
		{"cosim", syscall.SIGTERM, "cosim --config nic-serial --cycles 100", "verilator", "--version"},
		{"cosim", syscall.SIGHUP, "cosim --config nic-serial --engine icarus --cycles 100", "iverilog", "-V"},
		{"replay", syscall.SIGINT, "replay --config nic-serial --trace " + traceFile(t,
			"w_wrap_mtu4000_mi5.trace.csv.gz") + " --engine verilator --out o", "verilator", "--version"},
		{"synth", syscall.SIGTERM, "synth --config nic-serial --board hx8k --out d", "yosys", "-V"},
		{"synth", syscall.SIGHUP, "synth --config nic-serial --board hx8k --out d", "yosys", "-V"},
		{"cosim", syscall.SIGKILL, "cosim --config nic-serial --cycles 100", "verilator", "--version"},
	} {
		t.Run(c.name+" "+c.signal.String(), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			tool := func(name, script string) {
				require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+script), 0o755))
			}
			for name := range says {
				tool(name, "echo "+says[name]+" 9\n")
			}
			child := "sleep 60 &\n"
			if c.signal == syscall.SIGKILL {
				child = "" // the kernel ends those that the command has started, not theirs
			}
			tool(c.tool,
				"[ \"$1\" = "+c.asked+" ] && echo "+says[c.tool]+" 9 && exit\n"+child+"echo $$ $! >"+dir+"/pids.new; mv "+dir+"/pids.new "+dir+"/pids\nexec sleep 60\n")
			cmd := exec.Command(os.Args[0], strings.Fields(c.line)...)
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), asCommand+"=1", "PATH="+dir+":"+os.Getenv("PATH"),
				"HPCCGEN_CACHE="+filepath.Join(dir, "cache"),
				"VERILATOR=", "CXX=", "YOSYS=", "NEXTPNR_ICE40=")
			var said bytes.Buffer
			cmd.Stderr = &said
			require.NoError(t, cmd.Start())
			var pids []string
			require.Eventually(t, func() bool {
				text, err := os.ReadFile(filepath.Join(dir, "pids"))
				pids = strings.Fields(string(text))
				return err == nil
			}, 30*time.Second, 10*time.Millisecond)
			require.NoError(t, cmd.Process.Signal(c.signal))
			_ = cmd.Wait()
			if c.signal != syscall.SIGKILL {
				assert.Equal(t, exitWrong, cmd.ProcessState.ExitCode())
				assert.Equal(t, "hpccgen: stopped\n", said.String())
				left, err := filepath.Glob(filepath.Join(dir, "cache", "build-*"))
				require.NoError(t, err)
				assert.Empty(t, left)
			}
			for _, p := range pids {
				pid, err := strconv.Atoi(p)
				require.NoError(t, err)
				assert.Eventually(t, func() bool { return !runs(pid) }, 5*time.Second, 10*time.Millisecond, "a program is left")
			}
		})
	}
}

// A program that is called like a tool and is none is named, with what it did.
func TestToolsThatAreNone(t *testing.T) {
	for _, c := range []struct{ name, script, line, says string }{
		{"verilator", "echo lorem ipsum", "cosim --config nic-serial --cycles 100",
			"%s --version printed no version: it said nothing that begins with \"Verilator\"; is it another program of that name? VERILATOR names the right one"},
		{"verilator", "echo Verilator 5.006", "cosim --config nic-serial --cycles 100",
			"verilating nic_serial_hpcc_nic: %s reports success and leaves no model; is it Verilator?"},
		{"iverilog", "echo lorem ipsum", "cosim --config nic-serial --engine icarus --cycles 100",
			"%s -V printed no version: it said nothing that begins with \"Icarus Verilog\""},
		{"yosys", "echo lorem ipsum", "cosim --config nic-serial --engine netlist --cycles 100",
			"%s -V printed no version: it said nothing that begins with \"Yosys\"; is it another program of that name? YOSYS names the right one"},
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, c.name)
		require.NoError(t, os.WriteFile(path, []byte("#!/bin/sh\n"+c.script+"\n"), 0o755))
		r := hpccgen(t, dir, []string{"PATH=" + dir + ":" + os.Getenv("PATH"), "HPCCGEN_CACHE=" + filepath.Join(dir,
			"cache"), "VERILATOR=", "YOSYS=", "NEXTPNR_ICE40=no-such-program"},
			strings.Fields(c.line)...)
		assert.Equal(t, exitWrong, r.status, c.line)
		assert.Equal(t, "hpccgen: "+fmt.Sprintf(c.says, path)+"\n", r.errOut)
	}
}

// runs reports whether a process is there that has not ended.
func runs(pid int) bool {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return false
	}
	_, state, _ := strings.Cut(string(text), ") ")
	return !strings.HasPrefix(state, "Z")
}
