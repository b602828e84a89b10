package vgen

import (
	"fmt"
	"math/big"
)

// Memory is a block of words with one write port and any number of read ports. It
// has no reset and no initial contents.
type Memory struct {
	m            *Module
	name, doc    string
	depth, width int
	site         callSite
	write        *writePort
	at           place
	reads        []*node
	apart        bool // no read that matters meets a write to its address

	depthSize, widthSize Size
}

type writePort struct{ en, addr, data *node }

// readPort belongs to the node of a read: registered or not, of a memory or a ROM.
type readPort struct {
	mem    *Memory
	rom    *ROM
	addr   *node
	enable *node
	raw    bool // of the interpreter: the word as it is, whatever is written
}

// clash is 1 in a cycle in which a memory that promises no collision is written at an address; nil without promise.
func (r *readPort) clash(addr *node) *node {
	if r.mem == nil || r.raw || !r.mem.apart || r.mem.write == nil {
		return nil
	}
	w := r.mem.write
	same := &node{op: opEq, width: 1, args: []*node{w.addr, addr}, mod: r.mem.m}
	return &node{op: opAnd, width: 1, args: []*node{w.en, same}, mod: r.mem.m}
}

// Memory declares a memory of depth words. Addresses have the width that counts
// 0..depth-1, at least 1 bit. Reading at or beyond depth gives 0 in the interpreter
// and is undefined in hardware; writing there does nothing.
func (m *Module) Memory(name string, depth, width int, doc string) *Memory {
	mem := &Memory{m: m, name: name, doc: doc, depth: depth, width: width, site: here()}
	if depth < 1 || width < 1 {
		m.fail(mem.site, fmt.Sprintf("memory %q: %d words of %d bits", name, depth, width), "both must be at least 1")
		mem.depth, mem.width = max(depth, 1), max(width, 1)
	}
	m.claim(name, "memory", mem.site)
	m.mems = append(m.mems, mem)
	return mem
}

// NoCollision promises that no read whose result matters has the address that is written in the same cycle. Synthesis
// then spares the logic that would give such a read the old word; the RTL says so in the attributes of Yosys, Vivado
// and Quartus. So that a promise that does not hold is noticed, such a read gives the inverse of the old word in the
// interpreter, and in text that is emitted with Collide.
func (mem *Memory) NoCollision() *Memory {
	mem.apart = true
	return mem
}

// Memories are those of a module and of its instances, each once.
func Memories(top *Module) []*Memory {
	var all []*Memory
	for _, m := range hierarchy(top) {
		all = append(all, m.mems...)
	}
	return all
}

// Name is the name that the memory was declared with.
func (mem *Memory) Name() string { return mem.name }

// AddrWidth is the width of the memory's addresses.
func (mem *Memory) AddrWidth() int { return indexWidth(mem.depth) }

// Depth is the number of words.
func (mem *Memory) Depth() int { return mem.depth }

// Width is the number of bits of a word.
func (mem *Memory) Width() int { return mem.width }

// Write is the write port: data goes to addr at the rising edge when en is 1.
func (mem *Memory) Write(en, addr, data Signal) {
	site := here()
	if mem.write != nil {
		mem.m.fail(site, fmt.Sprintf("Write: memory %q has a write port already", mem.name), "a memory has one")
		return
	}
	mem.at = mem.m.place()
	mem.write = &writePort{
		en:   mem.m.take("Write", fmt.Sprintf("the write enable of %q", mem.name), en, 1, site),
		addr: mem.m.take("Write", fmt.Sprintf("the write address of %q", mem.name), addr, mem.AddrWidth(), site),
		data: mem.m.take("Write", fmt.Sprintf("a word of %q", mem.name), data, mem.width, site),
	}
}

// Read is a registered read port: the word at addr, one cycle later. A word that is
// written in the same cycle is read as it was before.
func (mem *Memory) Read(name string, addr Signal) Signal {
	return mem.read(name, addr, nil, here())
}

// ReadEn is Read, whose output keeps its value in cycles in which en is 0.
func (mem *Memory) ReadEn(name string, addr, en Signal) Signal {
	return mem.read(name, addr, &en, here())
}

func (mem *Memory) read(name string, addr Signal, en *Signal, site callSite) Signal {
	r := &readPort{mem: mem}
	r.addr = mem.m.take("Read", fmt.Sprintf("the read address of %q", mem.name), addr, mem.AddrWidth(), site)
	if en != nil {
		r.enable = mem.m.take("ReadEn", fmt.Sprintf("the read enable of %q", mem.name), *en, 1, site)
	}
	n := &node{op: opMemRead, width: mem.width, size: mem.widthSize, mod: mem.m, name: name, read: r, site: site}
	mem.m.claim(name, "memory output", site)
	mem.m.add(n)
	mem.reads = append(mem.reads, n)
	return Signal{n}
}

