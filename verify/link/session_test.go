package link_test

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/rtlgen/board"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
	"github.com/hdlpkg/hpccgen/verify/link"
)

// scrambler is a design whose outputs all depend on the whole past.
func scrambler(in, out int) *vgen.Module {
	m := vgen.NewModule("scrambler", "Every output depends on every input of the past")
	a := m.Input("a", in, "")
	hold := m.Input("hold", 1, "")
	state := m.Reg("state_q", out, vgen.Reset(5), vgen.Control(), vgen.Enable(hold.Not()))
	wide := a
	for wide.Width() < out {
		wide = vgen.Cat(wide, a)
	}
	rotated := state.Shl(7).Or(state.Shr(out - 7))
	m.Next(state, rotated.Xor(wide.Trunc(out)).Add(state))
	m.Assign(m.Output("b", out, ""), state)
	m.Assign(m.Output("parity", 1, ""), state.Parity().Xor(a.Parity()))
	return m
}

// records makes inputs: stretches in which no bytes, few bytes, or all bytes change.
func records(r *rand.Rand, l *vgen.Layout, cycles int) []uint64 {
	in := make([]uint64, cycles*l.InWords)
	mode, left := 0, 0
	for c := range cycles {
		row := in[c*l.InWords : (c+1)*l.InWords]
		if c > 0 {
			copy(row, in[(c-1)*l.InWords:])
		}
		if left--; left < 0 {
			mode, left = r.IntN(4), r.IntN(40)
			if r.IntN(10) == 0 {
				left = 400
			}
		}
		switch mode {
		case 1:
			w := r.IntN(l.InWords)
			row[w] ^= 1 << r.IntN(64)
		case 2:
			for w := range row {
				row[w] = r.Uint64()
			}
		case 3:
			for _, s := range l.Inputs {
				if s.Name == "hold" {
					row[s.Offset] = 1
				}
			}
		}
		row[0] = 0
		if c < 2 || r.IntN(100) == 0 {
			row[0] = 1
		}
	}
	return in
}

// rig is a board in the interpreter, and a reference next to it.
type rig struct {
	board  *Interpreted
	layout vgen.Layout
	in     []uint64
	want   []uint64
	got    []uint64
	cycles int
	tries  int // of a request
}

func newRig(t require.TestingT, in, out, cycles int, seed uint64) *rig {
	top := scrambler(in, out)
	b, err := NewInterpreted(top, board.Shape{Divisor: 4, Idle: 6, Config: 0x0123456789abcdef, Digest: 0x89abcdef,
		ClockHz: 4_000_000})
	require.NoError(t, err)
	r := &rig{board: b, layout: vgen.NewLayout(top, false), cycles: cycles, tries: 40}
	r.in = records(rand.New(rand.NewPCG(seed, 2)), &r.layout, cycles)
	r.want = make([]uint64, cycles*r.layout.OutWords)
	r.got = make([]uint64, cycles*r.layout.OutWords)
	ref, err := vgen.NewSim(top)
	require.NoError(t, err)
	require.NoError(t, ref.Run(cycles, r.in, r.want))
	return r
}

func (r *rig) open(d link.Design) (*link.Session, error) {
	return link.Open(r.board, d, &r.layout, link.Options{Timeout: 5 * time.Millisecond, Tries: r.tries})
}

// run runs all cycles in batches of growing size and returns how many batches were complete.
func (r *rig) run(s *link.Session) (cycles int, err error) {
	for c := 0; c < r.cycles; {
		n := min(r.cycles-c, 1+c/2)
		if err := s.Run(n, r.in[c*r.layout.InWords:], r.got[c*r.layout.OutWords:]); err != nil {
			return c, err
		}
		c += n
	}
	return r.cycles, nil
}

func TestSessionIsExact(t *testing.T) {
	for _, c := range []struct{ in, out, cycles int }{{8, 8, 600}, {70, 300, 60}, {9, 700, 20}, {300, 9, 30}} {
		r := newRig(t, c.in, c.out, c.cycles, 1)
		s, err := r.open(link.Design{Config: "0123456789abcdef", Digest: "89abcdef"})
		require.NoError(t, err)
		_, err = r.run(s)
		require.NoError(t, err)
		require.Equal(t, r.want, r.got)
		require.EqualValues(t, c.cycles, s.Cycles())
		require.Zero(t, s.Resent())
		require.NoError(t, s.Close())

		d := r.board.Distances() // as docs/board-link.md promises
		assert.GreaterOrEqual(t, d.InToRise, int64(8))
		assert.GreaterOrEqual(t, d.RiseToIn, int64(8))
		assert.GreaterOrEqual(t, d.RiseToRise, int64(16))
		assert.GreaterOrEqual(t, d.High, int64(2))
	}
}

