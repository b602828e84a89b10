package formal

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// Task is something to prove. Assertions and assumptions are in clocked or combinational blocks of the sources:
//
//	reg started = 0; // a wrapper's own registers may have initial values
//	always @(posedge clk) begin
//	    started <= 1;
//	    if (!started) assume (rst);
//	    if (started && $past(valid && !ready)) assert (rst_q || valid);
//	end
type Task struct {
	Sources []vgen.File // Verilog, the wrapper's among them; FORMAL is defined
	Top     string      // the wrapper

	Depth     int  // cycles: of the bounded check, and at most of the induction
	Induction bool // prove also that the assertions hold beyond Depth
	// and that every cover statement is reached within Depth cycles, so that the assertions do not hold for want of a case
	Cover bool

	Solver string        // one of Solvers, or Builtin; "": the first of Solvers that is there
	Limit  time.Duration // for each of the checks; 0: 5 minutes
}

// Verdict is how a proof ended.
type Verdict string

// The verdicts.
const (
	Passed  Verdict = "passed"
	Refuted Verdict = "refuted" // an assertion fails within Depth cycles
	// none does, but from some state, perhaps one that is never reached, one fails after Depth cycles without
	NotInductive Verdict = "not inductive"
	Unreached    Verdict = "unreached" // a cover statement is not reached
)

// Result is the outcome of a task. Where it did not pass, Failed names the statements and Trace shows how.
type Result struct {
	Verdict Verdict
	Failed  []string // assertion or cover statement: module, file and lines
	Trace   []byte   // VCD of the counterexample; of an induction, of its last cycles
	Log     string   // of the solver
	Solver  string
	Elapsed time.Duration
}

// Waves is the trace as text: a row for each signal of the wrapper, a column for each cycle. Empty without a trace.
func (r Result) Waves() string { return waves(r.Trace) }

func (r Result) String() string {
	if r.Verdict == Passed {
		return fmt.Sprintf("passed (%s, %v)", r.Solver, r.Elapsed.Round(time.Millisecond))
	}
	return fmt.Sprintf("%s (%s, %v): %s\n%s", r.Verdict, r.Solver, r.Elapsed.Round(time.Millisecond),
		strings.Join(r.Failed, "; "), r.Waves())
}

// defaultLimit is the time for a check where a task gives none.
const defaultLimit = 5 * time.Minute

// Prove runs a task. An error means that there is no verdict: a tool is missing (toolchain.Missing), the sources are
// not in order, the assumptions contradict each other, or the time was not enough.
func Prove(t Task) (Result, error) {
	r := Result{}
	tools, err := findTools(t.Solver)
	if err != nil {
		return r, err
	}
	r.Solver = tools.solver
	if t.Solver == Builtin {
		r.Solver = Builtin
	}
	begin := time.Now()
	dir, err := os.MkdirTemp("", "hpccgen-formal-")
	if err != nil {
		return r, err
	}
	defer os.RemoveAll(dir)
	for _, f := range t.Sources {
		if err := os.WriteFile(filepath.Join(dir, f.Name), f.Text, 0o644); err != nil {
			return r, err
		}
	}
	if t.Solver != Builtin || t.Cover {
		if err := translate(tools, t, dir); err != nil {
			return r, err
		}
	}
	p := prover{task: t, tools: tools, dir: dir}
	r.Verdict, err = p.run(&r)
	r.Elapsed = time.Since(begin)
	return r, err
}

// translate makes the SMT-LIB description of the task's design, whose sources are in dir.
func translate(tools tools, t Task, dir string) error {
	script := preparation(t) + "write_smt2 -wires " + description + "\n"
	if err := os.WriteFile(filepath.Join(dir, "prepare.ys"), []byte(script), 0o644); err != nil {
		return err
	}
	out, err := command(dir, defaultLimit, tools.yosys, "-q", "prepare.ys")
	if err != nil {
		return fmt.Errorf("formal: yosys on %s: %w\n%s", t.Top, err, out)
	}
	return nil
}

// preparation are the commands of yosys that read a task's design and make it what solvers take.
func preparation(t Task) string {
	var names []string
	for _, f := range t.Sources {
		names = append(names, f.Name)
	}
	return fmt.Sprintf(
		"read_verilog -formal %s\nprep -flatten -top %s\nasync2sync\ndffunmap\nsetundef -undriven -anyseq\nopt_clean\n", strings.Join(names, " "), t.Top)
}

// Names of files in a task's directory.
const (
	description = "design.smt2"
	traceFile   = "trace.vcd"
)
