package config

// whyTPID says why TPIDs have the range that they have.
const whyTPID = "below 0x0600 the two bytes are a length (IEEE 802.3)"

// measure is the unit that values of a signal type have in a file.
type measure int

const (
	rateMeasure     measure = iota // bandwidth, kept in kbit/s
	shareMeasure                   // share of the capacity in percent, kept in units of 2^-Ratio
	durationMeasure                // time, kept in ns
)

// csigSignals are the signal types in the order of their numbers.
var csigSignals = [CSIGTypes]struct {
	name, doc string
	measure   measure
	quantum   string // step of the quantizer by default; empty: 2^-20
}{
	{"min_abw", "type 0, available bandwidth", rateMeasure, "8M"},
	{"min_abwc", "type 1, available bandwidth over capacity", shareMeasure, ""},
	{"max_delay", "type 2, per-hop delay", durationMeasure, "128ns"},
	{"max_queue", "type 3, queue depth over capacity", durationMeasure, "128ns"},
}

var (
	highest = [...]string{rateMeasure: "4294967295k", shareMeasure: "100%", durationMeasure: "4294967295ns"}
	least   = [...]string{rateMeasure: "1k", shareMeasure: "0.00000001%", durationMeasure: "1ns"}
)

func bucketKeys() []key {
	var list []key
	for _, s := range csigSignals {
		list = append(list, key{name: s.name, kind: kindBounds, measure: s.measure, low: "0", high: highest[s.measure],
			derived: "appendix_a, when tags.compact is given",
			why:     "a signal's value has 32 bits",
			doc:     "Lower bounds of the buckets of " + s.doc + ". none: the type has no table, and its compact tags pass."})
	}
	return list
}

func quantizerKeys() []key {
	var list []key
	for _, s := range csigSignals {
		step := s.quantum
		if step == "" {
			step = "2^-20 of the capacity"
		}
		list = append(list, key{name: s.name, kind: kindObject, doc: "Of " + s.doc + ".", keys: []key{
			{name: "base", kind: kindValue, measure: s.measure, low: "0", high: highest[s.measure], fallback: "0",
				why: "a signal's value has 32 bits",
				doc: "What code 0 starts at; below it the code is 0 as well."},
			{name: "step", kind: kindValue, measure: s.measure, low: least[s.measure], high: highest[s.measure], none: true, derived: step + ", when tags.expanded is given",
				why: "the quantizer divides by it",
				doc: "Width of a code. none: the type has no quantizer, and its expanded tags pass."},
		}})
	}
	return list
}

func actionKeys() []key {
	var list []key
	for t, s := range csigSignals {
		k := key{name: s.name, kind: kindChoice, choices: []string{"pass", "strip", "update"}, fallback: "update",
			doc: "Tags of " + s.doc + "."}
		if t == 3 {
			k.fallback, k.derived = "", "update with tags.split: uec, else pass"
		}
		list = append(list, k)
	}
	return append(list, key{name: "others", kind: kindChoice, choices: []string{"pass", "strip"}, fallback: "pass",
		doc: "Tags of all other types: there is no signal to update them with."})
}

// portKeys describe a port, in port_defaults and in port_overrides.
var portKeys = []key{
	{name: "capacity", kind: kindRate, low: "1M", high: "4294967295k", fallback: "100G",
		why: "it is kept in kbit/s, in 32 bits; below 1M its factors do not exist",
		doc: "Capacity of the port, a whole number of kbit/s."},
	{name: "trusted", kind: kindBool, fallback: "true",
		doc: "false: tags that arrive at the port are removed, whatever they say."},
	{name: "actions", kind: kindObject, doc: "What happens on egress to tags of each type: pass, strip or update.", keys: actionKeys()},
	{name: "locator", kind: kindObject, doc: "LM of the tags that the port updates.", keys: []key{
		{name: "compact", kind: kindLocator, low: "0", high: "127", fallback: "port", why: "LM has 7 bits, with tags.split: uec 6",
			doc: "Of compact tags: port is the number of the port, low_bits as many of its low bits as LM has. Or a number, or a list of four, one for each signal type."},
		{name: "expanded", kind: kindLocator, low: "0", high: "65535", fallback: "port", why: "LM has 16 bits, with tags.split: uec 15",
			doc: "Of expanded tags."},
	}},
}

