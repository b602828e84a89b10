package vgen

import (
	"fmt"
	"strconv"
	"strings"
)

const (
	lineLimit = 100 // longest line; longer expressions are broken
	exprLimit = 72  // longest expression where lines are not broken: in a condition, at a pin

	maxRepeats = 4 // a gate of named bits is repeated so often rather than named
)

// expr gives the text of a value on one line and its precedence: its name if it has one, else its operator. base is the
// name of the consumer, from which a name is made for a value that needs one and that no author named.
func (p *printer) expr(n *node, base string) (string, int) {
	if n.op == opConst {
		return n.constText(), precPrimary
	}
	if p.separate(n) {
		return p.ident(n, base), precPrimary
	}
	return p.form(n, base)
}

// separate reports whether a value needs an identifier of its own.
func (p *printer) separate(n *node) bool {
	if _, ok := picked(n); ok {
		return n.name != "" || p.ref[n] != "" || p.shared(n)
	}
	switch n.op {
	case opSelect, opMemAsync, opRomAsync, opMul, opMulS, opBuf:
		return true
	}
	return !n.comb() || n.name != "" || n.op == opWire || p.ref[n] != "" || p.shared(n)
}

// shared reports whether a value has several readers and is too large to be repeated in each.
func (p *printer) shared(n *node) bool {
	return p.a.refs[n] > 1 && !p.cheap(n) && !(p.a.refs[n] <= maxRepeats && p.isGate(n))
}

// isGate reports whether a value is a single bit computed from two or three named ones.
func (p *printer) isGate(n *node) bool {
	if n.width != 1 || n.op != opAnd && n.op != opOr && n.op != opMux {
		return false
	}
	for _, a := range n.args {
		if a.op == opNot {
			a = a.args[0]
		}
		if a.width != 1 || a.op != opSlice && a.comb() && a.name == "" && p.ref[a] == "" {
			return false
		}
	}
	return true
}

// cheap values are repeated rather than named: they cost nothing and read well.
func (p *printer) cheap(n *node) bool {
	switch n.op {
	case opSlice:
		return true
	case opNot, opZext, opRepeat:
		a := n.args[0]
		return !a.comb() || a.name != "" || a.op == opSlice || p.ref[a] != ""
	}
	return false
}

// ident gives the identifier of a value that is read as a whole, declaring it if
// need be.
func (p *printer) ident(n *node, base string) string {
	p.readBits(n, n.width-1, 0)
	return p.declare(n, base)
}

func (p *printer) readBits(n *node, hi, lo int) { addBits(p.read, n, hi, lo) }

// declare makes sure that a value has an identifier.
func (p *printer) declare(n *node, base string) string {
	if name := p.ref[n]; name != "" {
		return name
	}
	if d, ok := stateOf(n); ok { // of a later part of the text
		p.declarations([]decl{d})
		p.ref[n] = n.name
		return n.name
	}
	switch {
	case n.op == opInstOut:
		p.declareOutputs(n.inst)
		return p.ref[n]
	case n.op == opWire && n.inst != nil:
		p.define(n, n.inst.wireName(n.port))
		return p.ref[n]
	case n.name != "":
		p.define(n, n.name)
		return n.name
	}
	name := p.fresh(n, base)
	p.define(n, name)
	return name
}

// fresh makes a name for a value that no author named: from where it goes, if that is a register, a memory or a pin, or
// else from its consumer and the operator, "cnt_sum". The names do not change when something else in the module does.
func (p *printer) fresh(n *node, base string) string {
	if name := p.goal[n]; name != "" {
		p.bases[n] = name
		if p.isPin[name] {
			return name
		}
		return p.unusedName(name)
	}
	base = strings.TrimSuffix(base, "_q")
	if r := n.read; r != nil && r.mem != nil {
		base = r.mem.name
	} else if r != nil {
		base = r.rom.name
	}
	name := p.unusedName(base + "_" + opTable[n.op].role)
	p.bases[n] = base
	p.made = append(p.made, MadeName{Name: name, Pos: n.site.pos()})
	return name
}

