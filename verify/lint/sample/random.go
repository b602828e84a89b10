package sample

import (
	"fmt"
	"math/rand/v2"

	"github.com/hdlpkg/hpccgen/config"
)

// Kinds are the dividers.
var Kinds = []config.DividerKind{config.RestoringSerial, config.RestoringPipelined, config.ReciprocalTable, config.NewtonRaphson}

// Random draws a choice from all that a configuration can say: mostly, not always, a valid one. Small
// sizes and the ends of the ranges come up more often than their share.
func Random(seed uint64) Choice {
	r := rand.New(rand.NewPCG(seed, 0x68706363))
	c := Choice{
		Name:         fmt.Sprintf("random_%d", seed),
		Hops:         1 + r.IntN(8),
		Serial:       r.IntN(3) == 0,
		Flows:        one(r, 2, 3, 5, 7, 8, 31, 32, 33, 100, 1000, 1024, 4096, 2+r.IntN(300)),
		Profiles:     one(r, 1, 2, 4, 8, 16),
		TSBits:       one(r, 12, 16, 24, 32, 48, 10+r.IntN(39)),
		TickNs:       one(r, 1, 1, 1, 8, 10, 100, 1000),
		TxBits:       one(r, 8, 20, 32, 48, 8+r.IntN(41)),
		TxUnit:       one(r, 1, 64, 128, 1000),
		QlenBits:     one(r, 4, 17, 32, 4+r.IntN(29)),
		RateCodeBits: one(r, 1, 2, 3, 4, 4, 5, 6),
		LinkID:       one(r, 0, 0, 1, 7, 16, 32),
		PathID:       one(r, 0, 1, 12, 32),
		Sojourn:      r.IntN(3) == 0,
		Receiver:     r.IntN(3) == 0,
		SeqBits:      one(r, 24, 32),
		StageBits:    1 + r.IntN(8),
		CountBits:    one(r, 8, 16, 32, 64, 8+r.IntN(57)),
		AsyncReset:   r.IntN(3) == 0,
		Rates: one(r, []string{"100G"}, []string{"10G", "25G"}, []string{"1G", "1.6T"}, []string{"25G", "100G", "400G"},
			[]string{"10M", "100M"}, []string{"10G", "40G", "100G", "800G", "3.2T"}),
		WindowMin: one(r, 1, 32, 64, 1500),
		UMin:      one(r, 0.001, 0.004, 0.03, 0.2),
		UMax:      one(r, 7.0, 15, 63, 127),
		MaxError:  one(r, "1e-6", "1e-5", "1e-4", "1e-3", "1e-2", "0.05"),
	}
	c.ClockBits = min(64, c.TSBits+one(r, 1, 2, 8, 1+r.IntN(16)))
	// T must stay below half the range of the timestamps.
	longest := (int64(1)<<(c.TSBits-1) - 1) * int64(c.TickNs)
	c.RTTMaxNs = min(longest, int64(one(r, 2_000, 10_000, 50_000, 100_000, 1_000_000, 1_000_000_000)))
	c.RTTMaxNs = max(c.RTTMaxNs/int64(c.TickNs), 1) * int64(c.TickNs)
	c.RTTMinNs = max(c.RTTMaxNs/int64(one(r, 1, 2, 16, 100))/int64(c.TickNs), 1) * int64(c.TickNs)
	c.HopDivider, c.QuotDiv = randomDivider(r), randomDivider(r)
	return c
}

func randomDivider(r *rand.Rand) Divider {
	d := Divider{Kind: Kinds[r.IntN(len(Kinds))]}
	add := func(format string, v any) { d.Params = append(d.Params, fmt.Sprintf(format, v)) }
	switch d.Kind {
	case config.ReciprocalTable:
		add("eps: %g", one(r, 0.001, 0.004, 0.01, 0.05, 0.25))
		if r.IntN(2) == 0 {
			add("index_bits: %d", 8+r.IntN(9))
		}
		if r.IntN(2) == 0 {
			add("entry_bits: %d", 8+r.IntN(25))
		}
	case config.NewtonRaphson:
		if r.IntN(2) == 0 {
			add("table_bits: %d", 5+r.IntN(6))
		}
		if r.IntN(2) == 0 {
			add("seed_bits: %d", 6+r.IntN(11))
		}
		if r.IntN(2) == 0 {
			add("iterations: %d", 1+r.IntN(2))
		}
		if r.IntN(3) == 0 {
			add("recip_bits: %d", 16+r.IntN(20))
		}
	}
	return d
}

// Valid draws choices, from the seed on, until one is a valid configuration. One in four gives its
// formats itself, instead of the error wanted.
func Valid(seed uint64) (*config.NIC, Choice) {
	for draw := uint64(0); ; draw++ {
		nic, c, err := Random(seed + draw<<32).Resolve()
		if err != nil {
			continue
		}
		if r := rand.New(rand.NewPCG(seed, draw)); r.IntN(4) == 0 {
			other := c
			other.Formats = formatLines(nic.Formats, func() int { return r.IntN(3) })
			if given, other, err := other.Resolve(); err == nil {
				return given, other
			}
		}
		return nic, c
	}
}

func one[T any](r *rand.Rand, list ...T) T { return list[r.IntN(len(list))] }
