package link_test

import (
	"encoding/hex"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/rtlgen/board"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
	"github.com/hdlpkg/hpccgen/verify/link"
)

// counter counts in steps: 2 bytes of input, 2 of output.
func counter() *vgen.Module {
	m := vgen.NewModule("counter", "Counts in steps")
	step := m.Input("step", 9, "")
	count := m.Reg("count_q", 12, vgen.Reset(0x105), vgen.Control())
	m.Next(count, count.Add(step.Zext(12)))
	m.Assign(m.Output("count", 12, ""), count)
	return m
}

// raw talks to a board in frames.
type raw struct {
	*testing.T
	board *Interpreted
}

func newRaw(t *testing.T) *raw {
	b, err := NewInterpreted(counter(), board.Shape{Divisor: 4, Idle: 6, Config: 1, ClockHz: 4_000_000})
	require.NoError(t, err)
	require.NoError(t, b.SetReadTimeout(3*time.Millisecond))
	return &raw{t, b}
}

// say sends bytes and returns the reply.
func (r *raw) say(b []byte) (got []byte) {
	_, err := r.board.Write(b)
	require.NoError(r, err)
	buf := make([]byte, 256)
	for {
		n, err := r.board.Read(buf)
		require.NoError(r, err)
		if n == 0 {
			return got
		}
		got = append(got, buf[:n]...)
	}
}

func frame(seq, kind byte, payload ...byte) []byte {
	return link.Frame{Sequence: seq, Kind: kind, Payload: payload}.Bytes()
}

// The example of docs/board-link.md.
func TestExampleOfThePage(t *testing.T) {
	page, err := os.ReadFile("../../docs/board-link.md")
	require.NoError(t, err)
	var want []string
	for line := range strings.Lines(string(page)) {
		if cells := strings.Split(line, "|"); len(cells) > 3 && (strings.TrimSpace(cells[1]) == "host" ||
			strings.TrimSpace(cells[1]) == "board") && strings.HasPrefix(strings.TrimSpace(cells[2]), "a5") {
			want = append(want, strings.TrimSpace(cells[2]))
		}
	}
	require.Len(t, want, 4)
	r := newRaw(t)
	for i := 0; i < len(want); i += 2 {
		b, err := hex.DecodeString(strings.ReplaceAll(want[i], " ", ""))
		require.NoError(t, err)
		got := r.say(frame(b[3], b[4], b[board.HeaderBytes:]...))
		text := strings.TrimSuffix(fmt.Sprintf("% x", got[:len(got)-board.CheckBytes]), " ")
		if short, found := strings.CutSuffix(want[i+1], " ..."); found {
			assert.True(t, strings.HasPrefix(text, short), text)
			continue
		}
		assert.Equal(t, want[i+1], text)
	}
}

func TestRefusals(t *testing.T) {
	hello, run := frame(7, board.KindHello), frame(8, board.KindRun, board.OpRun|3)
	damaged := append([]byte{}, run...)
	damaged[5] ^= 4
	for name, c := range map[string]struct {
		before [][]byte
		say    []byte
		seq    byte
		reason byte
	}{
		"damaged":              {[][]byte{hello}, damaged, 7, board.ReasonDamaged},
		"cut short":            {[][]byte{hello}, run[:len(run)-1], 7, board.ReasonDamaged},
		"only a start":         {[][]byte{hello}, run[:1], 7, board.ReasonDamaged},
		"a byte too many":      {[][]byte{hello}, append([]byte{0}, run...), 7, board.ReasonDamaged},
		"too long":             {[][]byte{hello}, frame(8, board.KindRun, make([]byte, 512)...), 7, board.ReasonLong},
		"an unknown kind":      {[][]byte{hello}, frame(8, 3), 7, board.ReasonKind},
		"no session":           {nil, run, 0, board.ReasonSession},
		"ahead":                {[][]byte{hello}, frame(9, board.KindRun, board.OpRun|3), 7, board.ReasonSequence},
		"behind":               {[][]byte{hello, run}, frame(7, board.KindRun, board.OpRun|3), 8, board.ReasonSequence},
		"of hello, but no run": {[][]byte{hello}, frame(7, board.KindRun, board.OpRun|3), 7, board.ReasonSequence},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRaw(t)
			for _, b := range c.before {
				require.NotEmpty(t, r.say(b))
			}
			assert.Equal(t, frame(c.seq, board.KindRefused+c.reason), r.say(c.say))
			r.say(hello)
			assert.Equal(t, byte(board.KindRunAnswer), r.say(run)[4], "it listens again")
		})
	}
}

// A request that is sent twice is answered twice and executed once; one that arrives while the board is busy is
// rejected.
func TestRequestSaidAgain(t *testing.T) {
	r := newRaw(t)
	r.say(frame(7, board.KindHello))
	r.say(frame(8, board.KindRun, 2, 0, 0x01, 0, board.OpRun|2, 2, 0, 0x02, 0, board.OpRun|1)) // reset, then steps of 1
	for range 3 {
		got := r.say(frame(9, board.KindRun, board.OpRun|1))
		assert.Equal(t, frame(9, board.KindRunAnswer, 0x06, 1, 1, board.OpRun|1), got)
	}
	twice := append(frame(10, board.KindRun, board.OpRun|1), frame(10, board.KindRun, board.OpRun|1)...)
	assert.Equal(t, append(frame(10, board.KindRunAnswer, 0x07, 1, 1, board.OpRun|1),
		frame(10, board.KindRefused+board.ReasonDamaged)...), r.say(twice))
	assert.Equal(t, frame(11, board.KindRunAnswer, 0x08, 1, 1, board.OpRun|1),
		r.say(frame(11, board.KindRun, board.OpRun|1)))
}

// A right frame with operations that make no sense is carried out somehow, and ends.
func TestOperationsWithoutSense(t *testing.T) {
	r := newRaw(t)
	r.say(frame(7, board.KindHello))
	for i, ops := range [][]byte{{}, {0x80}, {0x3f, 0}, {0x05}, {0x7f, 0xff, 1, 2, 3}, {0, 0, 0x80, 0x81}} {
		got := r.say(frame(byte(8+i), board.KindRun, ops...))
		require.Greater(t, len(got), 4, ops)
		assert.Equal(t, byte(board.KindRunAnswer), got[4], ops)
	}
}
