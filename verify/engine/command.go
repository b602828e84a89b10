package engine

import (
	"bytes"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
)

// outputLimit bounds how much of a failed tool's output an error carries; the
// first lines name the cause.
const outputLimit = 4000

// runTool runs a build step in dir. On failure the error carries what the tool
// said.
func runTool(dir, path string, args ...string) error {
	cmd := exec.Command(path, args...)
	cmd.Dir = dir
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	if err := cmd.Run(); err != nil {
		text := strings.TrimSpace(output.String())
		if len(text) > outputLimit {
			text = text[:outputLimit] + "\n..."
		}
		return fmt.Errorf("%s failed (%w):\n%s", filepath.Base(path), err, text)
	}
	return nil
}
