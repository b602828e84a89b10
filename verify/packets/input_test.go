package packets_test

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
	"github.com/gopacket/gopacket/pcapgo"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hdlpkg/hpccgen/verify/packets"
)

// pcapFile is a little-endian pcap file in microseconds with packets of 60 bytes, one a second; edit changes it.
func pcapFile(count int, edit func(b []byte) []byte) []byte {
	var b bytes.Buffer
	w := pcapgo.NewWriter(&b)
	_ = w.WriteFileHeader(65535, layers.LinkTypeEthernet)
	for i := range count {
		data := bytes.Repeat([]byte{byte(i)}, 60)
		_ = w.WritePacket(gopacket.CaptureInfo{Timestamp: time.Unix(100+int64(i), 250_000), CaptureLength: 60,
			Length: 60}, data)
	}
	if edit == nil {
		return b.Bytes()
	}
	return edit(b.Bytes())
}

func ngFile(t testing.TB, link layers.LinkType, infos ...gopacket.CaptureInfo) []byte {
	var b bytes.Buffer
	w, err := pcapgo.NewNgWriter(&b, link)
	require.NoError(t, err)
	for _, info := range infos {
		require.NoError(t, w.WritePacket(info, make([]byte, info.CaptureLength)))
	}
	require.NoError(t, w.Flush())
	return b.Bytes()
}

func put32(at int, v uint32) func([]byte) []byte {
	return func(b []byte) []byte { binary.LittleEndian.PutUint32(b[at:], v); return b }
}

func zipped(t testing.TB, b []byte) []byte {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, err := w.Write(b)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return out.Bytes()
}

func write(t testing.TB, name string, data []byte) string {
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, data, 0o666))
	return path
}

