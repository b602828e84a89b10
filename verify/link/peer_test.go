package link_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/rtlgen/board"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
	"github.com/hdlpkg/hpccgen/verify/link"
)

// peer is a port with something else than a board at its other end. Its time passes only in reads.
type peer struct {
	now     time.Time
	timeout time.Duration
	sent    [][]byte // requests
	// say returns the next bytes, and the delay before them; a delay above the timeout means that nothing arrives.
	say func(p *peer) (b []byte, wait time.Duration)
}

func (p *peer) Now() time.Time { return p.now }

func (p *peer) SetReadTimeout(d time.Duration) error { p.timeout = d; return nil }

func (p *peer) Close() error { return nil }

func (p *peer) Write(b []byte) (int, error) {
	p.sent = append(p.sent, append([]byte{}, b...))
	return len(b), nil
}

func (p *peer) Read(b []byte) (int, error) {
	if len(p.sent) == 0 {
		p.now = p.now.Add(p.timeout)
		return 0, nil // silent until it receives something
	}
	said, wait := p.say(p)
	if len(said) == 0 || wait > p.timeout {
		p.now = p.now.Add(p.timeout)
		return 0, nil
	}
	p.now = p.now.Add(wait)
	return copy(b, said), nil
}

// hello is a board's answer to the host's hello.
func hello(p *peer, maxAnswer int) []byte {
	b := make([]byte, board.HelloBytes)
	b[0] = board.ProtocolVersion
	b[10], b[12] = 2, 2
	b[14], b[16], b[17] = 64, byte(maxAnswer), byte(maxAnswer>>8)
	b[18], b[22] = 1, 1 // it claims a bit a second
	request := p.sent[len(p.sent)-1]
	return link.Frame{Sequence: request[3], Kind: board.KindHelloAnswer, Payload: b}.Bytes()
}

// Whatever is at the other end of the line, the host gives up within minutes and reports what it received.
func TestPeersThatAreNoBoard(t *testing.T) {
	once := func(f func(p *peer) []byte) func(*peer) ([]byte, time.Duration) {
		said := 0
		return func(p *peer) ([]byte, time.Duration) {
			if said == len(p.sent) {
				return nil, 0
			}
			said = len(p.sent)
			return f(p), time.Millisecond
		}
	}
	drip := func(b byte) func(*peer) ([]byte, time.Duration) {
		return func(p *peer) ([]byte, time.Duration) { return []byte{b}, 900 * time.Millisecond }
	}
	for name, c := range map[string]struct {
		say   func(p *peer) ([]byte, time.Duration)
		last  string
		least int // minutes that it may take
	}{
		"silence": {func(*peer) ([]byte, time.Duration) { return nil, 0 }, "nothing came", 1},
		"echo": {once(func(p *peer) []byte { return p.sent[len(p.sent)-1] }),
			"a request; the port gives back what is sent to it", 1},
		"flood": {func(*peer) ([]byte, time.Duration) { return make([]byte, 4096), time.Microsecond },
			"bytes without an answer among them", 1},
		"drip":            {drip(0), "bytes, but too slowly for an answer", 1},
		"drip of a frame": {drip(board.FrameStart), "bytes, but too slowly for an answer", 1},
		"a request late": {once(func(p *peer) []byte {
			return frame(p.sent[len(p.sent)-1][3]+9,
				board.KindHelloAnswer)
		}), "the answer to another request", 1},
	} {
		t.Run(name, func(t *testing.T) {
			p := &peer{say: c.say}
			_, err := link.Open(p, link.Design{}, counterLayout(), link.Options{})
			require.EqualError(t, err, "the board does not answer: 6 tries, the last: "+c.last+"; 0 cycles were confirmed")
			assert.Len(t, p.sent, 6)
			assert.Less(t, p.now.Sub(time.Time{}), time.Duration(c.least)*time.Minute)
		})
	}
}

// A board that answers to hello, claims a slow line and long answers, and then sends single bytes slowly.
func TestBoardThatDrips(t *testing.T) {
	greeted := false
	p := &peer{say: func(p *peer) ([]byte, time.Duration) {
		if !greeted {
			greeted = true
			return hello(p, 1024), time.Millisecond
		}
		return []byte{board.FrameStart}, p.timeout - time.Millisecond
	}}
	l := counterLayout()
	s, err := link.Open(p, link.Design{}, l, link.Options{})
	require.NoError(t, err)
	begin := p.now
	err = s.Run(1, make([]uint64, l.InWords), make([]uint64, l.OutWords))
	require.ErrorAs(t, err, &link.Timeout{})
	assert.Less(t, p.now.Sub(begin), 15*time.Minute)
}

// stuck is a port that accepts no bytes.
type stuck struct{ peer }

func (s *stuck) Write([]byte) (int, error) { select {} }

func TestPortThatTakesNothing(t *testing.T) {
	p := &stuck{peer{say: func(*peer) ([]byte, time.Duration) { return nil, 0 }}}
	_, err := link.Open(p, link.Design{}, counterLayout(), link.Options{Timeout: time.Millisecond})
	require.EqualError(t, err,
		"writing to the board: the port takes no more bytes: nothing reads at its other end; 0 cycles were confirmed")
}

func counterLayout() *vgen.Layout {
	l := vgen.NewLayout(counter(), false)
	return &l
}
