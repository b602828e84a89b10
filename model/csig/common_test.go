package csig_test

import (
	"encoding/binary"
	"encoding/hex"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/model/csig"
	"github.com/hdlpkg/hpccgen/telemetry"
)

var (
	sizes  = []telemetry.CSIGSize{telemetry.CSIGCompact, telemetry.CSIGExpanded}
	splits = []telemetry.CSIGSplit{telemetry.CSIGIETF, telemetry.CSIGUEC}
)

// placements are the headers of draft section 4.1 before the tag.
var placements = map[string]string{
	"ARPA":             "",
	"802.1q":           "81000064",
	"802.1ad":          "88a800c8 81000064",
	"802.1ad tunnel":   "88a800c8 88a800c9 81000064 81000065",
	"802.1ae":          "88e5 00 00 00000001 81000064",
	"802.1ae, SCI":     "88e5 20 00 00000001 0200000000020001 81000064",
	"tunnel and SCI":   "88e5 20 00 00000001 0200000000020001 88a800c8 88a800c9 81000064 81000065",
	"802.1ae, no VLAN": "88e5 00 00 00000001",
}

func unhex(s string) []byte {
	b, err := hex.DecodeString(strings.ReplaceAll(s, " ", ""))
	if err != nil {
		panic(err)
	}
	return b
}

// packet is an untagged packet with some layer 2 tags and a payload of so many bytes.
func packet(before string, payload int) []byte {
	pkt := unhex("020000000001 020000000002" + before + "0800")
	for i := range payload {
		pkt = append(pkt, byte(i*37+11))
	}
	return pkt
}

// tagged puts a tag into a packet at the end of layer 2.
func tagged(t testing.TB, pkt []byte, tag telemetry.CSIG, size telemetry.CSIGSize, split telemetry.CSIGSplit) []byte {
	t.Helper()
	tags := telemetry.DefaultTags()
	at := tags.Walk(pkt)
	require.Equal(t, telemetry.FindNone, at.Find)
	out := append([]byte{}, pkt[:at.Offset]...)
	out = binary.BigEndian.AppendUint16(out, tags.TPID(size))
	out, err := tag.Append(out, size, split)
	require.NoError(t, err)
	return append(out, pkt[at.Offset:]...)
}

func tagOf(t assert.TestingT, pkt []byte, split telemetry.CSIGSplit) telemetry.CSIG {
	tags := telemetry.DefaultTags()
	at := tags.Walk(pkt)
	if !assert.Equal(t, telemetry.FindTag, at.Find) {
		return telemetry.CSIG{}
	}
	var tag telemetry.CSIG
	_, err := tag.Decode(pkt[at.Offset+2:], at.Size, split)
	assert.NoError(t, err)
	return tag
}

func newDevice(t testing.TB, cfg csig.Config) *csig.Device {
	t.Helper()
	d, err := csig.New(cfg)
	require.NoError(t, err)
	return d
}
