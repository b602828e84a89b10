package inband_test

import (
	"bytes"
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/inband"
	"github.com/hdlpkg/hpccgen/telemetry"
)

// rule is a packet that a rule of docs/int.md decides on.
type rule struct {
	name   string
	make   func(r *recipe)           // before the packet is built
	damage func(b []byte, r *recipe) // afterwards
	want   inband.Status
}

func set(at func(r *recipe) int, v byte) func([]byte, *recipe) {
	return func(b []byte, r *recipe) { b[at(r)] = v }
}

func add(at func(r *recipe) int, v int) func([]byte, *recipe) {
	return func(b []byte, r *recipe) {
		w := b[at(r):]
		binary.BigEndian.PutUint16(w, binary.BigEndian.Uint16(w)+uint16(v))
	}
}

func l3(n int) func(r *recipe) int { return func(r *recipe) int { return r.l3() + n } }
func l4(n int) func(r *recipe) int { return func(r *recipe) int { return r.l4() + n } }
func tm(n int) func(r *recipe) int { return func(r *recipe) int { return r.telemetryAt() + n } }

var ipRules = []rule{
	{"ether type", nil, set(l3(-1), 1), inband.Plain},
	{"version", nil, set(l3(0), 0x55), inband.Malformed},
	{"IHL", nil, set(l3(0), 0x44), inband.Malformed},
	{"protocol", nil, set(l3(9), 1), inband.Plain},
	{"more fragments", nil, set(l3(6), 0x20), inband.Fragment},
	{"last fragment", nil, set(l3(7), 1), inband.Fragment},
	{"don't fragment", nil, set(l3(6), 0x40), inband.Inserted},
	{"fifth VLAN tag", func(r *recipe) { r.vlans = 5 }, nil, inband.Plain},
	{"version 6", func(r *recipe) { r.v6 = true }, set(l3(0), 0x70), inband.Malformed},
	{"next header", func(r *recipe) { r.v6 = true }, set(l3(6), 44), inband.Plain},
}

