//go:build !unix

package engine

import "errors"

var errNoLibraries = errors.New("Verilator runs inside hpccgen on Linux and macOS only; take --engine icarus or go")

func openLibrary(string) (uintptr, error) { return 0, errNoLibraries }

func librarySymbol(uintptr, string) (uintptr, error) { return 0, errNoLibraries }

func closeLibrary(uintptr) error { return nil }
