package output

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	udiff "github.com/aymanbagabas/go-udiff"
)

// Difference is a file of a folder that is not as the design has it.
type Difference struct {
	Path string // below the folder
	// What is missing, changed, left over (an earlier manifest lists it, and the design has it no longer), or unknown: a
	// Verilog file among those of the design, which tools that read rtl/*.v would take.
	What string
	Diff string // of a file that is changed: a unified diff from what is there to what the design has
}

// Compare says in what a folder differs from the design, in the order of the manifest. Nothing is written. Other
// files that no manifest lists do not count.
func (d *Design) Compare(dir string) ([]Difference, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	var list []Difference
	for _, f := range d.Files {
		switch there, err := readOwn(root.FS(), f.Path); {
		case errors.Is(err, fs.ErrNotExist):
			list = append(list, Difference{Path: f.Path, What: "missing"})
		case err != nil:
			return nil, fmt.Errorf("%s cannot be compared: %w", inside(dir, f.Path), err)
		case !bytes.Equal(there, f.Data):
			name := filepath.ToSlash(inside(dir, f.Path))
			list = append(list, Difference{f.Path, "changed", udiff.Unified(name, "generated/"+f.Path, string(there),
				string(f.Data))})
		}
	}
	listed := (&folder{root: root}).listed()
	for _, name := range listed {
		if slices.ContainsFunc(d.Files, func(f File) bool { return f.Path == name }) {
			continue
		}
		if _, err := root.Lstat(name); err == nil {
			list = append(list, Difference{Path: name, What: "left over"})
		}
	}
	verilog, err := fs.Glob(root.FS(), "rtl/*.v")
	if err != nil {
		return nil, err
	}
	for _, name := range verilog {
		known := func(path string) bool { return path == name }
		if !slices.ContainsFunc(d.Files, func(f File) bool { return known(f.Path) }) && !slices.ContainsFunc(listed, known) {
			list = append(list, Difference{Path: name, What: "unknown"})
		}
	}
	return list, nil
}
