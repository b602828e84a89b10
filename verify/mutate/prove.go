package mutate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// Unreached tries the cheapest proof that a mutant changes nothing: that the mutated bit does not reach an output,
// through gates and registers that differ without it. It describes the proof in words, "" if there is none.
func (m *Mutants) Unreached(number int) (string, error) {
	if m.port(number) == "CLK" {
		return "", nil // circuits have one clock only
	}
	a, err := m.circuit()
	if err != nil {
		return "", fmt.Errorf("comparing mutant %d of %s: %w", number, m.Subject.Name, err)
	}
	c := compare(a, m.selected(a, 0), m.selected(a, number), m.differs(a))
	if err := c.settle(c.sameGates); err != nil || c.bad() != 0 {
		return "", err
	}
	return "does not reach an output", nil
}

// Prove tries to prove that a mutant is equivalent to the original: from all registers at zero, for every sequence of
// inputs, every output is the same in every cycle, a payload while its valid is high. It describes the proof in words,
// "" if there was none within the time.
//
// Both are compared as gates and registers. Registers are assumed to be equal where ABC can prove that they get the
// same next values from equal registers: if the outputs are then proven the same, the mutant is equivalent by
// induction. What remains is left to ABC's provers.
func (m *Mutants) Prove(number int, limit time.Duration) (string, error) {
	if m.port(number) == "CLK" {
		return "", nil // circuits have one clock only
	}
	a, err := m.circuit()
	if err != nil {
		return "", fmt.Errorf("comparing mutant %d of %s: %w", number, m.Subject.Name, err)
	}
	dir, err := os.MkdirTemp("", "hpccgen-prove-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	end := time.Now().Add(limit)
	c := compare(a, m.selected(a, 0), m.selected(a, number), m.differs(a))
	equal := false
	err = c.settle(func() ([]bool, error) {
		keep, same, err := sameValues(c, dir, end)
		equal = same
		return keep, err
	})
	if err != nil {
		return "", err
	}
	if equal {
		return "equal by induction over the registers", nil
	}
	if err := os.WriteFile(filepath.Join(dir, "miter.aig"), c.miter().binary(), 0o644); err != nil {
		return "", err
	}
	text, err := abc(dir, "read_aiger miter.aig; strash; scorr -C 100; scorr; dprove -F 4; pdr", end)
	if err != nil {
		return "", err
	}
	for _, proof := range []string{"Networks are equivalent", "UNSATISFIABLE", "Property proved"} {
		if strings.Contains(text, proof) {
			return "equal in every state that can be reached", nil
		}
	}
	return "", nil
}

// sameValues has ABC decide which of the registers assumed to be equal get the same next value, and whether the outputs
// are the same. Without an answer in time they are not.
func sameValues(c *comparison, dir string, end time.Time) (keep []bool, same bool, err error) {
	keep, err = c.sameGates()
	if err != nil {
		return nil, false, err
	}
	q, registers := c.questions()
	if err := os.WriteFile(filepath.Join(dir, "questions.aig"), q.binary(), 0o644); err != nil {
		return nil, false, err
	}
	answers := filepath.Join(dir, "answers.aig")
	if err := os.RemoveAll(answers); err != nil {
		return nil, false, err
	}
	if _, err := abc(dir, "read_aiger questions.aig; strash; ifraig -C 500; ifraig -C 5000; write_aiger answers.aig",
		end); err != nil {
		return nil, false, err
	}
	text, err := os.ReadFile(answers)
	if err != nil {
		return keep, false, nil // out of time
	}
	lines := strings.SplitN(string(text), "\n", len(q.outputs)+2)
	if len(lines) < len(q.outputs)+2 {
		return keep, false, nil
	}
	for i, r := range registers {
		keep[r] = lines[1+i] == "0"
	}
	return keep, lines[len(q.outputs)] == "0", nil
}

// circuit is the netlist with all mutants as gates and registers; it is made once.
func (m *Mutants) circuit() (*aig, error) {
	m.once.Do(func() { m.gates, m.failed = m.synthesize() })
	return m.gates, m.failed
}

func (m *Mutants) synthesize() (*aig, error) {
	dir, err := os.MkdirTemp("", "hpccgen-prove-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if err := writeAll(dir, m.source.Files); err != nil {
		return nil, err
	}
	const opt = "opt -nodffe -nosdff\n"
	err = yosys(dir, fmt.Sprintf("read_verilog %s\nhierarchy -check -top %s\nproc\n", m.source.Files[0].Name,
		m.source.Top)+
		opt+"memory -nomap\nmemory_map\nopt_expr\ntechmap\nzinit -all\nsetundef -zero\nopt_expr\nopt_clean\naigmap\nopt_clean\nwrite_aiger -ascii -symbols gates.aag\n")
	if err != nil {
		return nil, err
	}
	text, err := os.Open(filepath.Join(dir, "gates.aag"))
	if err != nil {
		return nil, err
	}
	defer text.Close()
	return readAIG(text)
}

// selected are the bits of the selecting input that choose a mutant, by input index.
func (m *Mutants) selected(a *aig, number int) map[int]uint32 {
	width := m.source.Layout.Inputs[len(m.source.Layout.Inputs)-1].Width
	fixed := map[int]uint32{}
	for i, name := range a.inputs {
		for b := range width {
			if name == bitName(selector, width, b) {
				fixed[i] = uint32(number >> b & 1)
			}
		}
	}
	return fixed
}

func bitName(port string, width, bit int) string {
	if width == 1 {
		return port
	}
	return fmt.Sprintf("%s[%d]", port, bit)
}

// differs compares the outputs of two copies of the circuit.
func (m *Mutants) differs(a *aig) func(b *builder, one, two func(output int) uint32) uint32 {
	index := map[string]int{}
	for i, name := range a.names {
		index[name] = i
	}
	return func(b *builder, one, two func(output int) uint32) uint32 {
		bad := uint32(0)
		for i, s := range m.layout.Outputs {
			differ := uint32(0)
			for bit := range s.Width {
				o := index[bitName(s.Name, s.Width, bit)]
				differ = b.or(differ, b.differ(one(o), two(o)))
			}
			if v := m.validOf(i); v >= 0 {
				differ = b.and(differ, one(index[m.layout.Outputs[v].Name]))
			}
			bad = b.or(bad, differ)
		}
		return bad
	}
}

// validOf is the output that qualifies output i as valid; negative if it always is.
func (m *Mutants) validOf(i int) int {
	name := m.layout.Outputs[i].Name
	best, length := -1, 0
	for j, s := range m.layout.Outputs {
		if prefix, ok := strings.CutSuffix(s.Name, "_valid"); ok && j != i && len(prefix) > length &&
			strings.HasPrefix(name, prefix+"_") {
			best, length = j, len(prefix)
		}
	}
	return best
}

// abc runs commands of the ABC that comes with yosys. Running out of time is no error.
func abc(dir, commands string, end time.Time) (string, error) {
	ctx, cancel := context.WithDeadline(context.Background(), end)
	defer cancel()
	yosysPath, err := findYosys()
	if err != nil {
		return "", err
	}
	path := filepath.Join(filepath.Dir(yosysPath), "yosys-abc")
	if _, err := os.Stat(path); err != nil {
		if path, err = exec.LookPath("berkeley-abc"); err != nil {
			return "", fmt.Errorf("neither yosys-abc nor berkeley-abc is installed: %w", err)
		}
	}
	cmd := exec.CommandContext(ctx, path, "-c", commands)
	cmd.Dir = dir
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	err = cmd.Run()
	var exit *exec.ExitError
	if err != nil && ctx.Err() == nil && !errors.As(err, &exit) {
		return "", err
	}
	return output.String(), nil
}

// Explain examines the undetected mutants again: with longer, and where that detects nothing either, by proof within
// the time given for each. It works in an order that spends little on the easy cases.
func (m *Mutants) Explain(t *Tally, longer Judge, limit time.Duration) error {
	return parallel(len(t.Outcomes), func(i int) error {
		o := &t.Outcomes[i]
		if o.Caught != "" {
			return nil
		}
		var err error
		if o.Proven, err = m.Unreached(o.Number); err != nil || o.Proven != "" {
			return err
		}
		if o.Caught, err = longer(m.Open(o.Number)); err != nil || o.Caught != "" {
			return err
		}
		o.Proven, err = m.Prove(o.Number, limit)
		return err
	})
}
