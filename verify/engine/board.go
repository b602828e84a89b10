package engine

import (
	"errors"
	"fmt"

	"github.com/hdlpkg/hpccgen/rtlgen/board"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
	"github.com/hdlpkg/hpccgen/verify/link"
)

// Board is a design on an FPGA board, stepped over a serial port.
type Board struct {
	session *link.Session
	layout  vgen.Layout
	closed  bool
}

func openBoard(d Design, o Options) (Engine, error) {
	if d.Top == nil {
		return nil, errNoTop
	}
	if o.VCD != "" {
		return nil, errors.New("the engine board writes no waveform; run the same seed on verilator")
	}
	if o.Port == "" {
		return nil, errors.New("the engine board needs the serial port of a board")
	}
	if err := checkStart("board", o.Start, StartZero); err != nil {
		return nil, err
	}
	b := &Board{layout: vgen.NewLayout(d.Top, d.Taps)}
	digest, err := board.Digest(d.Top, d.Reset == vgen.AsyncLow)
	if err != nil {
		return nil, err
	}
	baud := o.Baud
	if baud == 0 {
		baud = board.DefaultBaud
	}
	o.step("opening " + o.Port)
	port, err := link.OpenPort(o.Port, baud)
	if err != nil {
		return nil, err
	}
	want := link.Design{Name: d.Name, Config: d.Config, Digest: fmt.Sprintf("%08x", digest)}
	for _, t := range vgen.Taps(d.Top) {
		want.TapBits += t.Width
	}
	if b.session, err = link.Open(port, want, &b.layout, link.Options{Timeout: o.Timeout}); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", o.Port, err), port.Close())
	}
	return b, nil
}

// Name is "board".
func (b *Board) Name() string { return "board" }

// Layout describes the records.
func (b *Board) Layout() *vgen.Layout { return &b.layout }

// Run runs a batch of cycles. A board keeps its state from one instance to the next: registers without a reset, and
// memories, do not start at zero.
func (b *Board) Run(cycles int, in, out []uint64) error {
	if b.closed {
		return errClosed
	}
	if err := checkRecords(&b.layout, cycles, in, out); err != nil {
		return err
	}
	return b.session.Run(cycles, in, out)
}

// Session is the link to the board.
func (b *Board) Session() *link.Session { return b.session }

// Close releases the port. The design is stopped until the next session.
func (b *Board) Close() error {
	if b.closed {
		return nil
	}
	b.closed = true
	return b.session.Close()
}
