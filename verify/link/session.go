package link

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/hdlpkg/hpccgen/rtlgen/board"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// Port is a serial line to a board.
type Port interface {
	io.WriteCloser
	// Read waits for at least a byte, but not longer than the timeout; then it returns 0 and no error.
	Read(p []byte) (int, error)
	SetReadTimeout(d time.Duration) error
}

// Clock is implemented by a port whose time is not wall-clock time, such as a simulated one.
type Clock interface{ Now() time.Time }

// Options are choices about a session; the zero value is fine.
type Options struct {
	Timeout time.Duration // for an answer, without its time on the line; 0: a second
	Tries   int           // a request is sent so often before the board is given up; 0: 6
}

// maxCycles bounds the cycles of one request, so that its answer does not take long.
const maxCycles = 4096

// An attempt ends when nothing has arrived for the timeout, and in any case when the longest answer would have arrived
// at a byte in bytePatience, which the slowest simulated board meets: a line on which a byte arrives now and then does
// not block its host.
const (
	bytePatience = 20 * time.Millisecond
	linePatience = 20 * time.Second // bounds the bit rate that a board claims
)

// Timeout is the error of a board that has stopped answering.
type Timeout struct {
	Confirmed int64 // cycles whose outputs have arrived
	Tries     int
	Reason    string // what was received instead, "" for nothing
}

func (e Timeout) Error() string {
	reason := e.Reason
	if reason == "" {
		reason = "nothing came"
	}
	return fmt.Sprintf("the board does not answer: %d tries, the last: %s; %d cycles were confirmed", e.Tries, reason,
		e.Confirmed)
}

// Session steps the design of a board. Confirmed cycles are exact; a session that has failed stays failed.
type Session struct {
	Hello  Hello
	port   Port
	o      Options
	rx     receiver
	buf    []byte
	seq    byte
	failed error
	now    func() time.Time

	layout  *vgen.Layout
	in, out *packer
	image   []byte // inputs of the board
	unknown bool   // image is not known yet
	outputs []byte // of the last cycle
	cycles  int64  // confirmed
	ratio   float64
	resent  int64
}

// Open sends a hello to the board and checks that it has the design. The session then owns the port.
func Open(p Port, d Design, l *vgen.Layout, o Options) (*Session, error) {
	if o.Timeout <= 0 {
		o.Timeout = time.Second
	}
	if o.Tries <= 0 {
		o.Tries = 6
	}
	s := &Session{
		port: p, o: o, rx: receiver{limit: board.HelloBytes}, buf: make([]byte, 4096), layout: l, unknown: true,
		in: newPacker(l.Inputs...), out: newPacker(append(append([]vgen.Slot{}, l.Outputs...), l.Taps...)...),
	}
	s.now = time.Now
	if c, ok := p.(Clock); ok {
		s.now = c.Now
	}
	if err := s.quiet(); err != nil {
		return nil, err
	}
	// A different starting number in each session distinguishes answers to an earlier one.
	s.seq = byte(time.Now().UnixNano() >> 10)
	payload, err := s.exchange(Frame{Sequence: s.seq, Kind: board.KindHello}, board.KindHelloAnswer)
	if err != nil {
		return nil, err
	}
	h, err := parseHello(payload)
	if err != nil {
		return nil, err
	}
	s.Hello = *h
	if err := d.check(h); err != nil {
		return nil, err
	}
	if len(l.Taps) > 0 && !h.Taps {
		return nil, errors.New("the board was built without taps; build it with them, or compare without")
	}
	// The taps come last, so a host without them only reads less.
	bits := bitsOf(l.Outputs)
	if h.Taps {
		bits += d.TapBits
	}
	if want := (bits + 7) / 8; h.InBytes != s.in.bytes || h.OutBytes != want {
		return nil, fmt.Errorf("the board has %d bytes of input and %d of output, the design %d and %d", h.InBytes,
			h.OutBytes, s.in.bytes, want)
	}
	s.rx.limit = h.MaxAnswer
	s.image, s.outputs = make([]byte, s.in.bytes), make([]byte, h.OutBytes)
	return s, nil
}

