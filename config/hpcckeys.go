package config

import "fmt"

// hpccEngine is the HPCC++ engine of a NIC.
var hpccEngine = grammar{
	kind: KindNIC, law: LawHPCC, title: "an HPCC++ engine", preset: "nic-line", keys: hpccKeys,
	start: func() Design { return &NIC{} }, finish: finisher((*decoder).finishNIC),
}

const whyField = "a field of the record; real telemetry uses no other widths"

// maxWidth is the widest format, and the widest entry of a table.
const maxWidth = 64

const (
	whyFormat   = "a value must fit a 64-bit table entry or context field"
	formatLegal = "UQi.f of 1 to 64 bits"
)

// ofKind is the need of a divider's parameter.
func ofKind(kind DividerKind) []condition {
	return []condition{{path: ".kind", words: []string{string(kind)},
		why: "a divider has the parameters of its kind only"}}
}

var dividerKeys = []key{
	{name: "kind", kind: kindChoice,
		derived: "restoring_pipelined; of the quotient, with hops.order: serial, restoring_serial", choose: dividerKind,
		choices: []string{
			string(RestoringSerial), string(RestoringPipelined), string(ReciprocalTable), string(NewtonRaphson)},
		doc: "The divider's architecture."},
	{name: "eps", kind: kindNumber, low: "0.0005", high: "0.25", otherwise: "0.004", needs: ofKind(ReciprocalTable),
		why: "below, the table has more than 1,387 entries; above, the quotient is off by more than a tenth",
		doc: "reciprocal_table: neighbouring entries differ by this fraction."},
	{name: "index_bits", kind: kindInteger, low: "2", high: "16", needs: ofKind(ReciprocalTable),
		derived: "enough that every entry is used, and 3 more", choose: indexBits,
		why: "the index selects among at most 65,536 mantissas",
		doc: "reciprocal_table: fraction bits of the mantissa that select the entry."},
	{name: "entry_bits", kind: kindInteger, low: "4", high: "32", needs: ofKind(ReciprocalTable),
		derived: "index_bits + 4", choose: more("index_bits", 4),
		why: "an entry is a factor of one multiplication",
		doc: "reciprocal_table: fraction bits of an entry."},
	{name: "table_bits", kind: kindInteger, low: "2", high: "12", otherwise: "7", needs: ofKind(NewtonRaphson),
		why: "the seed table has 2^table_bits entries",
		doc: "newton_raphson: log2 of the number of seeds."},
	{name: "seed_bits", kind: kindInteger, low: "3", high: "16", needs: ofKind(NewtonRaphson),
		derived: "table_bits + 2", choose: more("table_bits", 2),
		why: "a seed is no better than its index",
		doc: "newton_raphson: fraction bits of a seed."},
	{name: "iterations", kind: kindInteger, low: "1", high: "2", otherwise: "2", needs: ofKind(NewtonRaphson),
		why: "two steps refine the coarsest seed table to all bits of the reciprocal",
		doc: "newton_raphson: refinement steps."},
	{name: "recip_bits", kind: kindInteger, low: "8", high: "48", needs: ofKind(NewtonRaphson),
		derived: "30, or the bits of the divisor - 1 + seed_bits where that is less",
		why:     "the reciprocal is a factor of one multiplication",
		doc:     "newton_raphson: fraction bits of the refined reciprocal."},
}

