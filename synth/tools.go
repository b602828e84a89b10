package synth

import (
	"context"
	"io"
	"path/filepath"

	"github.com/hdlpkg/hpccgen/internal/toolchain"
)

// program is a tool that was found.
type program struct{ path, version string }

// flow is the programs that build for a family.
type flow struct{ yosys, router, packer program }

// findFlow finds the programs for a part that a stage needs. Yosys is the one beside the router: they read
// each other's files.
func findFlow(f Family, until Stage) (flow, error) {
	var w flow
	var err error
	router := f.Router()
	if w.router.path, w.router.version, err = router.Locate(); err != nil {
		if until > StageNetlist {
			return w, err
		}
		if w.yosys.path, w.yosys.version, err = toolchain.Yosys.Locate(); err != nil {
			return w, err
		}
		return w, nil
	}
	if w.yosys.path, err = toolchain.Yosys.FindBeside(w.router.path); err != nil {
		return w, err
	}
	if w.yosys.version, err = toolchain.Yosys.AskVersion(w.yosys.path); err != nil {
		return w, err
	}
	if until < StageBitstream {
		return w, nil
	}
	if w.packer.path, err = f.Packer().FindBeside(w.router.path); err != nil {
		return w, err
	}
	w.packer.version, err = f.Packer().AskVersion(w.packer.path)
	return w, err
}

// Yosys finds the Yosys that synthesizes for a family, and its version: the one beside nextpnr when that is there.
func (f Family) Yosys() (path, version string, err error) {
	w, err := findFlow(f, StageNetlist)
	return w.yosys.path, w.yosys.version, err
}

// run runs a program in dir and gives all that it says.
func (p program) run(ctx context.Context, dir string, args ...string) (string, error) {
	return p.runWatched(ctx, dir, io.Discard, args...)
}

// outputMost is how many bytes a program may say; the log of the largest design has a few million.
const outputMost = 256 << 20

// runWatched is run, with the program's output copied to watch while it runs.
func (p program) runWatched(ctx context.Context, dir string, watch io.Writer, args ...string) (string, error) {
	cmd := toolchain.Command(ctx, p.path, args...)
	cmd.Dir = dir
	text := toolchain.Said{Most: outputMost}
	cmd.Stdout = io.MultiWriter(&text, watch)
	cmd.Stderr = cmd.Stdout
	err := toolchain.Run(ctx, cmd)
	if text.Over && ctx.Err() == nil {
		err = text.Error()
	}
	if err == nil || ctx.Err() != nil {
		return text.String(), err
	}
	return text.String(), &ToolFailed{Tool: filepath.Base(p.path), Err: err, Said: lastLines(text.String(), 12)}
}
