package configtest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/hdlpkg/hpccgen/config"
)

// RandomCSIG draws a valid configuration of a CSIG switch: the same for the same seed. Every key takes part; ports stay few enough that a
// design simulates fast.
func RandomCSIG(seed uint64) *config.CSIG { return random(seed, drawCSIG).(*config.CSIG) }

// RandomINT draws one of an INT source, likewise.
func RandomINT(seed uint64) *config.INT { return random(seed, drawINT).(*config.INT) }

func random(seed uint64, draw func(*drawer)) config.Design {
	r := rand.New(rand.NewPCG(seed, 0x63736967))
	for {
		// What is drawn key by key may contradict itself; then draw again.
		d := &drawer{Rand: r}
		draw(d)
		text := strings.ReplaceAll(d.String(), "SEED", fmt.Sprint(seed))
		if c, err := config.ParseDesign(fmt.Sprintf("random %d", seed), []byte(text)); err == nil {
			return c
		}
	}
}

// chance is true once in n times.
func (d *drawer) chance(n int) bool { return d.IntN(n) == 0 }

func (d *drawer) ports() int {
	n := []int{1, 2, 3, 4, 5, 8, d.between(1, 20)}[d.IntN(7)]
	d.line("ports: %d", n)
	return n
}

func (d *drawer) common(kind string) {
	d.line("design: %s", kind)
	d.line("name: random_SEED")
	if d.chance(4) {
		d.line("module_prefix: p%d_", d.IntN(10))
	}
	d.line("reset: %s", d.one("sync", "sync", "async_low"))
}

func (d *drawer) streamBits() string { return d.one("64", "128", "256", "512") }

func (d *drawer) vlans() string {
	list := []string{"0x8100", "0x88a8", "0x9100", "0x9200", fmt.Sprintf("0x%04x", d.between(0x600, 0xffff))}
	d.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return "[" + strings.Join(list[:d.between(1, 4)], ", ") + "]"
}

func drawCSIG(d *drawer) {
	d.common("csig")
	folded := d.chance(5)
	if folded {
		d.line("stream_bits: 64\npipeline: folded")
	} else {
		d.line("stream_bits: %s", d.streamBits())
	}
	ports := d.ports()
	ratio := d.between(12, 28)
	d.line("widths:")
	d.line("  time: %s", d.one("32", "48", "64", fmt.Sprint(d.between(32, 64))))
	d.line("  bytes: %s", d.one("24", "40", fmt.Sprint(d.between(16, 40))))
	d.line("  fraction: %s", d.one("0", "16", fmt.Sprint(d.between(0, 16))))
	d.line("  ratio: %d", ratio)
	d.line("  reciprocal: %d", min(ratio+d.between(4, 8), 32))
	d.line("  queue: %s", d.one("8", "24", "32", "48", fmt.Sprint(d.between(8, 48))))

	compact, expanded := !d.chance(5), !d.chance(5)
	if folded {
		expanded = false
	}
	if !compact && !expanded {
		compact = true
	}
	tpid := func(there bool, usual string) string {
		if !there {
			return "none"
		}
		return d.one(usual, usual, fmt.Sprintf("0x%04x", d.between(0x600, 0xffff)))
	}
	d.line("tags:")
	d.line("  split: %s", d.one("ietf", "uec"))
	d.line("  compact: %s", tpid(compact, "0x88b5"))
	d.line("  expanded: %s", tpid(expanded, "0x88b6"))
	d.line("  vlan: %s", d.vlans())
	d.line("  decrypted: %s", d.one("false", "true"))

	d.line("bandwidth:")
	switch method := d.one("raw", "ewma", "dre"); method {
	case "raw":
		d.line("  window: %dns", d.between(1000, 200_000))
	case "ewma":
		shift := d.between(10, 20)
		d.line("  method: ewma\n  time_shift: %d\n  gap_shift: %d", shift, d.between(0, shift-1))
	case "dre":
		decay := d.between(1, 6)
		d.line("  method: dre\n  tick_shift: %d\n  decay_shift: %d", d.between(10-decay, 16), decay)
	}
	d.line("  overhead: %sB", d.one("24", "0", "255", fmt.Sprint(d.between(0, 255))))
	if folded {
		d.line("bucketizer: search")
	} else {
		d.line("bucketizer: %s", d.one("parallel", "search"))
	}
	if compact {
		d.line("buckets: {min_abw: %s, min_abwc: %s, max_delay: %s, max_queue: %s}", d.bounds("k", 4_000_000), d.bounds("%", 100), d.bounds("ns", 1_000_000), d.bounds("ns", 1_000_000))
	}
	if expanded {
		d.line("quantizers: {min_abw: %s, min_abwc: %s, max_delay: %s, max_queue: %s}", d.quantizer("k", 100_000), d.quantizer("%", 3), d.quantizer("ns", 5000), d.quantizer("ns", 5000))
	}
	d.line("port_defaults: %s", d.csigPort(compact, expanded))
	if ports > 1 && d.chance(2) {
		d.line("port_overrides:")
		for range d.between(1, 3) {
			first := d.IntN(ports)
			d.line("  - {ports: %d-%d, %s", first, d.between(first, ports-1), strings.TrimPrefix(d.csigPort(compact, expanded), "{"))
		}
	}
}

