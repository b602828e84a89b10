package config

import (
	"fmt"
	"math/big"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// everyCSIGKey is a file that gives each key a value of its own.
const everyCSIGKey = `design: csig
name: every
module_prefix: p_
reset: async_low
ports: 6
stream_bits: 128
depth: shallow
multiplier: 26x17
widths: {time: 41, bytes: 33, fraction: 7, reciprocal: 29, ratio: 22, queue: 31}
tags: {split: uec, compact: 0x9900, expanded: 0xccdd, vlan: [0x8100, 0x88a8, 0x9100], decrypted: true}
bandwidth: {method: ewma, time_shift: 18, gap_shift: 9, overhead: 20B}
bucketizer: search
buckets:
  min_abw: [0, 40M, 80M, 0.4G, 1.6T]
  min_abwc: [0%, 0.1%, 50%, 50%, 100%]
  max_delay: none
  max_queue: [0ns, 1us, 0.5ms]
quantizers:
  min_abw: {base: 1M, step: 3k}
  min_abwc: {base: 10%, step: 0.01%}
  max_delay: {step: none}
  max_queue: {base: 100ns, step: 7ns}
port_defaults:
  capacity: 25G
  trusted: false
  actions: {min_abw: strip, min_abwc: pass, max_delay: update, max_queue: strip, others: strip}
  locator: {compact: 5, expanded: [1, 2, port, low_bits]}
port_overrides:
  - {ports: 2-4, capacity: 400G, trusted: true}
  - ports: 3
    actions: {min_abw: update, others: pass}
    locator: {compact: port}
`

func parseCSIG(t testing.TB, text string) *CSIG {
	t.Helper()
	d, err := ParseDesign("f.yaml", []byte(text))
	require.NoError(t, err)
	return d.(*CSIG)
}

func TestEveryCSIGKey(t *testing.T) {
	c := parseCSIG(t, everyCSIGKey)
	want := &CSIG{
		Name: "every", Prefix: "p_", AsyncReset: true, Ports: 6, DataBits: 128, Multiplier: "26x17",
		TimeBits: 41, ByteBits: 33, FracBits: 7, RecipBits: 29, RatioBits: 22, QlenBits: 31,
		UEC: true, CompactTPID: 0x9900, ExpandedTPID: 0xccdd, VLANTPIDs: []uint16{0x8100, 0x88a8, 0x9100}, Decrypted: true,
		Method: CSIGEWMA, TimeShift: 18, GapShift: 9, OverheadBytes: 20, BucketSearch: true,
		Bounds: [CSIGTypes][]uint64{
			{0, 40_000, 80_000, 400_000, 1_600_000_000},
			{0, 4195, 1 << 21, 1 << 21, 1 << 22}, // 0.1% is 4194.304, rounded up
			nil,
			{0, 1000, 500_000},
		},
		Quantizer: [CSIGTypes]CSIGQuantizer{{1000, 3}, {419431, 420}, {}, {100, 7}},
	}
	others := func(v CSIGAction) (a [CSIGTagTypes]CSIGAction) {
		for t := CSIGTypes; t < CSIGTagTypes; t++ {
			a[t] = v
		}
		return a
	}
	for i := range 6 {
		p := CSIGPort{CapacityKbps: 25_000_000, Actions: others(CSIGStrip), Compact: [CSIGTypes]uint16{5, 5, 5, 5},
			Expanded: [CSIGTypes]uint16{1, 2, uint16(i), uint16(i)}}
		p.Actions[0], p.Actions[2], p.Actions[3] = CSIGStrip, CSIGUpdate, CSIGStrip
		if i >= 2 && i <= 4 {
			p.CapacityKbps, p.Trusted = 400_000_000, true
		}
		if i == 3 {
			p.Actions = others(CSIGPass)
			p.Actions[0], p.Actions[2], p.Actions[3] = CSIGUpdate, CSIGUpdate, CSIGStrip
			p.Compact = [CSIGTypes]uint16{3, 3, 3, 3}
		}
		want.Port = append(want.Port, p)
	}
	want.Hash = c.Hash
	assert.Equal(t, want, c)
}

// The presets are the device that docs/csig.md describes.
func TestCSIGPresets(t *testing.T) {
	d, err := LoadDesign("csig-64p")
	require.NoError(t, err)
	c := d.(*CSIG)
	assert.Equal(t, []any{KindCSIG, "csig_64p", "csig_64p_", false}, []any{d.DesignKind(), d.DesignName(),
		d.ModulePrefix(), d.ResetAsync()})
	assert.Equal(t, []int{64, 512, 48, 40, 16, 32, 24, 32}, []int{c.Ports, c.DataBits, c.TimeBits, c.ByteBits,
		c.FracBits, c.RecipBits, c.RatioBits, c.QlenBits})
	assert.Equal(t, CSIGRaw, c.Method)
	assert.EqualValues(t, 128_000, c.WindowNs)
	assert.False(t, c.BucketSearch)
	assert.Equal(t, [CSIGTypes]CSIGQuantizer{{0, 8000}, {0, 16}, {0, 128}, {0, 128}}, c.Quantizer)
	for i, p := range c.Port {
		n := uint16(i)
		assert.Equal(t, CSIGPort{Trusted: true, CapacityKbps: 100e6, Actions: [CSIGTagTypes]CSIGAction{CSIGUpdate,
			CSIGUpdate, CSIGUpdate},
			Compact: [CSIGTypes]uint16{n, n, n, n}, Expanded: [CSIGTypes]uint16{n, n, n, n}}, p)
	}

	small, err := LoadDesign("csig-4p")
	require.NoError(t, err)
	c = small.(*CSIG)
	assert.Equal(t, []int{4, 64, 40, 20, 0, 18, 14, 20}, []int{c.Ports, c.DataBits, c.TimeBits, c.ByteBits, c.FracBits,
		c.RecipBits, c.RatioBits, c.QlenBits})
	assert.True(t, c.BucketSearch)
	assert.True(t, c.Folded)
	assert.Zero(t, c.ExpandedTPID)
	assert.Empty(t, c.Quantizer)
	assert.Equal(t, []uint64{0, 10_000, 50_000, 100_000, 200_000, 500_000, 750_000, 900_000}, c.Bounds[0])

	// A file of one line is the preset, but for its name.
	line := parseCSIG(t, "design: csig\nname: csig_64p\n")
	assert.Equal(t, d, line)
	assert.Equal(t, 24, parseCSIG(t, "design: csig\nwidths: {ratio: 16}\n").RecipBits)
	_, err = Load("csig-64p")
	assert.EqualError(t, err,
		"csig-64p:5:9: design is csig, a CSIG switch; legal: nic; reason: an HPCC++ engine is asked for")
}

// What ships as appendix_a is the draft's Table 2: where a range begins, the code begins.
func TestAppendixA(t *testing.T) {
	data, err := os.ReadFile("../testdata/csig/appendix_a.csv")
	require.NoError(t, err)
	c := parseCSIG(t, "design: csig\n")
	rows := 0
	for _, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		cells := strings.Split(line, ",")
		if strings.HasPrefix(line, "#") || cells[0] == "value" {
			continue
		}
		start := func(cell string) *big.Rat {
			first, _, _ := strings.Cut(strings.TrimPrefix(cell, ">"), "-")
			v, ok := new(big.Rat).SetString(first)
			require.True(t, ok, cell)
			return v
		}
		share := start(cells[1])
		share.Mul(share, big.NewRat(1<<24, 100))
		assert.EqualValues(t, ceil(share), c.Bounds[1][rows])
		assert.EqualValues(t, new(big.Rat).Mul(start(cells[2]), big.NewRat(1e6, 1)).Num().Uint64(), c.Bounds[0][rows])
		assert.EqualValues(t, new(big.Rat).Mul(start(cells[3]), big.NewRat(1e3, 1)).Num().Uint64(), c.Bounds[2][rows])
		rows++
	}
	for _, b := range c.Bounds {
		assert.Len(t, b, rows)
	}
	assert.Equal(t, c.Bounds[2], c.Bounds[3])
	// Written out they are the same configuration.
	out := parseCSIG(t,
		"design: csig\nbuckets:\n  min_abw: [0, 1G, 5G, 10G, 20G, 50G, 75G, 90G]\n  min_abwc: [0%, 1%, 5%, 10%, 20%, 50%, 75%, 90%]\n  max_delay: [0, 10us, 50us, 100us, 200us, 400us, 800us, 2ms]\n")
	assert.Equal(t, c, out)
}

