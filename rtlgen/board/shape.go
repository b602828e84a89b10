package board

import (
	"fmt"
	"math/bits"

	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// Shape is what the link core needs of the design and the board.
type Shape struct {
	InBits, OutBits int    // packed inputs, rst among them, and outputs
	Divisor         int    // cycles of clk a bit
	ClockHz         int    // of clk, for hello
	Idle            int    // the line is idle after 1 << Idle bit times; IdleBits but in tests
	Taps            bool   // the outputs include the taps
	Config          uint64 // hash of the configuration
	Digest          uint32 // of the design
}

// InBytes is the number of bytes of input.
func (s Shape) InBytes() int { return (s.InBits + 7) / 8 }

// OutBytes is the number of bytes of output.
func (s Shape) OutBytes() int { return (s.OutBits + 7) / 8 }

// worst is the largest number of bytes that a cycle adds to an answer, including the end of the answer: a run for every
// other byte, or all bytes in runs of maximum length, with a count of cycles before and after.
func (s Shape) worst() int {
	n := s.OutBytes()
	return max((n+1)/2*3, n+2*((n+MaxBytes-1)/MaxBytes)) + 2
}

// bufferBits is the width of an address of the buffers of frames: 512 bytes, one block RAM of most families, or more
// where two cycles at their worst would not fit.
func (s Shape) bufferBits() int { return max(9, bits.Len(uint(2*s.worst()))) }

// MaxPayload is the longest payload that the board receives and sends.
func (s Shape) MaxPayload() int { return 1<<s.bufferBits() - 1 }

func (s Shape) check() error {
	switch {
	case s.InBits < 1 || s.InBytes() > MaxPort || s.OutBits < 1 || s.OutBytes() > MaxPort:
		return fmt.Errorf("%d bits of input and %d of output; a board has 1 to %d of each", s.InBits, s.OutBits, 8*MaxPort)
	case s.Divisor < 4:
		return fmt.Errorf("%d cycles of the clock a bit; at least 4 are needed", s.Divisor)
	case s.Idle < 4:
		return fmt.Errorf("an idle time of 2^%d bits; at least 2^4 are needed, more than a byte", s.Idle)
	}
	return nil
}

// hello is the payload of the answer to hello.
func (s Shape) hello() []uint64 {
	b := []uint64{ProtocolVersion, 0}
	if s.Taps {
		b[1] |= FlagTaps
	}
	for shift := 56; shift >= 0; shift -= 8 {
		b = append(b, s.Config>>shift&0xff)
	}
	number := func(v, bytes int) {
		for range bytes {
			b = append(b, uint64(v&0xff))
			v >>= 8
		}
	}
	number(s.InBytes(), 2)
	number(s.OutBytes(), 2)
	number(s.MaxPayload(), 2)
	number(s.MaxPayload(), 2)
	number(s.ClockHz, 4)
	number(s.Divisor, 4)
	for shift := 24; shift >= 0; shift -= 8 {
		b = append(b, uint64(s.Digest>>shift&0xff))
	}
	number(0, 2)
	return b
}

// corePorts are the ports of the link core.
type corePorts struct {
	RX     vgen.Signal `port:"rx" dir:"in" width:"1" doc:"line from the host, of no clock"`
	TX     vgen.Signal `port:"tx" dir:"out" width:"1" doc:"line to the host"`
	Clock  vgen.Signal `port:"dut_clk" dir:"out" width:"1" doc:"clock of the design, a register"`
	Reset  vgen.Signal `port:"dut_rst" dir:"out" width:"1" doc:"reset of the design, a register"`
	In     vgen.Signal `port:"dut_in" dir:"out" width:"in" doc:"inputs of the design, packed; bit 0 is the reset as it was written"`
	Out    vgen.Signal `port:"dut_out" dir:"in" width:"out" doc:"outputs of the design, packed"`
	Active vgen.Signal `port:"active" dir:"out" width:"1" doc:"a request is being taken, carried out or answered"`
}