// TestCaptureRefused holds the messages to their wording.
func TestCaptureRefused(t *testing.T) {
	full := gopacket.CaptureInfo{Timestamp: time.Unix(1, 5), CaptureLength: 60, Length: 60}
	short := gopacket.CaptureInfo{Timestamp: time.Unix(1, 5), CaptureLength: 60, Length: 1500}
	late := gopacket.CaptureInfo{Timestamp: time.Unix(1<<32, 0), CaptureLength: 60, Length: 60}
	for _, c := range []struct {
		name string
		data []byte
		want string
	}{
		{"empty", nil, "the file is empty; a pcap or pcapng file is expected"},
		{"no packets", pcapFile(0, nil), "no packets; at least one is expected"},
		{"ng, no packets", ngFile(t, layers.LinkTypeEthernet), "no packets; at least one is expected"},
		{"one byte", []byte{0xd4}, "neither a pcap nor a pcapng file: it begins with d4"},
		{"text", []byte("packet,1\n"), "neither a pcap nor a pcapng file: it begins with 70 61 63 6b"},
		{"header cut", pcapFile(1, func(b []byte) []byte { return b[:20] }),
			"the file ends inside its header: it is truncated"},
		{"version", pcapFile(1, put32(4, 9)), "its header cannot be read: Unknown major version 9"},
		{"link type", pcapFile(1, put32(20, 113)), "its link type is 113; a switch takes Ethernet frames (link type 1)"},
		{"link type of 16 bits", pcapFile(1, put32(20, 0x10001)),
			"its link type is 65537; a switch takes Ethernet frames (link type 1)"},
		{"FCS", pcapFile(1, put32(20, 0x24000001)), "its packets end with an FCS of 4 bytes; take it off (editcap -L -C -4)"},
		{"cut in a header", pcapFile(3, func(b []byte) []byte { return b[:24+2*76+7] }),
			"packet 3: the file ends inside it: it is truncated"},
		{"cut behind a header", pcapFile(3, func(b []byte) []byte { return b[:24+2*76+16] }),
			"packet 3: the file ends inside it: it is truncated"},
		{"cut in the bytes", pcapFile(3, func(b []byte) []byte { return b[:24+2*76+17] }),
			"packet 3: the file ends inside it: it is truncated"},
		{"snapped", pcapFile(2, put32(24+76+12, 1500)),
			"packet 2: only 60 of its 1500 bytes were captured; a switch edits and counts whole packets: capture without a snapshot length"},
		{"no bytes", pcapFile(2, func(b []byte) []byte { return append(b[:24+8], make([]byte, 8)...) }),
			"packet 1: it has no bytes"},
		{"more than there was", pcapFile(1, put32(24+12, 59)),
			"packet 1: cannot be read: capture length exceeds original packet length: 60 > 59"},
		{"beyond limits", pcapFile(1, put32(24+8, 1<<30)),
			"packet 1: cannot be read: capture length exceeds snap length: 1073741824 > 65535"},
		{"gzip, cut", zipped(t, pcapFile(3, nil))[:45],
			"packet 2: cannot be read: the gzip stream ends here: the file is truncated"},
		{"gzip, only the start", zipped(t, pcapFile(3, nil))[:5],
			"not a gzip file, or cut off in its first bytes (unexpected EOF)"},
		{"ng, link type", ngFile(t, layers.LinkTypeNull, full),
			"its link type is 0; a switch takes Ethernet frames (link type 1)"},
		{"ng, snapped", ngFile(t, layers.LinkTypeEthernet, full, short),
			"packet 2: only 60 of its 1500 bytes were captured; a switch edits and counts whole packets: capture without a snapshot length"},
		{"ng, cut", ngFile(t, layers.LinkTypeEthernet, full, full)[:300],
			"packet 2: the file ends inside it: it is truncated"},
		{"ng, late", ngFile(t, layers.LinkTypeEthernet, late),
			"packet 1: its time is 2106-02-07T06:28:16Z; legal are the 2^32 seconds from 1970 on"},
		{"ng, a large block", slices.Concat(ngFile(t, layers.LinkTypeEthernet, full), []byte{6, 0, 0, 0,
			0xfc, 0xff, 0xff, 0xff}), "packet 2: a block of 4294967292 bytes; legal are at most 1048576"},
		{"ng, section cut", ngFile(t, layers.LinkTypeEthernet)[:10],
			"the file ends inside its section header: it is truncated"},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := write(t, "in.pcap", c.data)
			_, err := packets.Load(path, "")
			require.EqualError(t, err, path+": "+c.want)
			assert.ErrorAs(t, err, new(*packets.Error))
		})
	}
}

const metaHeader = "packet,ingress_port,egress_port,ingress_ns,egress_ns,qlen_bytes\n"