func TestCSIGMessages(t *testing.T) {
	const csig = "design: csig\n"
	for _, c := range []struct{ name, text, want string }{
		{"a key of an engine", csig + "flows: 4\n",
			"f.yaml:2:1: unknown key \"flows\"; legal: design, name, module_prefix, reset, ports, stream_bits, pipeline, depth, multiplier, widths, tags, bandwidth, bucketizer, buckets, quantizers, port_defaults, port_overrides"},
		{"more ports than memory", csig + "ports: 300\n",
			"f.yaml:2:8: ports is 300; legal: an integer, 1 to 256; reason: the counters of 256 ports fill the register map, and the memories of the pipeline; nearest: 256"},
		{"stream", csig + "stream_bits: 100\n",
			"f.yaml:2:14: stream_bits is 100; legal: a power of two, 64 to 512; reason: these are the widths that AXI4-Stream cores of 1G to 400G have; nearest: 128"},
		{"folded and wide", csig + "pipeline: folded\nstream_bits: 128\ntags: {expanded: none}\nbucketizer: search\n",
			"f.yaml:3:14: stream_bits is 128, with pipeline: folded; legal: 64; reason: the shortest Ethernet frame takes eight cycles on 64 bits, and fewer on more; nearest: 64"},
		{"folded with expanded tags", csig + "pipeline: folded\nstream_bits: 64\nbucketizer: search\n",
			"f.yaml:2:11: tags.expanded is 0x88b6 by default, with pipeline: folded; legal: none; reason: the codes of expanded tags need the divider of the full pipeline; nearest: none"},
		{"folded and parallel", csig + "pipeline: folded\nstream_bits: 64\ntags: {expanded: none}\n",
			"f.yaml:2:11: bucketizer is parallel by default, with pipeline: folded; legal: search; reason: one comparator takes a value's bounds in turn; nearest: search"},
		{"mantissa", csig + "widths: {ratio: 26, reciprocal: 29}\n",
			"f.yaml:2:33: widths.reciprocal is 29, with widths.ratio 26; legal: 30 to 32; reason: the factor of ABW/C needs a shift of 0 to 63; nearest: 30"},
		{"ratio", csig + "widths: {ratio: 31}\n",
			"f.yaml:2:17: widths.ratio is 31; legal: an integer, 12 to 28; reason: 12 bits tell 0.1% apart, and a mantissa has at most 32; nearest: 28"},
		{"quoted number", csig + "ports: \"4\"\n",
			"f.yaml:2:8: ports is the text \"4\"; legal: an integer, 1 to 256; reason: the counters of 256 ports fill the register map, and the memories of the pipeline; nearest: 4"},
		{"quoted truth", csig + "tags: {decrypted: \"true\"}\n",
			"f.yaml:2:19: tags.decrypted is the text \"true\"; legal: true or false; nearest: false"},

		{"a length", csig + "tags: {compact: 0x05ff}\n",
			"f.yaml:2:17: tags.compact is 0x05ff; legal: a TPID, 0x0600 to 0xffff, or none; reason: below 0x0600 the two bytes are a length (IEEE 802.3); nearest: 0x0600"},
		{"no TPID", csig + "tags: {compact: tpid}\n",
			"f.yaml:2:17: tags.compact is the text \"tpid\"; legal: a TPID, 0x0600 to 0xffff, or none; reason: below 0x0600 the two bytes are a length (IEEE 802.3); nearest: 0x88b5"},
		{"same TPID", csig + "tags: {compact: 0x8100}\n",
			"f.yaml:2:17: tags.vlan[0] is 0x8100 by default, as is tags.compact; legal: one that no other tag has; reason: the device must tell tags apart"},
		{"same TPIDs", csig + "tags: {compact: 0x9900, expanded: 0x9900, vlan: [0x8100, 33024]}\n",
			"f.yaml:2:35: tags.expanded is 0x9900, as is tags.compact; legal: one that no other tag has; reason: the device must tell tags apart\n" +
				"f.yaml:2:58: tags.vlan[1] is 0x8100, as is tags.vlan[0]; legal: one that no other tag has; reason: the device must tell tags apart"},
		{"IP", csig + "tags: {compact: 0x0800, expanded: 0x86dd}\n",
			"f.yaml:2:17: tags.compact is 0x0800, the EtherType of IPv4; legal: one that no other tag has; reason: the device must tell tags apart\n" +
				"f.yaml:2:35: tags.expanded is 0x86dd, the EtherType of IPv6; legal: one that no other tag has; reason: the device must tell tags apart"},
		{"MACsec", csig + "tags: {vlan: [0x8100, 0x88E5]}\n",
			"f.yaml:2:23: tags.vlan[1] is 0x88e5, the EtherType of MACsec; legal: one that no other tag has; reason: the device must tell tags apart"},
		{"no VLAN", csig + "tags: {vlan: []}\n",
			"f.yaml:2:14: tags.vlan is a list of 0; legal: a list of 1 to 4 TPIDs, each 0x0600 to 0xffff; reason: below 0x0600 the two bytes are a length (IEEE 802.3); nearest: [0x8100, 0x88a8]"},
		{"a VLAN that is none", csig + "tags: {vlan: [0x8100, none]}\n",
			"f.yaml:2:23: tags.vlan[1] is the text \"none\"; legal: 0x0600 to 0xffff; reason: below 0x0600 the two bytes are a length (IEEE 802.3)"},
		{"no tags", csig + "tags: {compact: none, expanded: none}\n",
			"f.yaml:2:17: tags has neither compact nor expanded tags; legal: a TPID for one of them, or for both; reason: without one there is nothing to update; nearest: 0x88b5"},

		{"window", csig + "bandwidth: {window: 999ns}\n",
			"f.yaml:2:21: bandwidth.window is 999ns; legal: a duration with ns, us, ms or s, 1us to 1s; reason: draft section 5.3.2; nearest: 1us"},
		{"window of an average", csig + "bandwidth: {method: ewma, window: 1ms}\n",
			"f.yaml:2:35: bandwidth.window is given, with method: ewma; legal: with method: raw; reason: a method has its own parameters only; nearest: leave it out"},
		{"gap", csig + "bandwidth: {method: ewma, time_shift: 12, gap_shift: 12}\n",
			"f.yaml:2:54: bandwidth.gap_shift is 12, with time_shift 12; legal: 0 to 11; reason: an update covers less than a time constant; nearest: 11"},
		{"tick", csig + "bandwidth: {method: dre, tick_shift: 4}\n",
			"f.yaml:2:38: bandwidth.tick_shift is 4, with decay_shift 4 by default; legal: 6 to 26; reason: the time constant is 2^10 ns to 2^30 ns; nearest: 6"},
		{"decay", csig + "bandwidth: {method: dre, decay_shift: 7}\n",
			"f.yaml:2:39: bandwidth.decay_shift is 7; legal: an integer, 1 to 6; reason: up to 64 ticks in a time constant; nearest: 6"},
		{"counter too narrow", csig + "widths: {bytes: 20}\nbandwidth: {window: 1ms}\n",
			"f.yaml:2:17: widths.bytes is 20: port 0 at 100G sends 12500000 bytes in the 1000000 ns that are measured; legal: 24 to 40; reason: a counter that saturates below the capacity makes a busy link look idle; nearest: 24"},
		{"overhead", csig + "bandwidth: {overhead: 256}\n",
			"f.yaml:2:23: bandwidth.overhead is 256B; legal: a size with B, kB, MB, GB, KiB, MiB or GiB, 0B to 255B; reason: FCS, preamble and gap are 24 B; the register has 8 bits; nearest: 255B"},

		{"decreasing buckets", csig + "buckets:\n  min_abw: [0, 5G, 1G]\n",
			"f.yaml:3:20: buckets.min_abw[2] is 1G, below the 5G before it; legal: 5G or more; reason: lower bounds do not decrease; nearest: 5G"},
		{"first bucket", csig + "buckets: {max_delay: [1us]}\n",
			"f.yaml:2:23: buckets.max_delay[0] is 1us; legal: 0; reason: every value must have a bucket; nearest: 0"},
		{"a bound between two", csig + "buckets: {max_delay: [0, 1.5ns], min_abw: [0, 1500]}\n",
			"f.yaml:2:26: buckets.max_delay[1] is 1.5ns; legal: a duration of whole ns; reason: the device compares whole ones; nearest: 1ns\n" +
				"f.yaml:2:47: buckets.min_abw[1] is 1.5k; legal: a rate of whole kbit/s; reason: the device compares whole ones; nearest: 1k"},
		{"a bound beyond", csig + "buckets: {min_abwc: [0, 101%], max_delay: [0, 5s]}\n",
			"f.yaml:2:25: buckets.min_abwc[1] is 101%; legal: 0 to 100%; reason: a signal's value has 32 bits; nearest: 100%\n" +
				"f.yaml:2:47: buckets.max_delay[1] is 5s; legal: 0 to 4294967295ns; reason: a signal's value has 32 bits; nearest: 4294967295ns"},
		{"too many buckets", csig + "buckets: {max_delay: [0" + strings.Repeat(", 1us", 32) + "]}\n",
			"f.yaml:2:22: buckets.max_delay is a list of 33; legal: appendix_a, none, or a list of 1 to 32 bounds that starts with 0 and does not decrease, each a duration of whole ns, 0 to 4294967295ns; reason: a signal's value has 32 bits"},
		{"no unit", csig + "buckets: {min_abwc: [0, 5]}\n",
			"f.yaml:2:25: buckets.min_abwc[1] is the number 5; legal: 0 to 100%; reason: a signal's value has 32 bits"},
		{"buckets of no tags", csig + "tags: {compact: none}\nbuckets: {min_abw: none}\n",
			"f.yaml:3:1: buckets is given, with tags.compact: none; legal: with a TPID in tags.compact; reason: the device knows no such tags; nearest: leave it out"},
		{"step", csig + "quantizers: {min_abw: {step: 0}, max_delay: {step: 0ns}, min_abwc: {step: 0%}}\n",
			"f.yaml:2:30: quantizers.min_abw.step is 0; legal: a rate of whole kbit/s, 1k to 4294967295k, or none; reason: the quantizer divides by it; nearest: 1k\n" +
				"f.yaml:2:52: quantizers.max_delay.step is 0ns; legal: a duration of whole ns, 1ns to 4294967295ns, or none; reason: the quantizer divides by it; nearest: 1ns\n" +
				"f.yaml:2:75: quantizers.min_abwc.step is 0%; legal: a percentage, 0.00000001% to 100%, or none; reason: the quantizer divides by it; nearest: 0.00000001%"},
		{"base without step", csig + "quantizers: {max_delay: {base: 1ns, step: none}}\n",
			"f.yaml:2:32: quantizers.max_delay.base is given, with step: none; legal: with a step; reason: a type has both or none; nearest: leave it out"},

		{"capacity", csig + "port_defaults: {capacity: 999k}\n",
			"f.yaml:2:27: port_defaults.capacity is 999k; legal: a rate, such as 25G or 1.6T, 1M to 4294967295k; reason: it is kept in kbit/s, in 32 bits; below 1M its factors do not exist; nearest: 1M"},
		{"capacity without a unit", csig + "port_defaults: {capacity: 25}\n",
			"f.yaml:2:27: port_defaults.capacity is 25 bit/s; legal: a rate, such as 25G or 1.6T, 1M to 4294967295k; reason: it is kept in kbit/s, in 32 bits; below 1M its factors do not exist; nearest: 25G"},
		{"capacity between two", csig + "port_defaults: {capacity: 1000500}\n",
			"f.yaml:2:27: port_defaults.capacity is 1.0005M; legal: a whole number of kbit/s; reason: it is written in kbit/s; nearest: 1001k"},
		{"update without a signal", csig + "port_defaults: {actions: {others: update}}\n",
			"f.yaml:2:35: port_defaults.actions.others is \"update\"; legal: pass or strip; nearest: pass"},
		{"locator", csig + "tags: {split: uec}\nport_defaults: {locator: {compact: 64}}\n",
			"f.yaml:3:36: port_defaults.locator.compact is 64; legal: 0 to 63; reason: LM of compact tags has 6 bits in this split; nearest: 63"},
		{"locator of many ports", csig + "ports: 200\n",
			"f.yaml:2:8: port_defaults.locator.compact is port by default: port 128 has no place in LM; legal: 0 to 127; reason: LM of compact tags has 7 bits in this split; nearest: low_bits"},
		{"three locators", csig + "port_defaults: {locator: {expanded: [1, 2, 3]}}\n",
			"f.yaml:2:37: port_defaults.locator.expanded is a list of 3; legal: port, low_bits, an integer, 0 to 65535, or a list of 4 of these; reason: LM has 16 bits, with tags.split: uec 15; nearest: port"},
		{"override of no port",
			csig + "ports: 4\nport_overrides: [{ports: 3-4}, {ports: 2-1}, {capacity: 1G}, {ports: all}]\n",
			"f.yaml:3:26: port_overrides[0].ports is 3-4, with 4 ports; legal: 0 to 3; reason: ports are counted from 0; nearest: 3\n" +
				"f.yaml:3:40: port_overrides[1].ports is 2-1; legal: a port or a range of ports, such as 3 or 0-3, within 0 to 255; reason: the first port comes first; nearest: 1-2\n" +
				"f.yaml:3:46: port_overrides[2].ports is missing; legal: a port or a range of ports, such as 3 or 0-3, within 0 to 255; reason: it says which ports differ\n" +
				"f.yaml:3:70: port_overrides[3].ports is the text \"all\"; legal: a port or a range of ports, such as 3 or 0-3, within 0 to 255; reason: ports are counted from 0"},
		{"port_overrides", csig + "port_overrides: {ports: 3}\n",
			"f.yaml:2:17: port_overrides is a mapping; legal: a list of up to 256 mappings with the keys ports, capacity, trusted, actions, locator"},
		{"a key of an override", csig + "port_overrides:\n  - {ports: 3, trust: true}\n",
			"f.yaml:3:16: unknown key \"port_overrides[0].trust\"; legal: ports, capacity, trusted, actions, locator; nearest: trusted"},
	} {
		t.Run(c.name, func(t *testing.T) { assert.Equal(t, c.want, parseText(c.text)) })
	}
}

