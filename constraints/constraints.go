// Package constraints holds the pin constraints of the boards, in the file formats of their place-and-route tools. The
// ports of all board tops are clk_osc (the oscillator), uart_rx and uart_tx (the line from and to the host), led, and
// button where the board has one to spare.
package constraints

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"strings"
)

//go:embed *.pcf *.lpf *.cst
var files embed.FS

// Of gives the constraint file of a board, and its name.
func Of(board string) (name string, text []byte, err error) {
	names, err := fs.Glob(files, board+".*")
	if err != nil || len(names) != 1 {
		return "", nil, fmt.Errorf("no constraint file for the board %q", board)
	}
	text, err = files.ReadFile(names[0])
	return names[0], text, err
}

// Boards lists the boards that have a file.
func Boards() []string {
	names, _ := fs.Glob(files, "*.*")
	for i, n := range names {
		names[i] = strings.TrimSuffix(n, path.Ext(n))
	}
	return names
}
