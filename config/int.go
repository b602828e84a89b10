package config

// INT is a validated configuration of a switch's INT source: what the generator builds and what the golden model computes
// (docs/int.md). A value made by hand is not checked.
type INT struct {
	Name   string // design name, a Verilog identifier
	Hash   string // 16 hexadecimal digits over the canonical form of the configuration
	Prefix string // begins the name of every module; may be empty

	AsyncReset bool // rst_n, asynchronous and active low, instead of rst

	Ports    int // ports that share the pipeline, 1 to 256
	DataBits int // of the packet stream: 64, 128, 256 or 512

	Format    INTFormat
	TimeBits  int       // timestamps, ns
	QlenBits  int       // queue depth as it is given, bytes
	QlenUnit  int       // bytes in a unit of qLen, 1 to 65,535
	TxUnit    int       // bytes in a unit of txBytes, a power of two, 1 to 65,536
	MaxHops   int       // hpcc: records that a header holds at most, 1 to 15
	Reserved  bool      // hpcc: the host has left room for MaxHops records
	TxBit     int       // ioam: bit of the trace type that tx_bytes has, 12 to 21
	Order     IOAMOrder // ioam: of timestamp and queue depth
	VLANTPIDs []uint16  // of VLAN tags, 1 to 4 of them

	// What software writes first. These are data for drivers, co-simulation and replays; they change nothing in the RTL.
	Node          uint32 // hpcc 12 bits, ifa 20, int_md 32, ioam 24
	Match         uint16 // hpcc, int_md: UDP destination port; ifa: IP protocol
	Space         uint16 // ifa: LNS, 4 bits; ioam: Namespace-ID
	OverheadBytes uint64 // on the wire beyond the bytes that the device sees
	Port          []INTPort
}

// INTPort is what software writes for one port.
type INTPort struct {
	Enabled  bool   // packets that leave here get records
	MTU      uint16 // bytes of IP packet
	RateCode uint8  // of the link's speed, 4 bits
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