// goals names values that no author named by where they go.
func (p *printer) goals() {
	give := func(n *node, name string) {
		if n != nil && n.comb() && n.op != opWire && n.op != opSlice && n.name == "" && p.goal[n] == "" {
			p.goal[n] = name
		}
	}
	for _, r := range p.m.regs {
		if p.a.live[r.node] {
			next, _ := p.updated(r)
			give(next, strings.TrimSuffix(r.node.name, "_q")+"_next")
		}
	}
	for _, mem := range p.m.mems {
		if w := mem.write; w != nil && p.a.mems[mem] {
			give(w.en, mem.name+"_we")
			give(w.addr, mem.name+"_waddr")
			give(w.data, mem.name+"_wdata")
		}
	}
	for _, i := range p.m.instances {
		for _, pin := range i.pins {
			if pin.op == opWire {
				name := i.wireName(pin.port)
				give(pin.args[0], name)
				if p.a.refs[pin] == 0 && p.goal[pin.args[0]] == name {
					p.isPin[name] = true
				}
			}
		}
	}
}

// baseFor is the name that the names of a value's operands are made from: its own if
// it was given one, else the one its own was made from.
func (p *printer) baseFor(n *node, name string) string {
	if base, ok := p.bases[n]; ok {
		return base
	}
	return name
}

// define declares a value under a name.
func (p *printer) define(n *node, name string) {
	if p.ref[n] != "" {
		return
	}
	if n.op == opBuf && n.mod == nil {
		p.ref[n] = name
		for other, given := range p.ref {
			if other != n && given == name {
				return
			}
		}
		p.line("    localparam%s %s = %s;", bitRange(n.width), name, literal(n.width, n.fixed()))
		return
	}
	base := p.baseFor(n, name)
	rng := rangeOf(n.width, n.size)
	switch n.op {
	case opSelect:
		if _, ok := picked(n); ok {
			text := p.statement(n, base, 8+len(rng)+len(name))
			p.statementLines("    ", fmt.Sprintf("wire%s %s = %s;", rng, name, text))
			break
		}
		index := p.inline(n.args[0], base+"_index")
		otherwise := p.whole(n.args[1], base, 24+len(name))
		var values []string
		labels := map[string][]string{} // of the values that differ from the last
		for i, c := range n.args[2:] {
			v := p.whole(c, base, 24+len(name))
			if v == otherwise {
				continue
			}
			if labels[v] == nil {
				values = append(values, v)
			}
			labels[v] = append(labels[v], fmt.Sprintf("%d'd%d", n.args[0].width, i))
		}
		p.line("")
		p.line("    reg%s %s;", rng, name)
		p.line("    always @* begin")
		p.line("        case (%s)", index)
		for _, v := range values {
			p.statementLines("            ", fmt.Sprintf("%s: %s = %s;", strings.Join(labels[v], ", "), name, v))
		}
		p.statementLines("            ", fmt.Sprintf("default: %s = %s;", name, otherwise))
		p.line("        endcase")
		p.line("    end")
		p.line("")
	case opRomAsync:
		addr := p.inline(n.args[0], base+"_addr")
		p.line("")
		p.line("    reg%s %s;", rng, name)
		p.line("    always @* begin")
		p.romCase(n, addr, name, "=", "        ")
		p.line("    end")
		p.line("")
	case opMemAsync:
		addr := p.inline(n.args[0], base+"_addr")
		p.line("    wire%s %s = %s;", rng, name, p.word(n.read, n.args[0], addr))
	case opBuf, opWire:
		text := p.whole(n.args[0], base, 8+len(rng)+len(name))
		p.statementLines("    ", fmt.Sprintf("wire%s %s = %s;", rng, name, text))
	default:
		text := p.statement(n, base, 8+len(rng)+len(name))
		p.statementLines("    ", fmt.Sprintf("wire%s %s = %s;", rng, name, text))
	}
	p.ref[n] = name
}

