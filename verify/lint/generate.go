package lint

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/csig"
	"github.com/hdlpkg/hpccgen/rtlgen/inband"
	"github.com/hdlpkg/hpccgen/rtlgen/law"
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
	m, err := build(d)
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

func build(d config.Design) (*vgen.Module, error) {
	switch c := d.(type) {
	case *config.NIC:
		e, err := law.Build(c)
		if err != nil {
			return nil, err
		}
		return e.Top, nil
	case *config.CSIG:
		s, err := csig.Build(c)
		if err != nil {
			return nil, err
		}
		return s.Top, nil
	case *config.INT:
		s, err := inband.Build(c)
		if err != nil {
			return nil, err
		}
		return s.Top, nil
	}
	return nil, fmt.Errorf("no design of kind %s", d.DesignKind())
}
