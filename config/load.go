// Package config reads what a user asks for: a YAML file that describes one design, checked in full
// before anything is built from it.
//
// Load and Parse return a NIC, or Problems: everything that is wrong with the file, each with line and
// column, what is legal and why, and the nearest legal value. The keys are described in
// docs/configuration.md and by Schema. Presets are complete files to start from.
//
// A NIC also carries the Budget, the proof that its formats are wide enough and what a step's error is
// at most, and it turns the constants of links and profiles into entries of the engine's tables
// (RateEntry, QueueEntry, ProfileEntries).
package config

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// Load reads the configuration file at a path, or the preset of that name. A file that is there wins
// over a preset. The error is Problems when the file is at fault.
func Load(pathOrPreset string) (*NIC, error) {
	data, err := os.ReadFile(pathOrPreset)
	if err == nil {
		return Parse(pathOrPreset, data)
	}
	if preset, found := presetData(pathOrPreset); found {
		return Parse(pathOrPreset, preset)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, unknownPreset(pathOrPreset, "no file and no preset is called %q")
	}
	return nil, fmt.Errorf("configuration: %w", err)
}

// Parse checks the configuration in data; filename is for messages only. The error is Problems.
func Parse(filename string, data []byte) (*NIC, error) {
	d := newDecoder(filename)
	// A byte order mark and the line ends of other systems mean nothing; lines and columns stay.
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	d.document(bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n")))
	var c *NIC
	if !d.bad[""] && (len(d.places) > 0 || len(d.problems) == 0) {
		c = d.resolve()
	}
	if len(d.problems) > 0 {
		d.problems.sort()
		return nil, d.problems
	}
	canonical := c.Canonical()
	sum := sha256.Sum256(canonical)
	c.Hash, c.source = hex.EncodeToString(sum[:8]), string(canonical)
	return c, nil
}