// quiet discards bytes that may still arrive from an earlier session.
func (s *Session) quiet() error {
	if err := s.port.SetReadTimeout(20 * time.Millisecond); err != nil {
		return err
	}
	for range 100 {
		n, err := s.port.Read(s.buf)
		if err != nil {
			return err
		}
		if n == 0 {
			return nil
		}
	}
	return errors.New(
		"the port keeps sending without being asked; is it a board with a host link, and is the bit rate right?")
}

// Cycles is how many cycles the board has confirmed.
func (s *Session) Cycles() int64 { return s.cycles }

// Resent is how many requests had to be sent again.
func (s *Session) Resent() int64 { return s.resent }

// Close ends the session and closes the port.
func (s *Session) Close() error { return s.port.Close() }

// Run runs a batch of cycles, with records as of [vgen.Layout].
func (s *Session) Run(cycles int, in, out []uint64) error {
	if s.failed != nil {
		return s.failed
	}
	for done := 0; done < cycles; {
		n, err := s.step(cycles-done, in[done*s.layout.InWords:], out[done*s.layout.OutWords:])
		if err != nil {
			s.failed = err
			return err
		}
		done += n
	}
	return nil
}

// step sends as many of the cycles as one frame holds and returns how many of them were run.
func (s *Session) step(cycles int, in, out []uint64) (int, error) {
	limit := s.Hello.MaxRequest
	if s.ratio > 0 {
		limit = min(limit, max(16, int(0.9*float64(s.Hello.MaxAnswer)/s.ratio)))
	}
	r := request{limit: limit, image: s.image}
	w := s.layout.InWords
	inputs := make([]byte, s.in.bytes)
	if s.unknown {
		// Every byte differs from its complement.
		s.in.pack(inputs, in)
		for i, b := range inputs {
			s.image[i] = ^b
		}
		s.unknown = false
	}
	for r.cycles < min(cycles, maxCycles) {
		s.in.pack(inputs, in[r.cycles*w:(r.cycles+1)*w])
		if !r.add(inputs) {
			break
		}
	}
	if len(r.payload) > s.Hello.MaxRequest {
		return 0, fmt.Errorf("a cycle takes %d bytes of a request, the board's buffer has %d", len(r.payload),
			s.Hello.MaxRequest)
	}
	s.seq++
	answer, err := s.exchange(Frame{s.seq, board.KindRun, r.payload}, board.KindRunAnswer)
	if err != nil {
		return 0, err
	}
	list, err := spans(answer, len(s.outputs))
	if err != nil {
		return 0, fmt.Errorf("the board's answer is right and yet makes no sense: %w", err)
	}
	n := s.record(list, r.cycles, out)
	if n < 1 || n > r.cycles {
		return 0, fmt.Errorf("the board has run %d cycles where %d were asked for", n, r.cycles)
	}
	s.cycles += int64(n)
	s.ratio = 0.5*s.ratio + 0.5*float64(len(answer))/(float64(len(r.payload))*float64(n)/float64(r.cycles))
	if n < r.cycles {
		// The writes before the first cycle that was not run have taken effect.
		s.in.pack(s.image, in[n*w:(n+1)*w])
	}
	return n, nil
}

// record writes the outputs of the cycles of an answer, limit at most, and returns how many there were.
func (s *Session) record(list []span, limit int, out []uint64) int {
	n, w := 0, s.layout.OutWords
	for _, sp := range list {
		for _, c := range sp.changes {
			copy(s.outputs[c.at:], c.bytes)
		}
		for i := range sp.cycles {
			if n++; n > limit {
				continue
			}
			if i == 0 {
				s.out.unpack(out[(n-1)*w:n*w], s.outputs)
			} else {
				copy(out[(n-1)*w:n*w], out[(n-2)*w:(n-1)*w])
			}
		}
	}
	return n
}

