package csig_test

import (
	"encoding/binary"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hdlpkg/hpccgen/model/csig"
	"github.com/hdlpkg/hpccgen/telemetry"
)

// Sections 4.1 (always the last tag of layer 2), 4.1.3.1 and 4.3.3 (types in turn), 4.1.3.2 (initial values), 4.1.3.3
// (LM by default).
func TestSender(t *testing.T) {
	for name, before := range placements {
		for _, size := range sizes {
			for _, split := range splits {
				s := csig.Sender{Tags: telemetry.DefaultTags(), Split: split, Size: size, Types: []uint8{0, 1, 2}, Locator: 9}
				largest := uint32(1)<<split.Layout(size).Value - 1
				for i := range 7 {
					in := packet(before, 40)
					out, err := s.Insert(in)
					require.NoError(t, err)
					want := telemetry.CSIG{Type: uint8(i % 3), Value: largest, Locator: 9}
					if want.Type == telemetry.CSIGMaxPD {
						want.Value = 0
					}
					assert.Equal(t, tagged(t, in, want, size, split), out, "%s, packet %d", name, i)
				}
			}
		}
	}
}

// A packet that cannot be tagged does not take a turn.
func TestSenderRefuses(t *testing.T) {
	s := csig.Sender{Tags: telemetry.DefaultTags(), Types: []uint8{2, 0}}
	for _, c := range []struct {
		pkt  []byte
		want string
	}{
		{tagged(t, packet("", 9), telemetry.CSIG{}, telemetry.CSIGExpanded, telemetry.CSIGIETF),
			"csig sender: byte 12: the packet has a tag already"},
		{packet("88e5 0c 00 00000001", 9), "csig sender: byte 12: the packet is encrypted from here on; tag it before"},
		{packet("", 0)[:13], "csig sender: byte 13: the packet ends inside layer 2"},
	} {
		_, err := s.Insert(c.pkt)
		require.EqualError(t, err, c.want)
	}
	out, err := s.Insert(packet("", 9))
	require.NoError(t, err)
	assert.EqualValues(t, 2, tagOf(t, out, telemetry.CSIGIETF).Type)

	for want, bad := range map[string]csig.Sender{
		"csig sender: no signal types to ask for, legal are 0 to 3":                      {Tags: telemetry.DefaultTags()},
		"csig sender: signal type 4 has no initial value, legal are 0 to 3":              {Tags: telemetry.DefaultTags(), Types: []uint8{4}},
		"csig sender: there is no TPID for expanded tags":                                {Tags: telemetry.Tags{Compact: 0x9900}, Size: telemetry.CSIGExpanded, Types: []uint8{0}},
		"compact CSIG fields: byte 1: LM is 128, the largest value of its 7 bits is 127": {Tags: telemetry.DefaultTags(), Types: []uint8{0}, Locator: 128},
		"tags: no TPID for CSIG: give that of compact or of expanded tags, or both":      {},
	} {
		_, err := bad.Insert(packet("", 9))
		require.EqualError(t, err, want)
	}
}

// Sections 4.2 and 4.4.3: with coalesced ACKs the latest fields are reflected, whatever their type; 6.3.2: packets
// without tag are received as well; 6.3.3.1: then the reflection is invalid.
func TestReceiverReflectsLatest(t *testing.T) {
	r := csig.Receiver{Tags: telemetry.DefaultTags()}
	assert.False(t, r.Reflect().Valid)
	for i, size := range []telemetry.CSIGSize{telemetry.CSIGCompact, telemetry.CSIGExpanded, telemetry.CSIGCompact} {
		in := packet("81000064", 30)
		out, tag, ok := r.Receive(tagged(t, in, telemetry.CSIG{Type: uint8(i), Value: uint32(i + 7), Locator: 5}, size,
			telemetry.CSIGIETF))
		require.True(t, ok)
		assert.Equal(t, in, out)
		assert.EqualValues(t, i, tag.Type)
	}
	plain := packet("", 30)
	out, _, ok := r.Receive(plain)
	assert.False(t, ok)
	assertUntouched(t, plain, out)
	assert.Equal(t, csig.Reflection{Valid: true, Fields: telemetry.CSIG{Type: 2, Value: 9, Locator: 5}}, r.Reflect())
	assert.False(t, r.Reflect().Valid, "reflected once")
	cut := tagged(t, packet("", 0), telemetry.CSIG{}, telemetry.CSIGCompact, telemetry.CSIGIETF)[:15]
	out, _, ok = r.Receive(cut)
	assert.False(t, ok)
	assertUntouched(t, cut, out)
}

