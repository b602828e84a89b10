package csig_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/csig"
)

// short is a pipeline of few cycles, so that waves are short.
var short = timed(csig.Timing{Lookup: 1, Meter: 1, Scale: 1, Code: 1, Count: 1, Decision: 2}, 12, 1)

// wave runs a cycle for each character of ready, which is the value of m_axis_tready (1 or 0; r: reset, with
// ready). It draws
//
//	s    the beat that is offered, a letter a packet, capital for the last; ready or not
//	rdy  s_axis_tready
//	m    m_axis likewise: a letter an egress port, port 1 is a
//	len  bytes of the beats of m
//
// offers says likewise in which cycles a beat is offered; it may be shorter.
func wave(r *rig, ready, offers string) string {
	rows := map[string]*strings.Builder{}
	for _, name := range waveRows {
		rows[name] = &strings.Builder{}
	}
	put := func(row string, c byte) { rows[row].WriteByte(c) }
	letter := func(port int, last bool) byte {
		if last {
			return byte('A' + port - 1)
		}
		return byte('a' + port - 1)
	}
	port := 0
	for n, c := range []byte(ready) {
		r.idle = func() bool { return n < len(offers) && offers[n] == '0' }
		r.stall = func() bool { return c == '0' }
		r.in.Rst = c == 'r'
		r.cycle()
		if r.offered == nil {
			put("s", '.')
		} else {
			if r.offered.meta.EgressPort > 0 {
				port = r.offered.meta.EgressPort
			}
			put("s", letter(port, r.offered.beat.Last))
		}
		put("rdy", "01"[bit(r.out.Ready)])
		if r.out.Valid {
			put("m", letter(r.out.EgressPort, r.out.Beat.Last))
			put("len", "0123456789"[min(r.out.Beat.Len, 9)])
		} else {
			put("m", '.')
			put("len", '.')
		}
	}
	var all []string
	for _, name := range waveRows {
		all = append(all, name+strings.Repeat(" ", 4-len(name))+rows[name].String())
	}
	return strings.Join(all, "\n")
}

var waveRows = []string{"s", "rdy", "m", "len"}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

func lines(s ...string) string { return strings.Join(s, "\n") }

// waveRig has ports that pass everything or strip everything: packets of port n are letter n of the alphabet.
func waveRig(t *testing.T, dataBits int, timing csig.Timing, strip bool) *rig {
	c := design(8, dataBits)
	for i := range c.Port {
		c.Port[i].Trusted, c.Port[i].Actions = !strip, [config.CSIGTagTypes]config.CSIGAction{}
	}
	r := newRig(t, c, timing).program()
	r.cycles(4)
	return r
}

