package lint

import (
	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/nic"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// Generate is the way from a configuration file to Verilog, without anything written: the top module's
// name and the files. An invalid file is config.Problems and yields no Verilog.
func Generate(name string, yaml []byte) (top string, files []vgen.File, err error) {
	c, err := config.Parse(name, yaml)
	if err != nil {
		return "", nil, err
	}
	return Emit(c)
}

// Emit builds the design of a configuration and prints it.
func Emit(c *config.NIC) (top string, files []vgen.File, err error) {
	e, err := nic.Build(c)
	if err != nil {
		return "", nil, err
	}
	style := vgen.SyncHigh
	if c.AsyncReset {
		style = vgen.AsyncLow
	}
	files, err = vgen.Emit(e.Top, vgen.EmitOptions{Reset: style})
	return e.Top.Name(), files, err
}