// statementLines prints a statement of one line or more at an indentation.
func (p *printer) statementLines(indent, text string) {
	for l := range strings.SplitSeq(text, "\n") {
		p.line("%s", indent+l)
	}
}

// assign drives an output port.
func (p *printer) assign(name string, n *node) {
	text := p.whole(n, name, 8+len(name))
	p.statementLines("    ", "assign "+name+" = "+text+";")
}

// inline is the text of a value in a condition, at a pin, as an address. What is longer than there is room for becomes
// a wire of the given name, which says where it goes.
func (p *printer) inline(n *node, name string) string { return p.inlineFrom(n, name, name) }

// inlineFrom is inline where the names of the operands come from a base of their own.
func (p *printer) inlineFrom(n *node, base, name string) string {
	text, _ := p.expr(n, base)
	if len(text) <= exprLimit || p.separate(n) || p.cheap(n) || n.op == opConst {
		return text
	}
	if p.goal[n] != name || !p.isPin[name] { // the name of a pin's wire is taken, for this very value
		name = p.unusedName(name)
	}
	p.define(n, name)
	return p.ident(n, name)
}

// whole is the text of a value that is a whole right-hand side; used is what the
// line holds already.
func (p *printer) whole(n *node, base string, used int) string {
	if n.op == opConst {
		return n.constText()
	}
	if n.op != opMul && n.op != opMulS && p.separate(n) || p.ref[n] != "" || n.name != "" || p.shared(n) {
		return p.ident(n, base)
	}
	return p.statement(n, base, used)
}

// statement is the text of an operator as a right-hand side, in lines that statementLines indents.
func (p *printer) statement(n *node, base string, used int) string {
	room := max(lineLimit-used, 40)
	if text, _ := p.form(n, base); len(text) <= room && !p.isTable(n) {
		return text
	}
	if n.op == opCat {
		return strings.Join(p.broken(n, base, lineLimit-12), "\n")
	}
	return "\n    " + strings.Join(p.broken(n, base, lineLimit-12), "\n    ")
}

