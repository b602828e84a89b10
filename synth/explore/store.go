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
	"os"
	"path/filepath"

	"github.com/hdlpkg/hpccgen/internal/outfolder"
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
func openStore(dir *outfolder.Folder, name string) (*store, error) {
	file, err := dir.Append(name)
	if err != nil {
		return nil, err
	}
	s := &store{file: file, sizes: map[string]Size{}, placed: map[placementKey]Placement{}}
	ended, err := s.read()
	if err == nil && !ended {
		_, err = file.WriteString("\n")
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return s, nil
}

// maxLine bounds a line of the file, in bytes; a measurement has about a thousand. A longer one is damaged.
const maxLine = 64 << 10

// read reads what is known, and reports whether the last line has an end.
func (s *store) read() (ended bool, err error) {
	if info, err := s.file.Stat(); err != nil || !info.Mode().IsRegular() {
		return false, errors.Join(err, fmt.Errorf("%s is no regular file", s.file.Name()))
	}
	in := bufio.NewReaderSize(s.file, maxLine)
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