func TestMetaRefused(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", "the file is empty; a header line is expected"},
		{"column missing", "packet,ingress_port\n",
			"column egress_port is missing from the header; the columns are packet, ingress_port, egress_port, ingress_ns, egress_ns, qlen_bytes"},
		{"column unknown", strings.Replace(metaHeader, "qlen_bytes", "qlen", 1),
			`unknown column "qlen"; the columns are packet, ingress_port, egress_port, ingress_ns, egress_ns, qlen_bytes`},
		{"column twice", "packet,packet\n", `the header names column "packet" twice`},
		{"row missing", metaHeader + "1,0,0,1,1,0\n3,0,0,1,1,0\n",
			"line 3: packet 2 has no row; each packet of the capture needs one"},
		{"no rows", metaHeader, "packet 1 has no row; each packet of the capture needs one"},
		{"row twice", metaHeader + "1,0,0,1,1,0\n1,0,0,1,1,0\n",
			"line 3, column packet: packet 1 has a row already, further up"},
		{"row twice, waiting", metaHeader + "3,0,0,1,1,0\n3,0,0,1,1,0\n",
			"line 3, column packet: packet 3 is in line 2 already"},
		{"no line end", metaHeader + "1,0,0,1,1,0\n2,0,0,1,1,0\n3,0,0,1,1,0",
			"line 4: the last line has no line end, so that a number in it may be cut; end the line"},
		{"too many", metaHeader + "1,0,0,1,1,0\n2,0,0,1,1,0\n4,0,0,1,1,0\n3,0,0,1,1,0\n",
			"line 4, column packet: there is no packet 4: the capture has 3"},
		{"packet 0", metaHeader + "0,0,0,1,1,0\n", "line 2, column packet: 0; legal are 1 to 9223372036854775807"},
		{"fields missing", metaHeader + "1,0,0,1,1\n", "line 2: the row has 5 fields, the header has 6"},
		{"fields too many", metaHeader + "1,0,0,1,1,0,\n", "line 2: the row has 7 fields, the header has 6"},
		{"not a number", metaHeader + "1,0,0,1,1,0\n2,0,x,1,1,0\n",
			`line 3, column egress_port: "x" is not a whole number of 0 or more`},
		{"negative", metaHeader + "1,-1,0,1,1,0\n",
			`line 2, column ingress_port: "-1" is not a whole number of 0 or more`},
		{"negative packet", metaHeader + "-3,0,0,1,1,0\n",
			`line 2, column packet: "-3" is not a whole number of 1 or more`},
		{"fraction", metaHeader + "1,0,0,1.5,1,0\n",
			`line 2, column ingress_ns: "1.5" is not a whole number of 0 or more`},
		{"port", metaHeader + "1,0,2147483648,1,1,0\n",
			"line 2, column egress_port: 2147483648; legal are 0 to 2147483647"},
		{"time", metaHeader + "1,0,0,1,4294967296000000000,0\n",
			"line 2, column egress_ns: 4294967296000000000; legal are 0 to 4294967295999999999"},
		{"queue", metaHeader + "1,0,0,1,1,18446744073709551616\n",
			"line 2, column qlen_bytes: 18446744073709551616; legal are 0 to 18446744073709551615"},
		{"quote", metaHeader + "1,0,0,1,\"1,0\n", `line 2, column egress_ns: "\"1" is not a whole number of 0 or more`},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := write(t, "meta.csv", []byte(c.text))
			_, err := packets.Load(write(t, "in.pcap", pcapFile(3, nil)), path)
			require.EqualError(t, err, path+": "+c.want)
		})
	}
}

// TestRefusedLeavesNothing shows that no output is begun, and that an old one stays, when something is wrong.
func TestRefusedLeavesNothing(t *testing.T) {
	c := newSwitch(t, nil)
	out := temp(t, "out.pcap")
	for _, old := range []string{"", "as it was"} {
		if old != "" {
			require.NoError(t, os.WriteFile(out, []byte(old), 0o666))
		}
		_, err := packets.Run(c,
			packets.Options{Pcap: write(t, "in.pcap", pcapFile(3, func(b []byte) []byte { return b[:len(b)-1] })), Out: out})
		require.Error(t, err)
		list, err := os.ReadDir(filepath.Dir(out))
		require.NoError(t, err)
		if old == "" {
			assert.Empty(t, list)
			continue
		}
		assert.Len(t, list, 1)
		got, err := os.ReadFile(out)
		require.NoError(t, err)
		assert.Equal(t, old, string(got))
	}
}