// Different spellings of one configuration have one hash, different ones have different hashes.
func TestCSIGHash(t *testing.T) {
	a := parseCSIG(t,
		"design: csig\nports: 8\nport_defaults: {capacity: 25G}\nport_overrides: [{ports: 4-7, capacity: 100G}]\n")
	b := parseCSIG(t, `design: csig
ports: 8
port_defaults: {capacity: 100000M, locator: {compact: low_bits}}
port_overrides:
  - {ports: 0-5, capacity: 25000000000}
  - {ports: 4-5, capacity: 0.1T, locator: {expanded: [port, low_bits, port, port]}}
tags: {vlan: [33024, 0x88A8], split: ietf}
bandwidth: {window: 0.128ms}
`)
	assert.Equal(t, a, b)
	seen := map[string]string{}
	for _, change := range [][2]string{
		{"", ""}, {"name: every", "name: other"}, {"p_", "q_"}, {"async_low", "sync"}, {"ports: 6", "ports: 7"},
		{"128", "256"},
		{"time: 41", "time: 42"}, {"bytes: 33", "bytes: 34"}, {"fraction: 7", "fraction: 8"},
		{"reciprocal: 29", "reciprocal: 30"}, {"ratio: 22", "ratio: 23"}, {"queue: 31", "queue: 32"},
		{"split: uec", "split: ietf"}, {"0x9900", "0x9901"}, {"0xccdd", "0xccde"}, {"0x9100", "0x9101"},
		{"decrypted: true", "decrypted: false"},
		{"time_shift: 18", "time_shift: 19"}, {"gap_shift: 9", "gap_shift: 8"}, {"overhead: 20B", "overhead: 21B"},
		{"bucketizer: search", "bucketizer: parallel"},
		{"40M", "41M"}, {"0.1%", "0.11%"}, {"max_delay: none", "max_delay: appendix_a"}, {"1us", "2us"},
		{"base: 1M", "base: 2M"}, {"step: 3k", "step: 4k"},
		{"base: 10%", "base: 11%"}, {"step: 0.01%", "step: 0.02%"}, {"step: none", "step: 1ns"}, {"step: 7ns", "step: 8ns"},
		{"25G", "26G"}, {"trusted: false", "trusted: true"}, {"min_abw: strip", "min_abw: pass"},
		{"compact: 5", "compact: 6"}, {"[1, 2,", "[2, 2,"},
		{"ports: 2-4", "ports: 2-5"}, {"ports: 3\n", "ports: 2\n"}, {"{min_abw: update", "{min_abw: pass"},
		{"method: ewma, time_shift: 18, gap_shift: 9", "method: dre, tick_shift: 12"},
		{"method: ewma, time_shift: 18, gap_shift: 9", "method: raw"},
		{"method: ewma, time_shift: 18, gap_shift: 9", "method: dre, tick_shift: 12, decay_shift: 3"},
		{"method: ewma, time_shift: 18, gap_shift: 9", "window: 1ms"},
	} {
		c := parseCSIG(t, strings.Replace(everyCSIGKey, change[0], change[1], 1))
		assert.NotContains(t, seen, c.Hash, "%s and %s", change[1], seen[c.Hash])
		seen[c.Hash] = change[1]
	}
}

