package vgen

import (
	"path"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
)

// Pos is a place in the Go source of a generator: where a signal, a register or
// a mistake was written.
type Pos struct {
	File string // full path, empty when unknown
	Line int
}

// String gives the last folder, the file and the line ("nic/engine.go:41"), which
// does not depend on where the sources are checked out.
func (p Pos) String() string {
	if p.File == "" {
		return "unknown position"
	}
	file := filepath.ToSlash(p.File)
	dir, base := path.Split(file)
	return path.Join(path.Base(dir), base) + ":" + strconv.Itoa(p.Line)
}

// callSite holds raw program counters. They are resolved only when a message
// needs them, because every node keeps one and most are never looked at.
type callSite [8]uintptr

func here() callSite {
	var c callSite
	runtime.Callers(3, c[:])
	return c
}

// packagePrefix is the prefix of every function name of this package, such as
// "example.org/vgen.".
var packagePrefix = func() string {
	pc, _, _, _ := runtime.Caller(0)
	name := runtime.FuncForPC(pc).Name()
	slash := strings.LastIndexByte(name, '/') + 1
	dot := strings.IndexByte(name[slash:], '.')
	return name[:slash+dot+1]
}()

// pos finds the first caller outside of this package; its tests count as outside.
func (c callSite) pos() Pos {
	n := 0
	for n < len(c) && c[n] != 0 {
		n++
	}
	if n == 0 {
		return Pos{}
	}
	frames := runtime.CallersFrames(c[:n])
	for {
		f, more := frames.Next()
		inside := strings.HasPrefix(f.Function, packagePrefix) && !strings.HasSuffix(f.File, "_test.go")
		if f.Function != "" && !inside {
			return Pos{File: f.File, Line: f.Line}
		}
		if !more {
			return Pos{}
		}
	}
}
