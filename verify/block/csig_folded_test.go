package block

import (
	"fmt"
	"testing"

	"github.com/hdlpkg/hpccgen/config"
)

// foldedDevices are configurations of folded pipelines that differ in their blocks.
func foldedDevices() (list []*config.CSIG) {
	for _, s := range []struct{ ports, time, bytes int }{{4, 40, 24}, {1, 32, 16}, {9, 64, 40}, {64, 48, 17}} {
		list = append(list, &config.CSIG{
			Name: "folded", Ports: s.ports, DataBits: 64, Folded: true, TimeBits: s.time, ByteBits: s.bytes,
			RecipBits: 18, RatioBits: 16, QlenBits: 24,
			CompactTPID: 0x88b5, BucketSearch: true, Method: config.CSIGRaw,
		})
	}
	return list
}

func foldedUnits() (units []*Unit) {
	for i, c := range foldedDevices() {
		units = append(units, FoldedMeter(fmt.Sprintf("meter%d", i), *c), FoldedCounters(fmt.Sprintf("counters%d", i), c))
	}
	return units
}

// Meter, counters and bucketizer of a folded pipeline do the same as those of the full one, in eight cycles.
func TestFoldedBlocks(t *testing.T) {
	for _, e := range engines {
		t.Run(e, func(t *testing.T) {
			cycles := int64(400_000)
			if e == "go" || testing.Short() {
				cycles = 40_000
			}
			run(t, foldedUnits(), Options{Engine: e, Cycles: cycles, Seed: 1, Resets: true})
			// A table does not survive a reset: the unit would have to write its tables again.
			run(t, []*Unit{FoldedBucketizer("bucketizer", foldedDevices()[0])}, Options{Engine: e, Cycles: cycles, Seed: 1})
		})
	}
}
