package explore

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/hdlpkg/hpccgen/rtlgen/output"
)

// store keeps measurements in a file of JSON lines. A line is written when its measurement is done, in one piece: an
// interrupted run loses what was under way, and nothing else.
type store struct {
	file   *os.File
	sizes  map[string]Size // by the key of the design
	placed map[placementKey]Placement
}

// placementKey identifies a placement.
type placementKey struct {
	design   string
	clockMHz float64
	seed     int
}

// storedLine has either a size or a placement.
type storedLine struct {
	Key       string     `json:"key"`
	Name      string     `json:"name"` // for whoever reads the file
	Size      *Size      `json:"size,omitempty"`
	ClockMHz  float64    `json:"clock_mhz,omitempty"`
	Placement *Placement `json:"placement,omitempty"`
}

// openStore reads what is known, and is ready for more. A line that is cut off, as after a crash, or damaged is left
// out: its point is measured again.
func openStore(path string) (*store, error) {
	s := &store{sizes: map[string]Size{}, placed: map[placementKey]Placement{}}
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
		if whole && json.Unmarshal(line, &l) == nil && l.Key != "" {
			s.take(l)
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

// take keeps what is plausible in a line.
func (s *store) take(l storedLine) {
	if l.Size != nil && l.Size.check() == nil {
		s.sizes[l.Key] = *l.Size
	}
	if p := l.Placement; p != nil && p.check() == nil {
		s.placed[placementKey{l.Key, l.ClockMHz, p.Seed}] = *p
	}
}

func (s *store) putSize(key, name string, size Size) error {
	return s.put(storedLine{Key: key, Name: name, Size: &size})
}

func (s *store) putPlacement(k placementKey, name string, p Placement) error {
	return s.put(storedLine{Key: k.design, Name: name, ClockMHz: k.clockMHz, Placement: &p})
}

func (s *store) put(l storedLine) error {
	line, err := json.Marshal(l)
	if err != nil {
		return err
	}
	_, err = s.file.Write(append(line, '\n'))
	return err
}

func (s *store) close() error { return s.file.Close() }

// storeVersion changes when measurements of old are no longer comparable.
const storeVersion = 2

// keyOf identifies what a measurement was made of: the emitted modules, part and tools. Headers are left out, since they
// name the configuration: two configurations that give the same hardware have the same key.
func keyOf(d *output.Design, id Identity) (string, error) {
	h := sha256.New()
	fmt.Fprintf(h, "explore %d %s\n", storeVersion, id.Part)
	if err := json.NewEncoder(h).Encode(id.Tools); err != nil { // keys of maps are sorted
		return "", err
	}
	for _, f := range d.Files {
		if filepath.Ext(f.Path) == ".v" {
			text := body(f.Data)
			fmt.Fprintf(h, "%s %d\n", f.Path, len(text))
			h.Write(text)
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// body is a file without the comment that it begins with.
func body(text []byte) []byte {
	for bytes.HasPrefix(text, []byte("//")) {
		_, text, _ = bytes.Cut(text, []byte("\n"))
	}
	return text
}
