package block_test

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/verify/block"
	"github.com/hdlpkg/hpccgen/verify/cosim"
)

// Faults of the blocks of a folded pipeline are noticed.
func TestFoldedFaults(t *testing.T) {
	device := config.CSIG{Name: "folded", Ports: 4, DataBits: 64, Folded: true, TimeBits: 40, ByteBits: 20,
		RecipBits: 18, RatioBits: 16, QlenBits: 24,
		CompactTPID: 0x88b5, BucketSearch: true, Method: config.CSIGRaw}
	for _, f := range []struct {
		name, module, pattern, replace string
	}{
		{"a window ends a nanosecond late", "meter", `since_end <= since_start - \{10'd0, window\};`,
			`since_end <= since_start - {10'd0, window} - 40'd1;`},
		{"two windows are as one", "meter", `anew <= unseen_q \| ~\(back \| since_next_end\[39\]\);`, `anew <= unseen_q;`},
		{"time goes back", "meter", `back <= since_start\[31\];`, `back <= 1'b0;`},
		{"a window that ended is not seen", "meter", `\(ends \? word\[20:0\] : word\[41:21\]\)`, `word[41:21]`},
		{"the next window begins now", "meter", `now_q - \(since_end & \{40\{~anew\}\}\)`, `now_q`},
		{"saturation dropped", "meter", `value\[19:0\] \| \{20\{value\[20\]\}\}`, `value[19:0]`},
		{"a count does not wait", "meter", `count = \(s_count \| count_waits\) & ~advances`, `count = s_count & ~advances`},
		{"a count goes before", "meter",
			`advances = s_advance \| advance_s1 \| advance_s2 \| advance_s3 \| advance_s4 \| advance_s5`,
			`advances = s_advance | advance_s1 | advance_s2 | advance_s3 | advance_s4`},
		{"clear comes too late for the packet with it", "meter", `port_unseen = seen_forgets \| `, `port_unseen = `},
		{"state kept over a reset", "meter", `seen_q <= 4'd0`, `seen_q <= seen_q`},
		{"a read gets the word of a packet that does not count", "counters",
			`read_hit <= counts & \(write_at == count_addr\)`, `read_hit <= write_at == count_addr`},
		{"a stacked tag counts as its status", "counters", `status_q \| \{4\{second\}\}`, `status_q`},
		{"a stacked tag gets another count", "counters", `\{c_port, c_status\} : \{port_q, 4'd15\}`,
			`{c_port, c_status} : {port_q, status_q}`},
		{"every packet is stacked", "counters", `valid_s1 & stacked_s1`, `valid_s1`},
		{"the last counters are not cleared", "counters", `sweeping_q & ~\(&sweep_addr\)`,
			`sweeping_q & ~(&sweep_addr[5:1])`},
		{"a bound is not reached", "csig_bucketizer", `s_value >= bound`, `s_value > bound`},
		{"the table of another value", "csig_bucketizer", `s_valid \? table_next : table_q`, `table_next`},
		{"the last bucket is not known", "csig_bucketizer", `\(code_q > bound\[4:0\]\) \? bound\[4:0\] : code_q`, `code_q`},
		{"the bound of a bucket that is not there", "csig_bucketizer", `\(w_bound \| \{32\{~w_present\}\}\)`, `w_bound`},
	} {
		t.Run(f.name, func(t *testing.T) {
			o := block.Options{Engine: "icarus", Cycles: 150_000, Seed: 1, Resets: true}
			var u *block.Unit
			switch f.module {
			case "meter":
				d := device
				if f.name == "time goes back" { // windows of a quarter of the time's range: else the windows' ends tell
					d.TimeBits = 32
				}
				u = block.FoldedMeter(f.module, d)
			case "counters":
				u = block.FoldedCounters(f.module, &device)
			default:
				u, o.Resets = block.FoldedBucketizer(f.module, &device), false
			}
			o.Open = cosim.Mutation{Name: f.name, Module: f.module, Pattern: regexp.MustCompile(f.pattern),
				Replace: f.replace}.Open
			err := block.Run([]*block.Unit{u}, o)
			skipWithout(t, err)
			var mismatch *block.Mismatch
			require.ErrorAs(t, err, &mismatch)
			t.Logf("cycle %d: %s%s", mismatch.Cycle, mismatch.Port, mismatch.Rule)
		})
	}
}
