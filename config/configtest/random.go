// Package configtest draws configurations for tests that must hold for every design.
package configtest

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/hdlpkg/hpccgen/config"
)

// Random draws a valid configuration: the same for the same seed. Every key takes part, small and odd widths as often
// as usual ones; contexts stay few enough that a design simulates fast.
func Random(seed uint64) *config.NIC {
	r := rand.New(rand.NewPCG(seed, 0x6870636367656e))
	for {
		// What is drawn key by key may contradict itself; then draw again.
		if c, err := config.Parse(fmt.Sprintf("random %d", seed), []byte(draw(r, seed))); err == nil {
			return c
		}
	}
}

type drawer struct {
	*rand.Rand
	strings.Builder
}

func draw(r *rand.Rand, seed uint64) string {
	d := &drawer{Rand: r}
	d.line("design: nic")
	d.line("name: random_%d", seed)
	d.line("hops: {max: %d, order: %s}", d.between(1, 8), d.one("parallel", "serial"))
	d.line("flows: %s", d.one("2", "3", "16", fmt.Sprint(d.between(2, 300))))
	d.line("profiles: %s", d.one("1", "2", "4", "8", "16"))

	sojourn := d.IntN(4) == 0
	tick := d.between(1, 3) // ns
	d.line("telemetry:")
	d.line("  timestamp_bits: %s", d.one("24", "32", "48", fmt.Sprint(d.between(16, 40))))
	d.line("  tick: %dns", tick)
	d.line("  tx_bits: %s", d.one("20", "32", fmt.Sprint(d.between(8, 48))))
	d.line("  tx_unit: %s", d.one("1B", "64B", "128B", fmt.Sprintf("%dB", d.between(1, 500))))
	d.line("  qlen_bits: %s", d.one("17", "4", "32", fmt.Sprint(d.between(4, 32))))
	if sojourn {
		d.line("  qlen_unit: %dns", tick*d.between(1, 100))
	} else {
		d.line("  qlen_unit: %dB", d.between(1, 500))
	}
	d.line("  rate_code_bits: %d", d.between(1, 6))
	d.line("  link_id_bits: %s", d.one("0", "0", "1", "8", "32"))
	d.line("  path_id_bits: %s", d.one("0", "1", "12", "32"))
	if sojourn {
		d.line("queue: sojourn")
	}
	d.line("mode: %s", d.one("sender", "sender", "receiver"))
	d.line("sequence_bits: %s", d.one("24", "32"))
	if d.IntN(2) == 0 {
		d.line("clock_bits: %d", d.between(17, 64))
	}
	d.line("stage_bits: %d", d.between(1, 8))
	d.line("counter_bits: %s", d.one("8", "16", "32", "64"))
	d.line("reset: %s", d.one("sync", "sync", "async_low"))
	d.line("rates: [%s, %s]", d.one("1G", "10G", "25G"), d.one("25G", "100G", "400G", "1.6T"))
	d.line("base_rtt: {min: %dns, max: %dns}", d.between(100, 2000), d.between(2000, 60000))
	d.line("window: {min: %dB}", d.between(16, 1000))
	d.line("utilisation: {min: %g, max: %d}", 1/float64(d.between(3, 500)), d.between(2, 300))
	d.line("dividers:")
	d.divider("hop")
	d.divider("quotient")
	d.line("precision: {max_error: %g}", float64(d.between(1, 9))*[]float64{1e-2, 1e-3, 1e-4, 1e-5}[d.IntN(4)])
	return d.String()
}

func (d *drawer) divider(name string) {
	d.line("  %s:", name)
	kind := d.one("restoring_serial", "restoring_pipelined", "reciprocal_table", "newton_raphson")
	d.line("    kind: %s", kind)
	if d.IntN(2) == 0 {
		return // the kind's defaults
	}
	switch kind {
	case "reciprocal_table":
		d.line("    eps: %g", float64(d.between(3, 200))/1000)
		d.line("    index_bits: %d", d.between(3, 12))
		d.line("    entry_bits: %d", d.between(5, 20))
	case "newton_raphson":
		table := d.between(5, 9)
		d.line("    table_bits: %d", table)
		d.line("    seed_bits: %d", table+d.between(0, 4))
		d.line("    iterations: %d", d.between(1, 2))
	}
}

func (d *drawer) line(format string, args ...any) { fmt.Fprintf(d, format+"\n", args...) }

func (d *drawer) between(low, high int) int { return low + d.IntN(high-low+1) }

func (d *drawer) one(words ...string) string { return words[d.IntN(len(words))] }
