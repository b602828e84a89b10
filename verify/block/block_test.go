package block

import (
	"errors"
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/internal/toolchain"
	"github.com/hdlpkg/hpccgen/rtlgen/lib"
)

// engines are the engines that run the blocks.
var engines = []string{"go", "verilator"}

// run runs units on an engine. A missing tool skips, and fails in CI.
func run(t *testing.T, units []*Unit, o Options) {
	t.Helper()
	err := Run(units, o)
	var missing toolchain.Missing
	if errors.As(err, &missing) && os.Getenv("CI") != "true" {
		t.Skipf("skipped: %v", err)
	}
	require.NoError(t, err)
}

// small are blocks for which all operands are tried, once.
func small(t *testing.T) (units []*Unit, cycles int64) {
	for _, d := range smallDividers() {
		u, err := d.Unit(true)
		require.NoError(t, err)
		units = append(units, u)
	}
	units = append(units,
		EWMA("small_average", 4, 3, lib.Square(2), true),
		EWMA("small_average_whole", 3, 1, lib.Square(3), true),
		CompareTree("small_max2", 2, 4, true),
		CompareTree("small_max3", 3, 3, true),
		CompareTree("small_max4", 4, 2, true),
		CompareTree("small_max5", 5, 2, true),
		SerialMultiplier("small_serial", 4, 3, 4, 0, true), SerialMultiplier("small_serial_one", 1, 3, 1, 2, true),
		SerialMultiplier("small_serial_half", 4, 3, 9, 3, true), SerialMultiplier("small_serial_low", 4, 3, 4, 6, true),
		SerialMultiplier("small_serial_top", 4, 3, 4, 7, true), SerialMultiplier("small_serial_none", 3, 3, 3, 8, true),
		SerialMultiplier("small_radix", 5, 3, 2, 2, true), SerialMultiplier("small_radix_low", 5, 2, 3, 5, true),
		SerialMultiplier("small_radix_one", 3, 4, 1, 1, true),
		MultiplyAdd("small_muladd", 4, 3, 4, 2, lib.Square(2), true),
		MultiplyAdd("small_muladd_whole", 3, 3, 5, 0, lib.Square(3), true),
		MultiplyAdd("small_muladd_all", 3, 2, 3, 5, lib.Square(2), true),
		MultiplyAdd("small_muladd_turned", 3, 5, 4, 2, lib.Limbs{A: 4, B: 2}, true),
		MultiplyAdd("small_muladd_none", 3, 2, 3, 6, lib.Square(2), true),
	)
	return units, 60_000
}

// large are blocks of the sizes that engines have.
func large(t *testing.T) []*Unit {
	var units []*Unit
	add := func(d DividerCase) {
		u, err := d.Unit(false)
		require.NoError(t, err)
		units = append(units, u)
	}
	for _, d := range largeDividers(t) {
		add(d)
	}
	for _, d := range wideTables() {
		add(d)
	}
	return append(units,
		EWMA("average_31", 31, 30, lib.Square(18), false),
		EWMA("average_20", 20, 13, lib.Square(16), false),
		EWMA("average_signed", 31, 30, lib.Limbs{A: 24, B: 17}, false),
		EWMA("average_64", 64, 40, lib.Square(18), false),
		CompareTree("max_1", 1, 9, false),
		CompareTree("max_5", 5, 31, false),
		CompareTree("max_8", 8, 25, false),
		StageCounter("stage_1", 1), StageCounter("stage_3", 3), StageCounter("stage_4", 4),
		SerialMultiplier("serial_29", 26, 29, 40, 20, false), SerialMultiplier("serial_queue", 17, 22, 5, 4, false),
		SerialMultiplier("serial_64", 64, 60, 64, 31, false),
		MultiplyAdd("muladd_queue", 17, 34, 31, 12, lib.Square(18), false),
		MultiplyAdd("muladd_signed", 17, 34, 31, 12, lib.Limbs{A: 26, B: 17}, false),
		MultiplyAdd("muladd_window", 36, 32, 36, 24, lib.Square(18), false),
		MultiplyAdd("muladd_wide", 64, 63, 64, 60, lib.Square(18), false),
		// Variants of one module each, side by side.
		DelayLine("delay_2", 2, 5), DelayLine("delay_3", 3, 64), DelayLine("delay_5", 5, 100), DelayLine("delay_16", 16, 7),
		DelayLine("delay_33", 33, 1), FastDelayLine("fast_delay_4", 4, 70), FastDelayLine("fast_delay_5", 5, 1),
		FastDelayLine("fast_delay_17", 17, 2), FastDelayLine("fast_delay_35", 35, 9),
		Slice("skid_1", lib.SkidBuffer(1), 2),
		Slice("skid_64", lib.SkidBuffer(64), 2),
		Slice("skid_100", lib.SkidBuffer(100), 2),
		Slice("hold_24", lib.HoldBuffer(24), 1),
		Slice("hold_128", lib.HoldBuffer(128), 1),
		CreditFIFO("fifo_2", lib.CreditFIFO(2, 16), 2),
		CreditFIFO("fifo_4", lib.CreditFIFO(4, 1), 4),
		CreditFIFO("fifo_8", lib.CreditFIFO(8, 70), 8),
		CreditFIFO("fifo_128", lib.CreditFIFO(128, 32), 128),
	)
}

