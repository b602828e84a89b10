package explore

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/hdlpkg/hpccgen/rtlgen/output"
)

// store keeps measurements in a file of JSON lines. A line is written when its point is done, in one piece: an
// interrupted run loses what was under way, and nothing else.
type store struct {
	mu    sync.Mutex
	file  *os.File
	known map[string]Measurement
}

type storedLine struct {
	Key  string `json:"key"`
	Name string `json:"name"` // for whoever reads the file
	Measurement
}

// openStore reads what is known, and is ready for more. A line that is cut off, as after a crash, or damaged is left
// out: its point is measured again.
func openStore(path string) (*store, error) {
	s := &store{known: map[string]Measurement{}}
	text, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for line := range bytes.Lines(text) {
		var l storedLine
		if json.Unmarshal(line, &l) == nil && l.Key != "" && l.check() == nil {
			s.known[l.Key] = l.Measurement
		}
	}
	if s.file, err = os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666); err != nil {
		return nil, err
	}
	if len(text) > 0 && text[len(text)-1] != '\n' {
		if _, err := s.file.WriteString("\n"); err != nil {
			return nil, errors.Join(err, s.file.Close())
		}
	}
	return s, nil
}

func (s *store) get(key string) (Measurement, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	m, found := s.known[key]
	return m, found
}

func (s *store) put(key, name string, m Measurement) error {
	line, err := json.Marshal(storedLine{key, name, m})
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.known[key] = m
	_, err = s.file.Write(append(line, '\n'))
	return err
}

func (s *store) close() error { return s.file.Close() }

// storeVersion changes when measurements of old are no longer comparable.
const storeVersion = 1

// keyOf identifies a measurement: the emitted Verilog, which names the version of the generator, and what it was
// measured with.
func keyOf(d *output.Design, id Identity) (string, error) {
	h := sha256.New()
	fmt.Fprintf(h, "explore %d\n", storeVersion)
	if err := json.NewEncoder(h).Encode(id); err != nil { // keys of maps are sorted
		return "", err
	}
	for _, f := range d.Files {
		if filepath.Ext(f.Path) == ".v" {
			fmt.Fprintf(h, "%s %d\n", f.Path, len(f.Data))
			h.Write(f.Data)
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
