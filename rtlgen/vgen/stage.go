package vgen

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Stage states that a signal speaks of the item that entered the module's pipeline k cycles before. It changes what is
// printed, not the design: the text of a module with stages is in their order, a part for each stage with what is
// computed there and the registers that take it, and registers that only pass a value on stand apart.
func (m *Module) Stage(k int, s Signal) {
	if s.Exists() && s.n.mod == m && k >= 0 {
		s.n.staged, s.n.stage = true, k
	}
}

// Settled states that the outputs of an instance, its ports being a bundle, belong to no item: settings, and what
// software reads.
func Settled[T any](m *Module, ports *T) {
	for _, s := range Leaves(ports) {
		m.Stage(0, *s)
	}
}

// StageDoc heads the part of the text whose registers hold the values of stage k. Several texts follow one another.
func (m *Module) StageDoc(k int, text string) {
	if m.stageDocs == nil {
		m.stageDocs = map[int][]string{}
	}
	m.stageDocs[k] = append(m.stageDocs[k], text)
}

// StageHint is StageDoc for a part of the text that has none.
func (m *Module) StageHint(k int, text string) {
	if m.stageHints == nil {
		m.stageHints = map[int][]string{}
	}
	if !slices.Contains(m.stageHints[k], text) {
		m.stageHints[k] = append(m.stageHints[k], text)
	}
}

// isPipeline reports whether most registers have a stage. Others are state machines beside a few delays, and stages
// would not put them in order.
func (p *printer) isPipeline() bool {
	staged, all := 0, 0
	for _, r := range p.m.regs {
		if p.a.live[r.node] {
			all++
			if r.node.staged {
				staged++
			}
		}
	}
	return 2*staged > all
}

// part is a part of the text: logic on values of stage k, and the registers of stage k+1, are in part k+1.
type part struct {
	items []item
	state []decl // declared first
}

// pipelined prints the body of a module with stages.
func (p *printer) pipelined() {
	p.waiting()
	parts := map[int]*part{}
	at := func(k int) *part {
		if parts[k] == nil {
			parts[k] = &part{}
		}
		return parts[k]
	}
	var last, outputs []item // last: what only output ports take
	items := p.items()
	due := p.due(items)
	for _, it := range items {
		switch {
		case it.output:
			outputs = append(outputs, it)
		case it.reg != nil && p.passes[it.reg] != nil: // printed with those that wait
		default:
			k := p.partOf(it)
			if need, ok := due[it.value]; ok {
				k = min(k, need)
			}
			if k == noPart {
				last = append(last, it)
				continue
			}
			t := at(k)
			t.items, t.state = append(t.items, it), append(t.state, it.state...)
		}
	}
	stages := slices.Sorted(maps.Keys(parts))
	for i, k := range stages {
		if i < len(stages)-1 && p.onlyNames(k, parts[k].items) {
			next := parts[stages[i+1]]
			next.items = append(parts[k].items, next.items...)
			continue
		}
		p.heading(k, parts[k].items)
		p.declareState(parts[k].state)
		if back := p.readBack(parts[k].items); len(back) > 0 {
			p.line("    // from later stages")
			p.declareState(back)
		}
		p.print(parts[k].items)
	}
	if len(outputs) > 0 {
		p.title("Outputs")
		p.print(last)
		p.line("")
		p.print(outputs)
	}
	p.passOn()
}

// partOf is the part of the text that an item is in: the stage of a register, where it was told, and else the one
// after the latest of the item's operands.
func (p *printer) partOf(it item) int {
	if it.reg != nil && it.reg.node.staged {
		return it.reg.node.stage
	}
	if it.inst != nil && it.inst.begun {
		return it.inst.stage + 1
	}
	if it.mem != nil { // which is where it is written: a word may be chosen of what others have left
		return p.computed(it.mem.write.en, it.mem.write.addr) + 1
	}
	k := p.computed(it.from...) + 1
	if it.inst != nil { // feedback from later stages does not move it after its outputs
		for _, n := range it.inst.pins {
			if n.op == opInstOut && n.staged {
				k = min(k, n.stage)
			}
		}
	}
	return k
}

// noPart is the part of values that only output ports take.
const noPart = -1

// due is the first part of the text that needs a value. What is fed back, from items further on to those that follow,
// is needed before the stage that it comes from.
func (p *printer) due(items []item) map[*node]int {
	first := map[*node]int{}
	var needs func(n *node, k int)
	needs = func(n *node, k int) {
		if n == nil || !n.comb() {
			return
		}
		if at, ok := first[n]; ok && at <= k {
			return
		}
		first[n] = k
		for _, a := range n.args {
			needs(a, k)
		}
	}
	var out []*node
	for _, it := range items {
		switch {
		case it.output:
			out = append(out, it.from...)
		case it.value == nil && (it.reg == nil || p.passes[it.reg] == nil):
			for _, n := range it.from {
				needs(n, p.partOf(it))
			}
		}
	}
	inside := maps.Clone(first)
	for _, n := range out {
		needs(n, noPart)
	}
	maps.Copy(first, inside)
	return first
}

