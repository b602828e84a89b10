package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/internal/toolchain"
)

// The commands of the README: a board behind a pseudo-terminal, and a co-simulation and a replay on it.
func TestBoardSimulated(t *testing.T) {
	needsTools(t, toolchain.Verilator, toolchain.CXX)
	ctx, end := context.WithCancel(context.Background())
	out, in := io.Pipe()
	status := make(chan int, 1)
	var complaints bytes.Buffer
	go func() {
		status <- run([]string{"board-sim", "--config", "nic-serial"}, streams{out: in, err: &complaints,
			interrupt: &interrupt{Context: ctx}})
		in.Close()
	}()
	said := make([]byte, 4096)
	n, err := out.Read(said)
	require.NoError(t, err, &complaints)
	port := regexp.MustCompile(`on the port (\S+),`).FindSubmatch(said[:n])
	require.NotNil(t, port, "%s", said[:n])

	var text, errors bytes.Buffer
	s := streams{out: &text, err: &errors}
	require.Equal(t, exitOK, run([]string{"cosim", "--config", "nic-serial", "--engine", "board", "--port",
		string(port[1]), "--cycles", "1000", "--seed", "1"}, s), &errors)
	assert.Contains(t, text.String(), "nic_serial on board: seed 1\n1000 cycles, ")
	assert.Contains(t, text.String(), " 0 taps compared: 0 mismatches")

	require.Equal(t, exitWrong, run([]string{"cosim", "--config", "csig-4p", "--engine", "board", "--port",
		string(port[1]), "--cycles", "1000"}, s))
	assert.Regexp(t,
		`the board has the configuration [0-9a-f]{16}, expected is [0-9a-f]{16} \(csig_4p\); build the bitstream`, errors.String())

	end()
	assert.Equal(t, exitOK, <-status, &complaints)
}

// A board whose port cannot be told is of no use to anybody, and ends.
func TestBoardThatNobodyKnows(t *testing.T) {
	needsTools(t, toolchain.Verilator, toolchain.CXX)
	ctx, end := context.WithTimeout(context.Background(), 5*time.Minute)
	defer end()
	var said bytes.Buffer
	assert.Equal(t, exitWrong, run([]string{"board-sim", "--config", "nic-serial"}, streams{out: &full{}, err: &said,
		interrupt: &interrupt{Context: ctx}}))
	assert.Equal(t, "hpccgen: the output cannot be written: no space left on device\n", said.String())
	assert.NoError(t, ctx.Err(), "it went on")
}

func TestBoardFlags(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o644))
	for _, c := range []struct {
		args []string
		text string
		code int
	}{
		{[]string{"cosim", "--config", "nic-serial", "--engine", "board"}, "--engine board needs --port", exitUsage},
		{[]string{"cosim", "--config", "nic-serial", "--port", "/dev/x"}, "--port goes with --engine board", exitUsage},
		{[]string{"cosim", "--config", "nic-serial", "--baud", "9600"}, "--baud goes with --engine board", exitUsage},
		{[]string{"cosim", "--config", "nic-serial", "--engine", "board", "--port", "/dev/x", "--jobs", "2"},
			"a board does one thing at a time", exitUsage},
		{[]string{"cosim", "--config", "nic-serial", "--engine", "board", "--port", "/dev/x", "--vcd", "x.vcd"},
			"a board writes no waveform", exitUsage},
		{[]string{"cosim", "--config", "nic-serial", "--engine", "board", "--port", "/dev/x", "--baud", "-1"},
			"legal are whole numbers of 1 or more", exitUsage},
		{[]string{"cosim", "--config", "nic-serial", "--engine", "board", "--port", "/dev/no_such_port"},
			"serial port /dev/no_such_port: no such file or directory; there are", exitWrong},
		{[]string{"cosim", "--config", "nic-serial", "--engine", "board", "--port", file}, "it is no serial port", exitWrong},
	} {
		var out, errors bytes.Buffer
		assert.Equal(t, c.code, run(c.args, streams{out: &out, err: &errors}), c.args)
		assert.Contains(t, errors.String(), c.text)
	}
}
