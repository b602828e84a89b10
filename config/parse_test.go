package config

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// parseText gives the messages for a file called f.yaml, one a line.
func parseText(text string) string {
	_, err := ParseDesign("f.yaml", []byte(text))
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestMessages(t *testing.T) {
	const nic = "design: nic\n"
	for _, c := range []struct{ name, text, want string }{
		// The file.
		{"empty", "",
			"f.yaml:1:1: the file is empty; legal: a mapping that starts with design: nic, csig or int; reason: without a design there is nothing to build; nearest: a preset, such as nic-line"},
		{"only comments", "# nothing\n",
			"f.yaml:1:1: the file is empty; legal: a mapping that starts with design: nic, csig or int; reason: without a design there is nothing to build; nearest: a preset, such as nic-line"},
		{"two documents", nic + "---\ndesign: nic\n",
			"f.yaml:3:1: a second document; legal: one document a file; reason: a file describes one design"},
		{"no mapping", "- nic\n",
			"f.yaml:1:1: the file is a list; legal: a mapping that starts with design: nic, csig or int"},
		{"a scalar", "nic\n",
			"f.yaml:1:1: the file is the text \"nic\"; legal: a mapping that starts with design: nic, csig or int"},
		{"not YAML", "design: [nic\n",
			"f.yaml:1:9: not YAML: sequence end token ']' not found"},
		{"a tab", "hops:\n\tmax: 5\n",
			"f.yaml:2:1: not YAML: found character '\t' that cannot start any token"},
		{"too deep", nic + "rates: " + strings.Repeat("[", 40) + "\n",
			"f.yaml:2:24: not YAML: nested more than 16 deep"},
		{"too long", strings.Repeat("#", maxBytes+1),
			"f.yaml: the file has more than 131072 bytes; legal: up to 131072 bytes; reason: a configuration describes one design"},

		// The design.
		{"no design", "flows: 4\n",
			"f.yaml:1:1: design is missing; legal: nic, csig or int; reason: it says what to build; nearest: nic"},
		{"unknown design", "design: csgi\nports: 4\n",
			"f.yaml:1:9: design is \"csgi\"; legal: nic, csig or int; nearest: csig"},
		{"design of another type", "design: {nic: true}\n",
			"f.yaml:1:9: design is a mapping; legal: nic, csig or int; reason: it says what to build"},

		// Keys.
		{"unknown key", nic + "flow: 4\n",
			"f.yaml:2:1: unknown key \"flow\"; legal: design, name, module_prefix, law, hops, multiplier, flows, profiles, telemetry, queue, mode, sequence_bits, clock_bits, stage_bits, counter_bits, generation_bits, tag_bits, reset, bus, rates, base_rtt, window, utilisation, dividers, precision; nearest: flows"},
		{"unknown key without a likeness", nic + "telemetry:\n  xyzzy: 4\n",
			"f.yaml:3:3: unknown key \"telemetry.xyzzy\"; legal: timestamp_bits, tick, tx_bits, tx_unit, qlen_bits, qlen_unit, rate_code_bits, link_id_bits, path_id_bits"},
		{"key twice", nic + "flows: 4\nflows: 5\n",
			"f.yaml:3:1: flows is given twice, first in line 2; legal: once"},
		{"anchor", nic + "flows: &n 4\nprofiles: *n\n",
			"f.yaml:2:8: flows holds an anchor; legal: plain values; reason: what is written is what is built: write the value out\n" +
				"f.yaml:3:11: profiles holds an alias; legal: plain values; reason: what is written is what is built: write the value out"},
		{"merge", nic + "hops: {<<: {max: 3}}\n",
			"f.yaml:2:8: a merge key; legal: plain keys; reason: what is written is what is built: write the keys out"},
		{"tag", nic + "flows: !!int 4\n",
			"f.yaml:2:8: flows holds a tag; legal: plain values; reason: what is written is what is built: write the value out"},
		{"block text", "design: nic\nname: |\n  a\n",
			"f.yaml:2:7: name holds a block of text; legal: plain values; reason: what is written is what is built: write the value out"},

		// Types.
		{"text for a number", nic + "flows: many\n",
			"f.yaml:2:8: flows is the text \"many\"; legal: an integer, 2 to 65536; reason: a context memory has at least two words, and an index of at most 16 bits; nearest: 1024"},
		{"quoted number", nic + "flows: \"4\"\n",
			"f.yaml:2:8: flows is the text \"4\"; legal: an integer, 2 to 65536; reason: a context memory has at least two words, and an index of at most 16 bits; nearest: 4"},
		{"fraction for an integer", nic + "flows: 4.5\n",
			"f.yaml:2:8: flows is the number 4.5; legal: an integer, 2 to 65536; reason: a context memory has at least two words, and an index of at most 16 bits; nearest: 5"},
		{"list for a number", nic + "flows: [4]\n",
			"f.yaml:2:8: flows is a list; legal: an integer, 2 to 65536; reason: a context memory has at least two words, and an index of at most 16 bits; nearest: 1024"},
		{"number for a mapping", nic + "hops: 5\n",
			"f.yaml:2:7: hops is the number 5; legal: a mapping with the keys max, order"},
		{"nothing", nic + "flows:\n",
			"f.yaml:2:8: flows is empty; legal: an integer, 2 to 65536; reason: a context memory has at least two words, and an index of at most 16 bits; nearest: 1024"},
		{"truth value", nic + "flows: yes\nprofiles: true\n",
			"f.yaml:2:8: flows is the text \"yes\"; legal: an integer, 2 to 65536; reason: a context memory has at least two words, and an index of at most 16 bits; nearest: 1024\n" +
				"f.yaml:3:11: profiles is the truth value true; legal: a power of two, 1 to 16; reason: the profile is the low bits of an index; nearest: 8"},
		{"duration without unit", nic + "base_rtt: {min: 5}\n",
			"f.yaml:2:17: base_rtt.min is the number 5; legal: a duration with ns, us, ms or s, 1ns to 1s; reason: it sets the largest 1/T; nearest: 5us"},
		{"rate for rates", nic + "rates: 25G\n",
			"f.yaml:2:8: rates is the text \"25G\"; legal: a list of rates, such as [25G, 100G], each 1M to 100T; reason: the formats must hold the slowest and the fastest; nearest: [10G, 25G, 40G, 50G, 100G, 200G, 400G, 800G, 1.6T]"},
		{"no rate", nic + "rates: [fast]\n",
			"f.yaml:2:9: rates[0] is the text \"fast\"; legal: a rate, 1M to 100T, such as 25G, 1.6T or 25000000000 (bit/s); reason: the formats must hold the slowest and the fastest"},
		{"format", nic + "precision: {formats: {u: Q7.24}}\n",
			"f.yaml:2:13: precision.formats lacks inv_b, inv_bt, inv_t, alpha, quotient, window, rate; legal: all of inv_b, inv_bt, u, inv_t, alpha, quotient, window, rate; reason: formats are given all or none; without them, max_error chooses\n" +
				"f.yaml:2:26: precision.formats.u is the text \"Q7.24\"; legal: UQi.f of 1 to 64 bits"},

		{"multiplier of signed factors", nic + "multiplier: 25x18\n",
			"f.yaml:2:13: multiplier is \"25x18\"; legal: 16x16, 18x18, 24x17 or 26x17; reason: a block that takes 25 by 18 or 27 by 18 bits, signed, takes 24 by 17 or 26 by 17 unsigned; nearest: 18x18"},
		{"multiplier of one lane", nic + "multiplier: 24x17\nhops: {order: serial}\n",
			"f.yaml:2:13: multiplier is given, with hops.order: serial; legal: with hops.order: parallel; reason: an engine with one lane multiplies 16 bits by 16 bits at a time, on any target; nearest: leave it out"},

		// Ranges.
		{"zero flows", nic + "flows: 0\n",
			"f.yaml:2:8: flows is 0; legal: an integer, 2 to 65536; reason: a context memory has at least two words, and an index of at most 16 bits; nearest: 2"},
		{"many hops", nic + "hops: {max: 9}\n",
			"f.yaml:2:13: hops.max is 9; legal: an integer, 1 to 8; reason: the record ports are hop0 to hop7; nearest: 8"},
		{"negative", nic + "hops: {max: -1}\n",
			"f.yaml:2:13: hops.max is -1; legal: an integer, 1 to 8; reason: the record ports are hop0 to hop7; nearest: 1"},
		{"power of two", nic + "profiles: 12\n",
			"f.yaml:2:11: profiles is 12; legal: a power of two, 1 to 16; reason: the profile is the low bits of an index; nearest: 8"},
		{"sequence", nic + "sequence_bits: 28\n",
			"f.yaml:2:16: sequence_bits is 28; legal: 24 or 32; reason: RoCE packet numbers have 24 bits, TCP sequence numbers 32; nearest: 32"},
		{"choice", nic + "hops: {order: serail}\n",
			"f.yaml:2:15: hops.order is \"serail\"; legal: parallel or serial; nearest: serial"},
		{"tick", nic + "telemetry: {tick: 2ms}\n",
			"f.yaml:2:19: telemetry.tick is 2ms; legal: a duration with ns, us, ms or s, 1ns to 1ms; reason: switches stamp in nanoseconds at the finest; above 1ms no round trip would be resolved; nearest: 1ms"},
		{"fraction of a nanosecond", nic + "telemetry: {tick: 1.5ns}\n",
			"f.yaml:2:19: telemetry.tick is 1.5 nanoseconds; legal: a whole number of nanoseconds; reason: the engine counts in whole units; nearest: 2ns"},
		{"rate too slow", nic + "rates: [10G, 9k]\n",
			"f.yaml:2:14: rates[1] is 9k; legal: 1M to 100T; reason: the formats must hold the slowest and the fastest; nearest: 1M"},
		{"rate without a unit", nic + "rates: [25G, 100]\n",
			"f.yaml:2:14: rates[1] is 100 bit/s; legal: 1M to 100T; reason: the formats must hold the slowest and the fastest; nearest: 100G"},
		{"no rates", nic + "rates: []\n",
			"f.yaml:2:8: rates is an empty list; legal: one rate or more; reason: the formats must hold the slowest and the fastest; nearest: [10G, 25G, 40G, 50G, 100G, 200G, 400G, 800G, 1.6T]"},
		{"name", nic + "name: 8ball-x\n",
			"f.yaml:2:7: name is \"8ball-x\", which is no identifier; legal: a Verilog identifier: letters, digits and _, not starting with a digit, no keyword, up to 64 characters; reason: it names files and modules; nearest: _8ball_x"},
		{"keyword", nic + "name: module\n",
			"f.yaml:2:7: name is \"module\", a keyword of Verilog or SystemVerilog; legal: a Verilog identifier: letters, digits and _, not starting with a digit, no keyword, up to 64 characters; reason: it names files and modules; nearest: module_design"},
		{"prefix", nic + "module_prefix: 2nd-\n",
			"f.yaml:2:16: module_prefix is \"2nd-\", which is no identifier; legal: a Verilog identifier: letters, digits and _, not starting with a digit, no keyword, up to 64 characters, or none; reason: it begins the names of all modules; nearest: _2nd_"},
		{"prefix is a keyword", nic + "module_prefix: reg\n",
			"f.yaml:2:16: module_prefix is \"reg\", a keyword of Verilog or SystemVerilog; legal: a Verilog identifier: letters, digits and _, not starting with a digit, no keyword, up to 64 characters, or none; reason: it begins the names of all modules; nearest: reg_"},
		{"wide format", nic + "precision: {formats: {u: UQ7.60}}\n",
			"f.yaml:2:13: precision.formats lacks inv_b, inv_bt, inv_t, alpha, quotient, window, rate; legal: all of inv_b, inv_bt, u, inv_t, alpha, quotient, window, rate; reason: formats are given all or none; without them, max_error chooses\n" +
				"f.yaml:2:26: precision.formats.u is UQ7.60: 67 bits; legal: UQi.f of 1 to 64 bits; reason: a value must fit a 64-bit table entry or context field; nearest: UQ7.57"},
		{"eps", nic + "dividers: {hop: {kind: reciprocal_table, eps: 1}}\n",
			"f.yaml:2:47: dividers.hop.eps is 1; legal: a number, 0.0005 to 0.25; reason: below, the table has more than 1,387 entries; above, the quotient is off by more than a tenth; nearest: 0.25"},

		// What depends on several keys.
		{"clock", nic + "clock_bits: 24\n",
			"f.yaml:2:13: clock_bits is 24; legal: an integer, 60 to 64; reason: a clock that wraps takes a flow that slept for its range as awake; 60 bits of nanoseconds last for 36 years; nearest: 60"},
		{"T beyond half the timestamps", nic + "telemetry: {timestamp_bits: 16}\n",
			"f.yaml:2:29: base_rtt.max is 100000 ticks by default, with timestamp_bits 16; legal: up to 32767ns; reason: T must be below half the range of the timestamps, or newer telemetry cannot be told from older; nearest: 32767ns"},
		{"T given", nic + "base_rtt: {min: 1us, max: 20ms}\n",
			"f.yaml:2:27: base_rtt.max is 20000000 ticks, with timestamp_bits 24; legal: up to 8388607ns; reason: T must be below half the range of the timestamps, or newer telemetry cannot be told from older; nearest: 8388607ns"},
		{"min above max", nic + "base_rtt: {min: 1ms, max: 1us}\n",
			"f.yaml:2:17: base_rtt.min is 1ms, above base_rtt.max, 1us; legal: up to 1us; reason: min and max are the ends of a range; nearest: 1us"},
		{"T below a tick", nic + "base_rtt: {min: 10ns}\ntelemetry: {tick: 1us}\n",
			"f.yaml:2:17: base_rtt.min is 10ns, with a tick of 1us; legal: one tick or more; reason: T is counted in ticks; nearest: 1us"},
		{"window min above max", nic + "window: {min: 1MB, max: 1kB}\n",
			"f.yaml:2:15: window.min is 1000000 bytes, above window.max, 1000 bytes; legal: up to 1000B; reason: min and max are the ends of a range; nearest: 1000B"},
		{"more rates than codes", nic + "telemetry: {rate_code_bits: 1}\nrates: [1G, 2G, 4G]\n",
			"f.yaml:3:8: rates lists 3 rates, with rate_code_bits 1; legal: up to 2 rates; reason: every rate needs a code; nearest: rate_code_bits: 2"},
		{"duration for a length", nic + "telemetry: {qlen_unit: 10ns}\n",
			"f.yaml:2:24: telemetry.qlen_unit is 10ns, with queue: length; legal: a size, 1B to 65536B; reason: qlen counts bytes; only a sojourn time is a duration; nearest: 80B"},
		{"size for a sojourn time", nic + "queue: sojourn\ntelemetry: {qlen_unit: 80B}\n",
			"f.yaml:3:24: telemetry.qlen_unit is 80B, with queue: sojourn; legal: a duration, a whole number of ticks up to 65536; reason: the sojourn time is compared with T, which counts ticks; nearest: 1ns"},
		{"sojourn between ticks", nic + "queue: sojourn\ntelemetry: {qlen_unit: 10ns, tick: 4ns}\n",
			"f.yaml:3:24: telemetry.qlen_unit is 10ns, with a tick of 4ns; legal: a duration, a whole number of ticks up to 65536; reason: the sojourn time is compared with T, which counts ticks; nearest: 12ns"},
		{"key of another divider", nic + "dividers: {hop: {eps: 0.004}}\n",
			"f.yaml:2:23: dividers.hop.eps is given, with kind: restoring_pipelined; legal: with kind: reciprocal_table; reason: a divider has the parameters of its kind only; nearest: leave it out"},
		{"index too narrow", nic + "dividers: {hop: {kind: reciprocal_table, index_bits: 7}}\n",
			"f.yaml:2:54: dividers.hop.index_bits is 7, with eps 0.004; legal: 8 to 16; reason: fewer cannot tell the 174 entries apart; nearest: 8"},
		{"reciprocal too wide", nic + "dividers: {hop: {kind: newton_raphson, recip_bits: 40}}\n",
			"f.yaml:2:52: dividers.hop.recip_bits is 40, with a divisor of 23 bits and seed_bits 9; legal: 8 to 31; reason: the first step knows no more bits of 2 - m x; nearest: 31"},
		{"coarse newton_raphson", nic + "dividers: {hop: {kind: newton_raphson, table_bits: 4, iterations: 1}}\n",
			"f.yaml:2:24: dividers.hop is off by up to 0.0014 of the quotient; legal: below 1e-4; reason: newton_raphson stands for an exact quotient; coarse ones are what reciprocal_table is for; nearest: iterations: 2"},
		{"both precisions", nic + "precision: {max_error: 1e-4, formats: {}}\n",
			"f.yaml:2:24: precision has both max_error and formats; legal: one of the two; reason: max_error chooses the formats; nearest: leave out max_error"},
		{"unreachable error", nic + "precision: {max_error: 1e-4}\ndividers: {quotient: {kind: reciprocal_table}}\n",
			"f.yaml:2:24: precision.max_error is 0.0001; legal: 2.2e-3 or more; reason: the dividers alone are off by 0.0022; nearest: 2.2e-3"},
	} {
		t.Run(c.name, func(t *testing.T) { assert.Equal(t, c.want, parseText(c.text)) })
	}
}

func TestFormatMessages(t *testing.T) {
	preset, err := PresetYAML("nic-line")
	require.NoError(t, err)
	for _, c := range []struct{ name, from, to, want string }{
		{"1/B too narrow", "inv_b: UQ7.20", "inv_b: UQ6.20",
			"f.yaml:57:12: precision.formats.inv_b is UQ6.20, which holds values below 64; legal: 7 integer bits or more; reason: 1/B reaches 102.4 (ticks that a unit of tx takes at 10G); nearest: UQ7.20"},
		{"1/(B T) too narrow", "inv_bt: UQ-2.36", "inv_bt: UQ-4.36",
			"f.yaml:58:13: precision.formats.inv_bt is UQ-4.36, which holds values below 0.0625; legal: -3 integer bits or more; reason: 1/(B T) reaches 0.064 (at 10G and T of 1000 ticks); nearest: UQ-3.36"},
		{"1/(B T) rounds to 0", "inv_bt: UQ-2.36", "inv_bt: UQ-2.16",
			"f.yaml:58:13: precision.formats.inv_bt is UQ-2.16, with an ulp of 1.52588e-05; legal: 17 fraction bits or more; reason: 1/(B T) is as small as 4e-06 (at 1.6T and T of 100000 ticks) and would round to 0; nearest: UQ-2.17"},
		{"1/T too narrow", "inv_t: UQ-9.45", "inv_t: UQ-10.45",
			"f.yaml:60:12: precision.formats.inv_t is UQ-10.45, which holds values below 0.000976562; legal: -9 integer bits or more; reason: 1/T reaches 0.001 (at T of 1000 ticks); nearest: UQ-9.45"},
		{"U too narrow", "u: UQ10.24", "u: UQ9.24",
			"f.yaml:59:8: precision.formats.u is UQ9.24, which holds values below 512; legal: 10 integer bits or more; reason: U reaches 1023 (utilisation.max; saturates above); nearest: UQ10.24"},
		{"quotient too narrow", "quotient: UQ8.27", "quotient: UQ7.27",
			"f.yaml:62:15: precision.formats.quotient is UQ7.27, which holds values below 128; legal: 8 integer bits or more; reason: eta/U reaches 250 (eta of 1 at utilisation.min; saturates above); nearest: UQ8.27"},
		{"window too narrow", "window: UQ24.12", "window: UQ23.12",
			"f.yaml:63:13: precision.formats.window is UQ23.12, which holds values below 8.38861e+06; legal: 24 integer bits or more; reason: W reaches 1.6e+07 (window.max; W_max clamps); nearest: UQ24.12"},
		{"rate too narrow", "rate: UQ8.24", "rate: UQ7.24",
			"f.yaml:64:11: precision.formats.rate is UQ7.24, which holds values below 128; legal: 8 integer bits or more; reason: R reaches 200 (bytes per tick at 1.6T; saturates above); nearest: UQ8.24"},
		{"U coarser than 1/B", "u: UQ10.24", "u: UQ10.19",
			"f.yaml:59:8: precision.formats.u is UQ10.19, with inv_b UQ7.20; legal: 20 fraction bits or more; reason: the hop divider shifts left from 1/B to U; nearest: UQ10.20"},
		{"1/(B T) coarser than U", "inv_bt: UQ-2.36", "inv_bt: UQ-2.23",
			"f.yaml:58:13: precision.formats.inv_bt is UQ-2.23, with u UQ10.24; legal: 24 fraction bits or more; reason: the queue term is rounded from 1/(B T) to U; nearest: UQ-2.24"},
		{"alpha finer than 1/T", "alpha: UQ1.34", "alpha: UQ1.46",
			"f.yaml:61:12: precision.formats.alpha is UQ1.46, with inv_t UQ-9.45; legal: up to 45 fraction bits; reason: alpha is rounded from tau/T; nearest: UQ1.45"},
		{"alpha with two integer bits", "alpha: UQ1.34", "alpha: UQ2.34",
			"f.yaml:61:12: precision.formats.alpha is UQ2.34; legal: one integer bit; reason: alpha is at most 1, and reaches it; nearest: UQ1.34"},
		{"entry of 65 bits", "inv_b: UQ7.20", "inv_b: UQ40.24",
			"f.yaml:57:12: precision.formats.inv_b is UQ40.24: 64 bits; legal: up to 63 bits; reason: its table entry holds the valid bit as well, and an entry has at most 64 bits; nearest: UQ40.23"},
		{"rate finer than W/T", "window: UQ24.12   # bytes\n    rate: UQ8.24", "window: UQ24.2\n    rate: UQ8.50",
			"f.yaml:64:11: precision.formats.rate is UQ8.50, with inv_t UQ-9.45; legal: up to 47 fraction bits; reason: R is rounded from W/T; nearest: UQ8.47"},
		{"U with few fraction bits",
			"inv_b: UQ7.20     # ticks per unit of tx\n    inv_bt: UQ-2.36   # 1/(B T), per unit of qlen\n    u: UQ10.24", "inv_b: UQ7.3\n    inv_bt: UQ-2.36\n    u: UQ10.3",
			"f.yaml:59:8: precision.formats.u is UQ10.3; legal: 4 fraction bits or more; reason: coarser, eta is no different from 1; nearest: UQ10.4"},
		{"alpha with one fraction bit", "alpha: UQ1.34", "alpha: UQ1.1",
			"f.yaml:61:12: precision.formats.alpha is UQ1.1; legal: 2 fraction bits or more; reason: coarser, U either stays or jumps; nearest: UQ1.2"},
		{"quotient with few fraction bits", "quotient: UQ8.27", "quotient: UQ8.3",
			"f.yaml:62:15: precision.formats.quotient is UQ8.3; legal: 4 fraction bits or more; reason: coarser, a window never changes by little; nearest: UQ8.4"},
		{"a format missing", "    alpha: UQ1.34\n", "",
			"f.yaml:56:3: precision.formats lacks alpha; legal: all of inv_b, inv_bt, u, inv_t, alpha, quotient, window, rate; reason: formats are given all or none; without them, max_error chooses"},
		{"a product too wide",
			"inv_b: UQ7.20     # ticks per unit of tx\n    inv_bt: UQ-2.36   # 1/(B T), per unit of qlen\n    u: UQ10.24", "inv_b: UQ63.0\n    inv_bt: UQ-2.60\n    u: UQ10.54",
			"f.yaml:56:3: the dividend of a hop takes 139 bits; legal: up to 128 bits; reason: exact intermediate values are held in two words of 64 bits; they follow from telemetry.tx_bits, inv_b, u, dividers.hop; nearest: 11 bits fewer among these"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := strings.Replace(string(preset), c.from, c.to, 1)
			require.NotEqual(t, string(preset), text)
			assert.Equal(t, c.want, parseText(text))
		})
	}
}
