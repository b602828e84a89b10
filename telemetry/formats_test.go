package telemetry_test

import (
	"encoding/hex"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hdlpkg/hpccgen/telemetry"
)

func hexOf(s string) []byte {
	b, err := hex.DecodeString(strings.ReplaceAll(s, " ", ""))
	if err != nil {
		panic(err)
	}
	return b
}

// codec is one format with everything bound but the bytes.
type codec struct {
	name   string
	wire   string // a vector with a different value in every field
	decode func(b []byte) (int, error)
	encode func(b []byte) ([]byte, error) // encodes what was decoded last
	same   func(t assert.TestingT)        // compares what was decoded from wire with the fields expected
	strict bool                           // every bit of the wire is a field: any input comes back
}

func codecs() []codec {
	var (
		hpcc  telemetry.HPCC
		sim   telemetry.HPCCSim
		ifa   telemetry.IFA
		meta  telemetry.IFAMeta
		ifah  telemetry.IFAHop
		shim  telemetry.INTShim
		intmd telemetry.INTMD
		inth  telemetry.INTHop
		intn  telemetry.INTHop
		ioam  telemetry.IOAM
		ioamh telemetry.IOAMHop
		ioamf telemetry.IOAMHop
	)
	equal := func(want, got any) func(assert.TestingT) {
		return func(t assert.TestingT) { assert.EqualValues(t, want, deref(got)) }
	}
	return []codec{
		{"HPCC", "2abc 4 123456 789ab cdef 5 000001 00002 0003", hpcc.Decode, hpcc.AppendBinary,
			equal(telemetry.HPCC{PathID: 0xabc, NHop: 2, Hop: [15]telemetry.HPCCHop{
				{Rate: 4, TS: 0x123456, TxBytes: 0x789ab, Qlen: 0xcdef}, {Rate: 5, TS: 1, TxBytes: 2, Qlen: 3},
			}}, &hpcc), true},
		// rate 4, ts 1, tx 1, qlen 1 are bits 2, 3, 27 and 47 of a little-endian word.
		{"HPCC simulator", "0c00000800800000" + strings.Repeat("0", 64) + "0100", sim.Decode, sim.AppendBinary,
			equal(telemetry.HPCCSim{NHop: 1, Hop: [5]telemetry.HPCCHop{{Rate: 4, TS: 1, TxBytes: 1, Qlen: 1}}}, &sim), true},
		{"IFA", "2f 11 1d ff", ifa.Decode, ifa.AppendBinary,
			equal(telemetry.IFA{Version: 2, GNS: 15, NextHeader: 17, Fragmented: true, TailStamp: true, Inband: true,
				Checksum: true, MaxLength: 255}, &ifa), false},
		{"IFA metadata", "a5 40 07 10", meta.Decode, meta.AppendBinary,
			equal(telemetry.IFAMeta{Request: 0xa5, Color: true, HopLimit: 7, CurrentLength: 16}, &meta), false},
		{"IFA hop", "2abcde00 400f1234 11112222 3b9ac9ff 00000400 89abcdef 00004321 00000000", ifah.Decode, ifah.AppendBinary,
			equal(telemetry.IFAHop{LNS: 2, DeviceID: 0xabcde, Speed: 4, RxSec: 0xf1234, EgressPort: 0x1111, IngressPort: 0x2222,
				RxNs: 999999999, Residence: 1024, TxBytes: 0x89abcdef, Qlen: 0x4321}, &ifah), false},
		{"INT shim", "18 0f 005c", shim.Decode, shim.AppendBinary,
			equal(telemetry.INTShim{Type: 1, NPT: 2, Length: 15, Param: 0x5c}, &shim), false},
		{"INT-MD", "2a 00 06 08 d500 1234 5678 9abc", intmd.Decode, intmd.AppendBinary,
			equal(telemetry.INTMD{Discard: true, MTUExceeded: true, HopML: 6, RemainingHops: 8, Instructions: telemetry.INTHPCC,
				Domain: 0x1234, DSInstr: 0x5678, DSFlags: 0x9abc}, &intmd), false},
		{"INT hop", "01020304 00000506 07 08090a 0b0c0d0e0f101112 13141516",
			func(b []byte) (int, error) { return inth.Decode(b, telemetry.INTHPCC) },
			func(b []byte) ([]byte, error) { return inth.AppendBinary(b, telemetry.INTHPCC) },
			equal(telemetry.INTHop{NodeID: 0x01020304, EgressIf: 0x506, QueueID: 7, Occupancy: 0x8090a,
				EgressTS: 0x0b0c0d0e0f101112, TxUtil: 0x13141516}, &inth), false},
		{"INT hop without timestamp", "01020304 00000506 07 08090a 13141516",
			func(b []byte) (int, error) { return intn.Decode(b, telemetry.INTHPCCNoTS) },
			func(b []byte) ([]byte, error) { return intn.AppendBinary(b, telemetry.INTHPCCNoTS) },
			equal(telemetry.INTHop{NodeID: 0x01020304, EgressIf: 0x506, QueueID: 7, Occupancy: 0x8090a,
				TxUtil: 0x13141516}, &intn), false},
		// NodeLen 5, Overflow, RemainingLen 10; trace type 0xd20800 is bits 0, 1, 3, 6 and 12.
		{"IOAM", "1234 2c0a d20800 00", ioam.Decode, ioam.AppendBinary,
			equal(telemetry.IOAM{Namespace: 0x1234, NodeLen: 5, Flags: telemetry.IOAMOverflow, RemainingLen: 10,
				TraceType: 0xd20800}, &ioam), false},
		{"IOAM hop, RFC order", "40 abcdef 0001 0002 00000003 00000004 00000005",
			func(b []byte) (int, error) { return ioamh.Decode(b, telemetry.IOAMByBit) },
			func(b []byte) ([]byte, error) { return ioamh.AppendBinary(b, telemetry.IOAMByBit) },
			equal(telemetry.IOAMHop{HopLimit: 64, NodeID: 0xabcdef, IngressIf: 1, EgressIf: 2, TS: 3, Qlen: 4,
				TxBytes: 5}, &ioamh), true},
		{"IOAM hop, order of the figure", "40 abcdef 0001 0002 00000003 00000004 00000005",
			func(b []byte) (int, error) { return ioamf.Decode(b, telemetry.IOAMFigure) },
			func(b []byte) ([]byte, error) { return ioamf.AppendBinary(b, telemetry.IOAMFigure) },
			equal(telemetry.IOAMHop{HopLimit: 64, NodeID: 0xabcdef, IngressIf: 1, EgressIf: 2, Qlen: 3, TS: 4,
				TxBytes: 5}, &ioamf), true},
	}
}

