package vgen

import (
	"math/big"
)

// level is one instance in the flattened hierarchy; the top has no inst.
type level struct {
	m     *Module
	a     *analysis
	inst  *Instance
	up    *level
	down  []*level // one per instance of m
	at    map[*node]int
	mems  map[*Memory]int
	names map[string]*node // made when first asked for
}

// compiler flattens a design into the interpreter's program. Values that are the
// same words share them: a port and what drives it, a name and its value, a value
// and its zero extension within a word.
type compiler struct {
	s      *Sim
	prog   []instr // in an order in which operands come first
	roms   map[*ROM]int
	consts map[string]int
}

func compile(d *design) *Sim {
	s := &Sim{top: d.top, rst: -1, layout: NewLayout(d.top, false), taps: NewLayout(d.top, true)}
	c := &compiler{s: s, roms: map[*ROM]int{}, consts: map[string]int{}}
	s.root = c.flatten(d, d.top, nil, nil)
	s.v = make([]uint64, s.layout.InWords)
	for _, in := range s.layout.Inputs {
		if in.Name == "rst" && in.Offset == 0 && d.top.stateful() {
			s.rst = in.Offset
			continue
		}
		for _, p := range d.top.ports {
			if p.name == in.Name {
				s.root.at[p.node] = in.Offset
			}
		}
	}
	s.state = len(s.v)
	var levels []*level
	var gather func(l *level)
	gather = func(l *level) {
		levels = append(levels, l)
		for _, sub := range l.down {
			gather(sub)
		}
	}
	gather(s.root)
	for _, l := range levels {
		for _, n := range l.m.nodes {
			if l.a.live[n] && (n.op == opReg || n.op == opMemRead || n.op == opRomRead) {
				l.at[n] = c.alloc(wordsFor(n.width))
			}
		}
	}
	s.next = make([]uint64, len(s.v)-s.state)
	for _, l := range levels {
		c.level(l)
	}
	for _, o := range s.taps.Outputs {
		at, _, _ := s.find(o.Name)
		s.outputs = append(s.outputs, move{at, o.Offset, o.Words})
	}
	for _, o := range s.taps.Taps {
		at, _, _ := s.find(o.Name)
		s.outputs = append(s.outputs, move{at, o.Offset, o.Words})
	}
	s.runs = schedule(s, c.prog)
	s.dirty = true
	return s
}

func (c *compiler) flatten(d *design, m *Module, inst *Instance, up *level) *level {
	l := &level{m: m, a: d.an[m], inst: inst, up: up, at: map[*node]int{}, mems: map[*Memory]int{}}
	for _, i := range m.instances {
		l.down = append(l.down, c.flatten(d, i.sub, i, l))
	}
	return l
}

func (c *compiler) alloc(words int) int {
	at := len(c.s.v)
	for range words {
		c.s.v = append(c.s.v, 0)
	}
	return at
}

// level compiles the state of one instance and everything it is made of.
func (c *compiler) level(l *level) {
	s := c.s
	enable := func(n *node) int {
		if n == nil {
			return -1
		}
		return c.value(l, n)
	}
	for _, n := range l.m.nodes {
		if !l.a.live[n] {
			continue
		}
		words := wordsFor(n.width)
		switch n.op {
		case opReg:
			r := update{at: l.at[n] - s.state, src: c.value(l, n.reg.next), words: words, en: enable(n.reg.enable)}
			switch {
			case words > 1:
				s.wider = append(s.wider, r)
			case r.en >= 0:
				s.gated = append(s.gated, r)
			default:
				s.plain = append(s.plain, r)
			}
			if n.reg.reset != nil {
				s.resets = append(s.resets, resetValue{at: r.at, value: toWords(n.reg.reset, words)})
			}
		case opMemRead, opRomRead:
			s.reads = append(s.reads, readState{
				at: l.at[n] - s.state, words: words, mem: c.storage(l, n.read), en: enable(n.read.enable),
				src: c.value(l, n.read.addr), addrWords: wordsFor(n.read.addr.width),
				clash: enable(n.read.clash(n.read.addr)), top: topMask(n.width),
			})
		default:
			c.value(l, n)
		}
	}
	for _, mem := range l.m.mems {
		if w := mem.write; w != nil && l.a.mems[mem] {
			s.writes = append(s.writes, writeState{
				mem: c.memory(l, mem), en: c.value(l, w.en), addr: c.value(l, w.addr), data: c.value(l, w.data),
			})
		}
	}
}

