package inband

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/inband"
)

func design(f config.INTFormat, bits, ports int) config.INT {
	c := config.INT{
		Name: "int_test", Hash: "0123456789abcdef", Ports: ports, DataBits: bits, Format: f, TimeBits: 48, QlenBits: 32,
		QlenUnit: 80, TxUnit: 128,
		MaxHops: 5, TxBit: 12, Order: config.IOAMByBit, VLANTPIDs: []uint16{0x8100, 0x88a8}, Node: 0x5a7,
		OverheadBytes: 24, Port: make([]config.INTPort, ports),
	}
	switch f {
	case config.INTIFA:
		c.Match, c.Space = 253, 3
	case config.INTIOAM:
		c.Space = 0xbeef
	default:
		c.Match = 4791
	}
	for i := range c.Port {
		c.Port[i] = config.INTPort{Enabled: i != 2, MTU: 9000, RateCode: uint8(i & 15)}
		if i == 1 {
			c.Port[i].MTU = 160
		}
	}
	return c
}

// With nothing in the way a beat leaves in each cycle.
func TestThroughput(t *testing.T) {
	for _, f := range []config.INTFormat{config.INTHPCC, config.INTMD, config.INTIFA, config.INTIOAM} {
		for _, bits := range []int{64, 512} {
			c := design(f, bits, 4)
			target, err := NewTarget(&c, false)
			require.NoError(t, err)
			gen := newTraffic(&c, 1, false)
			model, err := inband.NewClocked(&c, target.Timing)
			require.NoError(t, err)
			var in inband.Inputs
			var out inband.Outputs
			beatsIn, beatsOut := 0, 0
			const cycles = 20_000
			for i := range cycles {
				gen.inputs(&in, &out)
				gen.left, gen.idle, gen.stall = 2, 0, 0
				model.Cycle(&in, &out)
				if i == cycles/2 {
					beatsIn, beatsOut = 0, 0
				}
				if in.Valid && out.Ready {
					beatsIn++
				}
				if out.Valid && in.MReady {
					beatsOut++
				}
			}
			assert.Equal(t, cycles/2, beatsOut, "%s, %d bits: %d beats in", f, bits, beatsIn)
		}
	}
}
