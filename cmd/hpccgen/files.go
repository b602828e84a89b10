package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"

	"github.com/google/renameio/v2/maybe"

	"github.com/hdlpkg/hpccgen/verify/source"
)

// inputFile refuses a file to be read that is not there, by the name of its flag. "" is no file.
func inputFile(flag, path string) error {
	if path == "" || path == source.Standard {
		return nil
	}
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return fmt.Errorf("%s %s: %w", flag, path, bare(err))
	case info.IsDir():
		return fmt.Errorf("%s %s is a folder; name a file", flag, path)
	}
	return regularFile(flag, path)
}

// handedOver are the names of files that the shell has opened already, as for a redirection or <(command).
var handedOver = regexp.MustCompile(`^/dev/stdin$|^/dev/fd/[0-9]+$|^/proc/self/fd/[0-9]+$`)

// regularFile refuses an input that is there and is a named pipe, at which a command would wait for ever, or a device.
func regularFile(flag, path string) error {
	info, err := os.Stat(path)
	if err != nil || info.Mode().IsRegular() || info.IsDir() || handedOver.MatchString(path) {
		return nil
	}
	kind := "a device"
	switch {
	case info.Mode()&fs.ModeNamedPipe != 0:
		kind = "a named pipe"
	case info.Mode()&fs.ModeSocket != 0:
		kind = "a socket"
	}
	return fmt.Errorf("%s %s is %s; name a regular file, or - for the standard input", flag, path, kind)
}

// inputsOnce refuses two inputs that are the standard input: each would take what the other misses.
func inputsOnce(inputs ...fileOf) error {
	first := ""
	for _, in := range inputs {
		switch {
		case in.path != source.Standard:
		case first != "":
			return fmt.Errorf("%s -: %s reads the standard input already; name a file", in.flag, first)
		default:
			first = in.flag
		}
	}
	return nil
}

// outputFile refuses a file to be written whose folder is not there: before anything runs, and by the folder's name. ""
// is no file, "-" the standard output.
func outputFile(flag, path string) error {
	switch {
	case path == "", path == source.Standard && flag != "--vcd":
		return nil
	case path == source.Standard:
		return errors.New("--vcd -: simulators write waveforms into files; name one (./- if that is its name)")
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return fmt.Errorf("%s %s is a folder; name a file", flag, path)
	}
	dir := filepath.Dir(path)
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s %s: there is no folder %s; create it first", flag, path, dir)
	case err != nil:
		return fmt.Errorf("%s %s: %w", flag, path, bare(err))
	case !info.IsDir():
		return fmt.Errorf("%s %s: %s is not a folder", flag, path, dir)
	}
	return nil
}

// fileOf is a file that a command reads or writes, by the name of its flag; "" is none.
type fileOf struct{ flag, path string }

// outputsApart refuses two outputs that are one file, under whatever names: the later would replace the other.
func outputsApart(outputs ...fileOf) error {
	seen := map[string]string{}
	for _, o := range outputs {
		if o.path == "" {
			continue
		}
		name, ok := source.Replaceable(o.path)
		if !ok && o.path != source.Standard {
			continue // a device takes what comes
		}
		if folder, err := filepath.EvalSymlinks(filepath.Dir(name)); err == nil {
			name = filepath.Join(folder, filepath.Base(name))
		}
		if abs, err := filepath.Abs(name); err == nil {
			name = abs
		}
		if other, ok := seen[name]; ok {
			return fmt.Errorf("%s %s is the file of %s too; name another file", o.flag, o.path, other)
		}
		seen[name] = o.flag
	}
	return nil
}

// writeJSON is writeFile of a report.
func writeJSON(s streams, path string, v any) error {
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return bug{err}
	}
	return writeFile(s, path, append(data, '\n'))
}

// writeFile writes a report to the standard output, or replaces a file as a whole. Other things of that name, devices
// and the like, are written to and stay.
func writeFile(s streams, path string, data []byte) error {
	var err error
	if path == source.Standard {
		_, err = s.results.Write(data)
	} else if real, ok := source.Replaceable(path); ok {
		err = maybe.WriteFile(real, data, 0o644)
	} else {
		err = writeInto(path, data)
	}
	if err != nil {
		return fmt.Errorf("the report cannot be written: %w", err)
	}
	return nil
}

func writeInto(path string, data []byte) error {
	f, err := source.InPlace(path)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}

// bare takes the system call and the path off an error: the message has the path as it was given.
func bare(err error) error {
	var of *fs.PathError
	if errors.As(err, &of) {
		return of.Err
	}
	return err
}
