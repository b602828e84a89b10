package vgen

import "slices"

// feedback is the stages of registers and memory outputs whose author told none. A register is one stage after the
// latest of what it takes. Registers that feed themselves or each other are state, which meets items where they enter
// the loop: a count of beats that a stage 1 moves is read, and moved, with the values of stage 1.
type feedback struct {
	p     *printer
	stage map[*node]int

	// Tarjan's strongly connected components: they are ordered so that those a component takes from come first.
	order, low map[*node]int
	open       []*node
}

// feedback works the stages out, once.
func (p *printer) feedback() *feedback {
	if p.loops == nil {
		p.loops = &feedback{p: p, stage: map[*node]int{}, order: map[*node]int{}, low: map[*node]int{}}
		for _, n := range p.m.nodes {
			if p.a.live[n] && sequential(n) && p.loops.order[n] == 0 {
				p.loops.visit(n)
			}
		}
	}
	return p.loops
}

// sequential reports whether the stage of a node follows from its operands.
func sequential(n *node) bool {
	return !n.staged && (n.op == opReg || n.op == opMemRead || n.op == opRomRead)
}

// takes calls f for each value that the input of a register or of a memory's read port comes from: registers, memory
// outputs, ports, and values whose stage was told.
func takes(n *node, f func(*node)) {
	seen := map[*node]bool{}
	var visit func(n *node)
	visit = func(n *node) {
		if n == nil || seen[n] {
			return
		}
		seen[n] = true
		if !n.comb() && n.op != opInstOut || n.staged {
			f(n)
		}
		switch {
		case n.op == opInstOut && !n.staged:
			for _, pin := range n.inst.pins {
				if pin.op == opWire {
					visit(pin)
				}
			}
		case n.comb():
			for _, a := range n.args {
				visit(a)
			}
		}
	}
	if n.op == opReg {
		visit(n.reg.next)
		visit(n.reg.enable)
		return
	}
	visit(n.read.addr)
	visit(n.read.enable)
}

func (f *feedback) visit(n *node) {
	f.order[n] = len(f.order) + 1
	f.low[n] = f.order[n]
	f.open = append(f.open, n)
	takes(n, func(from *node) {
		if !sequential(from) {
			return
		}
		if f.order[from] == 0 {
			f.visit(from)
			f.low[n] = min(f.low[n], f.low[from])
		} else if _, done := f.stage[from]; !done {
			f.low[n] = min(f.low[n], f.order[from])
		}
	})
	if f.low[n] == f.order[n] {
		f.close(n)
	}
}

// close gives the registers of a loop, which was entered at n, or a register that is in none, their stage.
func (f *feedback) close(n *node) {
	at := len(f.open) - 1
	for f.open[at] != n {
		at--
	}
	loop := f.open[at:]
	f.open = f.open[:at]
	latest, after := 0, 1
	for _, m := range loop {
		takes(m, func(from *node) {
			switch {
			case slices.Contains(loop, from):
				after = 0
			case sequential(from):
				latest = max(latest, f.stage[from])
			case from.staged:
				latest = max(latest, from.stage)
			}
		})
	}
	for _, m := range loop {
		f.stage[m] = latest + after
	}
}
