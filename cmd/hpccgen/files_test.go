//go:build unix

package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
)

// An input that is a named pipe, at which nobody may ever write, or a device is refused: no command waits for it.
func TestInputsThatAreNoFiles(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for _, name := range []string{"pipe", "pipe.trace.csv", "a.flows.csv"} {
		require.NoError(t, syscall.Mkfifo(name, 0o666))
	}
	require.NoError(t, os.WriteFile("a.trace.csv", nil, 0o666))
	for line, says := range map[string]string{
		"generate --config pipe --out d":                                                "--config pipe is a named pipe; name a regular file, or - for the standard input",
		"cosim --config pipe --cycles 1":                                                "--config pipe is a named pipe",
		"synth --config pipe --board hx8k --out d":                                      "--config pipe is a named pipe",
		"board-sim --config pipe":                                                       "--config pipe is a named pipe",
		"explore --config pipe --out d":                                                 "--config pipe is a named pipe",
		"replay --config pipe --trace a.trace.csv --engine model --out o":               "--config pipe is a named pipe",
		"generate --config /dev/zero --out d":                                           "--config /dev/zero is a device",
		"replay --config nic-line --trace pipe.trace.csv --engine model --out o":        "--trace pipe.trace.csv is a named pipe",
		"replay --config nic-line --trace a.trace.csv --engine model --out o":           "the flows file a.flows.csv is a named pipe",
		"replay --config nic-line --trace a.trace.csv --flows pipe --engine go --out o": "--flows pipe is a named pipe",
		"replay --config csig-4p --pcap pipe --engine model --out o":                    "--pcap pipe is a named pipe",
		"replay --config csig-4p --pcap a.trace.csv --meta pipe --engine model --out o": "--meta pipe is a named pipe",
	} {
		var said bytes.Buffer
		done := make(chan int, 1)
		go func() { done <- run(strings.Fields(line), streams{out: io.Discard, err: &said}) }()
		select {
		case status := <-done:
			assert.Equal(t, exitWrong, status, line)
			assert.Contains(t, said.String(), says, line)
		case <-time.After(10 * time.Second):
			t.Fatal(line + " waits for ever")
		}
	}
	// What the shell has opened is taken.
	text, err := config.PresetYAML("nic-serial")
	require.NoError(t, err)
	from, to, err := os.Pipe()
	require.NoError(t, err)
	go func() { _, _ = to.Write(text); _ = to.Close() }()
	name := fmt.Sprintf("/dev/fd/%d", from.Fd())
	var said bytes.Buffer
	assert.Equal(t, exitOK, run([]string{"generate", "--config", name, "--out", "d"},
		streams{out: io.Discard, err: &said}), &said)
}
