package vgen

import (
	"fmt"
	"math/big"
)

type register struct {
	node    *node
	next    *node
	enable  *node
	reset   *big.Int
	control bool
	at      place
	stages  int // of a shift register made by Delay, otherwise 0
}

// RegOption configures a register.
type RegOption func(*regOptions)

type regOptions struct {
	reset   *big.Int
	noReset bool // ResetBig was given nil
	enable  *Signal
	control bool
}

// Reset gives the register a reset value. Registers without one keep their value
// during reset, and are undefined before they are first written.
func Reset(v uint64) RegOption {
	return func(o *regOptions) { o.reset = new(big.Int).SetUint64(v) }
}

// ResetBig is Reset for values beyond 64 bits.
func ResetBig(v *big.Int) RegOption {
	return func(o *regOptions) {
		if o.noReset = v == nil; !o.noReset {
			o.reset = new(big.Int).Set(v)
		}
	}
}

// Enable makes the register keep its value in cycles in which en is 0. Reset wins
// over it.
func Enable(en Signal) RegOption { return func(o *regOptions) { o.enable = &en } }

// Control marks a register of control state (valid bits, state machines, counters
// of a queue): it is a problem if such a register has no Reset.
func Control() RegOption { return func(o *regOptions) { o.control = true } }

// Reg declares a register; Next gives it its input.
func (m *Module) Reg(name string, width int, opts ...RegOption) Signal {
	return m.register(name, width, here(), opts)
}

func (m *Module) register(name string, width int, site callSite, opts []RegOption) Signal {
	var o regOptions
	for _, opt := range opts {
		if opt != nil {
			opt(&o)
		}
	}
	if width < 1 {
		m.fail(site, fmt.Sprintf("register %q: width %d", name, width), "at least 1 bit is needed")
		width = 1
	}
	if o.noReset {
		m.fail(site, fmt.Sprintf("register %q: ResetBig: the value is nil", name), "")
	}
	if o.reset != nil && (o.reset.Sign() < 0 || o.reset.BitLen() > width) {
		m.fail(site, fmt.Sprintf("register %q: the reset value %v does not fit in %d bits", name, o.reset, width), "")
		o.reset = new(big.Int)
	}
	r := &register{control: o.control, reset: o.reset}
	n := &node{op: opReg, width: width, mod: m, name: name, reg: r, site: site}
	r.node = n
	if o.enable != nil {
		r.enable = m.take("Enable", fmt.Sprintf("the enable of %q", name), *o.enable, 1, site)
	}
	m.claim(name, "register", site)
	m.add(n)
	m.regs = append(m.regs, r)
	return Signal{n}
}

// Next gives a register its input: the value it takes at the next rising edge.
func (m *Module) Next(q, d Signal) {
	site := here()
	if !q.Exists() || q.n.op != opReg || q.n.mod != m {
		m.fail(site, fmt.Sprintf("Next: %s is not a register of this module", q.n.describe()), "declare it with Reg")
		return
	}
	r := q.n.reg
	if r.next != nil {
		m.fail(site, fmt.Sprintf("Next: register %s is driven twice", q.n.describe()), "combine the two with Mux")
		return
	}
	r.at = m.place()
	r.next = m.take("Next", "register "+q.n.describe(), d, q.n.width, site)
}

// RegNext declares a register of the width of d and gives it d as input.
func (m *Module) RegNext(name string, d Signal, opts ...RegOption) Signal {
	site := here()
	width := d.Width()
	if !d.Exists() {
		m.fail(site, fmt.Sprintf("RegNext: the value for register %q does not exist: %s", name, missing(d)),
			"test it with Exists() first")
		width = 1
		d = Const(1, 0)
	}
	q := m.register(name, width, site, opts)
	q.n.size = d.n.size
	q.n.reg.at = m.place()
	q.n.reg.next = m.take("RegNext", fmt.Sprintf("register %q", name), d, width, site)
	return q
}

// Delay is d, n cycles later; n = 0 gives d itself. It is printed as one shift
// register "NAME_sr", whose last stage is the wire NAME. A Reset applies to every
// stage, an Enable shifts.
func (m *Module) Delay(name string, d Signal, n int, opts ...RegOption) Signal {
	site := here()
	if !d.Exists() {
		m.fail(site, fmt.Sprintf("Delay: %q: %s", name, missing(d)), "test it with Exists() first")
		return Signal{standIn(m, 1)}
	}
	if n < 0 {
		m.fail(site, fmt.Sprintf("Delay: %q: %d cycles", name, n), "0 or more")
		return Signal{standIn(m, d.Width())}
	}
	if n == 0 {
		return d
	}
	w := d.Width()
	if n == 1 {
		q := m.register(name, w, site, opts)
		q.n.reg.at = m.place()
		q.n.reg.next = m.take("Delay", fmt.Sprintf("register %q", name), d, w, site)
		return q
	}
	var o regOptions
	for _, opt := range opts {
		if opt != nil {
			opt(&o)
		}
	}
	if o.reset != nil {
		if o.reset.Sign() < 0 || o.reset.BitLen() > w {
			m.fail(site, fmt.Sprintf("Delay: %q: the reset value %v does not fit in %d bits", name, o.reset, w), "")
			o.reset = new(big.Int)
		}
		opts = append(opts[:len(opts):len(opts)], ResetBig(repeated(o.reset, w, n)))
	}
	q := m.register(name+"_sr", w*n, site, opts)
	r := q.n.reg
	r.stages = n
	r.at = m.place()
	v := m.take("Delay", fmt.Sprintf("%q", name), d, w, site)
	r.next = build(opCat, w*n, 0, 0, slice(q.n, w*(n-1)-1, 0).n, v).n
	out := build(opSlice, w, w*n-1, w*(n-1), q.n)
	out.n.name = name
	m.claim(name, "delay", site)
	return out
}

// repeated is a value of w bits, n times.
func repeated(v *big.Int, w, n int) *big.Int {
	all := new(big.Int)
	for range n {
		all.Lsh(all, uint(w)).Or(all, v)
	}
	return all
}
