package transit

import "github.com/hdlpkg/hpccgen/rtlgen/vgen"

// Sweep clears memories after reset, a word a cycle.
type Sweep struct {
	On     vgen.Signal // words are being cleared
	GoesOn vgen.Signal // they are in the next cycle, too
	At     vgen.Signal // the word that is cleared
}

// NewSweep clears 2^bits words. name is that of the register that counts them.
func NewSweep(m *vgen.Module, name string, bits int) Sweep {
	at := m.State(name, bits)
	on := m.Reg("sweeping_q", 1, vgen.Reset(1), vgen.Control())
	m.Next(at, vgen.Mux(on, at.Add(vgen.Const(bits, 1)), at))
	goesOn := on.And(at.AllBits().Not())
	m.Next(on, goesOn)
	return Sweep{On: on, At: at, GoesOn: goesOn}
}

// Tally is a memory of sums. In each cycle an operation of any address can enter. Two cycles later it has the sum as
// the operations before it left it, and may add to it.
type Tally struct {
	Module *vgen.Module
	Name   string // of its registers
	Memory string // of the memory
	Doc    string // of the memory
	Bits   int    // of a sum

	Clearing, Clear vgen.Signal // the sum at Clear becomes 0; nothing may be added
	// ZeroEarly: a sum is 0 from the first cycle of clearing on, not where it is written.
	ZeroEarly bool

	mem *vgen.Memory
	sum vgen.Signal // of the operation three cycles ago
}

// Build makes the memory, of 2^n words for addresses of n bits. The address of an operation is addr0, and addr1 and
// addr2 in the cycles after. adds2 tells, with addr2, that it adds amount2. The result is the sum before that.
func (t *Tally) Build(addr0, addr1, addr2, adds2, amount2 vgen.Signal) vgen.Signal {
	m := t.Module
	mem := m.Memory(t.Memory, 1<<addr0.Width(), t.Bits, t.Doc).NoCollision()
	t.mem, t.sum = mem, m.Reg(t.Name+"_sum_s3", t.Bits)

	// What the operation two before has just added is not in the memory yet when this one reads; nor is what the one
	// just before adds.
	var opts []vgen.RegOption
	if t.ZeroEarly {
		opts = append(opts, vgen.Reset(0))
	}
	second := m.RegNext(t.Name+"_second_s1", adds2.And(addr2.Eq(addr0)))
	first := m.RegNext(t.Name+"_first_s2", adds2.And(addr2.Eq(addr1)), opts...)
	word1 := vgen.Mux(second, t.sum, mem.Read(t.Name+"_word_s1", addr0))
	if t.ZeroEarly {
		word1 = vgen.Mux(t.Clearing, vgen.Const(t.Bits, 0), word1)
	}
	word2 := m.RegNext(t.Name+"_word_s2", word1, opts...)
	before := vgen.Mux(first, t.sum, word2).Named(t.Name + "_before")
	sum := before.Add(amount2).Named(t.Name + "_sum")
	m.Next(t.sum, sum)
	if !t.ZeroEarly {
		sum = sum.And(t.Clearing.Not().Repeat(t.Bits))
	}
	mem.Write(t.Clearing.Or(adds2), vgen.Mux(t.Clearing, t.Clear, addr2), sum)
	return before
}

// Read is the sum at an address one cycle later, with what is added in the cycle of the read.
func (t *Tally) Read(addr, addr2, adds2 vgen.Signal) vgen.Signal {
	hit := t.Module.RegNext(t.Name+"_read_hit", adds2.And(addr2.Eq(addr)))
	return vgen.Mux(hit, t.sum, t.mem.Read(t.Name+"_read_q", addr)).Named(t.Name + "_read")
}
