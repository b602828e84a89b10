package registers

import (
	"fmt"
	"strings"

	"github.com/hdlpkg/hpccgen/config"
)

func upper(s string) string { return strings.ToUpper(s) }

// staged describes a register that a commit takes.
func staged(name string, offset uint32, doc string, fields []Field) Register {
	return Register{Name: name, Offset: offset, Access: ReadWrite, Fields: fields, Doc: doc}
}

func shift(of string) []Field {
	return []Field{{Name: "SHIFT", Bits: 6, Doc: "shift of the factor " + of}}
}

func (m *Map) port(c *config.CSIG) {
	mantissa := func(of string) []Field {
		return whole("MANTISSA", fmt.Sprintf("mantissa of the factor %s: exactly %d bits", of, c.RecipBits))
	}
	m.add(staged("PORT_TRUST", PortTrust, "Whether tags that arrive at the port are believed. Staged.",
		[]Field{{Name: "TRUSTED", Bits: 1, Doc: "1: believed; 0: removed"}}))
	m.add(staged("PORT_CAPACITY", PortCapacity, "Capacity of the port. Staged.", whole("CAPACITY",
		"kbit/s, 1000 or more")))
	m.add(staged("PORT_RATIO", PortRatio,
		"Factor from the measured value to the share of the capacity in use; it depends on the estimate. Staged.",
		mantissa("Ratio")))
	m.add(staged("PORT_RATIO_SHIFT", PortRatioShift,
		"Factor from the measured value to the share of the capacity in use; it depends on the estimate. Staged.",
		shift("Ratio")))
	m.add(staged("PORT_DEPTH", PortDepth, "Factor from bytes of queue to ns. Staged.", mantissa("Depth")))
	m.add(staged("PORT_DEPTH_SHIFT", PortDepthShift, "Factor from bytes of queue to ns. Staged.", shift("Depth")))
	var actions []Field
	for t := range config.CSIGTagTypes {
		f := Field{Name: fmt.Sprintf("TYPE%d", t), Low: 2 * t, Bits: 2,
			Values: []Value{{"PASS", uint32(config.CSIGPass)}, {"STRIP", uint32(config.CSIGStrip)}},
			Doc:    "action for tags of a type without a signal"}
		if t < config.CSIGTypes {
			f.Values = append(f.Values, Value{"UPDATE", uint32(config.CSIGUpdate)})
			f.Doc = "action for tags of type " + config.CSIGSignalName(t)
		}
		actions = append(actions, f)
	}
	m.add(staged("PORT_ACTIONS", PortActions, "What happens on egress to tags of each type. Staged.", actions))
	compact, expanded := c.LocatorBits()
	for t := range config.CSIGTypes {
		var fields []Field
		if c.CompactTPID != 0 {
			fields = append(fields, Field{Name: "COMPACT", Bits: compact, Doc: "LM of compact tags"})
		}
		if c.ExpandedTPID != 0 {
			fields = append(fields, Field{Name: "EXPANDED", Low: 16, Bits: expanded, Doc: "LM of expanded tags"})
		}
		m.add(staged(fmt.Sprintf("PORT_LOCATOR%d", t), PortLocator(t),
			"Locators of the port for tags of type "+config.CSIGSignalName(t)+". Staged.", fields))
	}
	m.add(Register{Name: "PORT_COMMIT", Offset: PortCommit, Access: WriteOnly, Doc: "Copies the staged registers to a port.",
		Fields: whole("PORT", fmt.Sprintf("number of the port, 0 to %d", c.Ports-1)),
		Effect: "the port takes all PORT registers, at once",
		Refused: "no such port; capacity below 1000; a mantissa that does not have its exact number of bits; " +
			"an action that is 3, or 2 for a type above 3"})
}

func (m *Map) estimate(c *config.CSIG) {
	if c.Method == config.CSIGRaw {
		m.add(staged("ESTIMATE_WINDOW", EstimateWindow, "Window of the measurement. Staged.", whole("WINDOW",
			"ns, 1000 to 1000000000")))
	}
	m.add(staged("ESTIMATE_FACTOR", EstimateFactor, "Factor from the measured value to kbit/s. Staged.",
		whole("MANTISSA", fmt.Sprintf("mantissa of the factor Estimate: exactly %d bits", c.RecipBits))))
	m.add(staged("ESTIMATE_SHIFT", EstimateShift, "Factor from the measured value to kbit/s. Staged.", shift("Estimate")))
	m.add(staged("ESTIMATE_OVERHEAD", EstimateOverhead, "Overhead of a packet on the wire, in bytes. Staged.",
		[]Field{{Name: "BYTES", Bits: 8, Reset: 24, Doc: "bytes; FCS, preamble and gap are 24"}}))
	refused := "a mantissa that does not have its exact number of bits"
	if c.Method == config.CSIGRaw {
		refused = "window outside of 1000 to 1000000000; " + refused
	}
	m.add(Register{Name: "ESTIMATE_COMMIT", Offset: EstimateCommit, Access: WriteOnly,
		Doc:     "Commits the staged registers and restarts all meters.",
		Fields:  whole("ANY", "any value"),
		Effect:  "the device takes all ESTIMATE registers, at once, and sets all meters to 0",
		Refused: refused})
}

func (m *Map) buckets() {
	m.add(Register{Name: "BUCKET_START", Offset: BucketStart, Access: WriteOnly, Doc: "Begins a table of buckets.",
		Fields: whole("TYPE", "type of signal, 0 to 3"),
		Effect: "a table begun before is dropped, even when the type is refused", Refused: "no such type"})
	m.add(Register{Name: "BUCKET_PUSH", Offset: BucketPush, Access: WriteOnly, Doc: "Appends a bucket to the table begun.",
		Fields: whole("BOUND", "lower bound of the bucket"), Effect: "a refused bound makes the table begun void",
		Refused: "no table begun, or it is void; the first bound is not 0; " +
			"a bound below the one before it; more than 32 bounds"})
	m.add(Register{Name: "BUCKET_COMMIT", Offset: BucketCommit, Access: WriteOnly,
		Doc:     "The table begun becomes that of its type.",
		Fields:  whole("ANY", "any value"),
		Effect:  "answers when no packet uses the old table any more; in any case no table is begun afterwards",
		Refused: "no table begun; it is void, or empty"})
}

func (m *Map) quantizers() {
	m.add(staged("QUANTIZER_BASE", QuantizerBase, "Smallest value with a code above 0, less the step. Staged.",
		whole("BASE", "in units of the signal")))
	m.add(staged("QUANTIZER_STEP", QuantizerStep, "Width of a code. Staged.", whole("STEP",
		"in units of the signal, 1 or more")))
	m.add(Register{Name: "QUANTIZER_COMMIT", Offset: QuantizerCommit, Access: WriteOnly,
		Doc:    "Gives a type base and step.",
		Fields: whole("TYPE", "type of signal, 0 to 3"), Effect: "the type takes base and step, at once",
		Refused: "no such type; step 0"})
}
