package transit

import (
	"strings"

	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// Stage puts registers after signals of a stage, where registers stand, and returns the stage at which the signals then
// are. names has a word for each.
func Stage(p *lib.Pipe, stand bool, stage int, names string, signals ...*vgen.Signal) int {
	if !stand {
		return stage
	}
	for i, name := range strings.Fields(names) {
		*signals[i] = p.Reg(name, stage, *signals[i]).Signal
	}
	return stage + 1
}
