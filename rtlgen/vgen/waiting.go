package vgen

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// waiting is a run of registers that pass one value on, each from the one before. Runs of several stages are printed as
// one vector.
type waiting struct {
	head  *register   // computed, and passed on by the others: the first bit of their vector; nil if there is none
	regs  []*register // in the order of time, head first
	name  string      // of the vector; "" for a single register
	first int         // stage of the first, where the vector has a bit a stage
	byBit bool        // a bit a stage, numbered by stages
}

var stageName = regexp.MustCompile(`^(.+_s)(\d+)$`)

// numbered splits the name of a register with a stage, such as valid_s12.
func numbered(name string) (base string, stage int, ok bool) {
	f := stageName.FindStringSubmatch(name)
	if f == nil {
		return "", 0, false
	}
	k, err := strconv.Atoi(f[2])
	return f[1], k, err == nil
}

// passesOn reports whether a register only takes what a register, a memory's output, an instance or a port gives, or
// bits of it.
func passesOn(r *register) bool {
	n := r.next
	for n != nil && (n.op == opSlice || n.op == opBuf) {
		n = n.args[0]
	}
	return n != nil && (r.stages > 0 || !n.comb() && n.op != opConst)
}

// follows reports whether register b is the next stage of a, one value on its way.
func follows(a, b *register) bool {
	base, k, ok := numbered(a.node.name)
	other, l, also := numbered(b.node.name)
	same := a.reset == nil && b.reset == nil || a.reset != nil && b.reset != nil && a.reset.Cmp(b.reset) == 0
	return ok && also && base == other && l == k+1 && b.next == a.node && a.enable == b.enable && same
}

// waiting finds the registers that only pass values on, and declares them.
func (p *printer) waiting() {
	last := map[*node]*waiting{} // by the register that a run ends with
	bases := map[string]int{}
	for _, n := range p.m.nodes {
		if n.op != opReg || !p.a.live[n] || !passesOn(n.reg) {
			continue
		}
		if w := last[n.reg.next]; w != nil && follows(w.regs[len(w.regs)-1], n.reg) {
			delete(last, n.reg.next)
			w.regs = append(w.regs, n.reg)
			last[n], p.passes[n.reg] = w, w
			continue
		}
		w := &waiting{regs: []*register{n.reg}}
		last[n], p.passes[n.reg] = w, w
		p.chains = append(p.chains, w)
	}
	for _, w := range p.chains {
		if base, _, ok := numbered(w.regs[0].node.name); ok && (len(w.regs) > 1 || p.headOf(w) != nil) {
			bases[base]++
		}
	}
	for _, w := range p.chains {
		if h := p.headOf(w); h != nil {
			if base, _, _ := numbered(h.node.name); bases[base] == 1 && !p.used[base] {
				w.head, w.regs = h, append([]*register{h}, w.regs...)
				p.heads[h] = w
			}
		}
	}
	if len(p.chains) == 0 {
		return
	}
	p.title("Delays: x_sK is the x of the item in stage K.")
	var decls []decl
	for _, w := range p.chains {
		n := w.regs[0].node
		if len(w.regs) == 1 {
			d, _ := stateOf(n)
			decls = append(decls, d)
			p.ref[n] = n.name
			continue
		}
		base, first, _ := numbered(n.name)
		w.first = first
		final := first + len(w.regs) - 1
		if n.width == 1 && bases[base] == 1 && !p.used[base] && !slices.ContainsFunc(w.regs, p.tapped) {
			w.name, w.byBit = base, true
			p.used[base] = true
			decls = append(decls, decl{rng: fmt.Sprintf(" [%d:%d]", final, first), name: base, doc: "one bit per stage"})
			for i, r := range w.regs {
				p.ref[r.node] = fmt.Sprintf("%s[%d]", base, first+i)
			}
			continue
		}
		w.name = p.unusedName(fmt.Sprintf("%s%d_to_s%d", base, first, final))
		decls = append(decls, decl{rng: bitRange(n.width * len(w.regs)), name: w.name,
			doc: fmt.Sprintf("%s of %s", counted(len(w.regs), "stage"), counted(n.width, "bit"))})
	}
	p.declarations(decls)
	for _, w := range p.chains {
		if w.name == "" || w.byBit {
			continue
		}
		width := w.regs[0].node.width
		for i, r := range w.regs {
			if i < len(w.regs)-1 && p.a.refs[r.node] == 1 && !p.tapped(r) {
				continue // only the next register reads it
			}
			p.line("    wire%s %s = %s;", bitRange(width), r.node.name, bitsOf(w.name, width*(i+1)-1, width*i))
			p.ref[r.node] = r.node.name
		}
	}
	p.line("")
}

// tapped reports whether a register is a tap, which goes by its own name.
func (p *printer) tapped(r *register) bool {
	return slices.ContainsFunc(p.m.taps, func(t *tap) bool { return t.node == r.node })
}

// headOf returns the register of a bit that computes the value a run passes on, nil if there is none.
func (p *printer) headOf(w *waiting) *register {
	h := w.regs[0].next
	if h == nil || h.op != opReg || h.width != 1 || h.reg.stages > 0 || p.passes[h.reg] != nil {
		return nil
	}
	if !follows(h.reg, w.regs[0]) || p.tapped(h.reg) || slices.ContainsFunc(w.regs, p.tapped) {
		return nil
	}
	return h.reg
}

func bitsOf(name string, high, low int) string {
	if high == low {
		return fmt.Sprintf("%s[%d]", name, high)
	}
	return fmt.Sprintf("%s[%d:%d]", name, high, low)
}

func (p *printer) unusedName(name string) string {
	free := name
	for i := 2; p.used[free]; i++ {
		free = fmt.Sprintf("%s_%d", name, i)
	}
	p.used[free] = true
	return free
}

// passOn prints the clocked block of the registers that only pass values on.
func (p *printer) passOn() {
	if len(p.chains) == 0 {
		return
	}
	p.title("Delays")
	var list []assignment
	for _, w := range p.chains {
		if w.head == nil {
			list = append(list, p.chainOf(w))
		}
	}
	p.block(list)
}

func (p *printer) chainOf(w *waiting) assignment {
	r, n := w.regs[0], len(w.regs)
	u := p.updateOf(r)
	if n == 1 {
		return u
	}
	u.name = w.name
	if r.reset != nil {
		u.reset = literal(r.node.width*n, repeated(r.reset, r.node.width, n))
	}
	older := bitsOf(w.name, r.node.width*(n-1)-1, 0)
	if w.byBit {
		older = bitsOf(w.name, w.first+n-2, w.first)
		for _, r := range w.regs[:n-1] { // the next one reads each but the last
			p.readBits(r.node, 0, 0)
		}
	}
	u.value = func() string {
		lines := p.lines(r.next, r.node.name, lineLimit-16)
		text := "{" + older + ", " + lines[0] + "}"
		if len(lines) == 1 && 16+len(u.name)+len(text) <= lineLimit {
			return text
		}
		return strings.Join(append(append([]string{"{", "    " + older + ","}, indented("    ", lines)...), "}"), "\n")
	}
	return u
}
