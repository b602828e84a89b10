package explore

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
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
	ended, err := s.read(path)
	if err != nil {
		return nil, err
	}
	if s.file, err = os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666); err != nil {
		return nil, err
	}
	if !ended {
		if _, err := s.file.WriteString("\n"); err != nil {
			return nil, errors.Join(err, s.file.Close())
		}
	}
	return s, nil
}

// maxLine bounds a line of the file, in bytes; a measurement has about a thousand. A longer one is damaged.
const maxLine = 64 << 10

// read reads what is known, and reports whether the last line has an end.
func (s *store) read(path string) (ended bool, err error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return true, nil
	}
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is no regular file", path)
	}
	if err != nil {
		return false, err
	}
	f, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	in := bufio.NewReaderSize(f, maxLine)
	whole := true // the line began where the buffer does
	ended = true
	for {
		line, err := in.ReadSlice('\n')
		if len(line) > 0 {
			ended = line[len(line)-1] == '\n'
		}
		var l storedLine
		if whole && json.Unmarshal(line, &l) == nil && l.Key != "" && l.check() == nil {
			s.known[l.Key] = l.Measurement
		}
		whole = !errors.Is(err, bufio.ErrBufferFull)
		switch {
		case err == io.EOF:
			return ended, nil
		case err != nil && whole:
			return false, err
		}
	}
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
