package boardsim

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/rtlgen/board"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
	"github.com/hdlpkg/hpccgen/sim/pll"
	"github.com/hdlpkg/hpccgen/verify/engine"
)

// Platform is a board that exists in simulation only: its line has four cycles of the clock a bit, which is the
// fastest to simulate.
var Platform = board.Platform{Name: "simulated", OscillatorHz: 4 * board.DefaultBaud, ClockHz: 4 * board.DefaultBaud}

// Options are choices about a simulated board.
type Options struct {
	CacheDir string
	Progress func(step string)
}

// Board is a whole board top, verilated, with a serial line.
type Board struct {
	eng  engine.Engine
	to   Sender
	from Listener

	in, out []uint64
	lit     uint64 // level of the LED's pin when it is on
	active  bool   // the LED shows that the board is busy
}

// chunk is how many cycles of clk are run at once.
const chunk = 512

// New builds the board top and starts it.
func New(t *board.Top, o Options) (*Board, error) {
	s := &engine.Source{
		Top: t.Top, Clock: true, ClockPin: "clk_osc",
		Files: append(append([]vgen.File{}, t.Files...), vgen.File{Name: "pll_models.v", Text: pll.Models()}),
	}
	l := &vgen.Layout{}
	add := func(list *[]vgen.Slot, words *int, name string) {
		*list = append(*list, vgen.Slot{Name: name, Width: 1, Offset: *words, Words: 1})
		*words++
	}
	add(&l.Inputs, &l.InWords, "uart_rx")
	if t.Platform.Button != "" {
		add(&l.Inputs, &l.InWords, "button")
	}
	add(&l.Outputs, &l.OutWords, "uart_tx")
	add(&l.Outputs, &l.OutWords, "led")
	s.Layout = l
	eng, err := engine.OpenSource("verilator", s, engine.Options{CacheDir: o.CacheDir, Progress: o.Progress})
	if err != nil {
		return nil, fmt.Errorf("simulated board: %w", err)
	}
	b := &Board{
		eng: eng, to: Sender{Divisor: t.Divisor}, from: Listener{Divisor: t.Divisor},
		in: make([]uint64, chunk*l.InWords), out: make([]uint64, chunk*l.OutWords),
	}
	if !t.Platform.LEDLow {
		b.lit = 1
	}
	if t.Platform.Button == "low" {
		for c := range chunk {
			b.in[c*l.InWords+1] = 1
		}
	}
	return b, b.settle()
}

// settle runs the cycles of the reset after power-up.
func (b *Board) settle() error {
	for range 4 {
		if _, err := b.Step(nil); err != nil {
			return err
		}
	}
	return nil
}

// Step takes bytes for the board, runs it for some cycles, and returns the bytes that it has sent.
func (b *Board) Step(bytes []byte) ([]byte, error) {
	b.to.Bytes = append(b.to.Bytes, bytes...)
	stride := len(b.in) / chunk
	for c := range chunk {
		b.in[c*stride] = b.to.Level()
	}
	if err := b.eng.Run(chunk, b.in, b.out); err != nil {
		return nil, err
	}
	for c := range chunk {
		b.from.Sample(b.out[2*c])
	}
	b.active = b.out[2*chunk-1] == b.lit
	got := b.from.Bytes
	b.from.Bytes = nil
	return got, nil
}

// Busy reports whether the simulation must continue: bytes are in flight, or the board is busy.
func (b *Board) Busy() bool { return !b.to.Idle() || b.from.bit != 0 || b.active }

// Close ends the board.
func (b *Board) Close() error { return b.eng.Close() }
