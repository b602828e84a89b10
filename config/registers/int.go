package registers

import (
	"fmt"
	"strconv"

	"github.com/hdlpkg/hpccgen/config"
)

// Offsets of the registers of an INT source (docs/int.md) that a CSIG switch does not have, or has otherwise. ID, Version, Shape,
// HashLo, HashHi, NoPort and Count are as there.
const (
	INTFormat = 0x00c

	INTPortEnable = 0x040
	INTPortMTU    = 0x044
	INTPortRate   = 0x048
	INTPortCommit = 0x04c

	NodeID       = 0x080
	NodeMatch    = 0x084
	NodeSpace    = 0x088
	NodeOverhead = 0x08c
	NodeCommit   = 0x090
)

// INTIDValue is the content of ID of an INT source, "INTS"; INTVersionValue that of VERSION.
const (
	INTIDValue      = 0x494e5453
	INTVersionValue = 1
)

// Statuses of a packet of an INT source that are counted by port: their number, and their names in the order of their values.
var intStatuses = [...]struct{ name, doc string }{
	{"plain", "that carry no telemetry of the device's format"},
	{"short", "that end inside the headers that are to be read"},
	{"malformed", "whose headers contradict one another"},
	{"fragment", "that are fragments"},
	{"foreign", "with telemetry that is not of the profile"},
	{"off", "while the port was not enabled or the node not committed"},
	{"hops", "whose hop limit was used up"},
	{"full", "whose header had no room left"},
	{"mtu", "that would have exceeded the MTU with a record"},
	{"inserted", "that got a record"},
}

// INTStatuses is the number of statuses that an INT source counts by port.
const INTStatuses = len(intStatuses)

// INTStatusList describes the statuses of an INT source in order, no_port last.
func INTStatusList() []StatusInfo {
	var list []StatusInfo
	for s, status := range intStatuses {
		list = append(list, StatusInfo{Status(s), status.name, status.doc})
	}
	return append(list, StatusInfo{Status(INTStatuses), "no_port", "with an ingress or egress port that does not exist"})
}

// NewINT is the register map of an INT source.
func NewINT(c *config.INT) *Map {
	m := &Map{}
	m.intIdentity(c)
	m.add(staged("PORT_ENABLE", INTPortEnable, "Whether packets that leave the port get records. Staged.", whole("ENABLE", "0 or 1")))
	m.add(staged("PORT_MTU", INTPortMTU, "MTU of the port. Staged.", whole("MTU", "bytes of IP packet, up to 65535")))
	m.add(staged("PORT_RATE", INTPortRate, "Rate code of the port's link. Staged.", whole("RATE", "0 to 15")))
	m.add(Register{Name: "PORT_COMMIT", Offset: INTPortCommit, Access: WriteOnly, Doc: "Gives a port what is staged.",
		Fields: whole("PORT", fmt.Sprintf("number of the port, 0 to %d", c.Ports-1)),
		Effect: "the port takes all PORT registers, at once", Refused: "no such port; a PORT register above its largest value"})
	idBits, matchBits, spaceBits := INTNodeBits(c.Format)
	m.add(staged("NODE_ID", NodeID, "Number of the switch in records. Staged.", whole("ID", fmt.Sprintf("%d bits", idBits))))
	if matchBits > 0 {
		what := "UDP destination port of packets with telemetry"
		if c.Format == config.INTIFA {
			what = "IP protocol of packets with telemetry"
		}
		m.add(staged("NODE_MATCH", NodeMatch, what+". Staged.", whole("MATCH", fmt.Sprintf("%d bits", matchBits))))
	}
	if spaceBits > 0 {
		what := "Namespace-ID of traces"
		if c.Format == config.INTIFA {
			what = "LNS of records"
		}
		m.add(staged("NODE_SPACE", NodeSpace, what+". Staged.", whole("SPACE", fmt.Sprintf("%d bits", spaceBits))))
	}
	overhead := whole("BYTES", "bytes, up to 255; FCS, preamble and gap are 24")
	overhead[0].Reset = 24
	m.add(staged("NODE_OVERHEAD", NodeOverhead, "What a packet takes on the wire beyond its bytes. Staged.", overhead))
	m.add(Register{Name: "NODE_COMMIT", Offset: NodeCommit, Access: WriteOnly, Doc: "Takes what is staged.",
		Fields: whole("ANY", "any value"), Effect: "the device takes all NODE registers, at once", Refused: "a NODE register that needs more bits than it has"})
	for s, status := range intStatuses {
		m.add(Register{Name: "COUNT_" + upper(status.name), Offset: Count + 4*uint32(s), Access: ReadOnly, Volatile: true,
			Count: c.Ports, Stride: CountStride, Doc: "Packets of an egress port " + status.doc + ".",
			Fields: whole("COUNT", "counts from reset, and wraps")})
	}
	return m
}

