package config

// csigSwitch is the CSIG pipeline of a switch.
var csigSwitch = grammar{
	kind: KindCSIG, title: "a CSIG switch", preset: "csig-64p", keys: csigKeys,
	start: func() Design { return &CSIG{} }, finish: finisher((*decoder).finishCSIG),
}

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
	quantum   string // step of the quantizer by default
	words     string // the same in words; empty: as it is
}{
	{"min_abw", "type 0, available bandwidth", rateMeasure, "8M", ""},
	{"min_abwc", "type 1, available bandwidth over capacity", shareMeasure, "0.000095367431640625%",
		"2^-20 of the capacity"},
	{"max_delay", "type 2, per-hop delay", durationMeasure, "128ns", ""},
	{"max_queue", "type 3, queue depth over capacity", durationMeasure, "128ns", ""},
}

// CSIGSignalName is the name that a signal type has in files and registers.
func CSIGSignalName(t int) string { return csigSignals[t].name }

var (
	highest = [...]string{rateMeasure: "4294967295k", shareMeasure: "100%", durationMeasure: "4294967295ns"}
	least   = [...]string{rateMeasure: "1k", shareMeasure: "0.00000001%", durationMeasure: "1ns"}
)

const whySignal = "a signal's value has 32 bits"

// withTags is the need of what compact or expanded tags have.
func withTags(path string) []condition {
	return []condition{{path: path, not: wordNone, legal: "with a TPID in " + path, why: "the device knows no such tags"}}
}

func bucketKeys() []key {
	var list []key
	for t, s := range csigSignals {
		list = append(list, key{name: s.name, kind: kindBounds, measure: s.measure, low: "0", high: highest[s.measure],
			otherwise: wordDraft, text: ofCSIG(func(c *CSIG, _ int) string { return c.boundsText(t) }), why: whySignal,
			doc: "Lower bounds of the buckets of " + s.doc +
				". none: the type has no table, and its compact tags pass."})
	}
	return list
}

func quantizerKeys() []key {
	var list []key
	for t, s := range csigSignals {
		list = append(list, key{name: s.name, kind: kindObject, flow: true, doc: "Of " + s.doc + ".", keys: []key{
			{name: "base", kind: kindValue, measure: s.measure, low: "0", high: highest[s.measure], fallback: "0",
				needs: []condition{{path: ".step", not: wordNone, legal: "with a step", why: "a type has both or none"}},
				text:  ofCSIG(func(c *CSIG, _ int) string { return c.quantizerText(t, c.Quantizer[t].Base, "") }), why: whySignal,
				doc: "What code 0 starts at; below it the code is 0 as well."},
			{name: "step", kind: kindValue, measure: s.measure, low: least[s.measure], high: highest[s.measure],
				none: true, otherwise: s.quantum, derived: s.words,
				text: ofCSIG(func(c *CSIG, _ int) string { return c.quantizerText(t, c.Quantizer[t].Step, wordNone) }),
				why:  "the quantizer divides by it",
				doc:  "Width of a code. none: the type has no quantizer, and its expanded tags pass."},
		}})
	}
	return list
}

func actionKeys() []key {
	var list []key
	for _, s := range csigSignals {
		list = append(list, key{name: s.name, kind: kindChoice, choices: []string{"pass", "strip", "update"},
			fallback: "update",
			doc:      "Tags of " + s.doc + "."})
	}
	last := &list[len(list)-1]
	last.fallback, last.derived = "", "update with tags.split: uec, else pass"
	last.choose = func(d *decoder, _ string) string { return pick(d.word("tags.split") == "uec", "pass", "update") }
	return append(list, key{name: "others", kind: kindChoice, choices: []string{"pass", "strip"}, fallback: "pass",
		doc: "Tags of all other types: there is no signal to update them with."})
}

// csigPortKeys describe a port, in port_defaults and in port_overrides.
var csigPortKeys = []key{
	{name: "capacity", kind: kindRate, low: "1M", high: "4294967295k", fallback: "100G",
		why: "it is kept in kbit/s, in 32 bits; below 1M its factors do not exist",
		doc: "Capacity of the port, a whole number of kbit/s."},
	{name: "trusted", kind: kindBool, fallback: "true",
		doc: "false: tags that arrive at the port are removed, whatever they say."},
	{name: "actions", kind: kindObject, keys: actionKeys(),
		doc: "What happens on egress to tags of each type: pass, strip or update."},
	{name: "locator", kind: kindObject, doc: "LM of the tags that the port updates.", keys: []key{
		{name: "compact", kind: kindLocator, low: "0", high: "127", fallback: wordPort, needs: withTags("tags.compact"),
			text: ofCSIG((*CSIG).compactText), why: "LM has 7 bits, with tags.split: uec 6",
			doc: "Of compact tags: port is the number of the port, low_bits as many of its low bits as LM has. " +
				"Or a number, or a list of four, one for each signal type."},
		{name: "expanded", kind: kindLocator, low: "0", high: "65535", fallback: wordPort,
			needs: withTags("tags.expanded"), text: ofCSIG((*CSIG).expandedText),
			why: "LM has 16 bits, with tags.split: uec 15",
			doc: "Of expanded tags."},
	}},
}

