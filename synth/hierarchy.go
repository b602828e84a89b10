package synth

import (
	"regexp"
	"strings"

	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

var (
	commentText  = regexp.MustCompile(`(?s)//[^\n]*|/\*.*?\*/`)
	moduleText   = regexp.MustCompile(`(?s)\bmodule\s+(\w+)(.*?)\bendmodule\b`)
	instanceText = regexp.MustCompile(`\b(\w+)\s+(?:#\s*\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)\s*)?(\w+)\s*\(`)
)

// hierarchy is the tree of instances of a design, read from its Verilog.
type hierarchy struct {
	top       string
	instances map[string]map[string]string // module -> instance -> module
	files     []vgen.File
	places    map[string]int // module -> file
}

func readHierarchy(top string, files []vgen.File) hierarchy {
	h := hierarchy{top, map[string]map[string]string{}, files, map[string]int{}}
	bodies := map[string]string{}
	for i, f := range files {
		for _, m := range moduleText.FindAllStringSubmatch(commentText.ReplaceAllString(string(f.Text), " "), -1) {
			bodies[m[1]], h.places[m[1]] = m[2], i
		}
	}
	for name, body := range bodies {
		h.instances[name] = map[string]string{}
		for _, i := range instanceText.FindAllStringSubmatch(body, -1) {
			if _, module := bodies[i[1]]; module {
				h.instances[name][i[2]] = i[1]
			}
		}
	}
	return h
}

// locate finds the instance that a cell of the flattened netlist is in, by the cell's name: Yosys names cells after the
// wires that they drive, path first. It gives the path of the innermost instance that the name begins with, and its
// module. Of several names of a wire Yosys takes the first in alphabetical order: the register in an instance rather
// than the wire of the module around it, as long as that is called after the instance and the port, as vgen does
// (u_fifo_valid is u_fifo.valid_q).
func (h hierarchy) locate(cell string) (instance, module string) {
	name := strings.TrimPrefix(strings.ReplaceAll(cell, `\`, ""), "$flatten")
	module = h.top
	rest := name
	for {
		first, after, more := strings.Cut(rest, ".")
		sub, known := h.instances[module][first]
		if !more || !known {
			return instance, module
		}
		if instance != "" {
			instance += "."
		}
		instance, module, rest = instance+first, sub, after
	}
}

// needed returns the files of the top and its instances, in their order.
func (h hierarchy) needed() []vgen.File {
	use := map[int]bool{}
	seen := map[string]bool{}
	var visit func(module string)
	visit = func(module string) {
		if seen[module] {
			return
		}
		seen[module] = true
		if i, known := h.places[module]; known {
			use[i] = true
		}
		for _, sub := range h.instances[module] {
			visit(sub)
		}
	}
	visit(h.top)
	var list []vgen.File
	for i, f := range h.files {
		if use[i] {
			list = append(list, f)
		}
	}
	return list
}
