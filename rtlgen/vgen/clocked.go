package vgen

import "strings"

// assignment is the assignment of a clocked block to one register.
type assignment struct {
	name   string
	value  func() string // may declare wires, so it is asked for before the block is opened
	enable *node
	reset  string // "" for a register that reset leaves alone
}

func (p *printer) updateOf(r *register) assignment {
	next, enable := p.updated(r)
	u := assignment{name: r.node.name, enable: enable}
	u.value = func() string { return p.whole(next, r.node.name, 16+len(u.name)) }
	if r.reset != nil {
		u.reset = valueText(r.node.width, r.node.size, r.reset)
	}
	return u
}

// updated returns the next value of a register, and when it is taken: an enable, or the condition of a choice between a
// value and the register itself. It is nil for a register that takes a value in each cycle.
func (p *printer) updated(r *register) (next, enable *node) {
	n := r.next
	if r.enable == nil && n.op == opMux && n.args[2] == r.node && n.name == "" && p.a.refs[n] == 1 && p.ref[n] == "" {
		return n.args[1], n.args[0]
	}
	return n, r.enable
}

// registers prints the clocked block of the registers collected so far.
func (p *printer) registers() {
	list := make([]assignment, len(p.clocked))
	for i, r := range p.clocked {
		if w := p.heads[r]; w != nil {
			list[i] = p.chainOf(w)
		} else {
			list[i] = p.updateOf(r)
		}
	}
	p.clocked = nil
	p.block(list)
}

// block prints the clocked block of some registers, with the asynchronous reset one of its own for those that have one.
func (p *printer) block(list []assignment) {
	if p.opt.Reset == SyncHigh {
		groups := p.groups(list)
		p.always("posedge clk", groups, func() {
			if resets := resetsOf(list, "            "); resets != "" {
				p.line("        if (rst) begin")
				p.line("%s", resets)
				p.line("        end")
			}
		})
		return
	}
	var control, plain []assignment
	for _, u := range list {
		if u.reset != "" {
			control = append(control, u)
		} else {
			plain = append(plain, u)
		}
	}
	own, groups := p.groups(control), p.groups(plain)
	if len(own) > 0 {
		p.line("")
		p.line("    always @(posedge clk or negedge rst_n) begin")
		p.line("        if (!rst_n) begin")
		p.line("%s", resetsOf(control, "            "))
		p.line("        end else begin")
		p.updates(own, "            ")
		p.line("        end")
		p.line("    end")
		p.line("")
	}
	p.always("posedge clk", groups, func() {})
}

func (p *printer) always(event string, groups []guarded, reset func()) {
	if len(groups) == 0 {
		return
	}
	p.line("")
	p.line("    always @(%s) begin", event)
	p.updates(groups, "        ")
	reset()
	p.line("    end")
	p.line("")
}

func resetsOf(list []assignment, indent string) string {
	var lines []string
	for _, u := range list {
		if u.reset != "" {
			lines = append(lines, indent+u.name+" <= "+u.reset+";")
		}
	}
	return strings.Join(lines, "\n")
}

// guarded is the registers of a block that have the same enable.
type guarded struct {
	enable     string
	statements []string
}

// groups renders register updates, which may declare wires, before the clocked block that holds them is opened. Those
// under one condition come together, where the first of them stands.
func (p *printer) groups(list []assignment) (out []guarded) {
	at := map[string]int{}
	for _, r := range list {
		text, enable := r.name+" <= "+r.value()+";", ""
		if r.enable != nil {
			enable = p.inlineFrom(r.enable, r.name, r.name+"_en")
		}
		k, seen := at[enable]
		if r.enable == nil { // in the order of the list
			k = len(out) - 1
			seen = k >= 0 && out[k].enable == ""
		}
		if !seen {
			k = len(out)
			at[enable], out = k, append(out, guarded{enable: enable})
		}
		out[k].statements = append(out[k].statements, text)
	}
	return out
}

func (p *printer) updates(groups []guarded, indent string) {
	for _, u := range groups {
		in := indent
		if u.enable != "" {
			p.line("%sif (%s) begin", indent, u.enable)
			in += "    "
		}
		for _, s := range u.statements {
			p.statementLines(in, s)
		}
		if u.enable != "" {
			p.line("%send", indent)
		}
	}
}
