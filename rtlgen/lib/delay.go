package lib

import (
	"fmt"
	"math/bits"

	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

type delayPorts struct {
	In  vgen.Signal `port:"d" dir:"in" width:"w" doc:"value"`
	Out vgen.Signal `port:"q" dir:"out" width:"w" doc:"value, delayed"`
}

// DelayLine is a delay of n cycles (2 or more) for values of the given width: a circular buffer in a
// memory, with a pointer that every register of the line shares. The contents before the first n
// cycles have passed are undefined; a valid bit that travels beside them has to say so.
func DelayLine(n, width int) *vgen.Module {
	m, p := newLine("", n, width)
	// The word read next is the one written n-1 cycles ago, one place ahead of the one written now; the
	// registered output adds a cycle.
	ptrBits := max(1, bits.Len(uint(n-1)))
	mem := m.Memory("line", n, width, "circular buffer").NoCollision()
	ptr := m.Reg("read_ptr", ptrBits, vgen.Reset(1), vgen.Control())
	last := ptr.Eq(vgen.Const(ptrBits, uint64(n-1)))
	m.Next(ptr, vgen.Mux(last, vgen.Const(ptrBits, 0), ptr.Add(vgen.Const(ptrBits, 1))))
	mem.Write(vgen.Const(1, 1), m.StateNext("write_ptr", ptr), p.In)
	m.Assign(p.Out, mem.Read("q_reg", ptr))
	return m
}

// shortestFastLine is the shortest delay of FastDelayLine: two of its cycles are output registers.
const shortestFastLine = 4

// FastDelayLine is DelayLine, of 4 cycles or more, for a clock near the limit of block memories, whose
// clock-to-output delay takes most of a cycle: the word read passes a second register, and the addresses
// are registers.
func FastDelayLine(n, width int) *vgen.Module {
	m, p := newLine("fast_", n, width)
	// A word is read n-2 cycles after it was written, and in the next cycle its place takes a new one.
	words := n - 1
	ptrBits := bits.Len(uint(words - 1))
	mem := m.Memory("line", words, width, "circular buffer").NoCollision()
	read := m.Reg("read_ptr", ptrBits, vgen.Reset(1), vgen.Control())
	write := m.StateNext("write_ptr", read)
	last := m.StateNext("read_last", read.Eq(vgen.Const(ptrBits, uint64(words-2))))
	m.Next(read, vgen.Mux(last, vgen.Const(ptrBits, 0), read.Add(vgen.Const(ptrBits, 1))))
	mem.Write(vgen.Const(1, 1), write, p.In)
	m.Assign(p.Out, m.RegNext("q_reg", mem.Read("word", read)))
	return m
}

func newLine(kind string, n, width int) (*vgen.Module, *delayPorts) {
	m := vgen.NewModule(fmt.Sprintf("%sdelay_%dx%d", kind, n, width),
		fmt.Sprintf("Delay of %d cycles for %d bits, a circular buffer", n, width))
	m.SetTiming(n, 1)
	return m, vgen.Ports[delayPorts](m, vgen.Widths{"w": width})
}