var hpccKeys = []key{
	designKey(KindNIC, "What to build: nic is the HPCC++ engine of a sender or receiver."),
	nameKey("nic"),
	prefixKey,
	lawKey(LawHPCC, "What computes the window and the rate: hpcc is HPCC++."),
	{name: "hops", kind: kindObject, doc: "The path.", keys: []key{
		{name: "max", kind: kindInteger, low: "1", high: "8", fallback: "5",
			why: "the record ports are hop0 to hop7",
			doc: "Hops that an acknowledgement may carry; one with more is rejected and counted."},
		{name: "order", kind: kindChoice, choices: []string{"parallel", "serial"}, fallback: "parallel",
			doc: "parallel: one lane a hop, one acknowledgement a cycle. serial: one lane, one hop after the other."},
	}},
	multiplierKey(condition{path: "hops.order", words: []string{"parallel"},
		why: "an engine with one lane multiplies 16 bits by 16 bits at a time, on any target"}),
	flowsKey,
	profilesKey,
	{name: "telemetry", kind: kindObject, doc: "The records of the hops: widths and units.", keys: []key{
		{name: "timestamp_bits", kind: kindInteger, low: "8", high: "48", fallback: "24", why: whyField,
			doc: "Width of ts."},
		tickKey,
		{name: "tx_bits", kind: kindInteger, low: "8", high: "48", fallback: "20", why: whyField,
			doc: "Width of tx, the count of bytes sent."},
		{name: "tx_unit", kind: kindSize, low: "1B", high: "65536B", fallback: "128B",
			why: "a unit above a burst makes tx useless",
			doc: "Unit of tx."},
		{name: "qlen_bits", kind: kindInteger, low: "4", high: "32", fallback: "17", why: whyField,
			doc: "Width of qlen."},
		{name: "qlen_unit", kind: kindSize, duration: true, low: "1B", high: "65536B",
			derived: "80B; with queue: sojourn one tick", text: ofNIC((*NIC).qlenUnitText),
			why: "a unit above a burst makes qlen useless",
			doc: "Unit of qlen. With queue: sojourn a duration, a whole number of ticks."},
		{name: "rate_code_bits", kind: kindInteger, low: "1", high: "6", fallback: "4",
			why: "the queue table has 2^rate_code_bits entries a profile",
			doc: "Width of the code that names a link's rate."},
		{name: "link_id_bits", kind: kindInteger, low: "0", high: "32", fallback: "0",
			why: "identifiers are at most a word",
			doc: "Width of a hop's link identifier; 0: records carry none."},
		{name: "path_id_bits", kind: kindInteger, low: "0", high: "32", fallback: "12",
			why: "identifiers are at most a word",
			doc: "Width of the path identifier; 0: acknowledgements carry none."},
	}},
	{name: "queue", kind: kindChoice, choices: []string{"length", "sojourn"}, fallback: "length",
		doc: "What qlen carries: the queue's length, or the time a packet spent in it (draft section 9.3)."},
	{name: "mode", kind: kindChoice, choices: []string{"sender", "receiver"}, fallback: "sender",
		doc: "sender commits once per round trip by sequence number; receiver by time (draft section 6.3.2)."},
	sequenceKey,
	clockKey,
	{name: "stage_bits", kind: kindInteger, low: "1", high: "8", fallback: "4",
		why: "the drafts use a maxStage of 5; 8 bits hold any of use",
		doc: "Width of incStage and maxStage."},
	counterKey,
	generationKey,
	tagKey,
	resetKey,
	busKey,
	{name: "rates", kind: kindRates, low: "1M", high: "100T",
		fallback: "[10G, 25G, 40G, 50G, 100G, 200G, 400G, 800G, 1.6T]",
		why:      "the formats must hold the slowest and the fastest",
		doc:      "Link rates that the formats must hold."},
	{name: "base_rtt", kind: kindObject,
		doc: "Range of T, the base round-trip time, that the formats must hold.",
		keys: []key{
			{name: "min", kind: kindDuration, low: "1ns", high: "1s", fallback: "1us",
				text: ofNIC(func(c *NIC) string { return c.duration(c.MinRTTTicks) }),
				why:  "it sets the largest 1/T",
				doc:  "Smallest T."},
			{name: "max", kind: kindDuration, low: "1ns", high: "1s", fallback: "100us",
				text: ofNIC(func(c *NIC) string { return c.duration(c.MaxRTTTicks) }),
				why:  "it sets the width of T and the smallest 1/T",
				doc:  "Largest T."},
		}},
	{name: "window", kind: kindObject, doc: "Range of W, the window.", keys: []key{
		{name: "min", kind: kindSize, low: "1B", high: "1GiB", fallback: "32B",
			why: "a smaller window carries no byte",
			doc: "Smallest W for which the error bounds of W and R are stated; the format holds smaller ones."},
		{name: "max", kind: kindSize, low: "64B", high: "64GiB", derived: "the fastest rate times the largest T",
			why: "it is the bandwidth-delay product of the fastest sender",
			doc: "Largest W that the format must hold."},
	}},
	{name: "utilisation", kind: kindObject,
		doc: "Range of U and of a hop's u' that the formats must hold; beyond it they saturate.",
		keys: []key{
			{name: "min", kind: kindNumber, low: "0.0005", high: "0.5", fallback: "0.004",
				why: "eta/U must be held, and reach beyond 1",
				doc: "Smallest U: it sets the integer bits of the quotient. " +
					"Below, a window grows by the largest quotient a step."},
			{name: "max", kind: kindNumber, low: "2", high: "4096", fallback: "1023",
				why: "U starts at 1 and passes it in any incast",
				doc: "Largest U: so many senders of line rate at one port are told apart. It sets the integer bits of U. " +
					"Above, a window shrinks as it does there."},
		}},
	{name: "dividers", kind: kindObject, doc: "The two divisions.", keys: []key{
		{name: "hop", kind: kindObject, keys: dividerKeys,
			doc: "Busy time of a link over elapsed time, for each hop."},
		{name: "quotient", kind: kindObject, keys: dividerKeys,
			doc: "eta / U, once an acknowledgement."},
	}},
	{name: "precision", kind: kindObject, doc: "How exact: either max_error or formats.", keys: []key{
		{name: "max_error", kind: kindNumber, low: "1e-9", high: "0.1", derived: "1e-4, when formats are not given",
			why: "below, no format of 64 bits suffices; above, the window is noise",
			doc: "Largest relative error of W, and of R, in one step; the widths are derived and proven."},
		{name: "formats", kind: kindObject, all: true, instead: "max_error",
			doc: "The fixed-point formats, all of them.", keys: []key{
				{name: "inv_b", kind: kindFormat, doc: "1/B, ticks per unit of tx."},
				{name: "inv_bt", kind: kindFormat, doc: "1/(B T), per unit of qlen."},
				{name: "u", kind: kindFormat, doc: "u of a hop, and U; eta has as many fraction bits."},
				{name: "inv_t", kind: kindFormat, doc: "1/T, per tick."},
				{name: "alpha", kind: kindFormat, doc: "tau/T; one integer bit."},
				{name: "quotient", kind: kindFormat, doc: "eta/U."},
				{name: "window", kind: kindFormat, doc: "W, bytes."},
				{name: "rate", kind: kindFormat, doc: "R, bytes per tick."},
			}},
	}},
}

// ofNIC is the text of a key for the canonical form of an engine.
func ofNIC(text func(*NIC) string) func(Design, int) string {
	return func(c Design, _ int) string { return text(c.(*NIC)) }
}

// duration writes a number of ticks, in nanoseconds.
func (c *NIC) duration(ticks uint64) string {
	v := ratUint(ticks)
	v.Mul(v, ratUint(c.Telemetry.TickNs))
	if longest := ratUint(1e9); v.Cmp(longest) > 0 { // rounded up to a tick beyond the key's range
		v = longest
	}
	return v.RatString() + "ns"
}

func (c *NIC) qlenUnitText() string {
	if c.Sojourn {
		return fmt.Sprintf("%dns", c.Telemetry.QlenUnitBytes*c.Telemetry.TickNs)
	}
	return fmt.Sprintf("%dB", c.Telemetry.QlenUnitBytes)
}