func deref(p any) any {
	switch v := p.(type) {
	case *telemetry.HPCC:
		return *v
	case *telemetry.HPCCSim:
		return *v
	case *telemetry.IFA:
		return *v
	case *telemetry.IFAMeta:
		return *v
	case *telemetry.IFAHop:
		return *v
	case *telemetry.INTShim:
		return *v
	case *telemetry.INTMD:
		return *v
	case *telemetry.INTHop:
		return *v
	case *telemetry.IOAM:
		return *v
	case *telemetry.IOAMHop:
		return *v
	}
	panic("type of no codec")
}

func TestFormatVectors(t *testing.T) {
	for _, c := range codecs() {
		wire := unhex(t, c.wire)
		n, err := c.decode(append(wire[:len(wire):len(wire)], 0xee))
		require.NoError(t, err, c.name)
		assert.Equal(t, len(wire), n, c.name)
		c.same(t)
		back, err := c.encode([]byte{1})
		require.NoError(t, err, c.name)
		assert.Equal(t, append([]byte{1}, wire...), back, c.name)
	}
}

func TestFormatsTruncatedAnywhere(t *testing.T) {
	for _, c := range codecs() {
		wire := unhex(t, c.wire)
		for n := range wire {
			_, err := c.decode(wire[:n:n])
			var e *telemetry.Error
			require.ErrorAs(t, err, &e, "%s cut to %d bytes", c.name, n)
			assert.Equal(t, n, e.Byte, c.name)
		}
	}
}

// Any input that decodes encodes to something that decodes to the same, and to the input itself where all bits are
// fields.
func TestFormatsRoundTrip(t *testing.T) {
	for _, c := range codecs() {
		size := len(unhex(t, c.wire))
		rapid.Check(t, func(t *rapid.T) {
			wire := rapid.SliceOfN(rapid.Byte(), size, size+8*15).Draw(t, "wire")
			checkRoundTrip(t, &c, wire)
		})
	}
}

func checkRoundTrip(t require.TestingT, c *codec, wire []byte) {
	n, err := c.decode(wire)
	if err != nil {
		return
	}
	back, err := c.encode(nil)
	require.NoError(t, err, c.name)
	require.Len(t, back, n, c.name)
	if c.strict {
		require.Equal(t, wire[:n], back, c.name)
	}
	again, err := c.decode(back)
	require.NoError(t, err, c.name)
	require.Equal(t, n, again, c.name)
	twice, err := c.encode(nil)
	require.NoError(t, err, c.name)
	require.Equal(t, back, twice, c.name)
}