func (c *compiler) storage(l *level, r *readPort) int {
	if r.mem != nil {
		return c.memory(l, r.mem)
	}
	if i, ok := c.roms[r.rom]; ok {
		return i
	}
	m := memoryState{depth: len(r.rom.words), stride: wordsFor(r.rom.width)}
	for _, w := range r.rom.words {
		m.words = append(m.words, toWords(w, m.stride)...)
	}
	c.s.mems = append(c.s.mems, m)
	c.roms[r.rom] = len(c.s.mems) - 1
	return len(c.s.mems) - 1
}

func (c *compiler) memory(l *level, mem *Memory) int {
	if i, ok := l.mems[mem]; ok {
		return i
	}
	stride := wordsFor(mem.width)
	c.s.mems = append(c.s.mems, memoryState{depth: mem.depth, stride: stride, words: make([]uint64, mem.depth*stride),
		ram: true})
	l.mems[mem] = len(c.s.mems) - 1
	return len(c.s.mems) - 1
}

// value gives the place of a node's value, compiling what computes it first.
func (c *compiler) value(l *level, n *node) int {
	if at, ok := l.at[n]; ok {
		return at
	}
	at := c.place(l, n)
	l.at[n] = at
	return at
}

func (c *compiler) place(l *level, n *node) int {
	switch n.op {
	case opConst:
		return c.constant(n.width, n.val)
	case opInput:
		for _, pin := range l.inst.pins {
			if pin.port == n.port {
				return c.value(l.up, pin.args[0])
			}
		}
	case opInstOut:
		for i, inst := range l.m.instances {
			if inst == n.inst {
				return c.value(l.down[i], n.port.node)
			}
		}
	case opMemAsync:
		if clash := n.read.clash(n.args[0]); clash != nil {
			raw := *n
			raw.read = &readPort{mem: n.read.mem, raw: true}
			inverse := &node{op: opNot, width: n.width, args: []*node{&raw}, mod: n.mod}
			return c.value(l, &node{op: opMux, width: n.width, args: []*node{clash, inverse, &raw}, mod: n.mod})
		}
	case opWire, opBuf:
		return c.value(l, n.args[0])
	case opZext:
		if wordsFor(n.width) == wordsFor(n.args[0].width) {
			return c.value(l, n.args[0])
		}
	}
	args := make([]operand, len(n.args))
	narrow := n.width <= 64
	for i, a := range n.args {
		args[i] = operand{at: c.value(l, a), width: a.width, words: wordsFor(a.width)}
		narrow = narrow && a.width <= 64
	}
	dst := operand{at: c.alloc(wordsFor(n.width)), width: n.width, words: wordsFor(n.width)}
	switch {
	case narrow:
		c.narrow(l, n, dst, args)
	case n.op == opSlice && n.width <= 64:
		c.extract(n, dst, args[0])
	case n.op == opMul && dst.words == 2 && args[0].words == 1 && args[1].words == 1:
		c.emit(instr{op: exMulWide, dst: int32(dst.at), a: int32(args[0].at), b: int32(args[1].at)})
	default:
		w := wideOp{op: n.op, dst: dst, args: args, p0: n.p0, p1: n.p1, scratch: make([]uint64, 2*max(dst.words, 1))}
		if n.read != nil {
			w.mem = c.storage(l, n.read)
		}
		c.s.wide = append(c.s.wide, w)
		c.emit(instr{op: exWide, a: int32(len(c.s.wide) - 1)})
	}
	return dst.at
}

func (c *compiler) emit(i instr) { c.prog = append(c.prog, i) }

func (c *compiler) constant(width int, v *big.Int) int {
	words := wordsFor(width)
	key := v.Text(62) + "/" + string(rune('0'+words))
	if at, ok := c.consts[key]; ok {
		return at
	}
	at := c.alloc(words)
	copy(c.s.v[at:], toWords(v, words))
	c.consts[key] = at
	return at
}

// extract compiles a slice of at most 64 bits of a wide value.
func (c *compiler) extract(n *node, dst, a operand) {
	i := instr{op: exSlice, dst: int32(dst.at), a: int32(a.at + n.p1/64), sh: uint8(n.p1 % 64), mask: maskFor(n.width)}
	if n.p0/64 != n.p1/64 {
		i.op = exStraddle
	}
	c.emit(i)
}

