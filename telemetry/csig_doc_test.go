package telemetry_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/telemetry"
)

// TestFieldsOfDocument holds the table of fields in docs/csig.md: each field alone, all ones, sets its bits of the
// tag and no others.
func TestFieldsOfDocument(t *testing.T) {
	data, err := os.ReadFile("../docs/csig.md")
	require.NoError(t, err)
	_, page, ok := strings.Cut(string(data), "\n### Fields of a tag\n")
	require.True(t, ok)
	rows := 0
	for _, line := range strings.Split(page, "\n") {
		cells := strings.Split(line, "|")
		if len(cells) != 10 || !strings.Contains(line, "bits") {
			continue
		}
		rows++
		size, split := telemetry.CSIGCompact, telemetry.CSIGIETF
		if strings.Contains(cells[2], "expanded") {
			size = telemetry.CSIGExpanded
		}
		if strings.TrimSpace(cells[1]) == "UEC" {
			split = telemetry.CSIGUEC
		}
		l := split.Layout(size)
		covered := make([]bool, 8*size.Len())
		for i, tag := range []telemetry.CSIG{
			{Type: 1<<l.Type - 1}, {Reserved: uint8(1<<l.Reserved - 1)}, {Value: 1<<l.Value - 1},
			{Locator: uint16(1<<l.Locator - 1)}, {Keep: true},
		} {
			place := strings.TrimSpace(cells[4+i])
			if i == 4 && split == telemetry.CSIGIETF {
				assert.Empty(t, place)
				continue
			}
			var first, last int
			if n, _ := fmt.Sscanf(place, "%d-%d", &first, &last); n == 1 {
				last = first
			}
			b, err := tag.Append(make([]byte, telemetry.CSIGTPIDLen), size, split)
			require.NoError(t, err)
			for bit := range covered {
				set := b[bit/8]>>(7-bit%8)&1 == 1
				assert.Equal(t, bit >= first && bit <= last, set, "%s field %d, bit %d", line, i, bit)
				covered[bit] = covered[bit] || set
			}
		}
		for bit := 16; bit < len(covered); bit++ {
			assert.True(t, covered[bit], "%s bit %d", line, bit)
		}
	}
	assert.Equal(t, 4, rows)
}