func FuzzFormats(f *testing.F) {
	for i, c := range codecs() {
		f.Add(uint8(i), hexOf(c.wire))
	}
	f.Fuzz(func(t *testing.T, which uint8, wire []byte) {
		all := codecs()
		checkRoundTrip(t, &all[int(which)%len(all)], wire)
	})
}

// Fields that do not fit are named, with their byte and their largest value, and nothing is appended.
func TestFormatsRefuse(t *testing.T) {
	for _, c := range []struct {
		encode func(b []byte) ([]byte, error)
		want   string
	}{
		{(&telemetry.HPCC{NHop: 16}).AppendBinary, "HPCC INT header: byte 0: nHop is 16, legal are 0 to 15"},
		{(&telemetry.HPCC{PathID: 4096}).AppendBinary,
			"HPCC INT header: byte 0: pathID is 4096, the largest value of its 12 bits is 4095"},
		{(&telemetry.HPCC{NHop: 2, Hop: [15]telemetry.HPCCHop{1: {Qlen: 1 << 16}}}).AppendBinary,
			"HPCC INT header: byte 10: qLen is 65536, the largest value of its 16 bits is 65535"},
		{(&telemetry.HPCCSim{Hop: [5]telemetry.HPCCHop{4: {Qlen: 1 << 17}}}).AppendBinary,
			"HPCC simulator's INT header: byte 32: qLen is 131072, the largest value of its 17 bits is 131071"},
		{(&telemetry.HPCCSim{Hop: [5]telemetry.HPCCHop{{Rate: 8}}}).AppendBinary,
			"HPCC simulator's INT header: byte 0: B is 8, the largest value of its 3 bits is 7"},
		{(&telemetry.IFA{Version: 3}).AppendBinary, "IFA header: byte 0: version 3, want 2"},
		{(&telemetry.IFAHop{Speed: 16}).AppendBinary,
			"IFA record of HPCC++: byte 4: Speed is 16, the largest value of its 4 bits is 15"},
		{(&telemetry.INTMD{HopML: 32}).AppendBinary,
			"INT-MD header: byte 2: Hop ML is 32, the largest value of its 5 bits is 31"},
		{func(b []byte) ([]byte, error) { return (&telemetry.INTHop{}).AppendBinary(b, 0x8000) },
			"INT-MD header: byte 4: instruction bitmap 0x8000, that of HPCC++ is 0xd500, or 0xd100 without timestamp"},
		{(&telemetry.IOAM{RemainingLen: 128}).AppendBinary,
			"IOAM trace header: byte 3: RemainingLen is 128, the largest value of its 7 bits is 127"},
		{func(b []byte) ([]byte, error) { return (&telemetry.IOAMHop{NodeID: 1 << 24}).AppendBinary(b, 0) },
			"IOAM record of HPCC++: byte 1: node_id is 16777216, the largest value of its 24 bits is 16777215"},
	} {
		b, err := c.encode([]byte{7})
		require.EqualError(t, err, c.want)
		assert.Equal(t, []byte{7}, b)
	}
	var i telemetry.IFA
	_, err := i.Decode([]byte{0x3f, 0, 0, 0})
	require.EqualError(t, err, "IFA header: byte 0: version 3, want 2")
	var m telemetry.INTMD
	_, err = m.Decode(append([]byte{0x10}, make([]byte, 11)...))
	require.EqualError(t, err, "INT-MD header: byte 0: version 1, want 2")
}

// A path of switches: records in order, pathID the XOR of the IDs, what follows the header moves after the records.
func TestPushHPCC(t *testing.T) {
	b := []byte{0, 0, 0xca, 0xfe}
	var want telemetry.HPCC
	for i := range uint16(telemetry.HPCCMaxHops) {
		hop := telemetry.HPCCHop{Rate: uint8(i), TS: uint32(i) << 10, TxBytes: 7, Qlen: uint32(i)}
		var err error
		b, err = telemetry.PushHPCC(b, 0x800|i, hop)
		require.NoError(t, err)
		want.Hop[i] = hop
		want.NHop++
		want.PathID ^= 0x800 | i
	}
	var got telemetry.HPCC
	n, err := got.Decode(b)
	require.NoError(t, err)
	assert.Equal(t, want, got)
	assert.Equal(t, want.Len(), n)
	assert.Equal(t, []byte{0xca, 0xfe}, b[n:])
	_, err = telemetry.PushHPCC(b, 1, telemetry.HPCCHop{})
	require.EqualError(t, err, "HPCC INT header: byte 0: nHop is 15 already, the largest value of its 4 bits")
	_, err = telemetry.PushHPCC([]byte{0x10, 0, 1}, 1, telemetry.HPCCHop{})
	require.EqualError(t, err, "HPCC INT header: byte 3: the data end here, the header takes 10 bytes")
}