var rules = map[config.INTFormat][]rule{
	config.INTHPCC: append([]rule{
		{"port", nil, set(l4(3), 1), inband.Plain},
		{"five hops", func(r *recipe) { r.hpcc.NHop = 5 }, nil, inband.Hops},
		{"four hops", func(r *recipe) { r.hpcc.NHop = 4 }, nil, inband.Inserted},
		{"UDP length too small", func(r *recipe) { r.payload = 0; r.hpcc.NHop = 1 }, add(l4(4), -1), inband.Malformed},
		{"UDP passes IP", nil, add(l4(4), 1), inband.Malformed},
		{"UDP length 0", nil, func(b []byte, r *recipe) { b[r.l4()+4], b[r.l4()+5] = 0, 0 }, inband.Malformed},
	}, ipRules...),
	config.INTMD: append([]rule{
		{"port", nil, set(l4(2), 1), inband.Plain},
		{"destination type", func(r *recipe) { r.shim.Type = 2 }, nil, inband.Foreign},
		{"version 1", nil, set(tm(4), 0x10), inband.Foreign},
		{"no timestamp", func(r *recipe) { r.md.Instructions, r.md.HopML = telemetry.INTHPCCNoTS, 4 }, nil, inband.Foreign},
		{"other instructions", func(r *recipe) { r.md.Instructions = 0xf800 }, nil, inband.Inserted},
		{"other instructions, no hops left", func(r *recipe) { r.md.Instructions, r.md.RemainingHops = 0xf800, 0 }, nil,
			inband.Hops},
		{"other instructions of another length, no hops left", func(r *recipe) {
			r.md.HopML, r.md.RemainingHops = 4,
				0
		}, nil, inband.Foreign},
		{"hop length", func(r *recipe) { r.md.HopML = 4 }, nil, inband.Foreign},
		{"shim length 2", func(r *recipe) { r.shim.Length = 2 }, nil, inband.Malformed},
		{"stack passes UDP", func(r *recipe) { r.shim.Length = 3 + 17 }, nil, inband.Malformed},
		{"stack ends UDP", func(r *recipe) { r.shim.Length = 3 + 16 }, nil, inband.Inserted},
		{"UDP passes IP", nil, add(l4(4), 1), inband.Malformed},
		{"no hops left", func(r *recipe) { r.md.RemainingHops = 0 }, nil, inband.Hops},
		{"length 250", func(r *recipe) { r.shim.Length, r.payload = 250, 1000 }, nil, inband.Full},
		{"length 249", func(r *recipe) { r.shim.Length, r.payload = 249, 1000 }, nil, inband.Inserted},
		{"D stays", func(r *recipe) { r.md.Discard = true }, nil, inband.Inserted},
	}, ipRules...),
	config.INTIFA: append([]rule{
		{"version", nil, set(l4(0), 0x3f), inband.Foreign},
		{"fragment header", func(r *recipe) { r.ifa.Fragmented = true }, nil, inband.Foreign},
		{"tail stamp", func(r *recipe) { r.ifa.TailStamp = true }, nil, inband.Foreign},
		{"checksum header", func(r *recipe) { r.ifa.Checksum = true }, nil, inband.Foreign},
		{"turn around", func(r *recipe) { r.ifa.TurnAround, r.ifa.Inband = true, false }, nil, inband.Inserted},
		{"ICMP", func(r *recipe) { r.ifa.NextHeader = 1 }, nil, inband.Foreign},
		{"data offset", func(r *recipe) { r.tcp = 5 }, set(l4(16), 0x40), inband.Malformed},
		{"no hops left", func(r *recipe) { r.meta.HopLimit = 0 }, nil, inband.Hops},
		{"hop limit off", func(r *recipe) { r.meta.HopLimit = 255 }, nil, inband.Inserted},
		{"max length", func(r *recipe) { r.ifa.MaxLength = 7 }, nil, inband.Full},
		{"max length fits", func(r *recipe) { r.ifa.MaxLength = 8 }, nil, inband.Inserted},
		{"stack passes IP", func(r *recipe) { r.meta.CurrentLength = 17 }, nil, inband.Malformed},
		{"stack ends IP", func(r *recipe) { r.meta.CurrentLength = 16 }, nil, inband.Inserted},
	}, ipRules...),
	config.INTIOAM: {
		{"ether type", nil, set(l3(-1), 1), inband.Plain},
		{"version 6", nil, set(l3(0), 0x70), inband.Malformed},
		{"next header", nil, set(l3(6), 17), inband.Plain},
		{"two Pad1", nil, set(l4(2), 0), inband.Inserted},
		{"other option first", nil, set(l4(2), 5), inband.Foreign},
		{"option type", nil, set(tm(4), 0x11), inband.Foreign},
		{"incremental", nil, set(tm(7), 1), inband.Foreign},
		{"namespace", func(r *recipe) { r.ioam.Namespace = 1 }, nil, inband.Foreign},
		{"default namespace", func(r *recipe) { r.ioam.Namespace = 0 }, nil, inband.Inserted},
		{"node length", func(r *recipe) { r.ioam.NodeLen = 4 }, nil, inband.Foreign},
		{"trace type", func(r *recipe) { r.ioam.TraceType ^= 1 << 5 }, nil, inband.Foreign},
		{"more than there is", func(r *recipe) { r.ioam.RemainingLen = 26 }, nil, inband.Malformed},
		{"option passes header", nil, set(tm(5), 10+100+5), inband.Malformed},
		{"header passes packet", nil, add(l3(4), -73), inband.Malformed},
		{"four words left", func(r *recipe) { r.ioam.RemainingLen = 4 }, nil, inband.Full},
		{"five words left", func(r *recipe) { r.ioam.RemainingLen = 5 }, nil, inband.Inserted},
		{"overflow", func(r *recipe) { r.ioam.Flags = telemetry.IOAMOverflow }, nil, inband.Full},
		{"largest", func(r *recipe) { r.space, r.ioam.RemainingLen, r.vlans = 61, 61, 4 }, nil, inband.Inserted},
	},
}

func TestRules(t *testing.T) {
	for _, f := range formats {
		for _, x := range rules[f] {
			t.Run(string(f)+" "+x.name, func(t *testing.T) {
				r := fresh(f)
				if x.make != nil {
					x.make(&r)
				}
				pkt := r.bytes()
				if x.damage != nil {
					x.damage(pkt, &r)
				}
				in := append([]byte{}, pkt...)
				out, ev := device(t, settings(f)).Process(pkt, inband.Meta{EgressNs: 5})
				assert.Equal(t, x.want, ev.Status)
				assert.Equal(t, in, pkt, "the input is not written to")
				switch {
				case ev.Status == inband.Inserted:
				case f == config.INTMD && ev.Status == inband.Hops:
					r.md.HopsExceeded = true
					assert.Equal(t, r.bytes(), out)
				case x.name == "four words left":
					r.ioam.Flags |= telemetry.IOAMOverflow
					assert.Equal(t, r.bytes(), out)
				default:
					assert.Equal(t, in, out)
				}
			})
		}
	}
}

