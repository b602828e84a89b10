package mutate

import (
	"bufio"
	"bytes"
	"fmt"
	"math/bits"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/hdlpkg/hpccgen/internal/toolchain"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
	"github.com/hdlpkg/hpccgen/verify/engine"
)

// Subject is a design and the part of it that is mutated.
type Subject struct {
	Name  string
	Top   *vgen.Module
	Taps  bool
	Scope string // instance path below the top module, such as "u_core"; everything in it is mutated
}

// Mutation is one change of one bit.
type Mutation struct {
	Number int    // value of the selecting input; from 1
	Mode   string // inv, const0, const1, or cnot0 and cnot1: inverted while another bit is 0, or 1
	Cell   string
	Port   string
	Bit    string
	Wire   string // name of the wire and bit, where yosys knows one
	Source string // file and line
}

func (m Mutation) String() string {
	at := m.Wire
	if at == "" {
		at = m.Cell
	}
	return fmt.Sprintf("%3d %-6s port %s[%s] at %s, %s", m.Number, m.Mode, m.Port, m.Bit, at, m.Source)
}

// Mutants is a subject with all of its mutations in one design.
type Mutants struct {
	Subject    Subject
	List       []Mutation
	Impossible int // of those that yosys proposed: no hardware can have them, so they are not in List

	source *engine.Source // with the selecting input
	layout *vgen.Layout   // without

	once   sync.Once
	gates  *aig // of the source
	failed error
}

// port is the port that a mutant changes.
func (m *Mutants) port(number int) string {
	for _, one := range m.List {
		if one.Number == number {
			return one.Port
		}
	}
	return ""
}

// selector is the input that selects a mutation; 0 is none.
const selector = "mutation_select"

// New makes n mutants, evenly spread by yosys over cells, wires and source lines. The same seed gives the
// same mutants from the same version of yosys. A missing yosys is a toolchain.Missing.
func New(s Subject, n int, seed uint64) (*Mutants, error) {
	plain, err := engine.Design{Top: s.Top, Taps: s.Taps}.Source()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "hpccgen-mutate-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	script := readScript(plain, dir)
	if err := writeAll(dir, plain.Files); err != nil {
		return nil, err
	}
	width := bits.Len(uint(n))
	// The contents of a ROM must stay constants, so they are left out.
	script += fmt.Sprintf(
		"write_rtlil plain.il\nmutate -list %d -seed %d -ctrl %s %d 1 -o all.ys %s/*%s.* t:$meminit %%d\n", n, seed, selector, width, plain.Top, s.Scope)
	if err := yosys(dir, script); err != nil {
		return nil, fmt.Errorf("mutating %s: %w", s.Name, err)
	}
	all, err := os.ReadFile(filepath.Join(dir, "all.ys"))
	if err != nil {
		return nil, err
	}
	list := possible(all)
	if err := os.WriteFile(filepath.Join(dir, "mutations.ys"), list, 0o644); err != nil {
		return nil, err
	}
	if err := yosys(dir, "read_rtlil plain.il\nscript mutations.ys\nwrite_verilog -noattr mutants.v\n"); err != nil {
		return nil, fmt.Errorf("mutating %s: %w", s.Name, err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "mutants.v"))
	if err != nil {
		return nil, err
	}
	mutations, err := parse(list)
	if err != nil {
		return nil, fmt.Errorf("mutating %s: %w", s.Name, err)
	}
	m := &Mutants{Subject: s, List: mutations, layout: plain.Layout}
	m.Impossible = n - len(m.List)
	m.source = withSelector(plain, text, width)
	return m, nil
}

// readScript elaborates and flattens the files of a source. Clean-up removes logic that no output depends on: changes
// there have no effect.
func readScript(s *engine.Source, dir string) string {
	var names []string
	for _, f := range s.Files {
		names = append(names, f.Name)
	}
	return fmt.Sprintf("read_verilog %s\nhierarchy -check -top %s\nproc\nflatten\nopt_expr\nopt_clean\n",
		strings.Join(names, " "), s.Top)
}