// TestLoad reads valid input: both formats, all byte orders and resolutions, columns and rows in any order, and sorts
// by egress.
func TestLoad(t *testing.T) {
	big := pcapFile(2, func(b []byte) []byte {
		for at := 0; at < 24; at += 4 {
			if at != 4 {
				binary.BigEndian.PutUint32(b[at:], binary.LittleEndian.Uint32(b[at:]))
			}
		}
		binary.BigEndian.PutUint16(b[4:], 2)
		binary.BigEndian.PutUint16(b[6:], 4)
		for p := 24; p < len(b); p += 76 {
			for at := p; at < p+16; at += 4 {
				binary.BigEndian.PutUint32(b[at:], binary.LittleEndian.Uint32(b[at:]))
			}
		}
		return b
	})
	nanos := pcapFile(2, put32(0, 0xa1b23c4d))
	info := func(s int64) gopacket.CaptureInfo {
		return gopacket.CaptureInfo{Timestamp: time.Unix(s, 250_000), CaptureLength: 60, Length: 60}
	}
	for _, c := range []struct {
		name string
		data []byte
		ns   uint64 // of the fraction
	}{
		{"pcap", pcapFile(2, nil), 250_000_000 / 1000}, {"big endian", big, 250_000}, {"nanoseconds", nanos, 250},
		{"gzip", zipped(t, pcapFile(2, nil)), 250_000},
		{"pcapng", ngFile(t, layers.LinkTypeEthernet, info(100), info(101)), 250_000},
	} {
		t.Run(c.name, func(t *testing.T) {
			list, err := packets.Load(write(t, "in.pcap", c.data), "")
			require.NoError(t, err)
			require.Len(t, list, 2)
			for i, p := range list {
				ns := (100+uint64(i))*1e9 + c.ns
				assert.Equal(t, packets.Meta{IngressNs: ns, EgressNs: ns}, p.Meta)
				assert.Equal(t, i+1, p.Number)
				assert.Len(t, p.Data, 60)
			}
		})
	}

	meta := "\ufeffegress_ns,packet,ingress_port, egress_port,ingress_ns,qlen_bytes\r\n30,2,1,2,3,4\r\n20,3,9,9,9,9\r\n30,1,0,0,4294967295999999999,18446744073709551615\n\n"
	list, err := packets.Load(write(t, "in.pcap", pcapFile(3, nil)), write(t, "m.csv", []byte(meta)))
	require.NoError(t, err)
	require.Len(t, list, 3)
	assert.Equal(t, []int{3, 1, 2}, []int{list[0].Number, list[1].Number, list[2].Number})
	assert.Equal(t, packets.Meta{IngressPort: 1, EgressPort: 2, IngressNs: 3, EgressNs: 30, QlenBytes: 4}, list[2].Meta)
	assert.Equal(t, packets.Meta{IngressNs: packets.MaxTime, EgressNs: 30, QlenBytes: 1<<64 - 1}, list[1].Meta)

	quoted := `"packet","ingress_port","egress_port","ingress_ns","egress_ns","qlen_bytes"` + "\n" +
		`"1","0","0","1","7","0"` + "\n"
	list, err = packets.Load(write(t, "in.pcap", pcapFile(1, nil)), write(t, "m.csv", []byte(quoted)))
	require.NoError(t, err)
	assert.EqualValues(t, 7, list[0].EgressNs)
}

// TestDamagedCaptures changes and cuts files at random: nothing panics, and every refusal has the file's
// name.
func TestDamagedCaptures(t *testing.T) {
	full := gopacket.CaptureInfo{Timestamp: time.Unix(1, 5), CaptureLength: 60, Length: 60}
	files := [][]byte{pcapFile(3, nil), ngFile(t, layers.LinkTypeEthernet, full, full, full), zipped(t, pcapFile(3, nil))}
	path := temp(t, "in.pcap")
	rapid.Check(t, func(t *rapid.T) {
		b := bytes.Clone(rapid.SampledFrom(files).Draw(t, "file"))
		for range rapid.IntRange(0, 4).Draw(t, "changes") {
			b[rapid.IntRange(0, len(b)-1).Draw(t, "at")] = rapid.Byte().Draw(t, "byte")
		}
		b = b[:rapid.IntRange(0, len(b)).Draw(t, "length")]
		require.NoError(t, os.WriteFile(path, b, 0o666))
		list, err := packets.Load(path, "")
		if err != nil {
			require.True(t, strings.HasPrefix(err.Error(), path+": "), err.Error())
			return
		}
		for _, p := range list {
			require.NotEmpty(t, p.Data)
			require.LessOrEqual(t, p.EgressNs, uint64(packets.MaxTime))
		}
	})
}
