package inband

import (
	"errors"
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/inband"
	"github.com/hdlpkg/hpccgen/toolchain"
	"github.com/hdlpkg/hpccgen/verify/engine"
)

func design(f config.INTFormat, bits, ports int) config.INT {
	c := config.INT{
		Name: "int_test", Hash: "0123456789abcdef", Ports: ports, DataBits: bits, Format: f, TimeBits: 48, QlenBits: 32, QlenUnit: 80, TxUnit: 128,
		MaxHops: 5, TxBit: 12, Order: config.IOAMByBit, VLANTPIDs: []uint16{0x8100, 0x88a8}, Node: 0x5a7, OverheadBytes: 24, Port: make([]config.INTPort, ports),
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

// designs has every format with every width, and the ends of all that is configurable.
func designs() []config.INT {
	var list []config.INT
	for _, f := range []config.INTFormat{config.INTHPCC, config.INTMD, config.INTIFA, config.INTIOAM} {
		for i, bits := range []int{64, 128, 256, 512} {
			c := design(f, bits, []int{4, 1, 3, 32}[i])
			list = append(list, c)
		}
		c := design(f, 128, 2)
		c.TimeBits, c.QlenBits, c.QlenUnit, c.TxUnit, c.MaxHops, c.VLANTPIDs = 32, 8, 1, 1, 15, []uint16{0x9100}
		c.Order, c.TxBit, c.AsyncReset = config.IOAMFigure, 21, true
		list = append(list, c)
		c = design(f, 64, 5)
		c.TimeBits, c.QlenBits, c.QlenUnit, c.TxUnit, c.MaxHops, c.AsyncReset = 64, 48, 65535, 65536, 1, true
		list = append(list, c)
		c = design(f, 256, 17)
		c.QlenBits, c.QlenUnit, c.TxUnit, c.MaxHops = 40, 208, 256, 9
		list = append(list, c)
	}
	for i := range 4 {
		c := design(config.INTHPCC, 64<<i, 4)
		c.Reserved = true
		list = append(list, c)
	}
	return list
}

func lockstep(t *testing.T, c config.INT, o Options) *Result {
	t.Helper()
	res, err := Run(&c, o)
	if missing := (toolchain.Missing{}); errors.As(err, &missing) && os.Getenv("CI") != "true" {
		t.Skip(err)
	}
	require.NoError(t, err)
	require.Empty(t, res.Different)
	return res
}

func TestLockstep(t *testing.T) {
	for _, e := range []string{"go", "verilator"} {
		for i, c := range designs() {
			t.Run(fmt.Sprintf("%s/%d %s %d", e, i, c.Format, c.DataBits), func(t *testing.T) {
				cycles := 20_000
				if e == "verilator" {
					if i%6 != 0 {
						t.Skip("every sixth design is compiled")
					}
					cycles = 200_000
				}
				res := lockstep(t, c, Options{Engine: e, Cycles: cycles, Seed: uint64(i + 1), Resets: true})
				assert.NotZero(t, res.Statuses[inband.Inserted])
				t.Logf("%d cycles, %d packets, %v", res.Cycles, res.Packets, res.Statuses)
			})
		}
	}
}

// Nothing hangs on what registers and memories hold before the first reset.
func TestUnknownStart(t *testing.T) {
	for _, i := range []int{0, 7, 14, 21} {
		c := designs()[i]
		t.Run(fmt.Sprintf("%d %s %d", i, c.Format, c.DataBits), func(t *testing.T) {
			c.Ports = min(c.Ports, 4) // a short sweep
			c.Port = c.Port[:c.Ports]
			for seed := range uint64(4) {
				lockstep(t, c, Options{Engine: "icarus", Cycles: 1500, Seed: seed, Start: engine.StartUnknown})
			}
			res := lockstep(t, c, Options{Engine: "verilator", Cycles: 20_000, Seed: 6, Resets: true, Start: engine.StartOnes})
			assert.NotZero(t, res.Statuses[inband.Inserted])
		})
	}
}

// What the model does otherwise is seen: settings of the generator, and every published cycle but Tx, which shows only in the order of reads and counts.
func TestDifferencesAreSeen(t *testing.T) {
	for name, change := range map[string]func(*config.INT, *inband.Timing){
		"qlen unit":      func(c *config.INT, _ *inband.Timing) { c.QlenUnit++ },
		"tx unit":        func(c *config.INT, _ *inband.Timing) { c.TxUnit *= 2 },
		"hops":           func(c *config.INT, _ *inband.Timing) { c.MaxHops-- },
		"reserved":       func(c *config.INT, _ *inband.Timing) { c.Reserved = true },
		"VLAN":           func(c *config.INT, _ *inband.Timing) { c.VLANTPIDs = c.VLANTPIDs[:1] },
		"hash":           func(c *config.INT, _ *inband.Timing) { c.Hash = "0123456789abcdee" },
		"bit of tx":      func(c *config.INT, _ *inband.Timing) { c.TxBit++ },
		"order":          func(c *config.INT, _ *inband.Timing) { c.Order = config.IOAMFigure },
		"lookup":         func(_ *config.INT, x *inband.Timing) { x.Lookup++ },
		"earlier lookup": func(_ *config.INT, x *inband.Timing) { x.Lookup-- },
		"count":          func(_ *config.INT, x *inband.Timing) { x.Count++ },
		"earlier count":  func(_ *config.INT, x *inband.Timing) { x.Count-- },
		"decision":       func(_ *config.INT, x *inband.Timing) { x.Decision++ },
		"credits":        func(_ *config.INT, x *inband.Timing) { x.Credits-- },
		"sweep":          func(_ *config.INT, x *inband.Timing) { x.Sweep++ },
	} {
		t.Run(name, func(t *testing.T) {
			f := config.INTHPCC
			if name == "bit of tx" || name == "order" {
				f = config.INTIOAM
			}
			c := design(f, 128, 4)
			target, err := NewTarget(&c)
			require.NoError(t, err)
			other, timing := c, target.Timing
			change(&other, &timing)
			res, err := target.against(&other, timing, Options{Engine: "go", Cycles: 400_000, Seed: 3}) // it ends with the first difference
			require.NoError(t, err)
			assert.NotEmpty(t, res.Different)
		})
	}
}

// With nothing in the way a beat leaves in each cycle.
func TestThroughput(t *testing.T) {
	for _, f := range []config.INTFormat{config.INTHPCC, config.INTMD, config.INTIFA, config.INTIOAM} {
		for _, bits := range []int{64, 512} {
			c := design(f, bits, 4)
			target, err := NewTarget(&c)
			require.NoError(t, err)
			gen := newTraffic(&c, 1, false)
			model, err := inband.NewClocked(&c, target.Timing)
			require.NoError(t, err)
			var in inband.Inputs
			var out inband.Outputs
			res := &Result{Statuses: map[inband.Status]int{}}
			const cycles = 20_000
			for i := range cycles {
				gen.inputs(&in, &out)
				gen.left, gen.idle, gen.stall = 2, 0, 0
				model.Cycle(&in, &out)
				if i == cycles/2 {
					*res = Result{Statuses: map[inband.Status]int{}}
				}
				res.tally(&in, &out)
			}
			assert.Equal(t, cycles/2, res.BeatsOut, "%s, %d bits: %d beats in", f, bits, res.BeatsIn)
		}
	}
}
