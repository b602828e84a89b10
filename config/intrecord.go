package config

import (
	"fmt"
	"math/big"
	"math/bits"
)

// INTShape is what a format has: widths in bits, sizes in bytes.
type INTShape struct {
	Title                      string // what its packets look like
	Code                       uint32 // in the register FORMAT
	Node, Match, Space         int    // widths of the registers NODE_ID, NODE_MATCH, NODE_SPACE; 0: it has none
	MatchTitle, SpaceTitle     string // what the latter two hold
	Tx, Qlen, Time             int    // widths of txBytes, qLen and the timestamp in records
	RecordBytes, windowWithout int    // windowWithout: what the walk looks at, records aside
}

const udpMatch = "UDP destination port of packets with telemetry"

var intShapes = map[INTFormat]INTShape{
	INTHPCC: {"HPCC's own header (SIGCOMM 2019, Figure 7) behind UDP", 0,
		12, 16, 0, udpMatch, "", 20, 16, 24, 8, 100},
	INTIFA: {"IFA 2.0 in front of UDP or TCP, HPCC++ profile", 1,
		20, 8, 4, "IP protocol of packets with telemetry", "LNS of records", 32, 16, 32, 32, 158},
	INTMD: {"INT-MD of INT v2.1 behind UDP, HPCC++ profile", 2,
		32, 16, 0, udpMatch, "", 32, 24, 64, 24, 114},
	INTIOAM: {"pre-allocated IOAM trace (RFC 9197) in hop-by-hop options of IPv6, HPCC++ profile", 3,
		24, 0, 16, "", "Namespace-ID of traces", 32, 32, 32, 20, 330},
}

// Shape is what the format has.
func (f INTFormat) Shape() INTShape { return intShapes[f] }

// Window is the number of a packet's first bytes that decide whether and where it gets a record (docs/int.md, The
// walk).
func (c *INT) Window() int {
	s := c.Format.Shape()
	if c.Format == INTHPCC {
		return s.windowWithout + s.RecordBytes*c.MaxHops
	}
	return s.windowWithout
}

// RecordRows say what the values in records are good for, for printing: how exact they are, and where they wrap or
// saturate.
func (c *INT) RecordRows() []Row {
	s := c.Format.Shape()
	shift := bits.TrailingZeros(uint(c.TxUnit))
	wraps := new(big.Int).Lsh(big.NewInt(1), uint(s.Tx+shift))
	most := new(big.Int).Lsh(big.NewInt(1), uint(s.Qlen))
	most.Sub(most, big.NewInt(1)).Mul(most, big.NewInt(int64(c.QlenUnit)))
	// wraps bytes take 8000 wraps ns at 1 Mbit/s, and a hundred-thousandth of it at 100G.
	at100G, _ := new(big.Rat).SetFrac(wraps, big.NewInt(12_500_000)).Float64()
	timestamp := Row{"timestamp", "exact", fmt.Sprintf("egress time in ns; wraps every %s ns",
		new(big.Int).Lsh(big.NewInt(1), uint(min(s.Time, c.TimeBits))))}
	if c.Format == INTIFA {
		timestamp.From = "ingress time in s and ns, and residence in ns, which saturates at 4294967295 ns; " +
			"seconds wrap every 1048576 s"
	}
	return []Row{
		{"txBytes", fmt.Sprintf("%d B too small, at most", c.TxUnit-1),
			fmt.Sprintf("units of %d B, floor; wraps every %s B, %.3g ms at 100G", c.TxUnit, wraps, at100G)},
		{"qLen", fmt.Sprintf("%d B too small, at most", c.QlenUnit-1), fmt.Sprintf("units of %d B, floor; saturates at %s B",
			c.QlenUnit, most)},
		timestamp,
	}
}
