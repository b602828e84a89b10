package lint

import (
	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/output"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// Generate is the way from a configuration file to Verilog, without anything written: the top module's
// name and the files. An invalid file is config.Problems and yields no Verilog.
func Generate(name string, yaml []byte) (top string, files []vgen.File, err error) {
	d, err := config.ParseDesign(name, yaml)
	if err != nil {
		return "", nil, err
	}
	return Emit(d)
}

// Emit builds the design of a configuration and prints it.
func Emit(d config.Design) (top string, files []vgen.File, err error) {
	m, err := output.Module(d)
	if err != nil {
		return "", nil, err
	}
	style := vgen.SyncHigh
	if d.ResetAsync() {
		style = vgen.AsyncLow
	}
	files, err = vgen.Emit(m, vgen.EmitOptions{Reset: style})
	return m.Name(), files, err
}