// Of other instructions of the same length the device has no values: the record is all ones, and the packet is right
// in all else.
func TestOtherInstructionsGetOnes(t *testing.T) {
	r := fresh(config.INTMD)
	r.md.Instructions = 0xf800 // six words: hop latency, and the other timestamp
	pkt := r.bytes()
	out, ev := device(t, settings(config.INTMD)).Process(pkt, inband.Meta{EgressPort: 1, EgressNs: 5, QlenBytes: 8000})
	require.Equal(t, inband.Inserted, ev.Status)
	assert.Equal(t, bytes.Repeat([]byte{0xff}, 24), out[ev.At:ev.At+24])
	assert.Equal(t, pkt[ev.At:], out[ev.At+24:])
	assert.Equal(t, byte(9), out[r.telemetryAt()+1], "words")
	assert.Equal(t, byte(7), out[r.telemetryAt()+7], "remaining hops")
	sound(t, out, &r)
}

// The MAC pads a packet to 60 B in front of its FCS: what leaves shorter counts as that.
func TestShortPacketsCountAsPadded(t *testing.T) {
	for _, x := range []struct{ bytes, counts int }{{1, 84}, {14, 84}, {59, 84}, {60, 84}, {61, 85}, {1000, 1024}} {
		d := device(t, settings(config.INTHPCC))
		d.Process(make([]byte, x.bytes), inband.Meta{EgressPort: 2})
		assert.Equal(t, uint64(x.counts), d.TxBytes(2), "%d bytes", x.bytes)
	}
	// 14 + 20 + 8 + 2 bytes become 52 with a record: the padding is the rest of the 60.
	r := fresh(config.INTHPCC)
	r.payload = 0
	d := device(t, settings(config.INTHPCC))
	out, ev := d.Process(r.bytes(), inband.Meta{EgressPort: 2})
	require.Equal(t, inband.Inserted, ev.Status)
	require.Len(t, out, 52)
	assert.Equal(t, uint64(84), d.TxBytes(2))
}

// A packet that is cut anywhere before its record's place passes unchanged as short; cut after it, it gets its
// record.
func TestCut(t *testing.T) {
	for _, f := range formats {
		for name, r := range surroundings(f) {
			pkt := r.bytes()
			whole, ev := device(t, settings(f)).Process(pkt, inband.Meta{})
			require.Equal(t, inband.Inserted, ev.Status)
			need := ev.At
			if f == config.INTIOAM {
				need += 20
			}
			for n := range pkt {
				out, ev := device(t, settings(f)).Process(pkt[:n], inband.Meta{})
				if n < need {
					require.Equal(t, inband.Short, ev.Status, "%s %s cut to %d", f, name, n)
					require.Equal(t, pkt[:n], out)
				} else {
					require.Equal(t, inband.Inserted, ev.Status, "%s %s cut to %d", f, name, n)
					require.Equal(t, whole[:n+len(whole)-len(pkt)], out)
				}
			}
		}
	}
}

// genPacket is a packet of a format with some of its bytes damaged, and sometimes cut.
func genPacket(t *rapid.T, f config.INTFormat) ([]byte, recipe) {
	r := fresh(f)
	r.vlans = rapid.IntRange(0, 5).Draw(t, "vlans")
	if f != config.INTIOAM {
		r.v6 = rapid.Bool().Draw(t, "v6")
		r.options = rapid.IntRange(0, 10).Draw(t, "options")
	}
	if r.v6 {
		r.options = 0
	}
	if f == config.INTIFA && rapid.Bool().Draw(t, "tcp") {
		r.tcp = rapid.IntRange(5, 15).Draw(t, "doff")
	}
	r.noCheck = r.tcp == 0 && rapid.Bool().Draw(t, "nocheck")
	r.payload = rapid.IntRange(0, 300).Draw(t, "payload")
	r.hpcc.NHop = rapid.IntRange(0, 6).Draw(t, "nhop")
	for i := range r.hpcc.NHop {
		r.hpcc.Hop[i].TxBytes = rapid.Uint32Range(0, 1<<20-1).Draw(t, "tx")
	}
	if rapid.Bool().Draw(t, "reserved") {
		r.reserved = max(5, r.hpcc.NHop)
	}
	r.md.RemainingHops = rapid.Uint8().Draw(t, "rhc")
	r.meta.HopLimit = rapid.Uint8().Draw(t, "limit")
	r.space = rapid.IntRange(0, 61).Draw(t, "space")
	r.ioam.RemainingLen = uint8(rapid.IntRange(0, r.space).Draw(t, "remaining"))
	pkt := r.bytes()
	for range rapid.IntRange(0, 2).Draw(t, "damages") {
		pkt[rapid.IntRange(0, min(len(pkt), 130)-1).Draw(t, "at")] ^= 1 << rapid.IntRange(0, 7).Draw(t, "bit")
	}
	if rapid.IntRange(0, 3).Draw(t, "cut") == 0 {
		pkt = pkt[:rapid.IntRange(0, len(pkt)).Draw(t, "length")]
	}
	return pkt, r
}