func anyReflection(t *rapid.T, split telemetry.CSIGSplit) csig.Reflection {
	r := csig.Reflection{Valid: true, Size: rapid.SampledFrom(sizes).Draw(t, "size")}
	_, err := r.Fields.Decode(rapid.SliceOfN(rapid.Byte(), 6, 6).Draw(t, "fields"), r.Size, split)
	require.NoError(t, err)
	return r
}

// Figure 4: the payload field comes back, cut anywhere it is refused.
func TestReflectionField(t *testing.T) {
	b, err := (&csig.Reflection{Valid: true, Fields: telemetry.CSIG{Type: 1, Value: 0x17, Locator: 5}}).AppendField(nil,
		telemetry.CSIGIETF)
	require.NoError(t, err)
	assert.Equal(t, unhex("01 2b85"), b)
	b, err = (&csig.Reflection{Valid: true, Size: telemetry.CSIGExpanded, Fields: telemetry.CSIG{Type: 1, Value: 0x17,
		Locator: 5}}).AppendField(nil, telemetry.CSIGIETF)
	require.NoError(t, err)
	assert.Equal(t, unhex("03 0005 10001700"), b)
	b, err = (&csig.Reflection{}).AppendField(nil, telemetry.CSIGIETF)
	require.NoError(t, err)
	assert.Equal(t, unhex("00 0000"), b)
	rapid.Check(t, func(t *rapid.T) {
		split := rapid.SampledFrom(splits).Draw(t, "split")
		r := anyReflection(t, split)
		r.Valid = rapid.Bool().Draw(t, "valid")
		if !r.Valid {
			r = csig.Reflection{}
		}
		b, err := r.AppendField(nil, split)
		require.NoError(t, err)
		var got csig.Reflection
		n, err := got.DecodeField(append(slices.Clip(b), 0xee), split)
		require.NoError(t, err)
		require.Equal(t, len(b), n)
		require.Equal(t, r, got)
		for n := range b {
			_, err := got.DecodeField(b[:n:n], split)
			var e *telemetry.Error
			require.ErrorAs(t, err, &e)
			require.Equal(t, n, e.Byte)
		}
	})
}

var (
	plainOption = csig.TCPOption{Kind: 0x4d}
	testOption  = csig.TCPOption{Kind: 253, ExID: 0xc516}
)

// Figure 3.
func TestReflectionOption(t *testing.T) {
	r := csig.Reflection{Valid: true, Fields: telemetry.CSIG{Type: 1, Value: 0x17, Locator: 5}}
	b, err := plainOption.Append(nil, r)
	require.NoError(t, err)
	assert.Equal(t, unhex("4d 04 2b85"), b)
	b, err = testOption.Append(nil, r)
	require.NoError(t, err)
	assert.Equal(t, unhex("fd 06 c516 2b85"), b)
	got, err := testOption.Find(append(unhex("01 01 02 04 05b4 fd 06 1234 ffff"), b...))
	require.NoError(t, err)
	assert.Equal(t, r, got, "behind other options, and another user's of the same kind")
	got, err = testOption.Find(append([]byte{0}, b...))
	require.NoError(t, err)
	assert.False(t, got.Valid, "behind the end of the list")
	for options, want := range map[string]string{
		"4d":             "TCP options: byte 0: option of kind 77 has no legal length",
		"01 4d 01":       "TCP options: byte 1: option of kind 77 has no legal length",
		"02 04 00":       "TCP options: byte 0: option of kind 2 has no legal length",
		"4d 05 00 00 00": "CSIG reflection option: byte 1: length 5, want 4 or 8",
	} {
		_, err := plainOption.Find(unhex(options))
		require.EqualError(t, err, want)
	}
	require.EqualError(t, (&csig.TCPOption{Kind: 1}).Check(), "csig reflection: TCP option kind 1, legal are 2 to 254")
	require.EqualError(t, (&csig.TCPOption{Kind: 253}).Check(),
		"csig reflection: TCP option kind 253 with ExID 0x0000: kinds 253 and 254 need one, others have none")
}

