//go:build unix

package engine

import "github.com/ebitengine/purego"

func openLibrary(path string) (uintptr, error) {
	return purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_LOCAL)
}

func librarySymbol(library uintptr, name string) (uintptr, error) { return purego.Dlsym(library, name) }

func closeLibrary(library uintptr) error { return purego.Dlclose(library) }
