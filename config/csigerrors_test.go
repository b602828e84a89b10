package config

import (
	"math/big"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The figures that docs/csig.md gives, and the formulas of its section Errors in floating arithmetic.
func TestErrorsAt(t *testing.T) {
	float := func(r *big.Rat) float64 { f, _ := r.Float64(); return f }
	e := parseCSIG(t, "design: csig\n").ErrorsAt(100e6)
	assert.Less(t, float(e.ABW), 0.53)
	assert.Less(t, float(e.ABWC), 0.6)
	assert.Less(t, float(e.NQD), 0.51)
	for _, c := range []struct {
		text  string
		meter float64
	}{
		{"", 0},
		{"bandwidth: {method: ewma, time_shift: 17, gap_shift: 4}\nwidths: {fraction: 3}\n",
			100e6/(1<<20) + (17.0/32*8192+2)*8e6/(1<<20)},
		{"bandwidth: {method: dre, tick_shift: 13, decay_shift: 4}\nwidths: {fraction: 5}\n",
			100e6/(1<<20) + (8.5+2)*8e6/(1<<22)},
		{"bandwidth: {method: dre, tick_shift: 20, decay_shift: 1}\n", 100e6/(1<<20) + (1.0625+2)*8e6/(1<<37)},
	} {
		cfg := parseCSIG(t, "design: csig\n"+c.text)
		e, d := cfg.ErrorsAt(100e6), 1/(float64(uint64(1)<<cfg.RecipBits)-1)
		assert.InEpsilon(t, c.meter+1, float(e.Meter)+1, 1e-9)
		assert.InEpsilon(t, 0.5+100e6*d+c.meter*(1+d), float(e.ABW), 1e-9)
		one := float64(uint64(1) << cfg.RatioBits)
		assert.InEpsilon(t, 0.5+one*d+one/100e6*c.meter*(1+d), float(e.ABWC), 1e-9)
		assert.InEpsilon(t, 0.5+10e6*d, float(e.NQD), 1e-9)
	}
}

// What is printed is a bound: never less than the figure, and hardly more.
func TestUpwards(t *testing.T) {
	for _, c := range []struct {
		num, den int64
		want     string
	}{{0, 1, "0"}, {1, 2, "0.500"}, {1, 3, "0.334"}, {2001, 2, "1001"}, {1234, 1000, "1.24"}, {1, 1 << 40,
		"9.10e-13"}, {99999, 1, "99999"}, {100, 1, "100"}, {9999, 100, "100.0"}} {
		assert.Equal(t, c.want, upwards(big.NewRat(c.num, c.den)))
	}
}

func TestErrorRows(t *testing.T) {
	c := parseCSIG(t,
		"design: csig\nports: 4\nport_defaults: {capacity: 25G}\nport_overrides: [{ports: 2, capacity: 100G}]\nwidths: {bytes: 24}\n")
	rows := c.ErrorRows()
	var terms []string
	for _, r := range rows {
		terms = append(terms, r.Term)
		assert.NotEmpty(t, r.Bound)
		assert.NotEmpty(t, r.From)
	}
	assert.Equal(t, []string{"ABW at 25G", "ABW/C at 25G", "ABW at 100G", "ABW/C at 100G", "per-hop delay",
		"queue depth over capacity", "bytes counted"}, terms)
	assert.Equal(t, Row{"bytes counted", "16777215",
		"saturates there: 10.5 times what 100G sends in the 128000 ns measured"}, rows[len(rows)-1])
}

// The figures of the formats' records are those of docs/int.md.
func TestRecordRows(t *testing.T) {
	rows := parseINT(t, "design: int\n").RecordRows()
	require.Len(t, rows, 3)
	assert.Equal(t, Row{"txBytes", "127 B too small, at most",
		"units of 128 B, floor; wraps every 134217728 B, 10.7 ms at 100G"}, rows[0])
	assert.Equal(t, Row{"qLen", "79 B too small, at most", "units of 80 B, floor; saturates at 5242800 B"}, rows[1])
	assert.Equal(t, Row{"timestamp", "exact", "egress time in ns; wraps every 16777216 ns"}, rows[2])
	for format, text := range everyINTKey {
		c := parseINT(t, text)
		all := ""
		for _, r := range c.RecordRows() {
			all += r.Bound + r.From
		}
		assert.Regexp(t, regexp.MustCompile(`wraps every \d+`), all, format)
		assert.Equal(t, format == INTIFA, strings.Contains(all, "residence"))
	}
}
