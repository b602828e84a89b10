package board

import (
	"fmt"
	"math/bits"

	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// receiverPorts are the ports of the receiver.
type receiverPorts struct {
	Line   vgen.Signal `port:"rx" dir:"in" width:"1" doc:"the host's line, of no clock"`
	Tick   vgen.Signal `port:"tick" dir:"in" width:"1" doc:"once a bit time, any phase"`
	Bit    vgen.Signal `port:"bit_valid" dir:"out" width:"1" role:"valid" doc:"a data bit has been sampled"`
	Value  vgen.Signal `port:"bit_value" dir:"out" width:"1" doc:"that bit; the least significant comes first"`
	Valid  vgen.Signal `port:"byte_valid" dir:"out" width:"1" role:"valid" doc:"a byte has come, with a right stop bit"`
	Byte   vgen.Signal `port:"byte_value" dir:"out" width:"8" doc:"that byte"`
	Broken vgen.Signal `port:"broken" dir:"out" width:"1" doc:"a byte has come whose stop bit is 0"`
	Quiet  vgen.Signal `port:"quiet" dir:"out" width:"1" doc:"the line has been idle for a long time"`
}

// receiver is the receiving half of a UART; divisor cycles a bit, quiet after 1 << idle bit times.
func receiver(divisor, idle int) *vgen.Module {
	m := vgen.NewModule("link_receiver", fmt.Sprintf("UART receiver: 8N1, %d cycles a bit, sampled in the middle",
		divisor))
	m.Doc(fmt.Sprintf("quiet is high when the line has been idle for %d bit times.", 1<<idle))
	p := vgen.Ports[receiverPorts](m, nil)

	// The line is asynchronous: it passes two flip-flops before it is used.
	first := m.RegNext("rx_meta", p.Line, vgen.Reset(1), vgen.Control())
	line := m.RegNext("rx_q", first, vgen.Reset(1), vgen.Control())

	m.Section("Sampling: a start bit, 8 bits, a stop bit")
	busy := m.State("busy_q", 1)
	cw := max(1, bits.Len(uint(divisor-1)))
	count := m.Reg("sample_count", cw)
	position := m.Reg("position", 4)
	begin := busy.Not().And(line.Not()).Named("start")
	sample := busy.And(count.Is(0)).Named("sample")
	m.Next(count, vgen.FirstOf(minusOne(count),
		vgen.When(busy.Not(), vgen.Const(cw, uint64(divisor/2-1))),
		vgen.When(sample, vgen.Const(cw, uint64(divisor-1)))))
	m.Next(position, vgen.FirstOf(position, vgen.When(busy.Not(), vgen.Const(4, 0)), vgen.When(sample, position.Plus(1))))
	isStart := position.Is(0)
	isStop := position.Is(9)
	spurious := sample.And(isStart).And(line).Named("spurious") // a start bit that is over at its middle is none
	last := sample.And(isStop).Named("last")
	m.Next(busy, vgen.FirstOf(busy, vgen.When(begin, vgen.Const(1, 1)), vgen.When(spurious.Or(last), vgen.Const(1, 0))))
	bit := sample.And(isStart.Or(isStop).Not()).Named("data_bit")
	value := m.Reg("value_q", 8, vgen.Enable(bit))
	m.Next(value, vgen.Cat(line, value.Slice(7, 1)))
	m.Assign(p.Bit, bit)
	m.Assign(p.Value, line)
	m.Assign(p.Valid, last.And(line))
	m.Assign(p.Byte, value)
	m.Assign(p.Broken, last.And(line.Not()))

	m.Section("Idle time")
	still := m.State("still_q", idle+1)
	quiet := still.Top()
	m.Next(still, vgen.FirstOf(still, vgen.When(busy.Or(line.Not()), vgen.Const(idle+1, 0)),
		vgen.When(p.Tick.And(quiet.Not()), still.Plus(1))))
	m.Assign(p.Quiet, quiet)
	return m
}

// transmitterPorts are the ports of the transmitter.
type transmitterPorts struct {
	Tick  vgen.Signal `port:"tick" dir:"in" width:"1" doc:"once a bit time"`
	Load  vgen.Signal `port:"load" dir:"in" width:"1" doc:"a byte is given; only while free"`
	Byte  vgen.Signal `port:"byte_value" dir:"in" width:"8" doc:"that byte"`
	Free  vgen.Signal `port:"free" dir:"out" width:"1" doc:"a byte can be given"`
	Bit   vgen.Signal `port:"bit_valid" dir:"out" width:"1" role:"valid" doc:"a data bit goes onto the line"`
	Value vgen.Signal `port:"bit_value" dir:"out" width:"1" doc:"that bit"`
	Line  vgen.Signal `port:"tx" dir:"out" width:"1" doc:"the line to the host, a register"`
}

// transmitter is the sending half of a UART.
func transmitter() *vgen.Module {
	m := vgen.NewModule("link_transmitter", "UART transmitter: 8N1, a bit a tick")
	p := vgen.Ports[transmitterPorts](m, nil)
	// left counts the bits that are still to go, the stop bit as the last.
	left := m.State("left_q", 4)
	free := left.Is(0).Named("is_free")
	step := p.Tick.And(free.Not()).Named("step")
	m.Next(left, vgen.FirstOf(left, vgen.When(p.Load, vgen.Const(4, 11)), vgen.When(step, minusOne(left))))
	shift := m.Reg("shift_q", 9, vgen.Enable(p.Load.Or(step)))
	m.Next(shift, vgen.Mux(p.Load, vgen.Cat(p.Byte, vgen.Const(1, 0)), vgen.Cat(vgen.Const(1, 1), shift.Slice(8, 1))))
	// The last of the 11 ticks is the end of the stop bit.
	m.Assign(p.Line, m.RegNext("tx_q", vgen.Mux(free, vgen.Const(1, 1), shift.Bit(0)), vgen.Reset(1), vgen.Control(),
		vgen.Enable(p.Tick.Or(free))))
	m.Assign(p.Free, free)
	// Of the bits that a tick takes, the first is the start bit, and two at the end are 1.
	data := left.Ge(vgen.Const(4, 3)).And(left.Le(vgen.Const(4, 10)))
	m.Assign(p.Bit, step.And(data))
	m.Assign(p.Value, shift.Bit(0))
	return m
}
