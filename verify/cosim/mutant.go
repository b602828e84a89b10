package cosim

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
	"github.com/hdlpkg/hpccgen/verify/engine"
)

// Mutation is a deliberate fault in emitted Verilog: what the checks must notice. A check that has never been
// seen to fail is not a check.
type Mutation struct {
	Name    string
	Module  string         // whose file is changed; a prefix of the configuration does not count
	Pattern *regexp.Regexp // must match exactly once; a space is any white space, so that line breaks do not matter
	Replace string         // in the syntax of Regexp.ReplaceAll
}

// Apply changes the text of a design. It fails when the pattern does not match exactly once: such a mutation would test
// nothing.
func (m Mutation) Apply(files []vgen.File) ([]vgen.File, error) {
	i, err := m.file(files)
	if err != nil {
		return nil, err
	}
	changed := slices.Clone(files)
	changed[i].Text = m.anySpace().ReplaceAll(changed[i].Text, []byte(m.Replace))
	return changed, nil
}

// anySpace is the pattern, with any white space where it has a space, and where it has none behind a brace.
func (m Mutation) anySpace() *regexp.Regexp {
	text := strings.NewReplacer(" +", `\s+`, " ", `\s+`, `\{`, `\{\s*`).Replace(m.Pattern.String())
	return regexp.MustCompile(text)
}

// file is the index of the file that is changed, in which the pattern matches once.
func (m Mutation) file(files []vgen.File) (int, error) {
	for i, f := range files {
		if f.Name != m.Module+".v" && !strings.HasSuffix(f.Name, "_"+m.Module+".v") {
			continue
		}
		if n := len(m.anySpace().FindAllIndex(f.Text, -1)); n != 1 {
			return 0, fmt.Errorf("mutation %s: %s matches %d times in %s; it must match once", m.Name, m.Pattern, n, f.Name)
		}
		return i, nil
	}
	return 0, fmt.Errorf("mutation %s: the design has no module %s", m.Name, m.Module)
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
