package config

// intSource is the INT source of a switch.
var intSource = grammar{
	kind: KindINT, title: "an INT source", preset: "int-switch", keys: intKeys,
	start: func() Design { return &INT{} }, finish: finisher((*decoder).finishINT),
}

// whyINTPort says why registers of a port have the range that they have.
const whyINTPort = "the width of its register"

// ofFormats is the need of what belongs to some formats.
func ofFormats(formats ...INTFormat) []condition {
	n := condition{path: "format", why: "a format has its own parameters only"}
	for _, f := range formats {
		n.words = append(n.words, string(f))
	}
	return []condition{n}
}

var intPortKeys = []key{
	{name: "enabled", kind: kindBool, fallback: "true",
		doc: "Whether packets that leave the port get records."},
	{name: "mtu", kind: kindInteger, low: "0", high: "65535", fallback: "9000",
		why: "the length fields of IP have 16 bits",
		doc: "MTU, bytes of IP packet: one that a record would make longer gets none."},
	{name: "rate_code", kind: kindInteger, low: "0", high: "15", fallback: "0", why: whyINTPort,
		doc: "Code of the link's speed, which records carry in hpcc and ifa."},
}

var intKeys = []key{
	designKey(KindINT, "What to build: int is the INT source of a switch."),
	nameKey("int_switch"),
	prefixKey,
	resetKey,
	portsKey("32"),
	streamKey,
	{name: "format", kind: kindChoice, choices: []string{string(INTHPCC), string(INTIFA), string(INTMD), string(INTIOAM)},
		fallback: string(INTHPCC),
		doc: "How records are carried: HPCC's own header, IFA 2.0, INT-MD of INT v2.1, " +
			"or an IOAM trace in IPv6 (docs/int.md)."},
	{name: "reserved", kind: kindBool, otherwise: "false", needs: ofFormats(INTHPCC),
		doc: "hpcc: the host has left room for max_hops records, so that packets do not grow."},
	{name: "max_hops", kind: kindInteger, low: "1", high: "15", otherwise: "5", needs: ofFormats(INTHPCC),
		why: "nHop has 4 bits",
		doc: "hpcc: records that a header holds at most."},
	{name: "timestamps", kind: kindObject, doc: "Times that come with packets.", keys: []key{
		{name: "bits", kind: kindInteger, low: "32", high: "64", derived: "48; 64 (formats ifa and int_md)", choose: timeBits,
			why: "records carry up to 32 bits of nanoseconds, int_md 64",
			doc: "Their width, ns. Times in records of ifa and int_md jump when a narrower one wraps."},
	}},
	{name: "queue", kind: kindObject, doc: "Queue depths.", keys: []key{
		{name: "bits", kind: kindInteger, low: "8", high: "48", fallback: "32",
			why: "no queue is longer",
			doc: "Width of the depth that comes with a packet, bytes."},
		{name: "unit", kind: kindSize, low: "1B", high: "65535B", fallback: "80B",
			why: "a unit above a burst makes qLen useless",
			doc: "Unit of qLen in records: a cell, for IFA and INT-MD."},
	}},
	{name: "tx", kind: kindObject, doc: "Bytes sent.", keys: []key{
		{name: "unit", kind: kindSize, low: "1B", high: "65536B", fallback: "128B",
			why: "a unit above a burst makes txBytes useless",
			doc: "Unit of txBytes in records, a power of two."},
		overheadKey,
	}},
	vlanKey,
	{name: "trace", kind: kindObject, needs: ofFormats(INTIOAM),
		doc: "ioam: what is not assigned, or drawn in two ways.",
		keys: []key{
			{name: "tx_bit", kind: kindInteger, low: "12", high: "21", otherwise: "12",
				why: "the bits of the trace type that RFC 9197 leaves undefined",
				doc: "Bit of the trace type that tx_bytes has."},
			{name: "order", kind: kindChoice, choices: []string{string(IOAMByBit), string(IOAMFigure)},
				otherwise: string(IOAMByBit),
				doc:       "by_bit: timestamp before queue depth (RFC 9197). figure: behind it, as the HPCC++ draft draws it."},
			{name: "namespace", kind: kindInteger, low: "0", high: "65535", otherwise: "0", why: whyINTPort,
				doc: "Namespace-ID of the traces that get records."},
		}},
	{name: "udp_port", kind: kindInteger, low: "1", high: "65535", needs: ofFormats(INTHPCC, INTMD),
		otherwise: "49791", // in the range that IANA assigns to nobody
		why:       "a port of UDP",
		doc: "hpcc and int_md: destination port of packets with telemetry. " +
			"Not 4791 where there is plain RoCEv2 too: its BTH looks like the header of hpcc."},
	{name: "protocol", kind: kindInteger, low: "1", high: "255", otherwise: "253", needs: ofFormats(INTIFA),
		why: "a protocol of IP; 0 are hop-by-hop options",
		doc: "ifa: IP protocol of packets with telemetry."},
	{name: "lns", kind: kindInteger, low: "0", high: "15", otherwise: "0", needs: ofFormats(INTIFA),
		why: "a field of the record",
		doc: "ifa: local namespace of the records."},
	{name: "node", kind: kindInteger, low: "0", high: "4294967295", fallback: "1",
		why: "hpcc has 12 bits for it, ifa 20, ioam 24, int_md 32",
		doc: "Number of the switch in records. Data for software, as all keys from udp_port on and tx.overhead: " +
			"they change nothing in the Verilog but the configuration hash."},
	defaultsKey("What software writes for a port.", intPortKeys),
	overridesKey(intPortKeys),
}

// timeBits is the default width of times: that of the widest in records.
func timeBits(d *decoder, _ string) string {
	format := INTFormat(d.word("format"))
	return pick(format == INTIFA || format == INTMD, "48", "64")
}