var csigKeys = []key{
	{name: "design", kind: kindChoice, choices: []string{KindCSIG}, required: true,
		doc: "What to build: csig is the CSIG pipeline of a switch."},
	{name: "name", kind: kindIdentifier, fallback: "csig",
		why: "it names files and modules",
		doc: "Name of the design."},
	{name: "module_prefix", kind: kindIdentifier, derived: "none",
		why: "it begins the names of all modules",
		doc: "Begins the name of every module, for chips that hold several designs."},
	{name: "reset", kind: kindChoice, choices: []string{"sync", "async_low"}, fallback: "sync",
		doc: "sync: rst, synchronous, active high. async_low: rst_n, asynchronous, active low."},
	{name: "ports", kind: kindInteger, low: "1", high: "256", fallback: "64",
		why: "the counters of 256 ports fill the register map, and the memories of the pipeline",
		doc: "Ports that share the pipeline."},
	{name: "stream_bits", kind: kindInteger, low: "64", high: "512", powerOf2: true, fallback: "512",
		why: "these are the widths that AXI4-Stream cores of 1G to 400G have",
		doc: "Width of tdata of the packet streams."},
	{name: "pipeline", kind: kindChoice, choices: []string{"full", "folded"}, fallback: "full",
		doc: "full: a packet a cycle. folded: a packet in eight cycles, the rate of the shortest Ethernet frames on 64 bits, with blocks that take as long and are smaller; with stream_bits: 64, tags.expanded: none and bucketizer: search."},
	{name: "widths", kind: kindObject, doc: "Widths in bits (docs/csig.md, Widths).", keys: []key{
		{name: "time", kind: kindInteger, low: "32", high: "64", fallback: "48",
			why: "half of their range must be longer than two windows of 1 s",
			doc: "Timestamps, ns."},
		{name: "bytes", kind: kindInteger, low: "16", high: "40", fallback: "40",
			why: "one packet must fit, and more than 40 bits no second of traffic takes",
			doc: "Counts of bytes on the wire."},
		{name: "fraction", kind: kindInteger, low: "0", high: "16", fallback: "16",
			why: "more is below the error of the bytes counted",
			doc: "Fraction of a byte in EWMA and DRE."},
		{name: "reciprocal", kind: kindInteger, low: "16", high: "32", derived: "ratio + 8, at most 32",
			why: "a mantissa is one register, and has 4 to 8 bits more than ratio",
			doc: "Mantissas of factors."},
		{name: "ratio", kind: kindInteger, low: "12", high: "28", fallback: "24",
			why: "12 bits tell 0.1% apart, and a mantissa has at most 32",
			doc: "Fraction of ABW/C: 2^ratio is one."},
		{name: "queue", kind: kindInteger, low: "8", high: "48", fallback: "32",
			why: "no queue is longer",
			doc: "Queue depth, bytes."},
	}},
	{name: "tags", kind: kindObject, doc: "The tags of the network.", keys: []key{
		{name: "split", kind: kindChoice, choices: []string{"ietf", "uec"}, fallback: "ietf",
			doc: "ietf: field split of draft-ravi-ippm-csig-00. uec: that of UEC 1.1, with the bit d."},
		{name: "compact", kind: kindTPID, low: "0x0600", high: "0xffff", none: true, fallback: "0x88b5", why: whyTPID,
			doc: "TPID of compact tags. none: there are none."},
		{name: "expanded", kind: kindTPID, low: "0x0600", high: "0xffff", none: true, fallback: "0x88b6", why: whyTPID,
			doc: "TPID of expanded tags. none: there are none."},
		{name: "vlan", kind: kindTPIDs, low: "0x0600", high: "0xffff", fallback: "[0x8100, 0x88a8]", why: whyTPID,
			doc: "TPIDs of VLAN tags, up to four of them."},
		{name: "decrypted", kind: kindBool, fallback: "false",
			doc: "true: SecTAGs stay on packets whose protection has been removed, so that they hide nothing."},
	}},
	{name: "bandwidth", kind: kindObject, doc: "How available bandwidth is measured (docs/csig.md, Meters).", keys: []key{
		{name: "method", kind: kindChoice, choices: []string{string(CSIGRaw), string(CSIGEWMA), string(CSIGDRE)}, fallback: string(CSIGRaw),
			doc: "raw: bytes of the last window. ewma: moving average. dre: a counter that decays (CONGA)."},
		{name: "window", kind: kindDuration, low: "1us", high: "1s", derived: "128us (method raw)",
			why: "draft section 5.3.2",
			doc: "raw: delta_t, whole nanoseconds; software may write another."},
		{name: "time_shift", kind: kindInteger, low: "10", high: "30", derived: "17 (method ewma)",
			why: "from 1 us to 1 s",
			doc: "ewma: the time constant is 2^time_shift ns."},
		{name: "gap_shift", kind: kindInteger, low: "0", high: "29", derived: "time_shift - 8, or 0 (method ewma)",
			why: "an update covers less than a time constant",
			doc: "ewma: updates are at least 2^gap_shift ns apart."},
		{name: "tick_shift", kind: kindInteger, low: "0", high: "30", derived: "13 (method dre)",
			why: "up to 1 s",
			doc: "dre: a tick is 2^tick_shift ns."},
		{name: "decay_shift", kind: kindInteger, low: "1", high: "6", derived: "4 (method dre)",
			why: "the table of decays has 2^(decay_shift + 4) entries",
			doc: "dre: a tick takes 2^-decay_shift of the counter; the time constant is 2^(tick_shift + decay_shift) ns."},
		{name: "overhead", kind: kindSize, low: "0B", high: "255B", fallback: "24B",
			why: "FCS, preamble and gap are 24 B; the register has 8 bits",
			doc: "What a packet takes on the wire beyond its bytes."},
	}},
	{name: "bucketizer", kind: kindChoice, choices: []string{"parallel", "search"}, fallback: "parallel",
		doc: "parallel: one comparator a bucket. search: binary search over memories, one step a cycle, smaller."},
	{name: "buckets", kind: kindObject, doc: "Bucket tables of compact tags. Data for software: they change nothing in the Verilog but the configuration hash.", keys: bucketKeys()},
	{name: "quantizers", kind: kindObject, doc: "Quantizers of expanded tags. Data for software, as the buckets.", keys: quantizerKeys()},
	{name: "port_defaults", kind: kindObject, doc: "What software writes for a port. Data, as the buckets.", keys: portKeys},
	{name: "port_overrides", kind: kindList, low: "0", high: "256", doc: "Ports that differ from port_defaults; where two name the same port, the later one decides.",
		keys: append([]key{{name: "ports", kind: kindPorts, low: "0", high: "255", required: true,
			why: "ports are counted from 0",
			doc: "The ports concerned: 3, or 0-3."}}, portKeys...)},
}
