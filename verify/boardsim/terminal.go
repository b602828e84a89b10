package boardsim

import (
	"errors"
	"fmt"
	"os"
	"sync"

	"github.com/creack/pty"
	"golang.org/x/term"
)

// Terminal is a simulated board attached to a pseudo-terminal, which a host opens like a serial port.
type Terminal struct {
	Name string // of the port

	board  *Board
	master *os.File
	slave  *os.File // kept open, so that a host can come and go
	came   chan []byte
	halt   chan struct{}
	done   chan struct{} // the board has ended
	once   sync.Once
	wait   sync.WaitGroup
	err    error
}

// Serve attaches a board to a pseudo-terminal and runs it until Close. The board belongs to the terminal then.
func Serve(b *Board) (*Terminal, error) {
	master, slave, err := pty.Open()
	if err != nil {
		return nil, fmt.Errorf("opening a pseudo-terminal: %w", err)
	}
	if master, err = interruptible(master); err != nil {
		return nil, errors.Join(fmt.Errorf("setting up a pseudo-terminal: %w", err), slave.Close())
	}
	if _, err := term.MakeRaw(int(slave.Fd())); err != nil {
		return nil, errors.Join(fmt.Errorf("setting up a pseudo-terminal: %w", err), master.Close(), slave.Close())
	}
	t := &Terminal{Name: slave.Name(), board: b, master: master, slave: slave, came: make(chan []byte, 64),
		halt: make(chan struct{}), done: make(chan struct{})}
	t.wait.Go(t.receive)
	t.wait.Go(t.run)
	return t, nil
}

// receive takes the bytes from the host.
func (t *Terminal) receive() {
	for {
		buf := make([]byte, 4096)
		n, err := t.master.Read(buf)
		if err != nil {
			return
		}
		select {
		case t.came <- buf[:n]:
		case <-t.halt:
			return
		}
	}
}

// run runs the board while there is anything to do.
func (t *Terminal) run() {
	defer close(t.done)
	for {
		var bytes []byte
		if t.board.Busy() {
			select {
			case bytes = <-t.came:
			case <-t.halt:
				return
			default:
			}
		} else {
			select {
			case bytes = <-t.came:
			case <-t.halt:
				return
			}
		}
		got, err := t.board.Step(bytes)
		if err == nil && len(got) > 0 {
			_, err = t.master.Write(got)
		}
		if errors.Is(err, os.ErrClosed) {
			return // ended while the host did not read
		}
		if err != nil {
			t.err = err
			return
		}
	}
}

// Halt stops the board: it answers no more, while its port stays.
func (t *Terminal) Halt() { t.once.Do(func() { close(t.halt) }) }

// Done is closed when the board has ended, by Halt or by a mistake that Close reports.
func (t *Terminal) Done() <-chan struct{} { return t.done }

// Close ends the board and takes its port away.
func (t *Terminal) Close() error {
	t.Halt()
	err := errors.Join(t.master.Close(), t.slave.Close())
	t.wait.Wait()
	return errors.Join(err, t.err, t.board.Close())
}
