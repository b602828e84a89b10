package fixed_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/hdlpkg/hpccgen/fixed"
)

func TestSI(t *testing.T) {
	for _, c := range []struct {
		v      float64
		unit   string
		digits int
		want   string
	}{
		{0, "B", 4, "0 B"}, {0.25, "B", 4, "0.25 B"}, {999.96, "B", 4, "1 kB"}, {24781.2, "B", 4, "24.78 kB"},
		{95.2661e9, "bit/s", 4, "95.27 Gbit/s"}, {1.6e12, "bit/s", 4, "1.6 Tbit/s"}, {7e15, "bit/s", 4, "7000 Tbit/s"},
		{4160e-9, "s", 4, "4.16 us"}, {0.5e-9, "s", 4, "0.5 ns"}, {12, "s", 4, "12 s"}, {1.0152747, "", 4, "1.015"},
		{-2500, "B", 4, "-2.5 kB"}, {3e-9, "", 3, "3e-09"},
	} {
		assert.Equal(t, c.want, fixed.SI(c.v, c.unit, c.digits))
	}
}

func TestQuantity(t *testing.T) {
	rate := fixed.Quantity{Format: fixed.UQ(12, 20), Unit: "bit/s", Scale: 8e9}
	assert.Equal(t, "100 Gbit/s", rate.Text(12.5*(1<<20), 4))
	u := fixed.Quantity{Format: fixed.UQ(7, 21)}
	assert.Equal(t, "1.015", u.Text(0x207dc1, 4))
	// Neighbours are told apart, whatever digits that takes.
	a, b := u.Pair(0x207dc1, 0x207dc0)
	assert.Equal(t, []string{"1.0153508", "1.0153503"}, []string{a, b})
	a, b = u.Pair(1<<21, 1<<22)
	assert.Equal(t, []string{"1", "2"}, []string{a, b})
}
