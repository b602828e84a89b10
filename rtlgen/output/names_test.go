package output

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/config/configtest"
)

// Every net of an emitted body has a name that its author gave, or that says where it goes: none is named by an
// operator. HPCCGEN_DRAWN is how many designs of each kind are drawn.
func TestNamesAreTheAuthors(t *testing.T) {
	drawn := 12
	if text := os.Getenv("HPCCGEN_DRAWN"); text != "" {
		var err error
		drawn, err = strconv.Atoi(text)
		require.NoError(t, err, "HPCCGEN_DRAWN")
	}
	designs := map[string]config.Design{}
	for _, p := range config.Presets() {
		d, err := config.LoadDesign(p.Name)
		require.NoError(t, err)
		designs[p.Name] = d
	}
	for _, kind := range []string{config.KindNIC, config.KindCSIG, config.KindINT} {
		for i, d := range configtest.Draw(kind, 1, drawn) {
			designs[fmt.Sprintf("%s %d", kind, i)] = d.Design
		}
	}
	made := map[string]string{} // names by the line that built the value
	for name, c := range designs {
		top, err := Module(c)
		require.NoError(t, err)
		files, err := emit(c, top)
		require.NoError(t, err)
		for _, f := range files {
			for _, m := range f.Made {
				made[m.Pos.String()] = fmt.Sprintf("%s of %s of %s", m.Name, f.Name, name)
			}
		}
	}
	var list []string
	for _, pos := range slices.Sorted(maps.Keys(made)) {
		list = append(list, pos+": "+made[pos])
	}
	assert.Empty(t, list, "name these with Named:\n%s", strings.Join(list, "\n"))
}
