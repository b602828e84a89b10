package mutate

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strings"
)

// aig is a circuit of AND gates and registers, all of which start at zero. A literal is twice a variable, plus one
// when it is inverted; variable 0 is false. Variables are numbered inputs first, then registers, then gates.
type aig struct {
	inputs  []string // names, bit by bit: "m_u[3]"
	next    []uint32 // literal of each register's next value
	gates   [][2]uint32
	names   []string // of the outputs
	outputs []uint32
}

// readAIG reads the ASCII form of AIGER with its symbols.
func readAIG(r io.Reader) (*aig, error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	var maximum, inputs, latches, outputs, gates int
	if !lines.Scan() {
		return nil, fmt.Errorf("aiger: empty")
	}
	if _, err := fmt.Sscanf(lines.Text(), "aag %d %d %d %d %d", &maximum, &inputs, &latches, &outputs,
		&gates); err != nil {
		return nil, fmt.Errorf("aiger: %q: %w", lines.Text(), err)
	}
	a := &aig{inputs: make([]string, inputs), next: make([]uint32, latches), gates: make([][2]uint32, gates),
		names: make([]string, outputs), outputs: make([]uint32, outputs)}
	read := func(values ...any) error {
		if !lines.Scan() {
			return io.ErrUnexpectedEOF
		}
		_, err := fmt.Sscan(lines.Text(), values...)
		return err
	}
	var lit uint32
	for i := range inputs {
		if err := read(&lit); err != nil || int(lit) != 2*(1+i) {
			return nil, fmt.Errorf("aiger: input %d is literal %d: %w", i, lit, err)
		}
	}
	for i := range latches {
		if err := read(&lit, &a.next[i]); err != nil || int(lit) != 2*(1+inputs+i) {
			return nil, fmt.Errorf("aiger: register %d is literal %d: %w", i, lit, err)
		}
	}
	for i := range outputs {
		if err := read(&a.outputs[i]); err != nil {
			return nil, err
		}
	}
	for i := range gates {
		if err := read(&lit, &a.gates[i][0], &a.gates[i][1]); err != nil || int(lit) != 2*(1+inputs+latches+i) {
			return nil, fmt.Errorf("aiger: gate %d is literal %d: %w", i, lit, err)
		}
	}
	for lines.Scan() && lines.Text() != "c" {
		var n int
		symbol, name, _ := strings.Cut(lines.Text(), " ")
		if _, err := fmt.Sscan(symbol[1:], &n); err != nil {
			return nil, fmt.Errorf("aiger: symbol %q: %w", symbol, err)
		}
		switch symbol[0] {
		case 'i':
			a.inputs[n] = name
		case 'o':
			a.names[n] = name
		}
	}
	return a, lines.Err()
}

// builder makes gates, each different one once, with constants folded.
type builder struct {
	gates [][2]uint32
	first uint32 // variable of the first gate
	seen  map[[2]uint32]uint32
}

func (b *builder) and(x, y uint32) uint32 {
	if x > y {
		x, y = y, x
	}
	switch {
	case x == 0, x == y^1:
		return 0
	case x == 1, x == y:
		return y
	}
	if lit, ok := b.seen[[2]uint32{x, y}]; ok {
		return lit
	}
	lit := 2 * (b.first + uint32(len(b.gates)))
	b.gates = append(b.gates, [2]uint32{x, y})
	b.seen[[2]uint32{x, y}] = lit
	return lit
}

func (b *builder) or(x, y uint32) uint32 { return b.and(x^1, y^1) ^ 1 }

func (b *builder) differ(x, y uint32) uint32 { return b.or(b.and(x, y^1), b.and(x^1, y)) }

// place adds the gates of a to b and returns their literals. values holds those of the constant, inputs and registers.
func (b *builder) place(a *aig, values []uint32) []uint32 {
	for _, g := range a.gates {
		values = append(values, b.and(values[g[0]>>1]^g[0]&1, values[g[1]>>1]^g[1]&1))
	}
	return values
}

func at(values []uint32, lit uint32) uint32 { return values[lit>>1] ^ lit&1 }

// comparison is a circuit twice, once with some inputs fixed in one way, once in another, all other inputs shared.
// Registers of the same number that are taken to be equal are shared as well.
type comparison struct {
	of       *aig
	one, two map[int]uint32 // inputs that are fixed
	differs  func(b *builder, one, two func(output int) uint32) uint32
	equal    []bool // by register

	b    *builder
	x, y []uint32 // literals of the variables of the two copies
}

func compare(a *aig, one, two map[int]uint32,
	differs func(b *builder, one, two func(output int) uint32) uint32) *comparison {
	c := &comparison{of: a, one: one, two: two, differs: differs, equal: make([]bool, len(a.next))}
	for i := range c.equal {
		c.equal[i] = true
	}
	c.build()
	return c
}

// build makes the gates of both copies.
func (c *comparison) build() {
	inputs, latches := uint32(len(c.of.inputs)), uint32(len(c.of.next))
	c.b = &builder{first: 1 + inputs + 2*latches, seen: map[[2]uint32]uint32{}}
	place := func(fixed map[int]uint32, second bool) []uint32 {
		values := []uint32{0}
		for i := range inputs {
			v, ok := fixed[int(i)]
			if !ok {
				v = 2 * (1 + i)
			}
			values = append(values, v)
		}
		for i := range latches {
			v := 1 + inputs + i
			if second && !c.equal[i] {
				v += latches
			}
			values = append(values, 2*v)
		}
		return c.b.place(c.of, values)
	}
	c.x, c.y = place(c.one, false), place(c.two, true)
}

