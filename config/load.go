// Package config reads what a user asks for: a YAML file that describes one design, checked in full
// before anything is built from it.
//
// LoadDesign and ParseDesign return a Design, a *NIC, a *CSIG or an *INT, or Problems: everything that is wrong with the
// file, each with line and column, what is legal and why, and the nearest legal value. Load and Parse do so for
// engines alone. The keys are described in docs/configuration.md and by Schema. Presets are complete files to start from.
//
// A NIC also carries the Budget, the proof that its formats are wide enough and what a step's error is
// at most, and it turns the constants of links and profiles into entries of the engine's tables
// (RateEntry, QueueEntry, ProfileEntries). A CSIG and an INT have what software writes first; package registers has
// the writes.
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

// LoadDesign reads the configuration file at a path, or the preset of that name. A file that is there wins
// over a preset. The error is Problems when the file is at fault.
func LoadDesign(pathOrPreset string) (Design, error) { return loadAs(pathOrPreset, grammars()) }

// ParseDesign checks the configuration in data; filename is for messages only. The error is Problems.
func ParseDesign(filename string, data []byte) (Design, error) {
	return parseAs(filename, data, grammars())
}

// Load is LoadDesign for an engine: a design of another kind is an error.
func Load(pathOrPreset string) (*NIC, error) { return as[*NIC](loadAs(pathOrPreset, grammars()[:1])) }

// Parse is ParseDesign for an engine: a design of another kind is an error.
func Parse(filename string, data []byte) (*NIC, error) {
	return as[*NIC](parseAs(filename, data, grammars()[:1]))
}

func as[T Design](d Design, err error) (T, error) {
	if err != nil {
		var none T
		return none, err
	}
	return d.(T), nil // kinds names no other
}

func loadAs(pathOrPreset string, kinds []*grammar) (Design, error) {
	data, err := os.ReadFile(pathOrPreset)
	if err == nil {
		return parseAs(pathOrPreset, data, kinds)
	}
	if preset, found := presetData(pathOrPreset); found {
		return parseAs(pathOrPreset, preset, kinds)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, unknownPreset(pathOrPreset, "no file and no preset is called %q")
	}
	return nil, fmt.Errorf("configuration: %w", err)
}

func parseAs(filename string, data []byte, kinds []*grammar) (Design, error) {
	d := newDecoder(filename)
	// A byte order mark and the line ends of other systems mean nothing; lines and columns stay.
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	d.document(bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n")), kinds)
	var c Design
	if d.grammar != nil && !d.bad[""] {
		c = d.grammar.build(d)
	}
	if len(d.problems) > 0 {
		d.problems.sort()
		return nil, d.problems
	}
	canonical := c.Canonical()
	sum := sha256.Sum256(canonical)
	hash := hex.EncodeToString(sum[:8])
	switch c := c.(type) {
	case *NIC:
		c.Hash = hash
	case *CSIG:
		c.Hash = hash
	case *INT:
		c.Hash = hash
	}
	return c, nil
}