// wideTables are dividers whose table has the widest rows: both reciprocals and the offset have more than 64 bits
// together.
func wideTables() (list []DividerCase) {
	for i, k := range []config.Divider{
		{Eps: 0.1, IndexBits: 11, EntryBits: 28}, {Eps: 0.1, IndexBits: 14, EntryBits: 26},
		{Eps: 0.25, IndexBits: 8, EntryBits: 29},
		{Eps: 0.004, IndexBits: 11, EntryBits: 30}, {Eps: 0.0005, IndexBits: 11, EntryBits: 31},
		{Eps: 0.25, IndexBits: 16, EntryBits: 32},
	} {
		k.Kind = config.ReciprocalTable
		shape := lib.DividerShape{NumBits: 40, DenBits: 23, QuotBits: 30, Shift: 4}
		list = append(list, DividerCase{Name: fmt.Sprintf("wide_table%d", i), Config: k, Limbs: lib.Square(18), Shape: shape})
	}
	return list
}

// largeDividers are those of the presets, and each kind in the shapes of the default preset.
func largeDividers(t *testing.T) []DividerCase {
	var list []DividerCase
	for _, p := range config.PresetsOf(config.KindNIC) {
		c, err := config.Load(p.Name)
		require.NoError(t, err)
		list = append(list, nicDividers(c)...)
	}
	c, err := config.Load("nic-line")
	require.NoError(t, err)
	for _, k := range []struct {
		name string
		config.Divider
	}{
		{"serial", config.Divider{Kind: config.RestoringSerial}},
		{"newton", config.Divider{Kind: config.NewtonRaphson, TableBits: 7, SeedBits: 9, Iterations: 2, RecipBits: 30}},
		{"newton1", config.Divider{Kind: config.NewtonRaphson, TableBits: 8, SeedBits: 10, Iterations: 1, RecipBits: 24}},
		{"coarse", config.Divider{Kind: config.ReciprocalTable, Eps: 0.05, IndexBits: 8, EntryBits: 12}},
	} {
		for _, d := range nicDividers(c) {
			d.Name, d.Config = k.name+d.Name[len(c.Name):], k.Divider
			list = append(list, d)
		}
	}
	return list
}

func TestSmallBlocksExhaustively(t *testing.T) {
	for _, e := range engines {
		t.Run(e, func(t *testing.T) {
			units, cycles := small(t)
			run(t, units, Options{Engine: e, Cycles: cycles, Seed: 1})
			for _, u := range units {
				assert.True(t, u.Finished(), "%s: not every operand was tried", u.Name)
			}
			t.Logf("%d blocks, every operand, %d cycles", len(units), cycles)
		})
	}
}

func TestLargeBlocks(t *testing.T) {
	for _, e := range engines {
		t.Run(e, func(t *testing.T) {
			cycles := int64(100_000)
			if e == "go" || testing.Short() {
				cycles = 20_000
			}
			units := large(t)
			run(t, units, Options{Engine: e, Cycles: cycles, Seed: 1, Resets: true})
			t.Logf("%d blocks, %d cycles", len(units), cycles)
		})
	}
}