// INTNodeBits are the widths of NODE_ID, NODE_MATCH and NODE_SPACE; 0 where a format does not have the register.
func INTNodeBits(f config.INTFormat) (id, match, space int) {
	switch f {
	case config.INTIFA:
		return 20, 8, 4
	case config.INTMD:
		return 32, 16, 0
	case config.INTIOAM:
		return 24, 0, 16
	default:
		return 12, 16, 0
	}
}

func (m *Map) intIdentity(c *config.INT) {
	hash, _ := strconv.ParseUint(c.Hash, 16, 64) // a configuration made by hand may have none: 0
	format := map[config.INTFormat]uint32{config.INTHPCC: 0, config.INTIFA: 1, config.INTMD: 2, config.INTIOAM: 3}[c.Format]
	reserved, hops := uint32(0), uint32(0)
	if c.Format == config.INTHPCC {
		hops = uint32(c.MaxHops)
		if c.Reserved {
			reserved = 1
		}
	}
	for _, r := range []Register{
		{Name: "ID", Offset: ID, Doc: "What the device is.",
			Fields: []Field{{Name: "ID", Bits: 32, Reset: INTIDValue, Doc: `"INTS", first character in the highest byte`}}},
		{Name: "VERSION", Offset: Version, Doc: "Version of the register map.",
			Fields: []Field{{Name: "VERSION", Bits: 32, Reset: INTVersionValue, Doc: "raised when a program written for an earlier version would not work"}}},
		{Name: "SHAPE", Offset: Shape, Doc: "Shape of the device.", Fields: []Field{
			{Name: "PORTS", Bits: 16, Reset: uint32(c.Ports), Doc: "number of ports"},
			{Name: "BEAT", Low: 16, Bits: 16, Reset: uint32(c.DataBits / 8), Doc: "bytes of a beat of the packet streams"}}},
		{Name: "FORMAT", Offset: INTFormat, Doc: "How records are carried.", Fields: []Field{
			{Name: "FORMAT", Bits: 2, Reset: format, Doc: "format", Values: []Value{{"HPCC", 0}, {"IFA", 1}, {"INT_MD", 2}, {"IOAM", 3}}},
			{Name: "RESERVED", Low: 8, Bits: 1, Reset: reserved, Doc: "1: records are written where the host has left room"},
			{Name: "MAX_HOPS", Low: 12, Bits: 4, Reset: hops, Doc: "records that an HPCC header holds at most; 0 with other formats"}}},
		{Name: "HASH_LO", Offset: HashLo, Doc: "Configuration hash, low half.",
			Fields: []Field{{Name: "HASH", Bits: 32, Reset: uint32(hash), Doc: "bits 31 to 0"}}},
		{Name: "HASH_HI", Offset: HashHi, Doc: "Configuration hash, high half.",
			Fields: []Field{{Name: "HASH", Bits: 32, Reset: uint32(hash >> 32), Doc: "bits 63 to 32"}}},
		{Name: "NO_PORT", Offset: NoPort, Volatile: true, Doc: "Packets with status no_port.",
			Fields: whole("COUNT", "counts from reset, and wraps")},
	} {
		r.Access = ReadOnly
		m.add(r)
	}
}

// ProgramINT is the writes that set an INT source up as its configuration says, each of them in order: ports, node. It holds for a device
// in any state.
func ProgramINT(c *config.INT) []Write {
	p := &program{}
	for i, port := range c.Port {
		enable := uint64(0)
		if port.Enabled {
			enable = 1
		}
		p.write(INTPortEnable, enable)
		p.write(INTPortMTU, uint64(port.MTU))
		p.write(INTPortRate, uint64(port.RateCode))
		p.write(INTPortCommit, uint64(i))
	}
	_, match, space := INTNodeBits(c.Format)
	p.write(NodeID, uint64(c.Node))
	if match > 0 {
		p.write(NodeMatch, uint64(c.Match))
	}
	if space > 0 {
		p.write(NodeSpace, uint64(c.Space))
	}
	p.write(NodeOverhead, c.OverheadBytes)
	p.write(NodeCommit, 0)
	return p.writes
}
