package link

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"

	"github.com/hdlpkg/hpccgen/rtlgen/board"
)

// Hello is a board's description of itself.
type Hello struct {
	Version    int
	Taps       bool   // the outputs include the taps
	Config     string // hash of the configuration, 16 digits
	InBytes    int
	OutBytes   int
	MaxRequest int // longest payload of a run
	MaxAnswer  int // longest payload of an answer to run
	ClockHz    int
	Divisor    int    // cycles of the clock a bit
	Digest     string // of the design's Verilog, 8 digits
}

// Baud is the bit rate of the board's line.
func (h *Hello) Baud() int { return h.ClockHz / max(h.Divisor, 1) }

func parseHello(b []byte) (*Hello, error) {
	if len(b) == 0 || b[0] != board.ProtocolVersion {
		return nil,
			fmt.Errorf(
				"the board speaks version %d of the link protocol, this program %d; build its bitstream with this program", first(b), board.ProtocolVersion)
	}
	if len(b) != board.HelloBytes {
		return nil, fmt.Errorf("the board's answer to hello has %d bytes, not %d", len(b), board.HelloBytes)
	}
	word := func(at int) int { return int(binary.LittleEndian.Uint16(b[at:])) }
	return &Hello{
		Version: int(b[0]), Taps: b[1]&board.FlagTaps != 0, Config: hex.EncodeToString(b[2:10]),
		InBytes: word(10), OutBytes: word(12), MaxRequest: word(14), MaxAnswer: word(16),
		ClockHz: int(binary.LittleEndian.Uint32(b[18:])), Divisor: int(binary.LittleEndian.Uint32(b[22:])),
		Digest: hex.EncodeToString(b[26:30]),
	}, nil
}

func first(b []byte) byte {
	if len(b) == 0 {
		return 0
	}
	return b[0]
}

// Design is the design that the board must have.
type Design struct {
	Name   string
	Config string // hash of the configuration; "" accepts any
	Digest string // of the design's Verilog; "" accepts any
	// TapBits is the width of all taps, which a board may append to the outputs.
	TapBits int
}

// WrongDesign is the error of a board that has another design than the one to run.
type WrongDesign struct {
	Want Design
	Got  Hello
}

func (e WrongDesign) Error() string {
	if e.Want.Config != "" && e.Got.Config != e.Want.Config {
		return fmt.Sprintf(
			"the board has the configuration %s, expected is %s (%s); build the bitstream of this configuration and load it", e.Got.Config, e.Want.Config, e.Want.Name)
	}
	return fmt.Sprintf(
		"the board has the configuration %s, but its design was emitted by another version of this program (digest %s, expected %s); build the bitstream again and load it",
		e.Got.Config, e.Got.Digest, e.Want.Digest)
}

func (d Design) check(h *Hello) error {
	if d.Config != "" && h.Config != d.Config || d.Digest != "" && h.Digest != d.Digest {
		return WrongDesign{d, *h}
	}
	return nil
}