func TestRulesOfHops(t *testing.T) {
	m := telemetry.IFAMeta{HopLimit: 1, CurrentLength: 8}
	assert.False(t, m.Push(15), "no room for 8 more words")
	assert.True(t, m.Push(16))
	assert.Equal(t, telemetry.IFAMeta{HopLimit: 0, CurrentLength: 16}, m)
	assert.False(t, m.Push(255), "hop limit 0")
	m = telemetry.IFAMeta{HopLimit: 255}
	assert.True(t, m.Push(255))
	assert.EqualValues(t, 255, m.HopLimit, "255 switches the limit off")
	m.CurrentLength = 9
	_, err := m.Hops()
	require.EqualError(t, err, "IFA metadata header: byte 3: Current Length is 9 words, want a multiple of the record's 8")

	h := telemetry.INTMD{HopML: 6, RemainingHops: 1}
	assert.False(t, h.Push(23))
	assert.True(t, h.MTUExceeded)
	assert.EqualValues(t, 1, h.RemainingHops, "only a hop that adds takes one")
	assert.True(t, h.Push(24))
	assert.False(t, h.HopsExceeded)
	assert.False(t, h.Push(24))
	assert.True(t, h.HopsExceeded)
	hops, err := h.Hops(3 + 12)
	require.NoError(t, err)
	assert.Equal(t, 2, hops)
	_, err = h.Hops(3 + 11)
	require.EqualError(t, err, "INT shim: byte 1: Length leaves 11 words for the stack, want a multiple of Hop ML, 6")
	_, err = h.Hops(2)
	require.EqualError(t, err, "INT shim: byte 1: Length is 2 words, the INT-MD header alone has 3")

	o := telemetry.IOAM{NodeLen: 5, RemainingLen: 12}
	at, ok := o.Reserve()
	assert.True(t, ok)
	assert.Equal(t, 4*7, at, "the first node writes at the end")
	at, ok = o.Reserve()
	assert.True(t, ok)
	assert.Equal(t, 4*2, at)
	_, ok = o.Reserve()
	assert.False(t, ok)
	assert.Equal(t, telemetry.IOAM{NodeLen: 5, RemainingLen: 2, Flags: telemetry.IOAMOverflow}, o)
	o.RemainingLen = 20
	_, ok = o.Reserve()
	assert.False(t, ok, "Overflow stays")
}

func TestWordsPerHop(t *testing.T) {
	assert.Equal(t, 6, telemetry.INTHopWords(telemetry.INTHPCC))
	assert.Equal(t, 4, telemetry.INTHopWords(telemetry.INTHPCCNoTS))
	assert.Equal(t, 16+3, telemetry.INTHopWords(0xffff))
	typ, err := telemetry.IOAMTraceType(12)
	require.NoError(t, err)
	assert.EqualValues(t, 0xd20800, typ)
	assert.Equal(t, 5, telemetry.IOAMNodeWords(typ))
	assert.Equal(t, 22+3, telemetry.IOAMNodeWords(0xffffff), "opaque state and the reserved bit do not count")
	_, err = telemetry.IOAMTraceType(11)
	require.EqualError(t, err, "IOAM trace header: byte 4: bit 11 for tx_bytes, legal are the undefined bits 12 to 21")
	assert.EqualValues(t, 3_000_001_500, (&telemetry.IFAHop{RxSec: 2, RxNs: 999_999_999, Residence: 1501}).EgressNs())
	assert.EqualValues(t, 0, (&telemetry.IFAHop{RxSec: 1<<20 - 1, RxNs: 999_999_999, Residence: 1}).EgressNs(),
		"wraps with RxSec")
}

func TestNoAllocations(t *testing.T) {
	buf := make([]byte, 0, 256)
	for _, c := range codecs() {
		wire := unhex(t, c.wire)
		assert.Zero(t, testing.AllocsPerRun(20, func() {
			if _, err := c.decode(wire); err != nil {
				panic(err)
			}
			if _, err := c.encode(buf); err != nil {
				panic(err)
			}
		}), c.name)
	}
	tags := telemetry.DefaultTags()
	pkt := hexOf(macs + secSCI + vlanAD + vlanQ + wide + ip)
	assert.Zero(t, testing.AllocsPerRun(20, func() {
		p := tags.Walk(pkt)
		var tag telemetry.CSIG
		if _, err := tag.Decode(pkt[p.Offset+2:], p.Size, telemetry.CSIGUEC); err != nil {
			panic(err)
		}
		if _, err := tag.Append(buf, p.Size, telemetry.CSIGUEC); err != nil {
			panic(err)
		}
	}))
}