// The fourth signal is UEC's.
func TestCSIGQueueAction(t *testing.T) {
	for text, want := range map[string]CSIGAction{
		"design: csig\n": CSIGPass, "design: csig\ntags: {split: uec}\n": CSIGUpdate,
		"design: csig\nport_defaults: {actions: {max_queue: update}}\n":                    CSIGUpdate,
		"design: csig\ntags: {split: uec}\nport_defaults: {actions: {max_queue: strip}}\n": CSIGStrip,
	} {
		assert.Equal(t, want, parseCSIG(t, text).Port[7].Actions[3], text)
	}
}

// A canonical form of the largest kind is a file that is accepted.
func TestLargestCanonicalForm(t *testing.T) {
	var b strings.Builder
	b.WriteString(
		"design: csig\nports: 256\nport_defaults: {capacity: 4294967295k, actions: {min_abw: update, min_abwc: update, max_queue: update, others: strip}}\nwidths: {ratio: 28}\nbuckets:\n")
	for _, s := range csigSignals {
		b.WriteString("  " + s.name + ": [0")
		for i := range 31 {
			switch s.measure {
			case shareMeasure:
				fmt.Fprintf(&b, ", 98.%08d%%", 12345671+i)
			case rateMeasure:
				fmt.Fprintf(&b, ", %dk", 4294967200+i)
			default:
				fmt.Fprintf(&b, ", %dns", 4294967200+i)
			}
		}
		b.WriteString("]\n")
	}
	b.WriteString("port_overrides:\n")
	for i := range 256 {
		fmt.Fprintf(&b,
			"  - {ports: %d, locator: {compact: [%d, 127, 126, 125], expanded: [%d, 65535, 65534, 65533]}}\n", i, i/2, 65000+i)
	}
	c := parseCSIG(t, b.String())
	again := parseCSIG(t, string(c.Canonical()))
	assert.Equal(t, c, again)
	t.Logf("%d bytes", len(c.Canonical()))
}
