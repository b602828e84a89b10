package cosim

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
	"github.com/hdlpkg/hpccgen/verify/engine"
)

// Mutation is a deliberate fault in emitted Verilog: what the checks must notice. A check that has never been
// seen to fail is not a check.
type Mutation struct {
	Name    string
	Module  string         // whose file is changed; a prefix of the configuration does not count
	Pattern *regexp.Regexp // must match exactly once
	Replace string         // in the syntax of Regexp.ReplaceAll
}

// Apply changes the text of a design. It fails when the pattern does not match exactly once: such a mutation would test
// nothing.
func (m Mutation) Apply(files []vgen.File) ([]vgen.File, error) {
	changed := make([]vgen.File, len(files))
	copy(changed, files)
	for i := range changed {
		f := &changed[i]
		if f.Name != m.Module+".v" && !strings.HasSuffix(f.Name, "_"+m.Module+".v") {
			continue
		}
		if n := len(m.Pattern.FindAllIndex([]byte(f.Text), -1)); n != 1 {
			return nil, fmt.Errorf("mutation %s: %s matches %d times in %s; it must match once", m.Name, m.Pattern, n, f.Name)
		}
		f.Text = m.Pattern.ReplaceAll(f.Text, []byte(m.Replace))
		return changed, nil
	}
	return nil, fmt.Errorf("mutation %s: the design has no module %s", m.Name, m.Module)
}

// Open is an Options.Open that runs the mutated design. It needs an engine that reads Verilog.
func (m Mutation) Open(name string, d engine.Design, o engine.Options) (engine.Engine, error) {
	s, err := d.Source()
	if err != nil {
		return nil, err
	}
	if s.Files, err = m.Apply(s.Files); err != nil {
		return nil, err
	}
	return engine.OpenSource(name, s, o)
}