// bad is the literal that is 1 if the outputs differ.
func (c *comparison) bad() uint32 {
	return c.differs(c.b, func(i int) uint32 { return at(c.x, c.of.outputs[i]) },
		func(i int) uint32 { return at(c.y, c.of.outputs[i]) })
}

// settle finds the registers that are equal by induction: they start equal, and where all of them are equal, the next
// values are. same decides, for some of the registers assumed to be equal, which next values are; the others are
// removed from the assumption, and the check is repeated.
func (c *comparison) settle(same func() ([]bool, error)) error {
	for {
		keep, err := same()
		if err != nil {
			return err
		}
		stable := true
		for i := range c.equal {
			if c.equal[i] && !keep[i] {
				c.equal[i], stable = false, false
			}
		}
		if stable {
			return nil
		}
		c.build()
	}
}

// sameGates decides which registers get their next value from the same gate in both copies.
func (c *comparison) sameGates() ([]bool, error) {
	keep := make([]bool, len(c.equal))
	for i, next := range c.of.next {
		keep[i] = at(c.x, next) == at(c.y, next)
	}
	return keep, nil
}

// questions is a circuit without registers, with an output for each register listed, in order, that is 1 if its next
// value differs between the copies when the registers assumed to be equal are, and a last one that is 1 if the outputs
// differ.
func (c *comparison) questions() (q *aig, registers []int) {
	q = &aig{gates: nil, outputs: nil}
	for i, next := range c.of.next {
		if x, y := at(c.x, next), at(c.y, next); c.equal[i] && x != y {
			registers = append(registers, i)
			q.outputs = append(q.outputs, c.b.differ(x, y))
		}
	}
	q.outputs = append(q.outputs, c.bad())
	q.inputs = make([]string, c.b.first-1) // the registers of both copies as well
	q.gates = c.b.gates
	return q.cone(), registers
}

// miter is the circuit with both copies, whose only output is 1 if they differ.
func (c *comparison) miter() *aig {
	m := &aig{inputs: c.of.inputs, names: []string{"bad"}, outputs: []uint32{c.bad()}}
	for _, next := range c.of.next {
		m.next = append(m.next, at(c.x, next))
	}
	for i, next := range c.of.next {
		v := uint32(0)
		if !c.equal[i] {
			v = at(c.y, next)
		}
		m.next = append(m.next, v)
	}
	m.gates = c.b.gates
	return m.cone()
}

// cone is the part of a that its outputs depend on; the inputs stay.
func (a *aig) cone() *aig {
	inputs, latches := len(a.inputs), len(a.next)
	used := make([]bool, 1+inputs+latches+len(a.gates))
	var open []uint32
	visit := func(lit uint32) {
		if v := lit >> 1; !used[v] {
			used[v] = true
			open = append(open, v)
		}
	}
	for _, o := range a.outputs {
		visit(o)
	}
	for len(open) > 0 {
		v := int(open[len(open)-1])
		open = open[:len(open)-1]
		switch {
		case v > inputs+latches:
			visit(a.gates[v-1-inputs-latches][0])
			visit(a.gates[v-1-inputs-latches][1])
		case v > inputs:
			visit(a.next[v-1-inputs])
		}
	}
	c := &aig{inputs: a.inputs, names: a.names}
	number := make([]uint32, len(used))
	n := uint32(0)
	for v := range used {
		if v > 0 && (v <= inputs || used[v]) {
			n++
			number[v] = n
		}
	}
	move := func(lit uint32) uint32 { return 2*number[lit>>1] + lit&1 }
	for i, next := range a.next {
		if used[1+inputs+i] {
			c.next = append(c.next, move(next))
		}
	}
	for i, g := range a.gates {
		if used[1+inputs+latches+i] {
			c.gates = append(c.gates, [2]uint32{move(g[0]), move(g[1])})
		}
	}
	for _, o := range a.outputs {
		c.outputs = append(c.outputs, move(o))
	}
	return c
}

// binary is the binary form of AIGER.
func (a *aig) binary() []byte {
	var b bytes.Buffer
	inputs, latches := len(a.inputs), len(a.next)
	fmt.Fprintf(&b, "aig %d %d %d %d %d\n", inputs+latches+len(a.gates), inputs, latches, len(a.outputs), len(a.gates))
	for _, next := range a.next {
		fmt.Fprintln(&b, next)
	}
	for _, o := range a.outputs {
		fmt.Fprintln(&b, o)
	}
	delta := func(v uint32) {
		for ; v >= 0x80; v >>= 7 {
			b.WriteByte(byte(v) | 0x80)
		}
		b.WriteByte(byte(v))
	}
	for i, g := range a.gates {
		lit := uint32(2 * (1 + inputs + latches + i))
		high, low := max(g[0], g[1]), min(g[0], g[1])
		delta(lit - high)
		delta(high - low)
	}
	return b.Bytes()
}
