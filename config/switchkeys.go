package config

// Keys that the designs of switches share.

// whyTPID says why TPIDs have the range that they have.
const whyTPID = "below 0x0600 the two bytes are a length (IEEE 802.3)"

func portsKey(fallback string) key {
	return key{name: "ports", kind: kindInteger, low: "1", high: "256", fallback: fallback,
		why: "the counters of 256 ports fill the register map, and the memories of the pipeline",
		doc: "Ports that share the pipeline."}
}

var (
	streamKey = key{name: "stream_bits", kind: kindInteger, low: "64", high: "512", powerOf2: true, fallback: "512",
		why: "these are the widths that AXI4-Stream cores of 1G to 400G have",
		doc: "Width of tdata of the packet streams."}
	vlanKey = key{name: "vlan", kind: kindTPIDs, low: "0x0600", high: "0xffff", fallback: "[0x8100, 0x88a8]",
		why: whyTPID,
		doc: "TPIDs of VLAN tags, up to four of them."}
	overheadKey = key{name: "overhead", kind: kindSize, low: "0B", high: "255B", fallback: "24B",
		why: "FCS, preamble and gap are 24 B; the register has 8 bits",
		doc: "What a packet takes on the wire beyond its bytes."}
)

// defaultsKey is what all ports have; keys are those of a port.
func defaultsKey(doc string, keys []key) key {
	return key{name: "port_defaults", kind: kindObject, defaults: true, doc: doc, keys: keys}
}

// overridesKey is the list of ports that differ; keys are those of a port.
func overridesKey(keys []key) key {
	return key{name: "port_overrides", kind: kindList, low: "0", high: "256",
		doc: "Ports that differ from port_defaults; where two name the same port, the later one decides.",
		keys: append([]key{{name: "ports", kind: kindPorts, low: "0", high: "255", required: true,
			why: "ports are counted from 0",
			doc: "The ports concerned: 3, or 0-3."}}, keys...)}
}
