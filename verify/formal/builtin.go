package formal

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Builtin is the SAT solver inside yosys. It settles wide datapaths in a tenth of the time of z3, and small control
// logic more slowly. Cover statements are left to the SMT solver; memories become registers. Its induction looks at
// paths without a state twice, and so proves more within as many cycles.
const Builtin = "yosys"

// builtin proves with yosys alone. One run checks whether there is a case that the assumptions allow, as without one
// everything holds, and makes the check: to read the design takes as long.
func (p prover) builtin(r *Result) (Verdict, error) {
	out, err := p.sat(p.task.Depth, "sat -seq %d -set-assumes",
		"sat -seq %d -prove-asserts -set-assumes -show-all -dump_vcd "+traceFile)
	r.Log += strings.Join(out, "")
	if err != nil {
		return "", err
	}
	if possible := out[0]; !strings.Contains(possible, "model found: SUCCESS!") && !strings.Contains(possible,
		"SAT model found") && !strings.Contains(possible, "SAT solving finished - model found") {
		return "", fmt.Errorf("the assumptions contradict each other within %d cycles\n%s", p.task.Depth, tail(possible))
	}
	if !strings.Contains(out[1], "SAT proof finished - no model found: SUCCESS!") {
		return Refuted, p.explain(r, out[1])
	}
	if !p.task.Induction {
		return Passed, nil
	}
	out, err = p.sat(p.task.Depth-1,
		"sat -tempinduct -tempinduct-inductonly -prove-asserts -set-assumes -show-all -dump_vcd "+traceFile+" -maxsteps %d")
	r.Log += out[0]
	if err != nil {
		return "", err
	}
	if !strings.Contains(out[0], "Induction step proven: SUCCESS!") {
		return NotInductive, p.explain(r, out[0])
	}
	return Passed, nil
}

// nextSAT is between the outputs of two commands.
const nextSAT = "=== the next command of a proof ==="

// sat runs commands of yosys on the design, and gives what each printed, the first with what led to it; as many as
// there are commands.
func (p prover) sat(depth int, formats ...string) ([]string, error) {
	script := preparation(p.task) + "delete t:$cover\nmemory_map\nopt_clean\n"
	for i, format := range formats {
		if i > 0 {
			script += "log " + nextSAT + "\n"
		}
		script += fmt.Sprintf(format, depth) + " " + p.task.Top + "\n"
	}
	if err := os.WriteFile(filepath.Join(p.dir, "sat.ys"), []byte(script), 0o644); err != nil {
		return make([]string, len(formats)), err
	}
	limit := p.task.Limit
	if limit == 0 {
		limit = defaultLimit
	}
	text, err := command(p.dir, limit*time.Duration(len(formats)), p.tools.yosys, "-Q", "sat.ys")
	if err != nil {
		err = fmt.Errorf("%w\n%s", err, tail(text))
	}
	out := strings.Split(text, nextSAT+"\n")
	return append(out, make([]string, max(0, len(formats)-len(out)))...), err
}

// asserted is a line of the log: the signals that say whether a statement holds, and whether it is looked at. In a
// trace other characters are replaced.
var (
	asserted = regexp.MustCompile(
		`(?m)^Import proof for assert: \$formal\$(.*):(\d+)\$(\d+)_CHECK when \$formal\$(.*):(\d+)\$(\d+)_EN\.$`)
	traced = strings.NewReplacer("$", "_", ":", "_")
)

// explain reads the counterexample.
func (p prover) explain(r *Result, out string) error {
	if !strings.Contains(out, "FAIL") && !strings.Contains(out, "proof failed") {
		return fmt.Errorf("no verdict\n%s", tail(out))
	}
	vcd, err := os.ReadFile(filepath.Join(p.dir, traceFile))
	if err != nil {
		return err
	}
	// Time 0 is first the initial state; the first cycle follows it.
	var all, public strings.Builder
	behind := false
	for line := range strings.Lines(string(vcd)) {
		name := strings.Fields(line)
		switch {
		case strings.HasPrefix(line, "$var"):
			all.WriteString(line)
			if strings.HasPrefix(name[4], "\\") {
				public.WriteString(line)
			}
		case strings.HasPrefix(line, "$scope"), strings.HasPrefix(line, "$upscope"):
			all.WriteString(line)
			public.WriteString(line)
		case line == "$dumpvars\n":
			behind = true
		case behind && line == "$end\n", behind && line[0] == '#' && line != "#0\n":
			fmt.Fprintf(&all, "%s1!\n", strings.TrimPrefix(line, "$end\n"))
			fmt.Fprintf(&public, "%s1!\n", strings.TrimPrefix(line, "$end\n"))
		case behind:
			all.WriteString(line)
			public.WriteString(line)
		}
	}
	all.WriteString("1!\n")
	public.WriteString("1!\n")
	r.Trace = []byte(public.String())
	values := map[string][]string{}
	for _, s := range parse([]byte(all.String())) {
		values[s.name] = s.values
	}
	for _, m := range asserted.FindAllStringSubmatch(out, -1) {
		holds := values[traced.Replace(fmt.Sprintf("$formal$%s:%s$%s_CHECK", m[1], m[2], m[3]))]
		looked := values[traced.Replace(fmt.Sprintf("$formal$%s:%s$%s_EN", m[4], m[5], m[6]))]
		at := fmt.Sprintf("%s: %s:%s", p.task.Top, m[1], m[2])
		for i := range min(len(holds), len(looked)) {
			if holds[i] == "0" && looked[i] == "1" && !slices.Contains(r.Failed, at) {
				r.Failed = append(r.Failed, at)
			}
		}
	}
	return nil
}