// ack is a TCP packet with options, a payload and padding, its checksums right.
func ack(v6 bool, options []byte, payload, padding int) []byte {
	tcp := append(unhex("1f90 c000 00000001 00000002 50 10 ffff 0000 0000"), options...)
	tcp[12] += byte(len(options)/4) << 4
	for i := range payload {
		tcp = append(tcp, byte(i*31+7))
	}
	var ip []byte
	if v6 {
		ip = unhex("60000000 0000 06 40" + "20010db8000000000000000000000001 20010db8000000000000000000000002")
		binary.BigEndian.PutUint16(ip[4:], uint16(len(tcp)))
	} else {
		ip = unhex("4500 0000 0000 4000 40 06 0000 0a000001 0a000002")
		binary.BigEndian.PutUint16(ip[2:], uint16(len(ip)+len(tcp)))
		binary.BigEndian.PutUint16(ip[10:], checksum(ip))
	}
	binary.BigEndian.PutUint16(tcp[16:], checksum(pseudo(ip, tcp, v6)))
	pkt := unhex("020000000001 020000000002 0800")
	if v6 {
		binary.BigEndian.PutUint16(pkt[12:], 0x86dd)
	}
	pkt = append(append(pkt, ip...), tcp...)
	return append(pkt, make([]byte, padding)...)
}

func pseudo(ip, tcp []byte, v6 bool) []byte {
	var p []byte
	if v6 {
		p = append(p, ip[8:40]...)
	} else {
		p = append(p, ip[12:20]...)
	}
	return append(append(p, 0, 6, byte(len(tcp)>>8), byte(len(tcp))), tcp...)
}

// checksum is that of RFC 1071, written another way than the model's: the sum modulo 0xffff.
func checksum(b []byte) uint16 {
	var sum uint64
	for i, v := range b {
		sum += uint64(v) << (8 * (1 - i%2))
	}
	if sum != 0 && sum%0xffff == 0 {
		return 0
	}
	return ^uint16(sum % 0xffff)
}

// The whole way: option inserted into IPv4 and IPv6 ACKs, with and without other options, payload and padding; lengths
// and checksums are right, everything else is what it was, and the sender reads what the receiver wrote, tagged packets
// included.
func TestReflectionInTCP(t *testing.T) {
	tags := telemetry.DefaultTags()
	rapid.Check(t, func(t *rapid.T) {
		v6 := rapid.Bool().Draw(t, "v6")
		option := rapid.SampledFrom([]csig.TCPOption{plainOption, testOption}).Draw(t, "option")
		option.Split = rapid.SampledFrom(splits).Draw(t, "split")
		others := rapid.SampledFrom([]string{"", "01010402", "0101080a0000000100000002"}).Draw(t, "others")
		payload, padding := rapid.IntRange(0, 50).Draw(t, "payload"), rapid.IntRange(0, 9).Draw(t, "padding")
		r := anyReflection(t, option.Split)
		in := ack(v6, unhex(others), payload, padding)
		copied := slices.Clone(in)
		out, err := option.Insert(in, &tags, r)
		require.NoError(t, err)
		require.Equal(t, copied, in)
		got, err := option.Extract(out, &tags)
		require.NoError(t, err)
		require.Equal(t, r, got)

		// It is the packet that a host would have built with the option.
		opt, err := option.Append(nil, r)
		require.NoError(t, err)
		for len(opt)%4 != 0 {
			opt = append(opt, 1)
		}
		require.Equal(t, ack(v6, append(opt, unhex(others)...), payload, padding), out)

		s := csig.Sender{Tags: tags, Size: rapid.SampledFrom(sizes).Draw(t, "tag"), Types: []uint8{0}}
		sent, err := s.Insert(out)
		require.NoError(t, err)
		got, err = option.Extract(sent, &tags)
		require.NoError(t, err)
		require.Equal(t, r, got)

		same, err := option.Insert(in, &tags, csig.Reflection{})
		require.NoError(t, err)
		require.True(t, untouched(in, same))
	})
}

