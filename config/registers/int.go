package registers

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/config"
)

// Offsets of the registers of an INT source (docs/int.md) that a CSIG switch does not have, or has otherwise. ID,
// Version, Shape, HashLo, HashHi, NoPort and Count are as there.
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

// Statuses of a packet of an INT source that are counted by port: their number, and their names in the order of their
// values.
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
	m.device(INTIDValue, INTVersionValue, c, c.Ports, c.DataBits, intFormat(c))
	m.add(staged("PORT_ENABLE", INTPortEnable, "Whether packets that leave the port get records. Staged.", whole("ENABLE",
		"0 or 1")))
	m.add(staged("PORT_MTU", INTPortMTU, "MTU of the port. Staged.", whole("MTU", "bytes of IP packet, up to 65535")))
	m.add(staged("PORT_RATE", INTPortRate, "Rate code of the port's link. Staged.", whole("RATE", "0 to 15")))
	m.add(Register{Name: "PORT_COMMIT", Offset: INTPortCommit, Access: WriteOnly, Doc: "Copies the staged registers to a port.",
		Fields:  whole("PORT", fmt.Sprintf("number of the port, 0 to %d", c.Ports-1)),
		Effect:  "the port takes all PORT registers, at once",
		Refused: "no such port; a PORT register above its largest value"})
	shape := c.Format.Shape()
	for _, r := range []struct {
		name, field string
		offset      uint32
		bits        int
		doc         string
	}{
		{"NODE_ID", "ID", NodeID, shape.Node, "Number of the switch in records"},
		{"NODE_MATCH", "MATCH", NodeMatch, shape.Match, shape.MatchTitle},
		{"NODE_SPACE", "SPACE", NodeSpace, shape.Space, shape.SpaceTitle},
	} {
		if r.bits > 0 {
			m.add(staged(r.name, r.offset, r.doc+". Staged.", whole(r.field, fmt.Sprintf("%d bits", r.bits))))
		}
	}
	overhead := whole("BYTES", "bytes, up to 255; FCS, preamble and gap are 24")
	overhead[0].Reset = 24
	m.add(staged("NODE_OVERHEAD", NodeOverhead, "Overhead of a packet on the wire, in bytes. Staged.", overhead))
	m.add(Register{Name: "NODE_COMMIT", Offset: NodeCommit, Access: WriteOnly, Doc: "Commits the staged registers.",
		Fields: whole("ANY", "any value"), Effect: "the device takes all NODE registers, at once",
		Refused: "a NODE register that needs more bits than it has"})
	for s, status := range intStatuses {
		m.add(Register{Name: "COUNT_" + upper(status.name), Offset: Count + 4*uint32(s), Access: ReadOnly, Volatile: true,
			Count: c.Ports, Stride: CountStride, Doc: "Packets of an egress port " + status.doc + ".",
			Fields: counter()})
	}
	return m
}

// INTNodeBits are the widths of NODE_ID, NODE_MATCH and NODE_SPACE; 0 where a format does not have the register.
func INTNodeBits(f config.INTFormat) (id, match, space int) {
	s := f.Shape()
	return s.Node, s.Match, s.Space
}

// intFormat is the register that says how records are carried.
func intFormat(c *config.INT) Register {
	reserved, hops := uint32(0), uint32(0)
	if c.Format == config.INTHPCC {
		hops = uint32(c.MaxHops)
		if c.Reserved {
			reserved = 1
		}
	}
	return Register{Name: "FORMAT", Offset: INTFormat, Doc: "How records are carried.", Fields: []Field{
		{Name: "FORMAT", Bits: 2, Reset: c.Format.Shape().Code, Doc: "format",
			Values: []Value{{"HPCC", 0}, {"IFA", 1}, {"INT_MD", 2}, {"IOAM", 3}}},
		{Name: "RESERVED", Low: 8, Bits: 1, Reset: reserved, Doc: "1: records are written where the host has left room"},
		{Name: "MAX_HOPS", Low: 12, Bits: 4, Reset: hops,
			Doc: "records that an HPCC header holds at most; 0 with other formats"}}}
}

// ProgramINT is the writes that set an INT source up as its configuration says, each of them in order: ports, node. It
// holds for a device in any state.
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