// withSelector is the mutated netlist as a source: one more input, and taps that are now wires of the one
// module that is left.
func withSelector(plain *engine.Source, text []byte, width int) *engine.Source {
	s := *plain
	s.Files, s.Layout, s.TapPaths = []vgen.File{{Name: plain.Top + ".v", Text: text}}, engine.Selecting(plain.Layout,
		selector, width), nil
	for _, path := range plain.TapPaths {
		if strings.Contains(path, ".") {
			path = `\` + path + " "
		}
		s.TapPaths = append(s.TapPaths, path)
	}
	return &s
}

// asyncEnable is a mutation of the enable of a memory's read port, which is constant in ports without a clock: hardware
// has no such input, and yosys cannot write a memory with one.
var asyncEnable = regexp.MustCompile(`(?m)^mutate .*-cell \S*\$memrd\$\S* -port \\?EN .*\n`)

// possible are the commands of yosys without mutations that are impossible in hardware.
func possible(all []byte) []byte { return asyncEnable.ReplaceAll(all, nil) }

// parse reads the commands that apply the mutations.
func parse(list []byte) ([]Mutation, error) {
	var all []Mutation
	lines := bufio.NewScanner(bytes.NewReader(list))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		fields := strings.Fields(lines.Text())
		if len(fields) == 0 || fields[0] != "mutate" {
			continue
		}
		m := Mutation{}
		for i := 1; i+1 < len(fields); i++ {
			switch fields[i] {
			case "-ctrl": // selector, its width, the value
				if i+3 < len(fields) {
					m.Number, _ = strconv.Atoi(fields[i+3])
				}
			case "-mode":
				m.Mode = fields[i+1]
			case "-cell":
				m.Cell = fields[i+1]
			case "-port":
				m.Port = strings.TrimPrefix(fields[i+1], `\`)
			case "-portbit":
				m.Bit = fields[i+1]
			case "-wire":
				m.Wire = strings.TrimPrefix(fields[i+1], `\`)
			case "-wirebit":
				m.Wire += "[" + fields[i+1] + "]"
			case "-src":
				m.Source = fields[i+1]
			}
		}
		if m.Number == 0 { // the netlist without a change: the mutant would never be detected
			return nil, fmt.Errorf("yosys gives no number in: %s", lines.Text())
		}
		all = append(all, m)
	}
	return all, lines.Err()
}

// Open returns an Open for comparisons that runs a mutant; number 0 is the unchanged netlist. The design that it is
// given must be the subject's, and Verilator runs it.
func (m *Mutants) Open(number int) func(string, engine.Design, engine.Options) (engine.Engine, error) {
	return func(_ string, _ engine.Design, o engine.Options) (engine.Engine, error) {
		e, err := engine.OpenSource("verilator", m.source, o)
		if err != nil {
			return nil, err
		}
		return engine.Selected(e, m.layout, uint64(number)), nil
	}
}

// yosys runs a script in dir. The error includes the output.
func yosys(dir, script string) error {
	path, err := findYosys()
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "run.ys"), []byte(script), 0o644); err != nil {
		return err
	}
	cmd := exec.Command(path, "-q", "run.ys")
	cmd.Dir = dir
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("yosys: %w\n%s", err, output.Bytes())
	}
	return nil
}

func findYosys() (string, error) {
	for _, s := range toolchain.All() {
		if s.Name == "yosys" {
			if s.Found {
				return s.Path, nil
			}
			return "", toolchain.Missing{Tool: "yosys", Needed: "mutation", Install: s.Install}
		}
	}
	return "", fmt.Errorf("mutate: yosys is not among the tools")
}

func writeAll(dir string, files []vgen.File) error {
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(dir, f.Name), f.Text, 0o644); err != nil {
			return err
		}
	}
	return nil
}