// noise damages bytes on the line, one in so many.
func noise(r *rand.Rand, every int) func(bool, []byte) []byte {
	return func(_ bool, b []byte) []byte {
		var out []byte
		for _, v := range b {
			if r.IntN(every) > 0 {
				out = append(out, v)
				continue
			}
			switch r.IntN(4) {
			case 0: // lost
			case 1:
				out = append(out, v, v)
			case 2:
				out = append(out, v^1<<r.IntN(8))
			case 3:
				out = append(out, board.FrameStart, v)
			}
		}
		return out
	}
}

// Errors on the line, in either direction, cost only time: every cycle is right.
func TestNoiseCostsOnlyTime(t *testing.T) {
	seeds, cycles := 6, 40
	if os.Getenv("HPCCGEN_LONG") != "" {
		seeds, cycles = 200, 80
	}
	var resent int64
	for seed := range uint64(seeds) {
		r := newRig(t, 8, 8, cycles, seed)
		r.tries = 1000 // at a damage in 50 bytes one try in twenty gets through
		r.board.Disturb = noise(rand.New(rand.NewPCG(seed, 3)), 50+100*int(seed%4))
		s, err := r.open(link.Design{})
		require.NoError(t, err, seed)
		_, err = r.run(s)
		require.NoError(t, err, seed)
		require.Equal(t, r.want, r.got, seed)
		resent += s.Resent()
	}
	assert.Greater(t, resent, int64(seeds), "the noise was too low to test anything")
}

// Damage that the check does not detect shows in the outputs: the tests above do compare them.
func TestUndetectedDamageIsSeen(t *testing.T) {
	r := newRig(t, 8, 8, 300, 1)
	s, err := r.open(link.Design{})
	require.NoError(t, err)
	require.NoError(t, s.Run(10, r.in, r.got))
	at := 10 * r.layout.OutWords
	require.Equal(t, r.want[:at], r.got[:at])
	r.board.Disturb = func(toBoard bool, b []byte) []byte {
		op := board.HeaderBytes
		for toBoard && b[op] >= board.OpRun {
			op++
		}
		if toBoard {
			b[op+2] ^= 2 // the first byte that is written
			binary.LittleEndian.PutUint32(b[len(b)-4:], crc32.ChecksumIEEE(b[1:len(b)-4]))
		}
		return b
	}
	require.NoError(t, s.Run(100, r.in[10*r.layout.InWords:], r.got[at:]))
	at += 100 * r.layout.OutWords
	require.NotEqual(t, r.want[:at], r.got[:at])
}

func TestBoardThatDies(t *testing.T) {
	r := newRig(t, 8, 8, 400, 1)
	s, err := r.open(link.Design{})
	require.NoError(t, err)
	r.board.DieAt(r.board.Cycle() + 20_000)
	n, err := r.run(s)
	var timeout link.Timeout
	require.ErrorAs(t, err, &timeout)
	assert.Equal(t, s.Cycles(), timeout.Confirmed)
	assert.Greater(t, n, 10)
	confirmed := int(timeout.Confirmed)
	assert.GreaterOrEqual(t, confirmed, n)
	w := r.layout.OutWords
	assert.Equal(t, r.want[:confirmed*w], r.got[:confirmed*w], "what was confirmed is right")
	assert.Equal(t, fmt.Sprintf("the board does not answer: 40 tries, the last: nothing came; %d cycles were confirmed",
		confirmed), err.Error())
	assert.Equal(t, err, s.Run(1, r.in, r.got), "it stays so")
}

func TestBoardThatIsReset(t *testing.T) {
	r := newRig(t, 8, 8, 400, 1)
	s, err := r.open(link.Design{})
	require.NoError(t, err)
	require.NoError(t, s.Run(10, r.in, r.got))
	r.board.Reset()
	require.EqualError(t, s.Run(10, r.in, r.got),
		"the board has been reset in the middle of a session; 10 cycles were confirmed")
}

func TestWrongDesign(t *testing.T) {
	for _, c := range []struct {
		d    link.Design
		text string
	}{
		{link.Design{Name: "nic_line", Config: "ffff456789abcdef"},
			"the board has the configuration 0123456789abcdef, expected is ffff456789abcdef (nic_line); build the bitstream of this configuration and load it"},
		{link.Design{Config: "0123456789abcdef", Digest: "00000000"},
			"the board has the configuration 0123456789abcdef, but its design was emitted by another version of this program (digest 89abcdef, expected 00000000); build the bitstream again and load it"},
	} {
		_, err := newRig(t, 8, 8, 1, 1).open(c.d)
		var wrong link.WrongDesign
		require.ErrorAs(t, err, &wrong)
		require.EqualError(t, err, c.text)
	}
}
