package engine

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/hdlpkg/hpccgen/internal/toolchain"
)

// outputLimit bounds how much of a failed tool's output an error carries; the
// first lines name the cause.
const outputLimit = 4000

// outputMost limits the output of a build step in bytes; the warnings of a large design are far fewer.
const outputMost = 64 << 20

// runTool runs a build step in dir. On failure the error includes the tool's output.
func runTool(dir, path string, args ...string) error {
	_, err := sayTool(dir, path, args...)
	return err
}

// sayTool is runTool that also returns the tool's output.
func sayTool(dir, path string, args ...string) (string, error) {
	cmd := toolchain.Command(toolchain.Lifetime(), path, args...)
	cmd.Dir = dir
	output := toolchain.Said{Most: outputMost}
	cmd.Stdout, cmd.Stderr = &output, &output
	err := toolchain.Run(toolchain.Lifetime(), cmd)
	if output.Over {
		err = output.Error()
	}
	text := strings.TrimSpace(output.String())
	if err == nil {
		return text, nil
	}
	short := text
	if len(short) > outputLimit {
		short = short[:outputLimit] + "\n..."
	}
	return text, fmt.Errorf("%s failed (%w):\n%s", filepath.Base(path), err, short)
}
