package lib

import "github.com/hdlpkg/hpccgen/rtlgen/vgen"

type delayPorts struct {
	In  vgen.Signal `port:"d" dir:"in" width:"w" doc:"value"`
	Out vgen.Signal `port:"q" dir:"out" width:"w" doc:"value, delayed"`
}

// DelayLine is a delay of n cycles (2 or more) for values of the given width: a circular buffer in a
// memory, with a pointer that every register of the line shares. The contents before the first n
// cycles have passed are undefined; a valid bit that travels beside them has to say so.
func DelayLine(n, width int) *vgen.Module {
	// The word read next is the one written n-1 cycles ago, one place ahead of the one written now; the
	// registered output adds a cycle.
	l := newLine("delay", n, 2, width, 0)
	last := l.read.Eq(l.m.Local("LAST", l.words.Plus(-1), "last word of the buffer").Const(l.read))
	l.m.Next(l.read, vgen.Mux(last, l.read.Like(0), l.read.Plus(1)))
	l.mem.Write(vgen.Const(1, 1), l.m.StateNext("write_ptr", l.read), l.In)
	l.m.Assign(l.Out, l.mem.Read("q_reg", l.read))
	return l.m
}

// shortestFastLine is the shortest delay of FastDelayLine: two of its cycles are output registers.
const shortestFastLine = 4

// FastDelayLine is DelayLine, of 4 cycles or more, for a clock near the limit of block memories, whose
// clock-to-output delay takes most of a cycle: the word read passes a second register, and the addresses
// are registers.
func FastDelayLine(n, width int) *vgen.Module {
	// A word is read n-2 cycles after it was written, and in the next cycle its place takes a new one.
	l := newLine("fast_delay", n, shortestFastLine, width, 1)
	write := l.m.StateNext("write_ptr", l.read)
	next := l.m.Local("NEXT_TO_LAST", l.words.Plus(-2), "word before the last of the buffer")
	last := l.m.StateNext("read_last", l.read.Eq(next.Const(l.read)))
	l.m.Next(l.read, vgen.Mux(last, l.read.Like(0), l.read.Plus(1)))
	l.mem.Write(vgen.Const(1, 1), write, l.In)
	l.m.Assign(l.Out, l.m.RegNext("q_reg", l.mem.Read("word", l.read)))
	return l.m
}

// line is what delay lines share.
type line struct {
	*delayPorts
	m     *vgen.Module
	words vgen.Size
	mem   *vgen.Memory
	read  vgen.Signal // pointer
}

// newLine starts a line of n cycles, of which so many are registers beyond that of the memory.
func newLine(name string, n, least, width, registers int) line {
	m := vgen.NewModule(name, "Delay of CYCLES cycles, a circular buffer")
	cycles := m.Parameter("CYCLES", n, least, "delay")
	bits := m.Parameter("WIDTH", width, 1, "bits of a value")
	m.SetTiming(n, 1)
	m.LatencyIs(cycles)
	p := vgen.Ports[delayPorts](m, vgen.Widths{"w": width})
	p.In.Sized(bits)
	p.Out.Sized(bits)
	words := cycles.Plus(-registers)
	address := m.Local("ADDR_BITS", words.Log2(), "bits of an address")
	mem := m.Memory("line", words.Int(), width, "circular buffer").Sized(words, bits).NoCollision()
	return line{p, m, words, mem, m.Reg("read_ptr", address.Int(), vgen.Reset(1), vgen.Control()).Sized(address)}
}
