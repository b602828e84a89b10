package packets_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hdlpkg/hpccgen/verify/packets"
)

// TestOrderOfDepartures compares the order in which packets come with that of a stable sort, for rows of any order
// and any egress times.
func TestOrderOfDepartures(t *testing.T) {
	capture, meta := temp(t, "in.pcap"), temp(t, "m.csv")
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 40).Draw(t, "packets")
		require.NoError(t, os.WriteFile(capture, pcapFile(n, nil), 0o666))
		var list []packets.Packet
		var rows []string
		for i := 1; i <= n; i++ {
			at := uint64(rapid.IntRange(0, 20).Draw(t, "egress"))
			list = append(list, packets.Packet{Number: i, Meta: packets.Meta{EgressNs: at}})
			rows = append(rows, fmt.Sprintf("%d,0,0,0,%d,0\n", i, at))
		}
		rows = rapid.Permutation(rows).Draw(t, "rows")
		require.NoError(t, os.WriteFile(meta, []byte(metaHeader+strings.Join(rows, "")), 0o666))
		packets.InOrder(list)
		got, err := packets.Load(capture, meta)
		require.NoError(t, err)
		require.Len(t, got, n)
		for i := range got {
			require.Equal(t, list[i].Number, got[i].Number)
		}
	})
}
