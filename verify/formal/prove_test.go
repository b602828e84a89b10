package formal

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/internal/toolchain"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// needTools skips a test when a tool is missing; in CI that is a failure.
func needTools(t *testing.T, err error) {
	t.Helper()
	var missing toolchain.Missing
	if errors.As(err, &missing) && os.Getenv("CI") != "true" {
		t.Skipf("skipped: %v", err)
	}
}

// prove runs a task that has a verdict.
func prove(t *testing.T, task Task) Result {
	t.Helper()
	r, err := Prove(task)
	needTools(t, err)
	require.NoError(t, err)
	t.Log(r)
	return r
}

// counting is a counter that goes from 0 to 5 and starts again, with statements about it.
func counting(statements ...string) Task {
	text := `
module counter(input wire clk, input wire rst, input wire en);
    reg [3:0] n;
    reg started = 0;
    always @(posedge clk) begin
        started <= 1;
        if (rst) n <= 0; else if (en) n <= n == 5 ? 0 : n + 1;
        if (!started) assume (rst);
        if (started) begin
            ` + strings.Join(statements, "\n            ") + `
        end
    end
endmodule
`
	return Task{Sources: []vgen.File{{Name: "counter.v", Text: []byte(text)}}, Top: "counter", Depth: 12}
}

// Each verdict is returned when it must be, with the failure and its cause.
func TestVerdicts(t *testing.T) {
	for _, c := range []struct {
		name             string
		task             Task
		induction, cover bool
		want             Verdict
		line, begins     string // last and first of the statement that fails
	}{
		{"holds", counting("assert (n <= 5);"), true, false, Passed, "", ""},
		{"inverted", counting("assert (!(n <= 5));"), true, false, Refuted, "-10.", ":9."},
		{"fails late", counting("assert (n <= 5);", "assert (n != 4);"), false, false, Refuted, "-11.", ":10."},
		{"holds from reset only", counting("assert (n != 9);"), true, false, NotInductive, "-10.", ":9."},
		{"the same, bounded", counting("assert (n != 9);"), false, false, Passed, "", ""},
		{"every case", counting("assert (n <= 5);", "cover (n == 5);"), true, true, Passed, "", ""},
		{"no case", counting("assert (n <= 5);", "cover (n == 6);"), true, true, Unreached, "-11.", ""},
	} {
		for _, solver := range []string{"", Builtin} {
			t.Run(c.name+" "+solver, func(t *testing.T) {
				c.task.Induction, c.task.Cover, c.task.Solver = c.induction, c.cover, solver
				if solver == Builtin && c.want == NotInductive {
					c.task.Depth = 3 // from 6 to 9 without a state twice takes longer
				}
				r := prove(t, c.task)
				assert.Equal(t, c.want, r.Verdict)
				if c.line == "" {
					assert.Empty(t, r.Failed)
					return
				}
				require.NotEmpty(t, r.Failed)
				if solver == "" || c.want == Unreached {
					assert.Contains(t, r.Failed[0], c.line)
				} else {
					assert.Contains(t, r.Failed[0]+".", c.begins)
				}
				if c.want != Unreached {
					assert.NotEmpty(t, r.Waves())
				}
			})
		}
	}
}

// The trace is readable, and is that of the counterexample.
func TestWaves(t *testing.T) {
	for _, solver := range []string{"", Builtin} {
		task := counting("assert (n != 2);")
		task.Solver = solver
		r := prove(t, task)
		require.Equal(t, Refuted, r.Verdict)
		var n []string
		for line := range strings.Lines(r.Waves()) {
			if f := strings.Fields(line); len(f) > 0 && f[0] == "n" {
				n = f[2:] // after the name, and the value of n before the reset
			}
		}
		require.NotEmpty(t, n, r.Waves())
		assert.Equal(t, "0", n[0])
		assert.Contains(t, n, "2")
	}
}

// What is not a verdict is an error.
func TestNoVerdict(t *testing.T) {
	_, err := Prove(counting("assume (n == 1);", "assert (n <= 5);"))
	needTools(t, err)
	require.ErrorContains(t, err, "the assumptions contradict each other")

	contrary := counting("assume (n == 1);", "assert (n <= 5);")
	contrary.Solver = Builtin
	_, err = Prove(contrary)
	require.ErrorContains(t, err, "the assumptions contradict each other")

	_, err = Prove(counting("assert (m <= 5"))
	require.ErrorContains(t, err, "yosys")

	_, err = Prove(Task{Sources: counting("assert (n <= 5);").Sources, Top: "absent", Depth: 3})
	require.ErrorContains(t, err, "absent")

	task := counting("assert (n <= 5);")
	task.Solver = "oracle"
	_, err = Prove(task)
	require.ErrorContains(t, err, "z3")

	// Two primes of 39 bits take longer to find than there is time.
	hard := Task{Top: "factor", Depth: 2, Limit: time.Second, Sources: []vgen.File{{Name: "factor.v", Text: []byte(`
module factor(input wire clk, input wire [39:0] a, input wire [39:0] b);
    always @(posedge clk) if (a > 1 && b > 1 ) assert ({40'd0, a} * {40'd0, b} != 80'd215845145065169669358031);
endmodule
`)}}}
	begin := time.Now()
	_, err = Prove(hard)
	require.ErrorContains(t, err, "not enough")
	assert.Less(t, time.Since(begin), time.Minute)
}