// ofMethod is the need of a method's parameter.
func ofMethod(m CSIGMethod) []condition {
	return []condition{{path: ".method", words: []string{string(m)}, why: "a method has its own parameters only"}}
}

var csigKeys = []key{
	designKey(KindCSIG, "What to build: csig is the CSIG pipeline of a switch."),
	nameKey("csig"),
	prefixKey,
	resetKey,
	portsKey("64"),
	streamKey,
	{name: "pipeline", kind: kindChoice, choices: []string{"full", "folded"}, fallback: "full", later: true,
		asks: []ask{
			{"folded", "stream_bits", "64", "64",
				"the shortest Ethernet frame takes eight cycles on 64 bits, and fewer on more"},
			{"folded", "tags.expanded", wordNone, wordNone,
				"the codes of expanded tags need the divider of the full pipeline"},
			{"folded", "bucketizer", "search", "search", "one comparator takes a value's bounds in turn"},
		},
		doc: "full: a packet a cycle. folded: a packet in eight cycles, the rate of the shortest Ethernet frames on " +
			"64 bits, with blocks that take as long and are smaller; with stream_bits: 64, tags.expanded: none and " +
			"bucketizer: search."},
	{name: "depth", kind: kindChoice, choices: []string{"shallow", "deep"},
		derived: "deep with more than 64 stream_bits, else shallow",
		choose:  func(d *decoder, _ string) string { return pick(d.integer("stream_bits") > 64, "shallow", "deep") },
		text:    depthText,
		needs: []condition{{path: "pipeline", words: []string{"full"},
			why: "a folded pipeline has eight cycles for a packet, and no step that needs more registers"}},
		doc: "Where registers stand. shallow: where the pipeline needs them. deep: also where only the clock of a large " +
			"FPGA does, which takes more of them and more cycles from the header to the decision."},
	multiplierKey(),
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
		vlanKey,
		{name: "decrypted", kind: kindBool, fallback: "false",
			doc: "true: SecTAGs stay on packets whose protection has been removed, so that they hide nothing."},
	}},
	{name: "bandwidth", kind: kindObject, doc: "How available bandwidth is measured (docs/csig.md, Meters).", keys: []key{
		{name: "method", kind: kindChoice, choices: []string{string(CSIGRaw), string(CSIGEWMA), string(CSIGDRE)},
			fallback: string(CSIGRaw),
			doc:      "raw: bytes of the last window. ewma: moving average. dre: a counter that decays (CONGA)."},
		{name: "window", kind: kindDuration, low: "1us", high: "1s", otherwise: "128us", needs: ofMethod(CSIGRaw),
			why: "draft section 5.3.2",
			doc: "raw: delta_t, whole nanoseconds; software may write another."},
		{name: "time_shift", kind: kindInteger, low: "10", high: "30", otherwise: "17", needs: ofMethod(CSIGEWMA),
			why: "from 1 us to 1 s",
			doc: "ewma: the time constant is 2^time_shift ns."},
		{name: "gap_shift", kind: kindInteger, low: "0", high: "29", derived: "time_shift - 8, or 0",
			needs: ofMethod(CSIGEWMA), choose: more("time_shift", -8),
			why: "an update covers less than a time constant",
			doc: "ewma: updates are at least 2^gap_shift ns apart."},
		{name: "tick_shift", kind: kindInteger, low: "4", high: "29", otherwise: "13", needs: ofMethod(CSIGDRE),
			why: "tick_shift + decay_shift is 10 to 30: a time constant of 1 us to 1 s",
			doc: "dre: a tick is 2^tick_shift ns; with decay_shift 10 to 30 in all."},
		{name: "decay_shift", kind: kindInteger, low: "1", high: "6", otherwise: "4", needs: ofMethod(CSIGDRE),
			why: "up to 64 ticks in a time constant",
			doc: "dre: a tick takes 2^-decay_shift of the counter; " +
				"the time constant is 2^(tick_shift + decay_shift) ns."},
		overheadKey,
	}},
	{name: "bucketizer", kind: kindChoice, choices: []string{"parallel", "search"}, fallback: "parallel",
		doc: "parallel: one comparator a bucket. search: binary search over memories, one step a cycle, smaller."},
	{name: "buckets", kind: kindObject, keys: bucketKeys(), needs: withTags("tags.compact"),
		doc: "Bucket tables of compact tags. " +
			"Data for software: they change nothing in the Verilog but the configuration hash."},
	{name: "quantizers", kind: kindObject, keys: quantizerKeys(), needs: withTags("tags.expanded"),
		doc: "Quantizers of expanded tags. Data for software, as the buckets."},
	defaultsKey("What software writes for a port. Data, as the buckets.", csigPortKeys),
	overridesKey(csigPortKeys),
}

// depthText leaves the default out, so that hashes are those of the time when the width of the stream alone decided.
func depthText(c Design, _ int) string {
	s := c.(*CSIG)
	if s.Folded || s.Deep == (s.DataBits > 64) {
		return ""
	}
	return pick(s.Deep, "shallow", "deep")
}

// ofCSIG is the text of a key for the canonical form of a CSIG switch.
func ofCSIG(text func(c *CSIG, port int) string) func(Design, int) string {
	return func(c Design, port int) string { return text(c.(*CSIG), port) }
}
