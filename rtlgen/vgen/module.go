package vgen

import (
	"fmt"
	"regexp"
)

// Module is one hardware module under construction, and later one Verilog file.
// Everything of a design hangs on its top module; there is no global state, so
// several designs can be built at the same time. One module is built by one
// goroutine.
type Module struct {
	name, purpose string
	prefix        string // of the name
	doc           []string
	latency       int
	interval      int
	timed         bool
	latencySize   Size
	site          callSite

	ports      []*port
	nodes      []*node
	regs       []*register
	mems       []*Memory
	roms       []*ROM
	instances  []*Instance
	taps       []*tap
	ignored    []ignored
	absorbed   []*node
	sections   []string // titles; the first section has none
	stageDocs  map[int][]string
	stageHints map[int][]string

	seq      int
	problems []Problem
	params   []parameter
	locals   []local
	names    map[string]claim
	bundle   *bundle // what Ports declared, for Instantiate
}

type claim struct {
	kind string
	site callSite
}

// port is one port of a module.
type port struct {
	name, dir, doc, role string
	width                int
	node                 *node
}

type tap struct {
	name, doc string
	latency   int
	node      *node
}

type ignored struct {
	node *node
	why  string
}

// NewModule starts a module. The purpose is one line; it heads the Verilog file.
func NewModule(name, purpose string) *Module {
	m := &Module{name: name, purpose: purpose, site: here(), names: map[string]claim{}, sections: []string{""}}
	for _, n := range []string{"clk", "rst", "rst_n"} {
		m.names[n] = claim{kind: "clock or reset"}
	}
	m.legalName(name, "module", m.site)
	return m
}

// Name is the name of the module, and of its file without ".v".
func (m *Module) Name() string { return m.name }

// Purpose is the one-line description.
func (m *Module) Purpose() string { return m.purpose }

// Doc adds lines to the header of the Verilog file: the theory of operation, a
// table of cycles.
func (m *Module) Doc(lines ...string) { m.doc = append(m.doc, lines...) }

// SetTiming states the latency, in cycles from an input to the output that belongs
// to it, and the initiation interval, in cycles from one input to the next.
func (m *Module) SetTiming(latency, interval int) {
	if latency < 0 || interval < 1 {
		m.fail(here(), fmt.Sprintf("SetTiming: latency %d, initiation interval %d", latency, interval),
			"latency is 0 or more, the interval 1 or more")
		return
	}
	m.latency, m.interval, m.timed = latency, interval, true
}

// Latency is the latency in cycles as stated by SetTiming.
func (m *Module) Latency() int { return m.latency }

// Interval is the initiation interval in cycles as stated by SetTiming.
func (m *Module) Interval() int { return m.interval }

// Section starts a titled part of the module: everything built from here on is printed
// together under the title, with a clocked block of its own.
func (m *Module) Section(title string) { m.sections = append(m.sections, title) }

// Input declares an input port.
func (m *Module) Input(name string, width int, doc string) Signal {
	return m.declarePort(name, "in", width, "", doc, here())
}

// Output declares an output port; drive it once with Assign. It can be read.
func (m *Module) Output(name string, width int, doc string) Signal {
	return m.declarePort(name, "out", width, "", doc, here())
}

func (m *Module) declarePort(name, dir string, width int, role, doc string, site callSite) Signal {
	n := &node{op: opInput, width: width, mod: m, name: name, site: site}
	if dir == "out" {
		n.op = opWire
	}
	if width < 0 {
		m.fail(site, fmt.Sprintf("port %q: width %d", name, width), "0 leaves the port out, otherwise 1 or more")
		width = 0
	}
	if width == 0 {
		n.op, n.width = opAbsent, 0
		return Signal{n}
	}
	m.claim(name, "port", site)
	n.port = &port{name: name, dir: dir, width: width, role: role, doc: doc, node: n}
	m.ports = append(m.ports, n.port)
	m.add(n)
	return Signal{n}
}

// Wire declares a named wire ahead of its driver, for feedback. Drive it once with
// Assign.
func (m *Module) Wire(name string, width int) Signal {
	n := &node{op: opWire, width: width, mod: m, name: name, site: here()}
	if width < 1 {
		m.fail(n.site, fmt.Sprintf("wire %q: width %d", name, width), "at least 1 bit is needed")
		n.width = 1
	}
	m.claim(name, "wire", n.site)
	m.add(n)
	return Signal{n}
}

// Assign drives an output port, a wire, or an instance's input. Each is driven
// exactly once, by a signal of its own width.
func (m *Module) Assign(target, value Signal) {
	site := here()
	if !target.Exists() {
		if !value.Exists() {
			m.fail(site, "Assign: "+missing(target), "test it with Exists() first")
			return
		}
		m.fail(site, "Assign: the target does not exist: "+missing(target), "test it with Exists() first")
		return
	}
	t := target.n
	if !value.Exists() {
		m.fail(site, fmt.Sprintf("Assign: the value for %s does not exist: %s", t.describe(), missing(value)),
			"test it with Exists() first")
		t.args = []*node{standIn(m, t.width)}
		return
	}
	if t.mod != m {
		where := "no module"
		if t.mod != nil {
			where = "module " + t.mod.name
		}
		m.fail(site, fmt.Sprintf("Assign: %s belongs to %s", t.describe(), where), "assign it there")
		return
	}
	if t.op != opWire {
		hint := "an output, a wire or an instance's input can be assigned"
		if t.op == opReg {
			hint = "give a register its value with Next"
		}
		m.fail(site, fmt.Sprintf("Assign: %s cannot be assigned", t.describe()), hint)
		return
	}
	if len(t.args) != 0 {
		m.fail(site, fmt.Sprintf("Assign: %s is driven twice", t.describe()), "combine the two with Mux")
		return
	}
	t.args = []*node{m.take("Assign", t.describe(), value, t.width, site)}
	if t.inst != nil {
		t.inst.at = m.place()
	} else {
		t.at = m.place()
	}
}

