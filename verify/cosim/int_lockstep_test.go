package cosim

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/verify/drive"
	"github.com/hdlpkg/hpccgen/verify/engine"
)

func intDesign(f config.INTFormat, bits, ports int) config.INT {
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

// intDesigns has every format with every width, and the ends of all that is configurable.
func intDesigns() []config.INT {
	var list []config.INT
	for _, f := range []config.INTFormat{config.INTHPCC, config.INTMD, config.INTIFA, config.INTIOAM} {
		for i, bits := range []int{64, 128, 256, 512} {
			c := intDesign(f, bits, []int{4, 1, 3, 32}[i])
			list = append(list, c)
		}
		c := intDesign(f, 128, 2)
		c.TimeBits, c.QlenBits, c.QlenUnit, c.TxUnit, c.MaxHops, c.VLANTPIDs = 32, 8, 1, 1, 15, []uint16{0x9100}
		c.Order, c.TxBit, c.AsyncReset = config.IOAMFigure, 21, true
		list = append(list, c)
		c = intDesign(f, 64, 5)
		c.TimeBits, c.QlenBits, c.QlenUnit, c.TxUnit, c.MaxHops, c.AsyncReset = 64, 48, 65535, 65536, 1, true
		list = append(list, c)
		c = intDesign(f, 256, 17)
		c.QlenBits, c.QlenUnit, c.TxUnit, c.MaxHops = 40, 208, 256, 9
		list = append(list, c)
	}
	for i := range 4 {
		c := intDesign(config.INTHPCC, 64<<i, 4)
		c.Reserved = true
		list = append(list, c)
	}
	return list
}

// inserted is the number of packets that left with a record.
func inserted(t *testing.T, rep *Report) (n uint64) {
	t.Helper()
	for _, r := range rep.Coverage {
		if r.Name == "status inserted" {
			n = r.Count
		}
	}
	return n
}

func TestINTDesigns(t *testing.T) {
	for _, e := range []string{"go", "verilator"} {
		for i, c := range intDesigns() {
			t.Run(fmt.Sprintf("%s/%d %s %d", e, i, c.Format, c.DataBits), func(t *testing.T) {
				cycles := int64(20_000)
				if e == "verilator" {
					needs(t, "verilator", "g++")
					if i%6 != 0 {
						t.Skip("every sixth design is compiled")
					}
					cycles = 200_000
				}
				rep := checkINT(t, &c, Options{Engine: e, Cycles: cycles, Seed: uint64(i + 1), NoShrink: true})
				assert.NotZero(t, inserted(t, rep))
			})
		}
	}
}

// Nothing hangs on what registers and memories hold before the first reset.
func TestNothingInAnINTSourceDependsOnPowerUp(t *testing.T) {
	for _, i := range []int{0, 7, 14, 21} {
		c := intDesigns()[i]
		t.Run(fmt.Sprintf("%d %s %d", i, c.Format, c.DataBits), func(t *testing.T) {
			needs(t, "iverilog", "vvp", "verilator", "g++")
			c.Ports = min(c.Ports, 4) // a short sweep
			c.Port = c.Port[:c.Ports]
			for seed := range uint64(4) {
				checkINT(t, &c, Options{Engine: "icarus", Cycles: 1500, Seed: seed, Start: engine.StartUnknown, NoShrink: true})
			}
			rep := checkINT(t, &c, Options{Engine: "verilator", Cycles: 20_000, Seed: 6, Start: engine.StartOnes,
				NoShrink: true})
			assert.NotZero(t, inserted(t, rep))
		})
	}
}

// Each cycle is compared but the first: the last one, those around the ends of batches, odd and even ones.
func TestEachCycleOfAnINTSourceIsCompared(t *testing.T) {
	const batch = drive.BatchCycles
	const cycles = 2*batch + 51
	c := intDesign(config.INTHPCC, 128, 4)
	for _, n := range []int64{1, 2, 500, 501, batch - 2, batch - 1, batch, batch + 1, 2*batch - 1, 2 * batch,
		cycles - 2, cycles - 1} {
		rep, err := RunDesign(&c, Options{Engine: "go", Cycles: cycles, Seed: 3, NoShrink: true,
			Open: openFaulty(func(cycle int64, at map[string]int, out []uint64) {
				if cycle == n {
					out[at["s_axis_tready"]] ^= 1
				}
			})})
		require.NoError(t, err)
		require.NotNil(t, rep.Divergence, "nobody noticed a wrong bit in cycle %d", n)
		assert.Equal(t, n, rep.Divergence.Cycle)
		assert.Equal(t, "s_axis_tready", rep.Divergence.Signal)
	}
}
