package formal

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// prover runs the checks of a task.
type prover struct {
	task  Task
	tools tools
	dir   string
}

// run runs the checks of the task in turn, until one does not pass.
func (p prover) run(r *Result) (Verdict, error) {
	type check struct {
		args []string
		fail Verdict
	}
	var checks []check
	if p.task.Solver != Builtin {
		checks = append(checks, check{[]string{"--presat"}, Refuted})
	}
	if p.task.Cover {
		checks = append(checks, check{[]string{"-c"}, Unreached})
	}
	if p.task.Induction && p.task.Solver != Builtin {
		checks = append(checks, check{[]string{"-i"}, NotInductive})
	}
	for _, c := range checks {
		passed, err := p.check(r, c.args...)
		if err != nil {
			return "", fmt.Errorf("formal: %s on %s: %w", p.tools.solver, p.task.Top, err)
		}
		if !passed {
			return c.fail, nil
		}
	}
	r.Failed, r.Trace = nil, nil
	if p.task.Solver == Builtin {
		return p.builtin(r)
	}
	return Passed, nil
}

var (
	status    = regexp.MustCompile(`(?m)Status: (\w+)`)
	failed    = regexp.MustCompile(`(?m)Assert failed in (.*?)(?: \(\$.*\))?$`)
	unreached = regexp.MustCompile(`(?m)Unreached cover statement at (.*?)(?: \(\$.*\))?\.$`)
)

// check runs one check and reports whether it passed.
func (p prover) check(r *Result, args ...string) (bool, error) {
	limit := p.task.Limit
	if limit == 0 {
		limit = defaultLimit
	}
	// Unrolled, the solver sees plain bit-vectors; with the transition function as functions of states z3 takes a
	// thousand times as long.
	args = append(args, "--unroll", "--noprogress", "-s", p.tools.solver, "-m", p.task.Top, "-t",
		strconv.Itoa(p.task.Depth), "--dump-vcd", traceFile, description)
	log, err := command(p.dir, limit, p.tools.smtbmc, args...)
	r.Log += log
	said := status.FindStringSubmatch(log)
	var exit *exec.ExitError // a proof that fails is one; the status says so
	switch {
	case err != nil && !errors.As(err, &exit):
		return false, fmt.Errorf("%w\n%s", err, tail(log))
	case said == nil:
		return false, fmt.Errorf("no verdict (%v)\n%s", err, tail(log))
	}
	switch said[1] {
	case "PASSED", "passed":
		return true, nil
	case "FAILED", "failed":
	case "PREUNSAT":
		return false, fmt.Errorf("the assumptions contradict each other within %d cycles\n%s", p.task.Depth, tail(log))
	default:
		return false, fmt.Errorf("status %s\n%s", said[1], tail(log))
	}
	for _, m := range failed.FindAllStringSubmatch(log, -1) {
		r.Failed = append(r.Failed, m[1])
	}
	for _, m := range unreached.FindAllStringSubmatch(log, -1) {
		r.Failed = append(r.Failed, m[1])
	}
	trace, err := os.ReadFile(filepath.Join(p.dir, traceFile))
	if err != nil && !os.IsNotExist(err) {
		return false, err
	}
	r.Trace = trace
	return false, nil
}

// tail is the end of a log.
func tail(log string) string {
	const lines = 15
	all := strings.Split(strings.TrimSpace(log), "\n")
	return strings.Join(all[max(0, len(all)-lines):], "\n")
}

// command runs a program in dir and returns its output.
func command(dir string, limit time.Duration, name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	return supervise(cmd, limit)
}
