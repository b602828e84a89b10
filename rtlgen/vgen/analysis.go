package vgen

import (
	"math/big"
	"slices"
)

// analysis is what checks, printer and interpreter know about one module: which
// nodes are alive, how often each is referred to, and which bits of it are read.
type analysis struct {
	live   map[*node]bool
	refs   map[*node]int
	read   map[*node]*big.Int // bits read by live nodes
	sunk   map[*node]*big.Int // bits deliberately not read: ignored, tapped or folded away
	consts []*node            // named constants, in order of use
	mems   map[*Memory]bool   // with a live read
}

func analyze(m *Module) *analysis {
	a := &analysis{
		live: map[*node]bool{}, refs: map[*node]int{},
		read: map[*node]*big.Int{}, sunk: map[*node]*big.Int{}, mems: map[*Memory]bool{},
	}
	for _, p := range m.ports {
		if p.dir == "out" {
			a.mark(p.node)
		}
	}
	for _, i := range m.instances {
		for _, n := range i.pins {
			if n.op == opWire {
				a.mark(n)
			}
		}
	}
	for _, t := range m.taps {
		a.sink(t.node, nil)
		a.mark(t.node)
	}
	for _, ig := range m.ignored {
		a.sinkSupport(ig.node, map[*node]bool{})
	}
	for _, n := range m.absorbed {
		a.sinkSupport(n, map[*node]bool{})
	}
	return a
}

// use counts one reference to n from something alive.
func (a *analysis) use(n *node) {
	a.refs[n]++
	addBits(a.read, n, n.width-1, 0)
	a.mark(n)
}

func addBits(set map[*node]*big.Int, n *node, hi, lo int) {
	v, ok := set[n]
	if !ok {
		v = new(big.Int)
		set[n] = v
	}
	v.Or(v, new(big.Int).Lsh(ones(hi-lo+1), uint(lo)))
}

func (a *analysis) mark(n *node) {
	if a.live[n] {
		return
	}
	a.live[n] = true
	if n.op == opSlice {
		arg := n.args[0]
		a.refs[arg]++
		addBits(a.read, arg, n.p0, n.p1)
		a.mark(arg)
		return
	}
	if n.op == opBuf && n.mod == nil {
		a.consts = append(a.consts, n)
	}
	for _, arg := range n.args {
		a.use(arg)
	}
	switch {
	case n.reg != nil:
		for _, d := range []*node{n.reg.next, n.reg.enable} {
			if d != nil {
				a.use(d)
			}
		}
	case n.read != nil:
		for _, d := range []*node{n.read.addr, n.read.enable} {
			if d != nil {
				a.use(d)
			}
		}
		if mem := n.read.mem; mem != nil && !a.mems[mem] {
			a.mems[mem] = true
			if w := mem.write; w != nil {
				a.use(w.en)
				a.use(w.addr)
				a.use(w.data)
			}
		}
	}
}

// sink notes that bits of n need no reader; nil means all of them.
func (a *analysis) sink(n *node, slice *node) {
	if slice != nil {
		addBits(a.sunk, n, slice.p0, slice.p1)
	} else {
		addBits(a.sunk, n, n.width-1, 0)
	}
}

// sinkSupport sinks the ports, registers and instance outputs a value is made of.
func (a *analysis) sinkSupport(n *node, seen map[*node]bool) {
	if seen[n] {
		return
	}
	seen[n] = true
	if !n.comb() {
		if n.op != opConst {
			a.sink(n, nil)
			a.mark(n)
		}
		return
	}
	for _, arg := range n.args {
		if n.op == opSlice && !arg.comb() && arg.op != opConst {
			a.sink(arg, n)
			a.mark(arg)
			continue
		}
		a.sinkSupport(arg, seen)
	}
}

// unread returns the bits of n without a reader.
func (a *analysis) unread(n *node) *big.Int {
	v := ones(n.width)
	if r, ok := a.read[n]; ok {
		v.AndNot(v, r)
	}
	return v
}

// ranges splits a set of bits into ranges hi:lo, the highest first.
func ranges(bits *big.Int) (out [][2]int) {
	for i := bits.BitLen() - 1; i >= 0; i-- {
		if bits.Bit(i) == 0 {
			continue
		}
		hi := i
		for i > 0 && bits.Bit(i-1) == 1 {
			i--
		}
		out = append(out, [2]int{hi, i})
	}
	return out
}

// stateful reports whether a module needs a clock, and a reset: it or a module in it
// has registers or memories.
func (m *Module) stateful() bool {
	return slices.ContainsFunc(hierarchy(m), (*Module).hasState)
}

func (m *Module) hasState() bool {
	if len(m.regs) > 0 || len(m.mems) > 0 {
		return true
	}
	for _, r := range m.roms {
		for _, n := range r.reads {
			if n != nil && n.op == opRomRead {
				return true
			}
		}
	}
	return false
}

// hierarchy lists all modules below and including top, children first, each once.
func hierarchy(top *Module) []*Module {
	var out []*Module
	seen := map[*Module]bool{}
	var visit func(m *Module)
	visit = func(m *Module) {
		if m == nil || seen[m] {
			return
		}
		seen[m] = true
		for _, i := range m.instances {
			visit(i.sub)
		}
		out = append(out, m)
	}
	visit(top)
	return out
}