// A device depends on the window only, and changes nothing that it did not decide to change.
func TestWindowDecides(t *testing.T) {
	for _, f := range formats {
		t.Run(string(f), rapid.MakeCheck(func(t *rapid.T) {
			c := settings(f)
			c.Reserved = f == config.INTHPCC && rapid.Bool().Draw(t, "in place")
			pkt, _ := genPacket(t, f)
			window := map[config.INTFormat]int{config.INTHPCC: 140, config.INTMD: 114, config.INTIFA: 158,
				config.INTIOAM: 330}[f]
			m := inband.Meta{IngressNs: rapid.Uint64().Draw(t, "in"), EgressNs: rapid.Uint64().Draw(t, "out"),
				QlenBytes: rapid.Uint64().Draw(t, "q")}
			a, b := must(inband.New(&c)), must(inband.New(&c))
			out, ev := a.Process(pkt, m)
			head := pkt[:min(len(pkt), window)]
			short, same := b.Process(head, m)
			require.Equal(t, ev, same)
			require.Equal(t, out, append(append([]byte{}, short...), pkt[len(head):]...))
			grown := len(out) - len(pkt)
			if ev.Status != inband.Inserted {
				require.Zero(t, grown)
			} else if !c.Reserved && f != config.INTIOAM {
				require.Equal(t, pkt[ev.At:], out[ev.At+grown:])
			}
		}))
	}
}

// The header that telemetry's own push makes is the one on the wire, whatever checksums do; and checksums stay right.
func TestAgainstPush(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := settings(config.INTHPCC)
		r := fresh(config.INTHPCC)
		r.vlans, r.v6 = rapid.IntRange(0, 4).Draw(t, "vlans"), rapid.Bool().Draw(t, "v6")
		r.hpcc.NHop = rapid.IntRange(0, 4).Draw(t, "nhop")
		r.hpcc.PathID = rapid.Uint16Range(0, 4095).Draw(t, "path")
		r.payload = rapid.IntRange(0, 100).Draw(t, "payload")
		pkt := r.bytes()
		m := inband.Meta{EgressNs: rapid.Uint64().Draw(t, "out"), QlenBytes: rapid.Uint64Range(0, 1<<24).Draw(t, "q")}
		out, ev := must(inband.New(&c)).Process(pkt, m)
		require.Equal(t, inband.Inserted, ev.Status)
		sound(t, out, &r)
		want, err := telemetry.PushHPCC(append([]byte{}, pkt[r.telemetryAt():]...), 0x5a7, telemetry.HPCCHop{
			Rate: 3, TS: uint32(m.EgressNs & 0xffffff), Qlen: uint32(min(m.QlenBytes/80, 65535)),
		})
		require.NoError(t, err)
		require.Equal(t, want, out[r.telemetryAt():])
	})
}

// A UDP checksum that is computed as 0 and sent as ffff.
func TestZeroUDPChecksumIsSentAsOnes(t *testing.T) {
	c := settings(config.INTHPCC)
	r := fresh(config.INTHPCC)
	r.payload = 2
	for v := range 1 << 16 {
		pkt := r.bytes()
		at := len(pkt) - 2
		check := r.l4() + 6
		old := binary.BigEndian.Uint16(pkt[at:])
		binary.BigEndian.PutUint16(pkt[at:], uint16(v))
		s := uint32(^binary.BigEndian.Uint16(pkt[check:])) + uint32(^old) + uint32(v)
		s = s&0xffff + s>>16
		s = s&0xffff + s>>16
		binary.BigEndian.PutUint16(pkt[check:], ^uint16(s))
		if ^uint16(s) == 0 {
			continue
		}
		out, ev := device(t, c).Process(pkt, inband.Meta{})
		require.Equal(t, inband.Inserted, ev.Status)
		if got := binary.BigEndian.Uint16(out[check:]); got == 0xffff {
			sound(t, out, &r)
			return
		} else if got == 0 {
			t.Fatal("0 says that there is no checksum")
		}
	}
	t.Fatal("no value gives ffff")
}

func TestCheckReportsEverything(t *testing.T) {
	c := config.INT{}
	err := inband.Check(&c)
	for _, want := range []string{"ports", "width of time", "queue depths", "unit of queue", "unit of txBytes",
		"stream", "VLAN", "no format"} {
		assert.ErrorContains(t, err, want)
	}
	c = settings(config.INTHPCC)
	c.TxUnit, c.MaxHops, c.VLANTPIDs = 96, 16, []uint16{0x800}
	for _, want := range []string{"power of two", "hops is 16", "0x0800"} {
		assert.ErrorContains(t, inband.Check(&c), want)
	}
	c = settings(config.INTHPCC)
	c.Node = 4096
	_, err = inband.New(&c)
	assert.ErrorContains(t, err, "4095")
}
