// Package config reads configurations: a YAML file describes one design and is validated in full before anything is
// built from it.
//
// LoadDesign and ParseDesign return a Design (a *NIC, *AIMD, *CSIG or *INT) or Problems: everything that is wrong with
// the file, each with line and column, the legal values, the reason, and the nearest legal value. Load and Parse do so
// for HPCC++ engines alone. docs/configuration.md and Schema describe the keys. Presets are complete files to start
// from.
//
// A NIC also carries the Budget, the proof that its formats are wide enough with the error bound of a step, and
// converts the constants of links and profiles to entries of the engine's tables (RateEntry, QueueEntry,
// ProfileEntries). A CSIG and an INT hold the initial settings that software writes; package registers has the writes.
package config

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"reflect"
)

// LoadDesign reads the configuration file at a path, or the preset of that name; "-" is the standard input. A file that
// is there wins over a preset. The error is Problems when the file is at fault.
func LoadDesign(pathOrPreset string) (Design, error) { return loadAs(pathOrPreset, registry) }

// ParseDesign checks the configuration in data; filename is for messages only. The error is Problems.
func ParseDesign(filename string, data []byte) (Design, error) {
	return parseAs(filename, data, registry)
}

// Load is LoadDesign for an engine: a design of another kind is an error.
func Load(pathOrPreset string) (*NIC, error) {
	return as[*NIC](loadAs(pathOrPreset, []*grammar{&hpccEngine}))
}

// Parse is ParseDesign for an engine: a design of another kind is an error.
func Parse(filename string, data []byte) (*NIC, error) {
	return as[*NIC](parseAs(filename, data, []*grammar{&hpccEngine}))
}

func as[T Design](d Design, err error) (T, error) {
	if err != nil {
		var none T
		return none, err
	}
	return d.(T), nil // kinds names no other
}

func loadAs(pathOrPreset string, kinds []*grammar) (Design, error) {
	data, err := readFile(pathOrPreset)
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

// readFile reads a file as far as one may go, and a byte more: parseAs refuses what is longer, an endless device
// among it.
func readFile(path string) ([]byte, error) {
	if path == "-" {
		return io.ReadAll(io.LimitReader(os.Stdin, maxBytes+1))
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(f, maxBytes+1))
	return data, errors.Join(err, f.Close())
}

func parseAs(filename string, data []byte, kinds []*grammar) (Design, error) {
	d := newDecoder(filename)
	// A byte order mark and the line ends of other systems mean nothing; lines and columns stay.
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	d.document(bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n")), kinds)
	var c Design
	var fields reflect.Value
	if g := d.grammar; g != nil && !d.bad[""] {
		c = g.start()
		d.settle(g.keys, "", nil, false)
		d.asked(g.keys, "")
		fields = reflect.ValueOf(c).Elem()
		d.fill(g.keys, "", "", fields)
		g.finish(d, c)
	}
	if len(d.problems) > 0 {
		d.problems.sort()
		return nil, d.problems
	}
	sum := sha256.Sum256(c.Canonical())
	fields.FieldByName("Hash").SetString(hex.EncodeToString(sum[:8]))
	return c, nil
}
