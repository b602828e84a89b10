package block_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
	"github.com/hdlpkg/hpccgen/verify/block"
	"github.com/hdlpkg/hpccgen/verify/engine"
)

// Faults of the blocks of a folded pipeline are noticed.
func TestFoldedFaults(t *testing.T) {
	device := config.CSIG{Name: "folded", Ports: 4, DataBits: 64, Folded: true, TimeBits: 40, ByteBits: 20,
		RecipBits: 18, RatioBits: 16, QlenBits: 24,
		CompactTPID: 0x88b5, BucketSearch: true, Method: config.CSIGRaw}
	for _, f := range []vgen.Fault{
		fault("a window ends a nanosecond late", "meter", "since_end", vgen.Off(-1)),
		fault("two windows are as one", "meter", "anew", vgen.Left),
		fault("time goes back", "meter", "back", vgen.StuckAt(0)),
		fault("a window that ended is not seen", "meter", "value", vgen.With("ends", vgen.StuckAt(0))),
		fault("the next window begins now", "meter", "start_next", vgen.Is("now_q")),
		fault("saturation dropped", "meter", "measured", vgen.Left),
		fault("a count does not wait", "meter", "count", vgen.With("count_waits", vgen.StuckAt(0))),
		fault("a count goes before", "meter", "advances", vgen.With("advance_s5", vgen.StuckAt(0))),
		fault("clear comes too late for the packet with it", "meter", "port_unseen",
			vgen.With("seen_forgets", vgen.StuckAt(0))),
		fault("state kept over a reset", "meter", "seen_q.reset", vgen.NoReset),
		fault("a read gets the word of a packet that does not count", "counters", "read_hit",
			vgen.With("counts", vgen.StuckAt(1))),
		fault("a stacked tag counts as its status", "counters", "write_at", vgen.With("second", vgen.StuckAt(0))),
		fault("a stacked tag gets another count", "counters", "read_at",
			vgen.Operand(2, vgen.Made(vgen.Cat, "port_q", "status_q"))),
		fault("every packet is stacked", "counters", "valid_s2", vgen.With("stacked_s1", vgen.StuckAt(1))),
		fault("the last counters are not cleared", "counters", "sweeping_q", vgen.With("sweep_addr", firstBitSet)),
		fault("a bound is not reached", "csig_bucketizer", "reached", vgen.Operator(vgen.Signal.Gt)),
		fault("the table of another value", "csig_bucketizer", "read_at",
			vgen.Operand(0, vgen.Operand(0, vgen.StuckAt(1)))),
		fault("the last bucket is not known", "csig_bucketizer", "m_code", vgen.Is("code_q")),
		fault("the bound of a bucket that is not there", "csig_bucketizer", "word_written",
			vgen.With("w_present", vgen.StuckAt(1))),
	} {
		t.Run(f.Name, func(t *testing.T) {
			o := block.Options{Engine: "icarus", Cycles: 150_000, Seed: 1, Resets: true}
			var u *block.Unit
			switch f.Module {
			case "meter":
				d := device
				if f.Name == "time goes back" { // windows of a quarter of the range: else their ends reveal it
					d.TimeBits = 32
				}
				u = block.FoldedMeter(f.Module, d)
			case "counters":
				u = block.FoldedCounters(f.Module, &device)
			default:
				u, o.Resets = block.FoldedBucketizer(f.Module, &device), false
			}
			o.Open = engine.Faulty([]vgen.Fault{f}, 1)
			err := block.Run([]*block.Unit{u}, o)
			skipWithout(t, err)
			var mismatch *block.Mismatch
			require.ErrorAs(t, err, &mismatch)
			t.Logf("cycle %d: %s%s", mismatch.Cycle, mismatch.Port, mismatch.Rule)
		})
	}
}