func (d *drawer) bounds(unit string, high int) string {
	switch d.IntN(6) {
	case 0:
		return "none"
	case 1, 2:
		return "appendix_a"
	}
	list := make([]int, d.between(0, 31))
	for i := range list {
		list[i] = d.between(0, high)
	}
	slices.Sort(list)
	text := "[0"
	for _, b := range list {
		text += fmt.Sprintf(", %d%s", b, unit)
	}
	return text + "]"
}

func (d *drawer) quantizer(unit string, high int) string {
	if d.chance(6) {
		return "{step: none}"
	}
	return fmt.Sprintf("{base: %d%s, step: %d%s}", d.IntN(high), unit, d.between(1, high), unit)
}

func (d *drawer) csigPort(compact, expanded bool) string {
	action := func() string { return d.one("update", "update", "update", "strip", "pass") }
	var locators []string
	locator := func(size string, most int) {
		locators = append(locators, size+": "+d.one("low_bits", fmt.Sprint(d.between(0, most)), fmt.Sprintf("[%d, %d, low_bits, 0]", d.between(0, most), most)))
	}
	if compact {
		locator("compact", 63)
	}
	if expanded {
		locator("expanded", 32767)
	}
	return fmt.Sprintf("{capacity: %s, trusted: %s, actions: {min_abw: %s, min_abwc: %s, max_delay: %s, max_queue: %s, others: %s}, locator: {%s}}",
		d.one("1M", "1G", "10G", "25G", "100G", fmt.Sprintf("%dk", d.between(1000, 400_000_000))), d.one("true", "true", "true", "false"),
		action(), action(), action(), action(), d.one("pass", "strip"), strings.Join(locators, ", "))
}

func drawINT(d *drawer) {
	d.common("int")
	d.line("stream_bits: %s", d.streamBits())
	ports := d.ports()
	format := d.one("hpcc", "ifa", "int_md", "ioam")
	d.line("format: %s", format)
	switch format {
	case "hpcc":
		d.line("reserved: %s\nmax_hops: %d\nudp_port: %d", d.one("false", "true"), d.between(1, 15), d.between(1, 65535))
	case "int_md":
		d.line("udp_port: %d", d.between(1, 65535))
	case "ifa":
		d.line("protocol: %s\nlns: %d", d.one("253", "131", fmt.Sprint(d.between(1, 255))), d.IntN(16))
	case "ioam":
		d.line("trace: {tx_bit: %d, order: %s, namespace: %d}", d.between(12, 21), d.one("by_bit", "figure"), d.IntN(65536))
	}
	d.line("timestamps: {bits: %s}", d.one("32", "48", "64", fmt.Sprint(d.between(32, 64))))
	d.line("queue: {bits: %s, unit: %sB}", d.one("8", "32", "48", fmt.Sprint(d.between(8, 48))), d.one("1", "80", "208", "65535", fmt.Sprint(d.between(1, 1000))))
	d.line("tx: {unit: %dB, overhead: %dB}", 1<<d.between(0, 16), d.IntN(256))
	d.line("vlan: %s", d.vlans())
	d.line("node: %d", d.IntN(4096))
	port := func() string {
		return fmt.Sprintf("enabled: %s, mtu: %s, rate_code: %d}", d.one("true", "true", "false"), d.one("1500", "9000", "65535", fmt.Sprint(d.between(0, 65535))), d.IntN(16))
	}
	d.line("port_defaults: {%s", port())
	if ports > 1 && d.chance(2) {
		d.line("port_overrides: [{ports: %d, %s]", d.IntN(ports), port())
	}
}
