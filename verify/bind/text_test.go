package bind_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/hdlpkg/hpccgen/fixed"
	"github.com/hdlpkg/hpccgen/verify/bind"
)

// A record is told with engineering units beside the numbers that have some.
func TestText(t *testing.T) {
	of := struct {
		Flow uint32
		W    uint64
		Hop  [2]struct{ Qlen uint32 }
	}{Flow: 7, W: 0x739f2e}
	of.Hop[1].Qlen = 132
	assert.Equal(t, "flow 7 w 0x739f2e hop1_qlen 132", bind.Text(&of, nil))
	units := bind.Units(func(field string) (q fixed.Quantity, ok bool) {
		switch field {
		case "w":
			return fixed.Quantity{Format: fixed.UQ(24, 9), Unit: "B"}, true
		case "hop1_qlen":
			return fixed.Quantity{Unit: "B", Scale: 80}, true
		}
		return q, false
	})
	assert.Equal(t, "flow 7 w 0x739f2e (14.8 kB) hop1_qlen 132 (10.56 kB)", bind.Text(&of, units))
	a, b := units.Pair("w", 0x739f2e, 0x739f2f)
	assert.Equal(t, []string{"14.7995898 kB", "14.7995918 kB"}, []string{a, b})
	a, _ = units.Pair("flow", 1, 2)
	assert.Empty(t, a)
}