func (p *printer) form(n *node, base string) (string, int) {
	info := opTable[n.op]
	arg := func(i int) string { t, _ := p.expr(n.args[i], base); return t }
	// operand i, in parentheses unless it binds tightly enough
	sub := func(i int, same bool) string {
		t, prec := p.expr(n.args[i], base)
		if t == "1" && (n.op == opAdd || n.op == opSub) { // of a size
			t = "1'b1"
		}
		if prec >= precUnary || same && prec == info.prec && p.inlined(n.args[i]) == n.op {
			return t
		}
		return "(" + t + ")"
	}
	// operand i where it must not take on a wider context: a name, a part of one, or
	// a concatenation
	closed := func(i int) string {
		if t, prec := p.expr(n.args[i], base); prec == precPrimary {
			return t
		}
		return p.ident(n.args[i], base)
	}
	signed := func(i int) string {
		a := n.args[i]
		if a.op == opConst && a.text == "" && a.width <= 16 && n.op != opMulS { // whose context would widen the minus
			return signedLiteral(a.width, a.val)
		}
		return "$signed(" + closed(i) + ")"
	}
	w, wa := n.width, 0
	if len(n.args) > 0 {
		wa = n.args[0].width
	}
	switch n.op {
	case opMulS, opLtS, opLeS, opGtS, opGeS:
		return signed(0) + " " + info.symbol + " " + signed(1), info.prec
	case opAdd, opAnd, opOr, opXor:
		return sub(0, true) + " " + info.symbol + " " + sub(1, n.op != opAdd), info.prec
	case opSub:
		return sub(0, true) + " - " + sub(1, false), info.prec
	case opMul:
		return closed(0) + " * " + closed(1), info.prec
	case opEq, opNe, opLt, opLe, opGt, opGe, opShlBy, opShrBy:
		return sub(0, false) + " " + info.symbol + " " + sub(1, false), info.prec
	case opShl, opShr:
		return sub(0, false) + " " + info.symbol + " " + distance(n.p0), info.prec
	case opSra:
		return fmt.Sprintf("$unsigned($signed(%s) >>> %s)", closed(0), distance(n.p0)), precCall
	case opSraBy:
		return fmt.Sprintf("$unsigned($signed(%s) >>> %s)", closed(0), sub(1, false)), precCall
	case opNot, opAny, opAll, opParity:
		if a := n.args[0]; n.op == opNot && (p.inlined(a) == opEq || p.inlined(a) == opNe) {
			opposite := *a
			opposite.op = opEq + opNe - a.op
			return p.form(&opposite, base)
		}
		t, prec := p.expr(n.args[0], base)
		if prec < precPrimary { // "^~" is another operator, "~~" none for Icarus
			t = "(" + t + ")"
		}
		return info.symbol + t, info.prec
	case opSlice:
		name := p.declare(n.args[0], base)
		p.readBits(n.args[0], n.p0, n.p1)
		return partOf(name, n), precPrimary
	case opSelect:
		if q, ok := picked(n); ok {
			return p.pickText(q, base), precPrimary
		}
	case opCat, opZext:
		var parts []string
		for _, q := range p.parts(n) {
			parts = append(parts, p.partText(q, base))
		}
		return "{" + strings.Join(parts, ", ") + "}", precPrimary
	case opRepeat:
		copies := strconv.Itoa(n.p0)
		if n.size.known() {
			copies = n.size.factor()
		}
		return fmt.Sprintf("{%s{%s}}", copies, arg(0)), precPrimary
	case opSext:
		if wa == 1 {
			return fmt.Sprintf("{%d{%s}}", w, arg(0)), precPrimary
		}
		name := p.ident(n.args[0], base)
		top := fmt.Sprintf("%s[%d]", name, wa-1)
		if w-wa > 1 {
			top = fmt.Sprintf("{%d{%s}}", w-wa, top)
		}
		return fmt.Sprintf("{%s, %s}", top, name), precPrimary
	case opMux:
		last, prec := p.expr(n.args[2], base)
		if prec < precUnary && prec != precCond {
			last = "(" + last + ")"
		}
		return sub(0, false) + " ? " + sub(1, false) + " : " + last, info.prec
	}
	return p.ident(n, base), precPrimary
}

// inlined is the operator a value is printed as, opAbsent when it is a name.
func (p *printer) inlined(n *node) opcode {
	if n.op == opConst || p.separate(n) {
		return opAbsent
	}
	return n.op
}

// catPart is a part of a concatenation: a value, or zeros.
type catPart struct {
	value *node
	zeros int
}

// parts returns the parts of a concatenation: a nested one is replaced by its parts, and zeros
// that meet are one constant.
func (p *printer) parts(n *node) (list []catPart) {
	zero := func(bits int) {
		if last := len(list) - 1; last >= 0 && list[last].value == nil {
			list[last].zeros += bits
			return
		}
		list = append(list, catPart{zeros: bits})
	}
	if n.op == opZext {
		zero(n.width - n.args[0].width)
	}
	for _, a := range n.args {
		inner := []catPart{{value: a}}
		switch op := p.inlined(a); {
		case op == opCat || op == opZext:
			inner = p.parts(a)
		case a.op == opConst && a.val.Sign() == 0 && a.text == "" && !a.size.known():
			inner = []catPart{{zeros: a.width}}
		}
		for _, q := range inner {
			if q.value == nil {
				zero(q.zeros)
			} else {
				list = append(list, q)
			}
		}
	}
	return list
}

func (p *printer) partText(q catPart, base string) string {
	if q.value == nil {
		return zeros(q.zeros)
	}
	text, _ := p.expr(q.value, base)
	return text
}

func zeros(w int) string {
	if w == 1 {
		return "1'b0"
	}
	return strconv.Itoa(w) + "'d0"
}

func distance(n int) string { return fmt.Sprintf("%d'd%d", indexWidth(n+1), n) }
