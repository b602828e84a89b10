package vgen

import (
	"fmt"
	"strings"
)

// tableRows is how many conditions make a priority chain a table, with a line for each.
const tableRows = 3

// lines is the text of a value in lines of at most room characters: an operand a line after its operator, a case a
// line, a part of a concatenation a line. What cannot be broken stays longer.
func (p *printer) lines(n *node, base string, room int) []string {
	text, _ := p.expr(n, base)
	if n.op == opConst || p.separate(n) || len(text) <= room && !p.isTable(n) {
		return []string{text}
	}
	return p.broken(n, base, room)
}

// broken is the text of an operator in lines.
func (p *printer) broken(n *node, base string, room int) []string {
	switch n.op {
	case opMux:
		return p.caseLines(n, base, room)
	case opAnd, opOr, opXor, opAdd, opSub, opEq, opNe, opLt, opLe, opGt, opGe, opShlBy, opShrBy:
		return p.operandLines(n, base, room)
	case opShl, opShr:
		return join(p.inParentheses(n.args[0], base, room-6), " "+opTable[n.op].symbol+" ", []string{distance(n.p0)})
	case opNot, opAny, opAll, opParity:
		return around(opTable[n.op].symbol+"(", p.lines(n.args[0], base, room-3), ")")
	case opRepeat:
		open := fmt.Sprintf("{%d{", n.p0)
		return around(open, p.lines(n.args[0], base, room-len(open)-2), "}}")
	case opCat, opZext:
		list := p.parts(n)
		if n.op == opZext && len(list) == 2 {
			open := "{" + p.partText(list[0], base) + ", "
			return around(open, p.lines(list[1].value, base, room-len(open)-1), "}")
		}
		out := []string{"{"}
		for i, q := range list {
			part := []string{p.partText(q, base)}
			if q.value != nil {
				part = p.lines(q.value, base, room-5)
			}
			part = indented("    ", part)
			if i < len(list)-1 {
				part[len(part)-1] += ","
			}
			out = append(out, part...)
		}
		return append(out, "}")
	}
	text, _ := p.form(n, base)
	return []string{text}
}

// operandLines is a chain of one operator.
func (p *printer) operandLines(n *node, base string, room int) []string {
	symbol := opTable[n.op].symbol + " "
	chain := p.operands(n, n.op)
	out := p.inParentheses(chain[0], base, room)
	for _, a := range chain[1:] {
		out = append(out, around(symbol, p.inParentheses(a, base, room-len(symbol)), "")...)
	}
	return out
}

// operands are those of a chain of one operator: a nested one of the same operator is replaced by its operands.
func (p *printer) operands(n *node, op opcode) (chain []*node) {
	for i, a := range n.args {
		last := i == len(n.args)-1
		joins := op == opAnd || op == opOr || op == opXor || (op == opAdd || op == opSub) && !last
		if joins && p.inlined(a) == op {
			chain = append(chain, p.operands(a, op)...)
		} else {
			chain = append(chain, a)
		}
	}
	return chain
}

// inParentheses is an operand, with parentheses unless it is a name or the like.
func (p *printer) inParentheses(n *node, base string, room int) []string {
	if _, prec := p.expr(n, base); prec >= precUnary {
		return p.lines(n, base, room)
	}
	return around("(", p.lines(n, base, room-2), ")")
}

// chain is the conditions and values of a priority chain, and what holds otherwise.
func (p *printer) chain(n *node) (when, then []*node, otherwise *node) {
	for {
		when, then, otherwise = append(when, n.args[0]), append(then, n.args[1]), n.args[2]
		if p.inlined(otherwise) != opMux {
			return when, then, otherwise
		}
		n = otherwise
	}
}

// isTable reports whether a value is a priority chain that gets a line a case however short it is.
func (p *printer) isTable(n *node) bool {
	if n.op != opMux {
		return false
	}
	when, _, _ := p.chain(n)
	return len(when) >= tableRows
}

// caseLines is a priority chain with a line for each case.
func (p *printer) caseLines(n *node, base string, room int) (out []string) {
	when, then, otherwise := p.chain(n)
	var conditions, values [][]string
	wide, flat := 0, true
	for i := range when {
		conditions = append(conditions, p.inParentheses(when[i], base, room-2))
		values = append(values, p.inParentheses(then[i], base, room-6))
		wide = max(wide, len(conditions[i][0]))
		flat = flat && len(conditions[i]) == 1 && len(values[i]) == 1
	}
	last := p.inParentheses(otherwise, base, room)
	for i := range when {
		flat = flat && wide+5+len(values[i][0]) <= room
	}
	for i, c := range conditions {
		c[len(c)-1] = pad(c[len(c)-1], map[bool]int{true: wide}[flat && len(when) > 1]) + " ?"
		v := values[i]
		v[len(v)-1] += " :"
		if len(c) == 1 && len(v) == 1 && len(c[0])+1+len(v[0]) <= room {
			out = append(out, c[0]+" "+v[0])
			continue
		}
		out = append(append(out, c...), indented("    ", v)...)
	}
	if flat && len(when) > 1 && len(last) == 1 && wide+3+len(last[0]) <= room {
		last[0] = strings.Repeat(" ", wide+3) + last[0]
	}
	return append(out, last...)
}

// around puts a text before and after lines, and indents the lines below the first to follow it.
func around(before string, lines []string, after string) []string {
	out := indented(strings.Repeat(" ", len(before)), lines)
	out[0] = before + lines[0]
	out[len(out)-1] += after
	return out
}

func indented(indent string, lines []string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = indent + l
	}
	return out
}

// join appends lines to the last of others.
func join(a []string, between string, b []string) []string {
	last := a[len(a)-1] + between
	return append(a[:len(a)-1:len(a)-1], around(last, b, "")...)
}
