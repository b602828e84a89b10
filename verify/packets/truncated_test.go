package packets_test

import (
	"encoding/binary"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/verify/packets"
)

// ngBlock is a little-endian pcapng block of a type that no packet needs.
func ngBlock(kind uint32, body int) []byte {
	b := make([]byte, 12+body)
	binary.LittleEndian.PutUint32(b, kind)
	binary.LittleEndian.PutUint32(b[4:], uint32(len(b)))
	binary.LittleEndian.PutUint32(b[8+body:], uint32(len(b)))
	return b
}

// blockEnds are the end offsets of the blocks of a little-endian pcapng file, and the number of packets before each.
func blockEnds(b []byte) map[int]int {
	ends, count := map[int]int{}, 0
	for at := 0; at < len(b); {
		if binary.LittleEndian.Uint32(b[at:]) == 6 {
			count++
		}
		at += int(binary.LittleEndian.Uint32(b[at+4:]))
		ends[at] = count
	}
	return ends
}

// TestTruncatedCaptures cuts small files after each of their bytes. The rest is refused, or where it is whole by
// its format gives exactly the packets before the cut.
func TestTruncatedCaptures(t *testing.T) {
	var infos []gopacket.CaptureInfo
	for i, n := range []int{60, 61, 62, 90} {
		infos = append(infos, gopacket.CaptureInfo{Timestamp: time.Unix(int64(i), 5), CaptureLength: n, Length: n})
	}
	ng := ngFile(t, layers.LinkTypeEthernet, infos...)
	const names, statistics, custom = 4, 5, 0xbad
	ng = slices.Concat(ng, ngBlock(statistics, 40), ngBlock(names, 8), ngFile(t, layers.LinkTypeEthernet,
		infos[:2]...), ngBlock(custom, 12))
	sized := ngFile(t, layers.LinkTypeEthernet, infos...)
	header := binary.LittleEndian.Uint32(sized[4:])
	binary.LittleEndian.PutUint64(sized[16:], uint64(len(sized))-uint64(header))
	plain := pcapFile(4, nil)
	ends := map[int]int{}
	for n := range 5 {
		ends[24+76*n] = n
	}
	for _, c := range []struct {
		name string
		data []byte
		ends map[int]int // lengths at which the file is whole, and its packets
	}{
		{"pcap", plain, ends},
		{"pcapng", ng, blockEnds(ng)},
		{"pcapng with the length of its section", sized, map[int]int{len(sized): 4}},
		{"pcap.gz", zipped(t, plain), nil},
		{"pcapng.gz", zipped(t, ng), nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := temp(t, "in.pcap")
			for cut := range len(c.data) + 1 {
				require.NoError(t, os.WriteFile(path, c.data[:cut], 0o666))
				list, err := packets.Load(path, "")
				count, whole := c.ends[cut]
				if c.ends == nil && cut == len(c.data) {
					count, whole = len(list), true
				}
				if !whole || count == 0 {
					require.ErrorAs(t, err, new(*packets.Error), "cut after %d of %d bytes", cut, len(c.data))
					continue
				}
				require.NoError(t, err, "cut after %d of %d bytes", cut, len(c.data))
				require.Len(t, list, count, "cut after %d of %d bytes", cut, len(c.data))
			}
			all, err := packets.Load(path, "")
			require.NoError(t, err)
			require.NotEmpty(t, all)
		})
	}
}

// TestWindow shows that packets that lie further apart in the capture than the window goes are refused, and that the
// window can be widened.
func TestWindow(t *testing.T) {
	const count = 100
	capture := write(t, "in.pcap", pcapFile(count, nil))
	last := metaHeader // the last packet leaves first
	for i := 1; i <= count; i++ {
		last += fmt.Sprintf("%d,0,0,0,%d,0\n", i, i%count)
	}
	meta := write(t, "m.csv", []byte(last))
	o := packets.Options{Pcap: capture, Meta: meta, Out: temp(t, "out.pcap"), Window: 20 * (60 + 128)}
	_, err := packets.Run(newSwitch(t, nil), o)
	require.EqualError(t, err,
		capture+": packet 100: it leaves at 0 ns, before packet 79 at 79 ns, but comes more than 0 MiB of packets behind it; "+
			"bring the capture into the order in which the packets leave, or widen the window (--window)")
	o.Window *= 6
	rep, err := packets.Run(newSwitch(t, nil), o)
	require.NoError(t, err)
	require.Equal(t, count, rep.Packets)
	list, err := packets.Load(o.Out, "")
	require.NoError(t, err)
	require.Len(t, list, count)
	require.EqualValues(t, 0, list[0].EgressNs)
	require.Equal(t, byte(99), list[0].Data[0])
}

// TestOutputOfDocument holds the layout of the output in docs/replay.md: the header that it shows, and four words
// before each packet.
func TestOutputOfDocument(t *testing.T) {
	data, err := os.ReadFile("../../docs/replay.md")
	require.NoError(t, err)
	b, err := packets.FormatCapture([]packets.Packet{{Meta: packets.Meta{EgressNs: 7_000_000_009}}},
		[]packets.Result{{Data: []byte{1, 2, 3}}})
	require.NoError(t, err)
	require.Len(t, b, 24+16+3)
	var shown []string
	for at := 0; at < 24; at += 4 {
		shown = append(shown, fmt.Sprintf("% x", b[at:at+4]))
	}
	require.Contains(t, string(data), "\n    "+strings.Join(shown, "  ")+"\n")
	for i, want := range []uint32{7, 9, 3, 3} {
		require.Equal(t, want, binary.LittleEndian.Uint32(b[24+4*i:]))
	}
	require.Equal(t, []byte{1, 2, 3}, b[40:])
}
