package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// inputFile refuses a file to be read that is not there, by the name of its flag. "" is no file.
func inputFile(flag, path string) error {
	if path == "" {
		return nil
	}
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return fmt.Errorf("%s %s: %w", flag, path, bare(err))
	case info.IsDir():
		return fmt.Errorf("%s %s is a folder; name a file", flag, path)
	}
	return nil
}

// outputFile refuses a file to be written whose folder is not there: before anything runs, and by the folder's name. "" is no file.
func outputFile(flag, path string) error {
	if path == "" {
		return nil
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

// bare takes the system call and the path off an error: the message has the path as it was given.
func bare(err error) error {
	var of *fs.PathError
	if errors.As(err, &of) {
		return of.Err
	}
	return err
}