func TestReflectionInTCPRefuses(t *testing.T) {
	tags := telemetry.DefaultTags()
	r := csig.Reflection{Valid: true, Size: telemetry.CSIGExpanded}
	edit := func(at int, b ...byte) []byte {
		p := ack(false, nil, 4, 0)
		copy(p[at:], b)
		return p
	}
	for _, c := range []struct {
		pkt  []byte
		want string
	}{
		{ack(false, slices.Repeat([]byte{1}, 36), 0, 0),
			"csig reflection: byte 34: the TCP header has 56 bytes, 8 more do not fit in 60"},
		{packet("", 0)[:13], "TCP packet: byte 12: layer 2 does not end in an EtherType"},
		{edit(12, 8, 6), "TCP packet: byte 12: neither IPv4 nor IPv6"},
		{edit(20, 0x20), "TCP packet: byte 20: a fragment"},
		{edit(23, 17), "TCP packet: byte 14: the protocol is 17, not TCP"},
		{edit(14, 0x44), "TCP packet: byte 14: the IPv4 header's length is below 5 words"},
		{edit(16, 0xff), "TCP packet: byte 14: the packet's length does not agree with its IP header's"},
		{edit(46, 0x40), "TCP packet: byte 46: the TCP header's length does not fit"},
		{edit(46, 0xf0), "TCP packet: byte 46: the TCP header's length does not fit"},
		{edit(0)[:20], "TCP packet: byte 20: the data end inside the IPv4 header"},
		{ack(true, nil, 0, 0)[:40], "TCP packet: byte 40: the data end inside the IPv6 header"},
	} {
		_, err := plainOption.Insert(c.pkt, &tags, r)
		require.EqualError(t, err, c.want)
	}
}

func FuzzExtract(f *testing.F) {
	f.Add(ack(false, unhex("4d042b85"), 5, 0))
	f.Add(ack(true, unhex("4d080005100017000000"), 0, 3))
	f.Fuzz(func(t *testing.T, pkt []byte) {
		tags := telemetry.DefaultTags()
		if _, err := plainOption.Extract(pkt, &tags); err != nil {
			return
		}
		r := csig.Reflection{Valid: true}
		out, err := plainOption.Insert(pkt, &tags, r)
		if err != nil {
			return
		}
		got, err := plainOption.Extract(out, &tags)
		require.NoError(t, err)
		require.Equal(t, r, got)
	})
}

// A host neither tags an ambiguous packet, nor removes a tag that is not the last.
func TestHostsRefuseAmbiguousPackets(t *testing.T) {
	tags := telemetry.DefaultTags()
	s := csig.Sender{Tags: tags, Types: []uint8{2}}
	_, err := s.Insert(packet("8100 0001 8100 0002 8100 0003 8100 0004 8100 0005", 60))
	require.EqualError(t, err, "csig sender: byte 28: a VLAN tag or a SecTAG more than a device looks behind")
	r := csig.Receiver{Tags: tags}
	in := packet("88b5 4000 88b5 4000", 60)
	out, _, ok := r.Receive(in)
	assert.False(t, ok)
	assertUntouched(t, in, out)
	assert.False(t, r.Reflect().Valid)
}
