package board

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"strconv"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/board/pll"
	"github.com/hdlpkg/hpccgen/rtlgen/output"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// Platform is what the top module needs of a board.
type Platform struct {
	Name         string // of the board
	OscillatorHz int
	ClockHz      int // of clk: the PLL's, or the oscillator's without one
	// At most one of these is set; without one clk is the oscillator.
	ICE40      *pll.ICE40
	ECP5       *pll.ECP5
	Gowin      *pll.Gowin
	PLLFromPad bool   // iCE40: the oscillator is on the pad of the PLL
	GowinPart  string // Gowin: the device's name for its PLL, such as GW1NR-9C
	LEDLow     bool   // the LED is on when its pin is low
	Button     string // level of the button's pin when it is pressed, "low" or "high"; "" without a button
}

// Options are choices about a board's design; the zero value is fine.
type Options struct {
	Baud int  // bit rate of the line; 0: 1,000,000
	Idle int  // the line is idle after 1 << Idle bit times; 0: IdleBits
	Taps bool // the taps of the design are outputs too
}

// DefaultBaud is the default bit rate.
const DefaultBaud = 1_000_000

// Top is the design of a board.
type Top struct {
	Top      string        // name of the top module
	Files    []vgen.File   // all modules
	Design   *vgen.Module  // the design that is stepped
	Layout   vgen.Layout   // of its records
	Shape    Shape         // of the link
	Config   config.Design // the configuration it was generated from
	Divisor  int           // cycles of clk a bit
	Platform Platform

	taps []string // names of the ports that the taps are
}

// dutCycles is the least distance of two rising edges of dut_clk, in cycles of clk.
const dutCycles = 16

// Build makes the top module of a board around the design of a configuration.
func Build(c config.Design, p Platform, o Options) (*Top, error) {
	design, err := output.Module(c)
	if err != nil {
		return nil, err
	}
	if o.Baud == 0 {
		o.Baud = DefaultBaud
	}
	if o.Idle == 0 {
		o.Idle = IdleBits
	}
	divisor, err := p.divisor(o.Baud)
	if err != nil {
		return nil, err
	}
	digest, err := Digest(design, c.ResetAsync())
	if err != nil {
		return nil, err
	}
	hash, err := strconv.ParseUint(c.DesignHash(), 16, 64)
	if err != nil {
		return nil, fmt.Errorf("hash of the configuration: %w", err)
	}
	// The digest and the layout are those of the design itself, before its taps become ports.
	layout := vgen.NewLayout(design, o.Taps)
	var taps []string
	if o.Taps {
		taps = vgen.ExposeTaps(design)
	}
	files, err := output.Verilog(c, design)
	if err != nil {
		return nil, err
	}
	t := &Top{
		Top: "board_top", Design: design, Layout: layout, Config: c, Divisor: divisor, Platform: p, taps: taps,
		Shape: Shape{
			InBits: bitsOf(layout.Inputs), OutBits: bitsOf(layout.Outputs) + bitsOf(layout.Taps), Taps: o.Taps,
			Divisor: divisor, ClockHz: p.ClockHz, Idle: o.Idle,
			Config: hash, Digest: digest,
		},
	}
	core, err := Core(t.Shape)
	if err != nil {
		return nil, fmt.Errorf("design %s: %w", c.DesignName(), err)
	}
	link, err := vgen.Emit(core, vgen.EmitOptions{Tool: "hpccgen " + output.Version, ConfigHash: c.DesignHash()})
	if err != nil {
		return nil, err
	}
	t.Files = append(append(files, link...), vgen.File{Name: t.Top + ".v", Text: t.text()})
	return t, nil
}

// divisor is the number of cycles of clk a bit. The receiver of the host samples the last bit of a byte nine and a half
// bits after the start, so 2% are a fifth of a bit there, and the host has its own error.
func (p *Platform) divisor(baud int) (int, error) {
	if baud < 1 {
		return 0, fmt.Errorf("a bit rate of %d; legal are whole numbers of 1 or more", baud)
	}
	exact := float64(p.ClockHz) / float64(baud)
	n := int(math.Round(exact))
	if n < 4 {
		return 0,
			fmt.Errorf("a bit rate of %d: the clock of %g MHz has fewer than 4 cycles a bit; the highest rate is %d",
				baud, float64(p.ClockHz)/1e6, p.ClockHz/4)
	}
	if off := math.Abs(float64(n)/exact - 1); off > 0.02 {
		return 0, fmt.Errorf("a bit rate of %d: the clock of %g MHz makes it %d, which is off by %.1f%%, more than 2%%",
			baud, float64(p.ClockHz)/1e6, p.ClockHz/n, 100*off)
	}
	return n, nil
}

// Digest identifies the Verilog of a design, headers left out.
func Digest(top *vgen.Module, async bool) (uint32, error) {
	style := vgen.SyncHigh
	if async {
		style = vgen.AsyncLow
	}
	files, err := vgen.Emit(top, vgen.EmitOptions{Reset: style})
	if err != nil {
		return 0, err
	}
	h := sha256.New()
	for _, f := range files {
		fmt.Fprintf(h, "%s %d\n", f.Name, len(f.Text))
		h.Write(bytes.TrimSpace(f.Text))
	}
	return binary.BigEndian.Uint32(h.Sum(nil)), nil
}

func bitsOf(slots []vgen.Slot) (n int) {
	for _, s := range slots {
		n += s.Width
	}
	return n
}
