package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"

	"github.com/hdlpkg/hpccgen/rtlgen/output"
)

// keepInput refuses an output that is one of the inputs, under whatever name: what the command reads is the user's own.
func keepInput(flag, out string, inputs ...string) error {
	to, err := os.Stat(out)
	if err != nil || !to.Mode().IsRegular() {
		return nil // nothing is there to be lost
	}
	for _, in := range inputs {
		if from, err := os.Stat(in); err == nil && os.SameFile(from, to) {
			return fmt.Errorf("%s %s is the input %s and would replace it; name another file", flag, out, in)
		}
	}
	return nil
}

// keepConfiguration refuses to replace the configuration that a design was read from. Only the one that generate wrote
// itself, which stays as it is, may lie in the folder.
func keepConfiguration(config, dir string, files []output.File) error {
	from, err := os.Stat(config)
	if err != nil {
		return nil // a preset
	}
	text, err := os.ReadFile(config)
	if err != nil {
		return nil
	}
	for _, f := range files {
		path := filepath.Join(dir, filepath.FromSlash(f.Path))
		if to, err := os.Stat(path); err == nil && os.SameFile(from, to) && !bytes.Equal(text, f.Data) {
			return fmt.Errorf(
				"%s in %s is written by generate and would replace the configuration %s; name another folder, or the configuration differently", f.Path, dir, config)
		}
	}
	return nil
}
