package formal

import (
	"bytes"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/hdlpkg/hpccgen/internal/toolchain"
)

// Solvers are the SMT solvers that can be used, the one preferred first. Boolector must be version 3 or later; Debian
// 12 has 1.5.
var Solvers = []string{"z3", "boolector"}

// tools are the programs of a proof.
type tools struct{ yosys, smtbmc, solver string }

// findTools looks for the programs; solver may be "".
func findTools(solver string) (tools, error) {
	if solver == Builtin {
		solver = "" // of the cover statements
	}
	if solver != "" && !slices.Contains(Solvers, solver) {
		return tools{}, fmt.Errorf("formal: no solver %q; there are %s", solver, strings.Join(Solvers, ", "))
	}
	found := map[string]toolchain.Status{}
	for _, s := range toolchain.All() {
		found[s.Name] = s
	}
	missing := func(name string) error {
		return toolchain.Missing{Tool: name, Needed: "proofs", Install: found[name].Install}
	}
	for _, name := range []string{"yosys", "yosys-smtbmc"} {
		if !found[name].Found {
			return tools{}, missing(name)
		}
	}
	t := tools{yosys: found["yosys"].Path, smtbmc: found["yosys-smtbmc"].Path}
	for _, name := range Solvers {
		if found[name].Found && (solver == "" || solver == name) {
			t.solver = name
			return t, nil
		}
	}
	if solver == "" {
		solver = Solvers[0]
	}
	return t, missing(solver)
}

// grace is how long a program has to end the programs that it started.
const grace = 2 * time.Second

// supervise runs a command and returns its output. The programs that it starts end with it, also when the time is
// over.
func supervise(cmd *exec.Cmd, limit time.Duration) (string, error) {
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.WaitDelay = grace
	if err := cmd.Start(); err != nil {
		return "", err
	}
	group := -cmd.Process.Pid
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	select {
	case err := <-done:
		return output.String(), err
	case <-time.After(limit):
	}
	// yosys-smtbmc ends its solver, which is in a group of its own, when it is asked to end.
	_ = syscall.Kill(group, syscall.SIGTERM)
	select {
	case <-done:
	case <-time.After(grace):
		_ = syscall.Kill(group, syscall.SIGKILL)
		<-done
	}
	return output.String(), errTime{limit}
}

// errTime is the end of the time for a check.
type errTime struct{ limit time.Duration }

func (e errTime) Error() string { return fmt.Sprintf("%v were not enough", e.limit) }
