package formal

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// inside is a task: a module with properties put in front of its endmodule, so that they see all that is inside.
func inside(t *testing.T, m *vgen.Module, properties string) Task {
	t.Helper()
	files, err := vgen.Emit(m, vgen.EmitOptions{})
	require.NoError(t, err)
	for i, f := range files {
		if f.Name == m.Name()+".v" {
			require.Equal(t, 1, bytes.Count(f.Text, []byte("\nendmodule")))
			files[i].Text = bytes.Replace(f.Text, []byte("\nendmodule"), []byte("\n"+properties+"\nendmodule"), 1)
		}
	}
	return Task{Sources: files, Top: m.Name()}
}

// fault is a change of one place in a task's sources, which the proof must notice.
type fault struct{ name, old, new string }

// refuted tells that the task, which passes, does not with each of the faults, and that there is a trace that shows
// why.
func refuted(t *testing.T, task func() Task, faults ...fault) {
	t.Helper()
	for _, f := range faults {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			broken := task()
			broken.Induction, broken.Cover = false, false
			change(t, &broken, f.old, f.new)
			r := prove(t, broken)
			assert.Equal(t, Refuted, r.Verdict)
			assert.NotEmpty(t, r.Failed)
			assert.NotEmpty(t, r.Trace)
		})
	}
}

// long skips proofs that take minutes, unless they are asked for: make prove-long.
func long(t *testing.T) {
	t.Helper()
	if !longRun() {
		t.Skip("skipped: takes minutes; make prove-long runs it")
	}
}

func longRun() bool { return os.Getenv("HPCCGEN_LONG") != "" }

// localparams declares constants of a property block.
func localparams(pairs ...any) string {
	out := ""
	for i := 0; i < len(pairs); i += 2 {
		out += fmt.Sprintf("    localparam %s = %d;\n", pairs[i], pairs[i+1])
	}
	return out
}

// replaced is text with names replaced by what they stand for, in pairs.
func replaced(text string, pairs ...string) string {
	return strings.NewReplacer(pairs...).Replace(text)
}

func b2i(v bool) int {
	if v {
		return 1
	}
	return 0
}