// exchange sends a request until its answer has come.
func (s *Session) exchange(f Frame, kind byte) ([]byte, error) {
	bytes := f.Bytes()
	timeout := s.o.Timeout
	if baud := s.Hello.Baud(); baud > 0 {
		count := len(bytes) + s.Hello.MaxAnswer + board.HeaderBytes + board.CheckBytes
		line := time.Duration(count) * 10 * time.Second / time.Duration(baud)
		timeout += min(line, linePatience)
	}
	reason := ""
	for try := range s.o.Tries {
		if try > 0 {
			s.resent++
		}
		if err := s.write(bytes, timeout); err != nil {
			return nil, fmt.Errorf("writing to the board: %w; %d cycles were confirmed", err, s.cycles)
		}
		answer, refusal, err := s.await(f.Sequence, kind, timeout<<min(try, 3))
		if err != nil {
			return nil, fmt.Errorf("reading from the board: %w; %d cycles were confirmed", err, s.cycles)
		}
		if answer != nil {
			return answer.Payload, nil
		}
		reason = refusal
		if lost := refusal == (Frame{Kind: board.KindRefused + board.ReasonSession}).refusal(); lost &&
			kind == board.KindRunAnswer {
			return nil, fmt.Errorf("%s in the middle of a session; %d cycles were confirmed", refusal, s.cycles)
		}
	}
	return nil, Timeout{Confirmed: s.cycles, Tries: s.o.Tries, Reason: reason}
}

// write sends bytes. A line that accepts none, since nobody reads at its other end, is an error; the write then ends
// with the process.
func (s *Session) write(b []byte, patience time.Duration) error {
	done := make(chan error, 1)
	go func() {
		_, err := s.port.Write(b)
		done <- err
	}()
	late := time.NewTimer(patience + bytePatience*time.Duration(len(b)))
	defer late.Stop()
	select {
	case err := <-done:
		return err
	case <-late.C:
		return errors.New("the port takes no more bytes: nothing reads at its other end")
	}
}

// await waits for the answer to a request, or for a refusal; it returns neither, and no error, on a timeout.
func (s *Session) await(seq, kind byte, patience time.Duration) (answer *Frame, refusal string, err error) {
	end := s.now().Add(patience + bytePatience*time.Duration(s.rx.limit+board.HeaderBytes+board.CheckBytes))
	// A line with endless invalid bytes is no answer either, but it would never let a read time out.
	for babble := 0; babble < 4*(s.rx.limit+len(s.buf)); {
		for {
			f, ok := s.rx.take()
			if !ok {
				break
			}
			if f.Kind == kind && f.Sequence == seq {
				return &f, "", nil
			}
			if r := f.refusal(); r != "" {
				return nil, r, nil
			}
			// Left over from an earlier request that was sent twice.
			refusal = "the answer to another request"
			if f.Kind == board.KindHello || f.Kind == board.KindRun {
				refusal = "a request; the port gives back what is sent to it"
			}
		}
		left := end.Sub(s.now())
		n := 0
		if left > 0 {
			if err := s.port.SetReadTimeout(min(left, patience)); err != nil {
				return nil, "", err
			}
			if n, err = s.port.Read(s.buf); err != nil {
				return nil, "", err
			}
		}
		if n == 0 {
			switch {
			case left < patience:
				refusal = "bytes, but too slowly for an answer"
			case len(s.rx.bytes) > 0:
				refusal = "a damaged answer"
			}
			s.rx.bytes = s.rx.bytes[:0]
			return nil, refusal, nil
		}
		babble += n
		s.rx.bytes = append(s.rx.bytes, s.buf[:n]...)
	}
	return nil, "bytes without an answer among them", nil
}
