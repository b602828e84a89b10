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

func unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(s, " ", ""))
	require.NoError(t, err)
	return b
}

var (
	sizes  = []telemetry.CSIGSize{telemetry.CSIGCompact, telemetry.CSIGExpanded}
	splits = []telemetry.CSIGSplit{telemetry.CSIGIETF, telemetry.CSIGUEC}
)

// The first two are the wire vectors of a public deployment, after their TPID 0x9900; the others set one field each to
// all ones, in the positions of the drawings of draft section 4.1 and of the SAI specification.
func TestCSIGVectors(t *testing.T) {
	for _, c := range []struct {
		wire  string
		size  telemetry.CSIGSize
		split telemetry.CSIGSplit
		want  telemetry.CSIG
	}{
		{"2b85", telemetry.CSIGCompact, telemetry.CSIGIETF, telemetry.CSIG{Type: 1, Value: 0x17, Locator: 5}},
		{"2842", telemetry.CSIGCompact, telemetry.CSIGIETF, telemetry.CSIG{Type: 1, Value: 0x10, Locator: 0x42}},
		{"e000", telemetry.CSIGCompact, telemetry.CSIGIETF, telemetry.CSIG{Type: 7}},
		{"1000", telemetry.CSIGCompact, telemetry.CSIGIETF, telemetry.CSIG{Reserved: 1}},
		{"0f80", telemetry.CSIGCompact, telemetry.CSIGIETF, telemetry.CSIG{Value: 31}},
		{"007f", telemetry.CSIGCompact, telemetry.CSIGIETF, telemetry.CSIG{Locator: 127}},
		{"007e", telemetry.CSIGCompact, telemetry.CSIGUEC, telemetry.CSIG{Locator: 63}},
		{"0001", telemetry.CSIGCompact, telemetry.CSIGUEC, telemetry.CSIG{Keep: true}},
		{"ffff 00000000", telemetry.CSIGExpanded, telemetry.CSIGIETF, telemetry.CSIG{Locator: 0xffff}},
		{"0000 f0000000", telemetry.CSIGExpanded, telemetry.CSIGIETF, telemetry.CSIG{Type: 15}},
		{"0000 0fffff00", telemetry.CSIGExpanded, telemetry.CSIGIETF, telemetry.CSIG{Value: 0xfffff}},
		{"0000 000000ff", telemetry.CSIGExpanded, telemetry.CSIGIETF, telemetry.CSIG{Reserved: 255}},
		{"fffe 00000000", telemetry.CSIGExpanded, telemetry.CSIGUEC, telemetry.CSIG{Locator: 0x7fff}},
		{"0001 00000000", telemetry.CSIGExpanded, telemetry.CSIGUEC, telemetry.CSIG{Keep: true}},
	} {
		var got telemetry.CSIG
		wire := unhex(t, c.wire)
		n, err := got.Decode(wire, c.size, c.split)
		require.NoError(t, err, c.wire)
		assert.Equal(t, len(wire), n)
		assert.Equal(t, c.want, got, c.wire)
		back, err := c.want.Append(nil, c.size, c.split)
		require.NoError(t, err)
		assert.Equal(t, wire, back, c.wire)
	}
}

// Widths of section 4.1.3: T 3 and 4 bits, S 5 and 20, LM 7 and 16 (5.5.1: MUST be within).
func TestCSIGLayout(t *testing.T) {
	for _, split := range splits {
		for _, size := range sizes {
			l := split.Layout(size)
			assert.Equal(t, 8*size.FieldsLen(), l.Type+l.Value+l.Locator+l.Reserved+l.Keep, "%s %s", size, split)
		}
	}
	assert.Equal(t, telemetry.CSIGLayout{Type: 3, Value: 5, Locator: 7, Reserved: 1},
		telemetry.CSIGIETF.Layout(telemetry.CSIGCompact))
	assert.Equal(t, telemetry.CSIGLayout{Type: 4, Value: 20, Locator: 16, Reserved: 8},
		telemetry.CSIGIETF.Layout(telemetry.CSIGExpanded))
}

// Every compact tag is decoded and encoded back to itself.
func TestCSIGCompactExhaustive(t *testing.T) {
	var buf [2]byte
	for w := range 1 << 16 {
		for _, split := range splits {
			var tag telemetry.CSIG
			_, err := tag.Decode([]byte{byte(w >> 8), byte(w)}, telemetry.CSIGCompact, split)
			require.NoError(t, err)
			back, err := tag.Append(buf[:0], telemetry.CSIGCompact, split)
			require.NoError(t, err)
			if w != int(back[0])<<8|int(back[1]) {
				t.Fatalf("%s: %#04x decodes to %+v, which encodes to %x", split, w, tag, back)
			}
		}
	}
}

func TestCSIGExpandedRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		wire := rapid.SliceOfN(rapid.Byte(), 6, 6).Draw(t, "wire")
		split := rapid.SampledFrom(splits).Draw(t, "split")
		var tag telemetry.CSIG
		_, err := tag.Decode(wire, telemetry.CSIGExpanded, split)
		require.NoError(t, err)
		back, err := tag.Append(nil, telemetry.CSIGExpanded, split)
		require.NoError(t, err)
		assert.Equal(t, wire, back)
	})
}

func TestCSIGErrors(t *testing.T) {
	for _, c := range []struct {
		tag   telemetry.CSIG
		size  telemetry.CSIGSize
		split telemetry.CSIGSplit
		want  string
	}{
		{telemetry.CSIG{Type: 8}, telemetry.CSIGCompact, telemetry.CSIGIETF,
			"compact CSIG fields: byte 0: T is 8, the largest value of its 3 bits is 7"},
		{telemetry.CSIG{Value: 32}, telemetry.CSIGCompact, telemetry.CSIGUEC,
			"compact CSIG fields: byte 0: S is 32, the largest value of its 5 bits is 31"},
		{telemetry.CSIG{Locator: 64}, telemetry.CSIGCompact, telemetry.CSIGUEC,
			"compact CSIG fields: byte 1: LM is 64, the largest value of its 6 bits is 63"},
		{telemetry.CSIG{Reserved: 2}, telemetry.CSIGCompact, telemetry.CSIGUEC,
			"compact CSIG fields: byte 0: R is 2, the largest value of its 1 bits is 1"},
		{telemetry.CSIG{Value: 1 << 20}, telemetry.CSIGExpanded, telemetry.CSIGIETF,
			"expanded CSIG fields: byte 2: S is 1048576, the largest value of its 20 bits is 1048575"},
		{telemetry.CSIG{Keep: true}, telemetry.CSIGExpanded, telemetry.CSIGIETF,
			"expanded CSIG fields: byte 0: the ietf split has no d bit"},
	} {
		b, err := c.tag.Append([]byte{7}, c.size, c.split)
		require.EqualError(t, err, c.want)
		assert.Equal(t, []byte{7}, b, "nothing is appended")
	}
	var tag telemetry.CSIG
	_, err := tag.Decode(make([]byte, 5), telemetry.CSIGExpanded, telemetry.CSIGIETF)
	require.EqualError(t, err, "expanded CSIG fields: byte 5: the data end here, the header takes 6 bytes")
}
