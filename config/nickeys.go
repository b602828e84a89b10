package config

// Keys of a NIC design that all laws share: what the frame around a law is made of. The table of a law takes those
// that it needs, in any order, beside its own.

const whyCounter = "software must be able to read it as one word"

// lawKey is the law of a table. The default law is not in the canonical form: designs of before there was a choice
// keep their hash.
func lawKey(law, doc string) key {
	k := key{name: "law", kind: kindChoice, choices: []string{law}, doc: doc,
		text: func(Design, int) string { return law }}
	if law == defaultLaw {
		k.fallback, k.later = law, true
	} else {
		k.required = true
	}
	return k
}

var (
	flowsKey = key{name: "flows", kind: kindInteger, low: "2", high: "65536", fallback: "1024",
		why: "a context memory has at least two words, and an index of at most 16 bits",
		doc: "Contexts that the engine holds."}
	profilesKey = key{name: "profiles", kind: kindInteger, low: "1", high: "16", powerOf2: true, fallback: "8",
		why: "the profile is the low bits of an index",
		doc: "Sets of the constants that software writes; a flow names the one that it uses."}
	tickKey = key{name: "tick", kind: kindDuration, low: "1ns", high: "1ms", fallback: "1ns",
		why: "switches stamp in nanoseconds at the finest; above 1ms no round trip would be resolved",
		doc: "Unit of timestamps, of T and of the local clock; whole nanoseconds."}
	sequenceKey = key{name: "sequence_bits", kind: kindInteger, low: "24", high: "32", choices: []string{"24", "32"},
		fallback: "32",
		why:      "RoCE packet numbers have 24 bits, TCP sequence numbers 32",
		doc:      "Width of ack_seq and snd_nxt."}
	clockKey = key{name: "clock_bits", kind: kindInteger, low: "60", high: "64", fallback: "64",
		why: "a clock that wraps takes a flow that slept for its range as awake; " +
			"60 bits of nanoseconds last for 36 years",
		doc: "Width of the local clock, in ticks."}
	counterKey = key{name: "counter_bits", kind: kindInteger, low: "8", high: "64", fallback: "32", why: whyCounter,
		doc: "Width of the event counters."}
	generationKey = key{name: "generation_bits", kind: kindInteger, low: "0", high: "8", fallback: "2",
		why: "no more than 256 lives of a flow have acknowledgements under way at once",
		doc: "Width of the generation that tells the lives of a flow apart; 0: there is none."}
	tagKey = key{name: "tag_bits", kind: kindInteger, low: "0", high: "64", fallback: "0",
		why: "ports have at most 64 bits",
		doc: "Width of a tag that goes from each acknowledgement to its decision unchanged; 0: there is none."}
	busKey = key{name: "bus", kind: kindChoice, choices: []string{"native", "axi_lite"}, fallback: "native", later: true,
		doc: "How software reaches tables, contexts and counters: streams tw, cw, cr and cd and counters as outputs, " +
			"or registers behind an AXI4-Lite slave with an interrupt."}
)
