package packets_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/telemetry"
)

// TestCases checks the corpus with the walk of package telemetry, which the corpus does not use itself.
func TestCorpusCases(t *testing.T) {
	for _, split := range []telemetry.CSIGSplit{telemetry.CSIGIETF, telemetry.CSIGUEC} {
		o := corpusOptions{Seed: 1, Tags: telemetry.DefaultTags(), Split: split}
		cases, err := corpusCases(o)
		require.NoError(t, err)
		again, err := corpusCases(o)
		require.NoError(t, err)
		assert.Equal(t, cases, again, "equal options give equal packets")

		type place struct {
			vlans, sectag int
			size          telemetry.CSIGSize
		}
		places, types, find, stacked, long := map[place]bool{}, map[telemetry.CSIGSize]int{}, map[telemetry.Find]int{}, 0, 0
		seen := map[[2]int]bool{}
		for _, k := range cases {
			p := o.Tags.Walk(k.Data)
			require.Equal(t, k.Find, p.Find, "%s: %x", k.Name, k.Data)
			require.Equal(t, k.Ambiguous, p.Ambiguous, "%s: %x", k.Name, k.Data)
			find[p.Find]++
			if len(k.Data) > 9600 {
				long++
			}
			if p.Find != telemetry.FindTag {
				continue
			}
			require.Equal(t, k.At, p.Offset, k.Name)
			require.Equal(t, k.Size, p.Size, k.Name)
			require.Equal(t, k.Stacked, p.Stacked, k.Name)
			var tag telemetry.CSIG
			_, err := tag.Decode(k.Data[k.At+2:], k.Size, split)
			require.NoError(t, err)
			require.Equal(t, k.Tag, tag, k.Name)
			places[place{p.VLANs, p.SecTAG, p.Size}] = true
			if !seen[[2]int{int(p.Size), int(tag.Type)}] {
				types[p.Size]++
			}
			seen[[2]int{int(p.Size), int(tag.Type)}] = true
			if p.Stacked {
				stacked++
			}
		}
		// Behind n VLAN tags there may be no SecTAG, or one in any of n + 1 places.
		assert.Len(t, places, 2*(2+3+4+5+6))
		assert.Equal(t, map[telemetry.CSIGSize]int{telemetry.CSIGCompact: 8, telemetry.CSIGExpanded: 16}, types)
		assert.Len(t, find, 5)
		assert.NotZero(t, stacked)
		assert.NotZero(t, long)
	}
}