func TestWaves(t *testing.T) {
	at := func(port int) csig.Meta { return csig.Meta{EgressPort: port} }
	compact := func(bytes int) []byte { return compactPacket(t, 2, bytes-18) }
	expanded := func(bytes int) []byte {
		pkt := append(packet("", 0)[:12], unhex("88b6 0001 20000000 0800")...)
		return append(pkt, make([]byte, bytes-22)...)
	}
	for _, c := range []struct {
		name     string
		dataBits int
		timing   csig.Timing
		strip    bool
		packets  [][]byte
		ready    string
		offers   string
		want     string
	}{
		{
			"a beat a cycle: decision at e + 2, but no beat before t + 3; three registers", 512, short, false,
			[][]byte{compact(64), compact(60), compact(20), compact(64)}, "1111111111", "",
			lines("s   ABCD......", "rdy 1111111111", "m   ......ABCD", "len ......9999"),
		},
		{
			"a later decision", 512,
			timed(csig.Timing{Lookup: 1, Meter: 2, Scale: 2, Code: 3, Count: 4, Decision: 6}, 12, 1), false,
			[][]byte{compact(64), compact(60)}, "111111111111", "",
			lines("s   AB..........", "rdy 111111111111", "m   .........AB.", "len .........99."),
		},
		{
			"the header cycle is that of byte 53, in the seventh beat, or of the last beat", 64, short, false,
			[][]byte{compact(64), compact(20), compact(57)}, "1111111111111111111111111111111", "",
			lines("s   aaaaaaaAbbBcccccccC............", "rdy 1111111111111111111111111111111",
				"m   ...........aaaaaaaAbbBcccccccC.", "len ...........8888888888488888881."),
		},
		{
			"eight credits: no beat in the cycle in which the first of eight is taken", 64,
			timed(csig.Timing{Lookup: 1, Meter: 1, Scale: 1, Code: 1, Count: 1, Decision: 2}, 8, 1), false,
			[][]byte{compact(64), compact(24)}, "111111111111111111111111", "",
			lines("s   aaaaaaaAbbbB............", "rdy 111111110111111111111111", "m   ...........aaaaaaaAbbB..",
				"len ...........88888888888.."),
		},
		{
			"stripped: the rest moves up; a beat waits in B for the one behind it", 64, short, true,
			[][]byte{compact(24), compact(25)}, "11111111111111111", "",
			lines("s   aaAbbbB..........", "rdy 11111111111111111", "m   .......aaA.bbB...", "len .......884.885..."),
		},
		{
			"stripped: a last beat of no more bytes than the tag is absorbed", 64, short, true,
			[][]byte{compact(20), compact(19), compact(18), compact(21)}, "1111111111111111111", "",
			lines("s   aaAbbBccCddD.......", "rdy 1111111111111111111", "m   .......aA.bB.cC.ddD", "len .......88.87.86.881"),
		},
		{
			"stripped: eight bytes that lie in two beats, up to the packet's end and beyond", 64, short, true,
			[][]byte{expanded(22)[:20], expanded(28), expanded(29)}, "1111111111111111111", "",
			lines("s   aaAbbbBcccC........", "rdy 1111111111111111111", "m   .......aA..bbB.ccC.", "len .......84..884.885."),
		},
		{
			"back-pressure: nothing moves while C is held, and bubbles close up behind it", 512, short, false,
			[][]byte{compact(64), compact(64), compact(64), compact(64), compact(64)}, "1111110001111111", "",
			lines("s   ABCDE...........", "rdy 1111111111111111", "m   ......AAAABCDE..", "len ......99999999.."),
		},
		{
			"back-pressure in the middle of a strip", 64, short, true,
			[][]byte{compact(28), compact(24)}, "11111110101011111", "",
			lines("s   aaaAbbB..........", "rdy 11111111111111111", "m   ........aaaAAbbB.", "len ........88888884."),
		},
		{
			"gaps: no beat waits for the one behind it", 64, short, false,
			[][]byte{compact(78)}, "1111111111111111111111111111111111", "111111100000000000001100001",
			lines("s   aaaaaaa.............aa....A.......", "rdy 1111111111111111111111111111111111",
				"m   ...........aaaaaaa........aa....A.", "len ...........8888888........88....6."),
		},
		{
			"gaps, stripped: a beat waits in B for the one behind it, the last does not", 64, short, true,
			[][]byte{compact(78)}, "1111111111111111111111111111111111", "111111100000000000001100001",
			lines("s   aaaaaaa.............aa....A.......", "rdy 1111111111111111111111111111111111",
				"m   ...........aaaaaa........aa....aA.", "len ...........888888........88....82."),
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := waveRig(t, c.dataBits, c.timing, c.strip)
			for i, pkt := range c.packets {
				r.send(pkt, at(i+1))
			}
			assert.Equal(t, c.want, wave(r, c.ready, c.offers))
		})
	}
}

// Reset while packets are in flight: the packets in the pipeline are discarded, and s_axis_tready stays low for the
// cycles of the sweep. The device passes packets then: nothing has been committed.
func TestResetWaves(t *testing.T) {
	sweep := short
	sweep.Sweep = 3
	for async, want := range map[bool]string{
		false: lines("s   ABCDEFGGGGGG......", "rdy 111111100001111111", "m   ......A..........G", "len ......9..........9"),
		true:  lines("s   ABCDEFGGGGGG......", "rdy 111111000001111111", "m   .................G", "len .................9"),
	} {
		c := design(8, 512)
		c.AsyncReset = async
		for i := range c.Port {
			c.Port[i].Actions = [config.CSIGTagTypes]config.CSIGAction{}
		}
		r := newRig(t, c, sweep).program()
		for i := range 7 {
			r.send(compactPacket(t, 2, 46), csig.Meta{EgressPort: i + 1})
		}
		assert.Equal(t, want, wave(r, "111111rr1111111111", ""), "asynchronous: %t", async)
	}
}