// readBack is the declarations of registers of later parts that items read.
func (p *printer) readBack(items []item) (list []decl) {
	seen := map[*node]bool{}
	var visit func(n *node)
	visit = func(n *node) {
		if n == nil || seen[n] {
			return
		}
		seen[n] = true
		if d, ok := stateOf(n); ok && p.ref[n] == "" {
			list = append(list, d)
		}
		if n.comb() {
			for _, a := range n.args {
				visit(a)
			}
		}
	}
	for _, it := range items {
		for _, n := range it.from {
			visit(n)
		}
	}
	return list
}

func (p *printer) print(items []item) {
	slices.SortFunc(items, func(a, b item) int { return a.at.seq - b.at.seq })
	for _, it := range items {
		it.print()
	}
	p.registers()
}

func (p *printer) title(text string) {
	p.line("")
	p.line("%s", "    // "+text)
	p.line("")
}

func (p *printer) heading(k int, items []item) {
	docs := p.m.stageDocs[k]
	if len(docs) == 0 {
		docs = slices.Concat(p.m.stageHints[k], purposes(items))
	}
	if len(docs) == 0 && onlyWaits(items) {
		docs = []string{"delays"}
	}
	p.line("")
	if len(docs) == 0 {
		p.line("    // Stage %d", k)
	}
	for i, d := range docs {
		if i == 0 {
			d = fmt.Sprintf("Stage %d: %s", k, d)
		}
		for _, l := range wrap(d, lineLimit-7) {
			p.line("%s", "    // "+l)
		}
	}
	p.line("")
}

// onlyNames reports whether a part has only undocumented wires: they are printed with the next part.
func (p *printer) onlyNames(k int, items []item) bool {
	return len(p.m.stageDocs[k])+len(p.m.stageHints[k]) == 0 &&
		!slices.ContainsFunc(items, func(it item) bool { return it.value == nil })
}

// onlyWaits reports whether items are delays and the like, and wires.
func onlyWaits(items []item) bool {
	return !slices.ContainsFunc(items, func(it item) bool {
		return it.reg != nil || it.mem != nil || it.inst != nil && len(it.inst.sub.params) == 0
	}) && slices.ContainsFunc(items, func(it item) bool { return it.inst != nil })
}

// purposes returns the purposes of the instances among items, those of one module together. Modules with parameters,
// which are delays, stores and the like, do not count.
func purposes(items []item) (list []string) {
	at := map[*Module]int{}
	for _, it := range items {
		if it.inst == nil || len(it.inst.sub.params) > 0 {
			continue
		}
		if i, ok := at[it.inst.sub]; ok {
			names, text, _ := strings.Cut(list[i], ": ")
			list[i] = names + ", " + it.inst.name + ": " + text
			continue
		}
		at[it.inst.sub] = len(list)
		text := it.inst.sub.purpose
		if len(text) > 1 && text[1] >= 'a' && text[1] <= 'z' { // no acronym
			text = strings.ToLower(text[:1]) + text[1:]
		}
		list = append(list, it.inst.name+": "+text)
	}
	return list
}

// computed is the latest stage of the values that others are computed from in the same cycle.
func (p *printer) computed(nodes ...*node) (k int) {
	for _, n := range nodes {
		if n != nil {
			k = max(k, p.stageOf(n))
		}
	}
	return k
}

func (p *printer) stageOf(n *node) int {
	if k, ok := p.stages[n]; ok {
		return k
	}
	p.stages[n] = 0 // a loop through an instance ends here
	k := 0
	switch {
	case n.op == opInstOut:
		for _, pin := range n.inst.pins {
			if pin.op == opWire {
				k = max(k, p.stageOf(pin))
			}
		}
	case n.comb():
		k = p.computed(n.args...)
	case !n.staged:
		k = p.feedback().stage[n]
	}
	if n.staged {
		k = max(k, n.stage)
		if !n.comb() {
			k = n.stage
		}
	}
	p.stages[n] = k
	return k
}

// declareState declares the registers and memories of a part, but for those that something before has needed already.
func (p *printer) declareState(list []decl) {
	p.declarations(slices.DeleteFunc(list, func(d decl) bool { return d.node != nil && p.ref[d.node] != "" }))
	for _, d := range list {
		if d.node != nil {
			p.ref[d.node] = d.name
		}
	}
}

// wrap breaks a text into lines of at most n characters.
func wrap(text string, n int) (lines []string) {
	line := ""
	for _, w := range strings.Fields(text) {
		if line != "" && len(line)+1+len(w) > n {
			lines, line = append(lines, line), ""
		}
		if line != "" {
			line += " "
		}
		line += w
	}
	return append(lines, line)
}
