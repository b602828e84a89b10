package source

import (
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
)

// MaxCopy limits, in bytes, what is copied of a pipe or a device to read it again.
const MaxCopy = 256 << 20

// File is an input that can be read from its start more than once.
type File struct {
	Name string
	file *os.File
}

// Standard is the name of the standard input where something is read, and of the standard output where it is written.
const Standard = "-"

// Open opens a file. Of a pipe or a device it keeps a copy in the folder for temporary files, of at most MaxCopy bytes.
func Open(path string) (*File, error) {
	f, err := os.Stdin, error(nil)
	if path != Standard {
		f, err = os.Open(path)
	}
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		var kept *os.File
		kept, err = copied(path, f)
		err = errors.Join(err, f.Close())
		f = kept
	}
	if err != nil {
		if f != nil {
			_ = f.Close()
		}
		return nil, err
	}
	return &File{path, f}, nil
}

// copied copies input that can be read only once into an unnamed file.
func copied(path string, from io.Reader) (*os.File, error) {
	to, err := os.CreateTemp("", "hpccgen-input-")
	if err != nil {
		return nil, err
	}
	err = os.Remove(to.Name())
	n, cerr := io.Copy(to, io.LimitReader(from, MaxCopy+1))
	err = errors.Join(err, cerr)
	if n > MaxCopy {
		err = &Error{File: path,
			Reason: fmt.Sprintf("more than %d MiB come from a pipe or a device; save them in a file and name that",
				MaxCopy>>20)}
	}
	if err != nil {
		_ = to.Close()
		return nil, err
	}
	return to, nil
}

// Close closes the file.
func (f *File) Close() error { return f.file.Close() }

// Reader reads the contents of a file, decompressed.
type Reader struct {
	*bufio.Reader
	Packed bool // the file is packed, so that its end is known to be the end of its contents
}

// bufferBytes holds the longest line of a table.
const bufferBytes = MaxLine

// Reader begins at the start of the file; readers from before are void. A file that begins as gzip does is unpacked.
// An error inside it is said in words that need the name of the file and the place alone; io.EOF comes at the end of
// a whole file only.
func (f *File) Reader() (*Reader, error) {
	if _, err := f.file.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	r := bufio.NewReaderSize(f.file, bufferBytes)
	if head, _ := r.Peek(2); len(head) < 2 || head[0] != 0x1f || head[1] != 0x8b {
		return &Reader{Reader: r}, nil
	}
	gz, err := gzip.NewReader(r)
	if err != nil {
		return nil, &Error{File: f.Name, Reason: fmt.Sprintf("not a gzip file, or cut off in its first bytes (%v)",
			err)}
	}
	return &Reader{bufio.NewReaderSize(unpacked{gz}, bufferBytes), true}, nil
}

// unpacked tells the end of a gzip stream from one that is cut off: readers of other packages take
// io.ErrUnexpectedEOF for the end of a file.
type unpacked struct{ gz *gzip.Reader }

var errTruncated = errors.New("the gzip stream ends here: the file is truncated")

// Read reads unpacked bytes.
func (u unpacked) Read(p []byte) (int, error) {
	n, err := u.gz.Read(p)
	switch {
	case err == nil || err == io.EOF:
	case errors.Is(err, io.ErrUnexpectedEOF):
		err = errTruncated
	default:
		err = fmt.Errorf("the gzip stream is damaged (%w)", err)
	}
	return n, err
}
