package inband

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// designs is a grid over everything that changes the structure.
func designs() []config.INT {
	var list []config.INT
	base := func(f config.INTFormat, bits int) config.INT {
		return config.INT{
			Name: "int_test", Hash: "0123456789abcdef", Ports: 32, DataBits: bits, Format: f, TimeBits: 48, QlenBits: 32,
			QlenUnit: 80, TxUnit: 128,
			MaxHops: 5, TxBit: 12, Order: config.IOAMByBit, VLANTPIDs: []uint16{0x8100, 0x88a8},
		}
	}
	for _, f := range []config.INTFormat{config.INTHPCC, config.INTMD, config.INTIFA, config.INTIOAM} {
		for _, bits := range []int{64, 128, 256, 512} {
			list = append(list, base(f, bits))
		}
		c := base(f, 128)
		c.Ports, c.TimeBits, c.QlenBits, c.QlenUnit, c.TxUnit, c.MaxHops, c.VLANTPIDs = 1, 32, 8, 1, 1, 15, []uint16{0x9100}
		c.Order, c.TxBit = config.IOAMFigure, 21
		list = append(list, c)
		c.Ports, c.TimeBits, c.QlenBits, c.QlenUnit, c.TxUnit, c.MaxHops, c.AsyncReset = 256, 64, 48, 65535, 65536, 1, true
		list = append(list, c)
	}
	for _, unit := range []int{255, 256, 512, 65535} { // the last three are more than any queue
		c := base(config.INTHPCC, 64)
		c.QlenBits, c.QlenUnit = 8, unit
		list = append(list, c)
	}
	for i := range 3 {
		c := base(config.INTHPCC, 64<<i)
		c.Reserved = true
		list = append(list, c)
	}
	return list
}

func TestBuild(t *testing.T) {
	for i, c := range designs() {
		t.Run(fmt.Sprintf("%d %s %d", i, c.Format, c.DataBits), func(t *testing.T) {
			s, err := Build(&c)
			require.NoError(t, err)
			_, err = vgen.Emit(s.Top, vgen.EmitOptions{Tool: "test"})
			require.NoError(t, err)
			if testing.Verbose() {
				t.Logf("%+v", s.Timing)
			}
		})
	}
}