// ReadAsync is a combinational read port, for memories small enough for LUT RAM.
func (mem *Memory) ReadAsync(addr Signal) Signal {
	site := here()
	a := mem.m.take("ReadAsync", fmt.Sprintf("the read address of %q", mem.name), addr, mem.AddrWidth(), site)
	n := &node{op: opMemAsync, width: mem.width, size: mem.widthSize, mod: mem.m, args: []*node{a},
		read: &readPort{mem: mem}, site: site}
	mem.m.add(n)
	mem.reads = append(mem.reads, n)
	return Signal{n}
}

// ROM is a table of constants. Addresses beyond the contents read 0.
type ROM struct {
	m     *Module
	name  string
	width int
	words []*big.Int
	site  callSite
	reads []*node
}

// ROM declares a table of constants; contents is a []uint64, a []*big.Int, or a []Signal of constants of the ROM's
// width: a word that has fields is best made with [Cat], which sees a field that does not fit. The table exists in
// the RTL at each of its read ports, as a case statement.
func (m *Module) ROM(name string, width int, contents any) *ROM {
	r := &ROM{m: m, name: name, width: width, site: here()}
	if width < 1 {
		m.fail(r.site, fmt.Sprintf("ROM %q: width %d", name, width), "at least 1 bit is needed")
		r.width = 1
	}
	switch words := contents.(type) {
	case []uint64:
		for _, w := range words {
			r.words = append(r.words, new(big.Int).SetUint64(w))
		}
	case []*big.Int:
		for i, w := range words {
			if w == nil {
				m.fail(r.site, fmt.Sprintf("ROM %q: word %d is nil", name, i), "")
				w = new(big.Int)
			}
			r.words = append(r.words, new(big.Int).Set(w))
		}
	case []Signal:
		for i, w := range words {
			n := m.take("ROM", fmt.Sprintf("word %d of %q", i, name), w, r.width, r.site)
			v := n.fixed()
			if v == nil {
				m.fail(r.site, fmt.Sprintf("ROM %q: word %d, %s, is not a constant", name, i, n.describe()), "")
				v = new(big.Int)
			}
			r.words = append(r.words, new(big.Int).Set(v))
		}
	default:
		m.fail(r.site, fmt.Sprintf("ROM %q: contents of type %T", name, contents), "[]uint64, []*big.Int or []Signal")
		r.words = []*big.Int{new(big.Int)}
	}
	if len(r.words) == 0 {
		m.fail(r.site, fmt.Sprintf("ROM %q: no contents", name), "")
		r.words = []*big.Int{new(big.Int)}
	}
	for i, w := range r.words {
		if w.Sign() < 0 || w.BitLen() > r.width {
			m.fail(r.site, fmt.Sprintf("ROM %q: word %d, %v, does not fit in %d bits", name, i, w, r.width), "")
			r.words[i] = new(big.Int)
		}
	}
	m.roms = append(m.roms, r)
	return r
}

// AddrWidth is the smallest legal width of the ROM's addresses.
func (r *ROM) AddrWidth() int { return indexWidth(len(r.words)) }

func (r *ROM) address(method string, addr Signal, site callSite) *node {
	into := fmt.Sprintf("the address of ROM %q", r.name)
	width := r.AddrWidth()
	if addr.Exists() && addr.Width() > width {
		width = addr.Width()
	}
	return r.m.take(method, into, addr, width, site)
}

// Read is a registered read port: the word at addr, one cycle later.
func (r *ROM) Read(name string, addr Signal) Signal { return r.read(name, addr, nil, here()) }

// ReadEn is Read, whose output keeps its value in cycles in which en is 0.
func (r *ROM) ReadEn(name string, addr, en Signal) Signal { return r.read(name, addr, &en, here()) }

func (r *ROM) read(name string, addr Signal, en *Signal, site callSite) Signal {
	p := &readPort{rom: r, addr: r.address("Read", addr, site)}
	if en != nil {
		p.enable = r.m.take("ReadEn", fmt.Sprintf("the read enable of ROM %q", r.name), *en, 1, site)
	}
	n := &node{op: opRomRead, width: r.width, mod: r.m, name: name, read: p, site: site}
	r.m.claim(name, "ROM output", site)
	r.m.add(n)
	r.reads = append(r.reads, n)
	return Signal{n}
}

// ReadAsync is a combinational read port.
func (r *ROM) ReadAsync(addr Signal) Signal {
	site := here()
	a := r.address("ReadAsync", addr, site)
	if at := a.fixed(); at != nil {
		v := new(big.Int)
		if at.IsInt64() && at.Int64() < int64(len(r.words)) {
			v = r.words[at.Int64()]
		}
		r.reads = append(r.reads, nil)
		return ConstBig(r.width, v)
	}
	n := &node{op: opRomAsync, width: r.width, mod: r.m, args: []*node{a}, read: &readPort{rom: r}, site: site}
	r.m.add(n)
	r.reads = append(r.reads, n)
	return Signal{n}
}
