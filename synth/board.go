package synth

import (
	"fmt"
	"strings"

	"github.com/hdlpkg/hpccgen/rtlgen/board/pll"
)

// Board is an FPGA board. Its pins are in package constraints.
type Board struct {
	Name         string
	Title        string
	Part         Part
	OscillatorHz int
	ClockMHz     float64 // of a design, unless another is asked for
	Baud         int     // of the serial line, unless another is asked for
	LEDLow       bool    // the LED is on when its pin is low
	Button       string  // level of the button's pin when it is pressed: low, high; "" without a button
	PLLFromPad   bool    // iCE40: the oscillator is on the pad of the PLL, which must take it from there
	Serial       string  // what the serial line is connected to
	Load         string  // command that loads a bitstream into the board, without the file
	Note         string  // note for the user; may be empty

	pllPart string // Gowin: name of the part for the PLL
}

// boards are in the order of their families and sizes. Sources: the documents that the board's constraint file names.
var boards = []Board{
	{
		Name: "hx8k", Title: "iCE40-HX8K breakout board", Part: HX8K, OscillatorHz: 12e6, ClockMHz: 48, Baud: 1_000_000,
		Serial: "USB, FT2232H channel B", Load: "iceprog",
	},
	{
		Name: "icebreaker", Title: "iCEBreaker", Part: UP5K, OscillatorHz: 12e6, ClockMHz: 24, Baud: 1_000_000,
		LEDLow: true, Button: "low", PLLFromPad: true,
		Serial: "USB, FT2232H channel B", Load: "iceprog",
	},
	{
		Name: "tinyfpga-bx", Title: "TinyFPGA BX", Part: LP8K, OscillatorHz: 16e6, ClockMHz: 32, Baud: 1_000_000,
		Serial: "header pins 1 (out of the FPGA) and 2 (into it), 3.3 V", Load: "tinyprog -p",
		Note: "no serial line on USB: a USB-UART adapter goes to the header",
	},
	{
		Name: "ulx3s", Title: "ULX3S with an LFE5U-85F", Part: ECP5x85, OscillatorHz: 25e6, ClockMHz: 75,
		Baud: 1_000_000, Button: "high",
		Serial: "USB, FT231X", Load: "openFPGALoader -b ulx3s",
		Note: "the board carries speed grade 6",
	},
	{
		Name: "orangecrab", Title: "OrangeCrab r0.2 with an LFE5U-25F", Part: Part{Family: ECP5, Device: "25k",
			Package: "CSFBGA285", Speed: "8"},
		OscillatorHz: 48e6, ClockMHz: 48, Baud: 1_000_000, LEDLow: true, Button: "low",
		Serial: "header pins RX (into the FPGA) and TX (out of it), 3.3 V", Load: "dfu-util -a 0 -D",
		Note: "no serial line on USB: a USB-UART adapter goes to the header; the board carries speed grade 8; dfu-util wants the file with a suffix: dfu-suffix -v 1209 -p 5af0 -a FILE",
	},
	{
		Name: "colorlight-i5", Title: "Colorlight i5 with its extension board", Part: ECP5x25, OscillatorHz: 25e6,
		ClockMHz: 50, Baud: 1_000_000, LEDLow: true, Button: "low",
		Serial: "USB, the DAPLink of the extension board", Load: "openFPGALoader -b colorlight-i5",
		Note: "the board carries speed grade 6",
	},
	{
		Name: "tangnano9k", Title: "Sipeed Tang Nano 9K", Part: Part{Family: Gowin, Device: "GW1NR-LV9QN88PC6/I5",
			Package: "GW1N-9C"}, pllPart: "GW1NR-9C",
		OscillatorHz: 27e6, ClockMHz: 27, Baud: 1_000_000, LEDLow: true, Button: "low",
		Serial: "USB, BL702", Load: "openFPGALoader -b tangnano9k",
	},
}

// Boards lists the boards.
func Boards() []Board { return append([]Board(nil), boards...) }

// BoardNames lists their names.
func BoardNames() []string {
	var names []string
	for _, b := range boards {
		names = append(names, b.Name)
	}
	return names
}

// UnknownBoard is the error for a board that there is not.
type UnknownBoard struct{ Name string }

func (e UnknownBoard) Error() string {
	return fmt.Sprintf("no board is called %q; boards: %s", e.Name, strings.Join(BoardNames(), ", "))
}

// BoardByName finds a board.
func BoardByName(name string) (Board, error) {
	for _, b := range boards {
		if b.Name == name {
			return b, nil
		}
	}
	return Board{}, UnknownBoard{name}
}

// PLL is the setting of the PLL that makes a clock of a board: one of the families, or none when the clock is the
// oscillator's.
type PLL struct {
	OutHz int // output clock
	ICE40 *pll.ICE40
	ECP5  *pll.ECP5
	Gowin *pll.Gowin
}

// PLL chooses the dividers for a clock: the nearest that is not faster.
func (b Board) PLL(mhz float64) (PLL, error) {
	want := int(mhz*1e6 + 0.5)
	if want == b.OscillatorHz {
		return PLL{OutHz: want}, nil
	}
	var err error
	var p PLL
	switch b.Part.Family {
	case ICE40:
		var s pll.ICE40
		s, err = pll.ForICE40(b.OscillatorHz, want)
		p = PLL{OutHz: s.OutHz, ICE40: &s}
	case ECP5:
		var s pll.ECP5
		s, err = pll.ForECP5(b.OscillatorHz, want)
		p = PLL{OutHz: s.OutHz, ECP5: &s}
	case Gowin:
		var s pll.Gowin
		s, err = pll.ForGowin(b.OscillatorHz, want)
		p = PLL{OutHz: s.OutHz, Gowin: &s}
	}
	if err != nil {
		return PLL{}, fmt.Errorf("a clock of %g MHz on the board %s: %w; without its PLL it has %g MHz", mhz, b.Name,
			err, float64(b.OscillatorHz)/1e6)
	}
	return p, nil
}
