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

// outputMost is how many bytes a build step may say; the warnings of a large design are far fewer.
const outputMost = 64 << 20

// runTool runs a build step in dir. On failure the error carries what the tool
// said.
func runTool(dir, path string, args ...string) error {
	cmd := toolchain.Command(toolchain.Lifetime(), path, args...)
	cmd.Dir = dir
	output := toolchain.Said{Most: outputMost}
	cmd.Stdout, cmd.Stderr = &output, &output
	err := toolchain.Run(toolchain.Lifetime(), cmd)
	if output.Over {
		err = output.Error()
	}
	if err != nil {
		text := strings.TrimSpace(output.String())
		if len(text) > outputLimit {
			text = text[:outputLimit] + "\n..."
		}
		return fmt.Errorf("%s failed (%w):\n%s", filepath.Base(path), err, text)
	}
	return nil
}