// simple operations take their operands as they are, and the mask of the result.
var simple = map[opcode]code{
	opAdd: exAdd, opSub: exSub, opMul: exMul, opAnd: exAnd, opOr: exOr, opXor: exXor, opNot: exNot,
	opEq: exEq, opNe: exNe, opLt: exLt, opLe: exLe, opShlBy: exShlBy, opShrBy: exShrBy, opMux: exMux,
	opAny: exNonzero, opParity: exParity,
}

func (c *compiler) narrow(l *level, n *node, dst operand, args []operand) {
	i := instr{dst: int32(dst.at), mask: maskFor(n.width)}
	if len(args) > 0 {
		i.a = int32(args[0].at)
	}
	if len(args) > 1 {
		i.b = int32(args[1].at)
	}
	if len(args) > 2 {
		i.c = int32(args[2].at)
	}
	wa := args[0].width
	if op, ok := simple[n.op]; ok {
		i.op = op
		c.emit(i)
		return
	}
	sign := uint64(1) << (wa - 1)
	switch n.op {
	case opGt:
		i.op, i.a, i.b = exLt, i.b, i.a
	case opGe:
		i.op, i.a, i.b = exLe, i.b, i.a
	case opLtS:
		i.op, i.mask = exLtS, sign
	case opLeS:
		i.op, i.mask = exLeS, sign
	case opGtS:
		i.op, i.mask, i.a, i.b = exLtS, sign, i.b, i.a
	case opGeS:
		i.op, i.mask, i.a, i.b = exLeS, sign, i.b, i.a
	case opMulS:
		i.op, i.sh, i.c = exMulS, uint8(64-wa), int32(64-args[1].width)
	case opShl:
		i.op, i.sh = exShl, uint8(n.p0)
	case opShr:
		i.op, i.sh = exShr, uint8(n.p0)
	case opSra:
		i.op, i.sh, i.c = exSra, uint8(n.p0), int32(64-wa)
	case opSraBy:
		i.op, i.sh = exSraBy, uint8(64-wa)
	case opSlice:
		i.op, i.sh = exSlice, uint8(n.p1)
	case opSext:
		i.op, i.sh = exSext, uint8(64-wa)
	case opAll:
		i.op, i.mask = exFull, maskFor(wa)
	case opRepeat:
		i.op, i.mask = exRepeat, 0
		for k := range n.p0 {
			i.mask |= 1 << (k * wa)
		}
	case opCat:
		c.concat(dst, args)
		return
	case opSelect:
		c.s.cases = append(c.s.cases, int32(args[1].at))
		i.op, i.b, i.c = exSelect, int32(len(c.s.cases)), int32(len(args)-2)
		for _, a := range args[2:] {
			c.s.cases = append(c.s.cases, int32(a.at))
		}
	case opMemAsync, opRomAsync:
		i.op, i.b = exRead, int32(c.storage(l, n.read))
	}
	c.emit(i)
}

// concat compiles a concatenation of at most 64 bits, three parts at a time.
func (c *compiler) concat(dst operand, args []operand) {
	acc := args[0]
	for rest := args[1:]; len(rest) > 0; {
		to := dst.at
		if len(rest) > 2 {
			to = c.alloc(1)
		}
		if len(rest) == 1 {
			c.emit(instr{op: exCat2, dst: int32(to), a: int32(acc.at), b: int32(rest[0].at), sh: uint8(rest[0].width)})
			rest = nil
			continue
		}
		c.emit(instr{
			op: exCat3, dst: int32(to), a: int32(acc.at), b: int32(rest[0].at), c: int32(rest[1].at),
			sh: uint8(rest[0].width + rest[1].width), mask: uint64(rest[1].width),
		})
		acc = operand{at: to}
		rest = rest[2:]
	}
}

func toWords(v *big.Int, words int) []uint64 {
	out := make([]uint64, words)
	x := new(big.Int).Set(v)
	low := new(big.Int)
	for i := range out {
		out[i] = low.And(x, ones(64)).Uint64()
		x.Rsh(x, 64)
	}
	return out
}

func fromWords(words []uint64) *big.Int {
	v := new(big.Int)
	for i := len(words) - 1; i >= 0; i-- {
		v.Lsh(v, 64).Or(v, new(big.Int).SetUint64(words[i]))
	}
	return v
}
