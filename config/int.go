package config

// INT is a validated configuration of a switch's INT source: what the generator builds and what the golden model
// computes (docs/int.md). A value made by hand is not checked.
type INT struct {
	Name   string `key:"name"` // design name, a Verilog identifier
	Hash   string // 16 hexadecimal digits over the canonical form of the configuration
	Prefix string `key:"module_prefix"` // begins the name of every module; may be empty

	AsyncReset bool `key:"reset"` // rst_n, asynchronous and active low, instead of rst

	Ports    int `key:"ports"`       // ports that share the pipeline, 1 to 256
	DataBits int `key:"stream_bits"` // of the packet stream: 64, 128, 256 or 512

	Format    INTFormat `key:"format"`
	TimeBits  int       `key:"timestamps.bits"` // timestamps, ns
	QlenBits  int       `key:"queue.bits"`      // queue depth as it is given, bytes
	QlenUnit  int       `key:"queue.unit"`      // bytes in a unit of qLen, 1 to 65,535
	TxUnit    int       `key:"tx.unit"`         // bytes in a unit of txBytes, a power of two, 1 to 65,536
	MaxHops   int       `key:"max_hops"`        // hpcc: records that a header holds at most, 1 to 15
	Reserved  bool      `key:"reserved"`        // hpcc: the host has left room for MaxHops records
	TxBit     int       `key:"trace.tx_bit"`    // ioam: bit of the trace type that tx_bytes has, 12 to 21
	Order     IOAMOrder `key:"trace.order"`     // ioam: of timestamp and queue depth
	VLANTPIDs []uint16  `key:"vlan"`            // of VLAN tags, 1 to 4 of them

	// What software writes first. These are data for drivers, co-simulation and replays; they change nothing in the RTL.
	Node          uint32    `key:"node"`                // hpcc 12 bits, ifa 20, int_md 32, ioam 24
	Match         uint16    `key:"udp_port,protocol"`   // hpcc, int_md: UDP destination port; ifa: IP protocol
	Space         uint16    `key:"lns,trace.namespace"` // ifa: LNS, 4 bits; ioam: Namespace-ID
	OverheadBytes uint64    `key:"tx.overhead"`         // on the wire beyond the bytes that the device sees
	Port          []INTPort `key:"port_overrides"`
}

// INTPort is what software writes for one port.
type INTPort struct {
	Enabled  bool   `key:"enabled"`   // packets that leave here get records
	MTU      uint16 `key:"mtu"`       // bytes of IP packet
	RateCode uint8  `key:"rate_code"` // of the link's speed, 4 bits
}

// INTFormat is how records are carried.
type INTFormat string

// The formats.
const (
	INTHPCC INTFormat = "hpcc"
	INTIFA  INTFormat = "ifa"
	INTMD   INTFormat = "int_md"
	INTIOAM INTFormat = "ioam"
)

// IOAMOrder is the order of queue depth and timestamp in an IOAM record.
type IOAMOrder string

// The orders.
const (
	IOAMByBit  IOAMOrder = "by_bit" // RFC 9197: timestamp, queue depth
	IOAMFigure IOAMOrder = "figure" // the HPCC++ draft's figure: queue depth, timestamp
)
