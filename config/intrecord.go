package config

import (
	"fmt"
	"math/big"
	"math/bits"
)

// RecordBits are the widths of txBytes, qLen and the timestamp in a format's records.
func (f INTFormat) RecordBits() (tx, qlen, time int) {
	switch f {
	case INTIFA:
		return 32, 16, 32
	case INTMD:
		return 32, 24, 64
	case INTIOAM:
		return 32, 32, 32
	}
	return 20, 16, 24
}

// RecordBytes is the size of a record.
func (f INTFormat) RecordBytes() int {
	switch f {
	case INTIFA:
		return 32
	case INTMD:
		return 24
	case INTIOAM:
		return 20
	}
	return 8
}

// Window is the number of a packet's first bytes that decide whether and where it gets a record (docs/int.md, The walk).
func (c *INT) Window() int {
	switch c.Format {
	case INTIFA:
		return 158
	case INTMD:
		return 114
	case INTIOAM:
		return 330
	}
	return 100 + 8*c.MaxHops
}

// RecordRows say what the values in records are good for, for printing: how exact they are, and where they wrap or saturate.
func (c *INT) RecordRows() []Row {
	tx, qlen, time := c.Format.RecordBits()
	shift := bits.TrailingZeros(uint(c.TxUnit))
	wraps := new(big.Int).Lsh(big.NewInt(1), uint(tx+shift))
	most := new(big.Int).Lsh(big.NewInt(1), uint(qlen))
	most.Sub(most, big.NewInt(1)).Mul(most, big.NewInt(int64(c.QlenUnit)))
	// wraps bytes take 8000 wraps ns at 1 Mbit/s, and a hundred-thousandth of it at 100G.
	at100G, _ := new(big.Rat).SetFrac(wraps, big.NewInt(12_500_000)).Float64()
	timestamp := Row{"timestamp", "exact", fmt.Sprintf("egress time in ns; wraps every %s ns", new(big.Int).Lsh(big.NewInt(1), uint(min(time, c.TimeBits))))}
	if c.Format == INTIFA {
		timestamp.From = "ingress time in s and ns, and residence in ns, which saturates at 4294967295 ns; seconds wrap every 1048576 s"
	}
	return []Row{
		{"txBytes", fmt.Sprintf("%d B too small, at most", c.TxUnit-1), fmt.Sprintf("units of %d B, floor; wraps every %s B, %.3g ms at 100G", c.TxUnit, wraps, at100G)},
		{"qLen", fmt.Sprintf("%d B too small, at most", c.QlenUnit-1), fmt.Sprintf("units of %d B, floor; saturates at %s B", c.QlenUnit, most)},
		timestamp,
	}
}
