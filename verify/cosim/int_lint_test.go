package cosim

import (
	"fmt"
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
	"github.com/hdlpkg/hpccgen/verify/inband"
	"github.com/hdlpkg/hpccgen/verify/lint"
)

// The emitted Verilog of every design is silent in each linter.
func TestINTDesignsAreLintClean(t *testing.T) {
	var tools []string
	for _, name := range lint.Tools() {
		if _, err := exec.LookPath(name); err != nil {
			if os.Getenv("CI") == "true" {
				t.Fatal(err)
			}
			t.Log(err)
			continue
		}
		tools = append(tools, name)
	}
	if len(tools) == 0 {
		t.Skip("no linter")
	}
	for i, c := range intDesigns() {
		if i%5 != 0 { // with each format and width
			continue
		}
		t.Run(fmt.Sprintf("%d %s %d", i, c.Format, c.DataBits), func(t *testing.T) {
			s, err := inband.NewSubject(&c, false)
			require.NoError(t, err)
			d := &s.Frame().Design
			files, err := vgen.Emit(d.Top, vgen.EmitOptions{Tool: "lint", Reset: d.Reset})
			require.NoError(t, err)
			messages, err := lint.Check(d.Top.Name(), files, tools...)
			require.NoError(t, err)
			for _, m := range messages {
				assert.Fail(t, m.String())
			}
		})
	}
}
