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
func inside(t *testing.T, m *vgen.Module, faults []vgen.Fault, properties string) Task {
	t.Helper()
	files := emitted(t, m, faults)
	for i, f := range files {
		if f.Name == m.Name()+".v" {
			require.Equal(t, 1, bytes.Count(f.Text, []byte("\nendmodule")))
			files[i].Text = bytes.Replace(f.Text, []byte("\nendmodule"), []byte("\n"+properties+"\nendmodule"), 1)
		}
	}
	return Task{Sources: files, Top: m.Name()}
}

// fault is a change that a proof must detect: a fault of the design, or another text in the place of one in the proof.
type fault struct {
	name     string
	design   []vgen.Fault
	old, new string
}

// wrong is a fault of the module under proof.
func wrong(name, at string, change vgen.Change) fault {
	return fault{name: name, design: []vgen.Fault{{Name: name, At: at, Change: change}}}
}

// says is another text in the proof.
func says(name, old, new string) fault { return fault{name: name, old: old, new: new} }

// of is a task with the fault.
func (f fault) of(t *testing.T, task func(...vgen.Fault) Task) Task {
	t.Helper()
	broken := task(f.design...)
	if f.old != "" {
		changed := 0
		for i, s := range broken.Sources {
			changed += bytes.Count(s.Text, []byte(f.old))
			broken.Sources[i].Text = bytes.ReplaceAll(s.Text, []byte(f.old), []byte(f.new))
		}
		require.Equal(t, 1, changed, "the text must be in one place")
	}
	return broken
}

// refuted checks that the task, which passes, fails with each of the faults, and that there is a trace that shows
// why.
func refuted(t *testing.T, task func(...vgen.Fault) Task, faults ...fault) {
	t.Helper()
	for _, f := range faults {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			broken := f.of(t, task)
			broken.Induction, broken.Cover = false, false
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

// replaced returns text with names replaced, given in pairs.
func replaced(text string, pairs ...string) string {
	return strings.NewReplacer(pairs...).Replace(text)
}

func b2i(v bool) int {
	if v {
		return 1
	}
	return 0
}