// take checks a value that is to be stored in something of the given width; what
// it returns is always usable.
func (m *Module) take(method, into string, value Signal, width int, site callSite) *node {
	if !value.Exists() {
		m.fail(site, fmt.Sprintf("%s: the value for %s does not exist: %s", method, into, missing(value)),
			"test it with Exists() first")
		return standIn(m, width)
	}
	v := value.n
	if v.mod != nil && v.mod != m {
		m.fail(site, fmt.Sprintf("%s: %s belongs to module %s", method, v.describe(), v.mod.name), "pass it through a port")
		return standIn(m, width)
	}
	if v.mod == nil {
		m.adopt(v)
	}
	if v.width != width {
		hint := fmt.Sprintf("extend it with Zext(%d)", width)
		if v.width > width {
			hint = fmt.Sprintf("cut it with Trunc(%d)", width)
		}
		m.fail(site, fmt.Sprintf("%s: %s has %d bits, the value %s has %d", method, into, width, v.describe(), v.width), hint)
		absorb(v)
		return standIn(m, width)
	}
	return v
}

// Ignore declares that a signal, or a part of one, is deliberately unused, and why:
// a slice of an input that a configuration does not need. Without it an unread
// input is a problem.
func (m *Module) Ignore(s Signal, why string) {
	site := here()
	if !s.Exists() {
		m.fail(site, "Ignore: "+missing(s), "test it with Exists() first")
		return
	}
	if s.n.mod == nil {
		m.adopt(s.n)
		return
	}
	if s.n.mod != m {
		m.fail(site, fmt.Sprintf("Ignore: %s belongs to module %s", s.n.describe(), s.n.mod.name), "ignore it there")
		return
	}
	m.ignored = append(m.ignored, ignored{s.n, why})
}

// Tap makes a signal an observation point for verification: a name by which the
// golden model knows the value, and the number of cycles from the block's input to
// this signal. It adds no logic. A signal without a name gets the tap's.
func (m *Module) Tap(name string, s Signal, latency int, doc string) {
	site := here()
	if !s.Exists() {
		m.fail(site, fmt.Sprintf("Tap: %q: %s", name, missing(s)), "test it with Exists() first")
		return
	}
	if s.n.mod != nil && s.n.mod != m {
		m.fail(site, fmt.Sprintf("Tap: %s belongs to module %s", s.n.describe(), s.n.mod.name), "tap it there")
		return
	}
	n := s.n
	if n.mod == nil {
		n = &node{op: opBuf, width: n.width, mod: m, args: []*node{n}, name: name, site: site}
		m.adopt(n.args[0])
		m.claim(name, "tap", site)
		m.add(n)
	}
	if n.name == "" && n.inst == nil {
		n.name = name
		m.claim(name, "tap", site)
	}
	m.taps = append(m.taps, &tap{name: name, doc: doc, latency: latency, node: n})
}

// fail records a problem of the module.
func (m *Module) fail(site callSite, message, hint string) {
	m.problems = append(m.problems, Problem{Pos: site.pos(), Module: m.name, Message: message, Hint: hint})
}

// adopt takes over the problems of a node without a module.
func (m *Module) adopt(n *node) {
	for _, p := range n.floating {
		p.Module = m.name
		m.problems = append(m.problems, p)
	}
}

func (m *Module) place() place {
	m.seq++
	return place{m.seq, len(m.sections) - 1}
}

func (m *Module) add(n *node) {
	n.at = m.place()
	m.nodes = append(m.nodes, n)
}

var identifier = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// claim takes a name in the module.
func (m *Module) claim(name, kind string, site callSite) {
	if !m.legalName(name, kind, site) {
		return
	}
	if old, ok := m.names[name]; ok {
		hint := "choose another"
		if p := old.site.pos(); p.File != "" {
			hint = fmt.Sprintf("the %s at %s has it", old.kind, p)
		} else {
			hint = fmt.Sprintf("it is the name of the %s", old.kind)
		}
		m.fail(site, fmt.Sprintf("%s %q: the name is taken", kind, name), hint)
		return
	}
	m.names[name] = claim{kind, site}
}

func (m *Module) legalName(name, kind string, site callSite) bool {
	if !identifier.MatchString(name) {
		m.fail(site, fmt.Sprintf("%s %q: not a legal name", kind, name),
			"letters, digits and underscores, not starting with a digit")
		return false
	}
	if language, ok := reservedWords[name]; ok {
		m.fail(site, fmt.Sprintf("%s %q: a reserved word of %s", kind, name, language), "choose another")
		return false
	}
	return true
}
