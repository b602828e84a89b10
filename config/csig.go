package config

// CSIG is a validated configuration of a switch's CSIG pipeline: what the generator builds and what the golden model
// computes (docs/csig.md). It is the result of LoadDesign or ParseDesign; a value made by hand is not checked.
type CSIG struct {
	Name   string // design name, a Verilog identifier
	Hash   string // 16 hexadecimal digits over the canonical form of the configuration
	Prefix string // begins the name of every module; may be empty

	AsyncReset bool // rst_n, asynchronous and active low, instead of rst

	Ports    int // ports that share the pipeline, 1 to 256
	DataBits int // of the packet stream: 64, 128, 256 or 512

	Folded bool // blocks take eight cycles for a packet, and packets take as long at the input: docs/csig.md, Folding

	// Widths in bits: docs/csig.md, Widths.
	TimeBits, ByteBits, FracBits, RecipBits, RatioBits, QlenBits int

	UEC           bool     // field split of UEC 1.1 instead of that of draft-ravi-ippm-csig-00
	CompactTPID   uint16   // 0: the device knows no compact tags
	ExpandedTPID  uint16   // 0: the device knows no expanded tags
	VLANTPIDs     []uint16 // of VLAN tags, 1 to 4 of them
	Decrypted     bool     // SecTAGs with E or C hide nothing: protection has been removed upstream
	BucketSearch  bool     // binary search over memories instead of one comparator a bucket
	Method        CSIGMethod
	TimeShift     int // EWMA: the time constant is 2^TimeShift ns
	GapShift      int // EWMA: updates are at least 2^GapShift ns apart
	TickShift     int // DRE: a tick is 2^TickShift ns
	DecayShift    int // DRE: a tick takes 2^-DecayShift
	WindowNs      uint64
	OverheadBytes uint64 // on the wire beyond the bytes that the device sees

	// What software writes first. These are data for drivers, co-simulation and replays; they change nothing in the RTL.
	Port      []CSIGPort          // one for each port
	Bounds    [CSIGTypes][]uint64 // lower bounds of each type's buckets; empty: the type has no table
	Quantizer [CSIGTypes]CSIGQuantizer
}

// CSIGTypes is the number of signal types with a signal: 0 minimum ABW, 1 minimum ABW/C, 2 maximum per-hop delay, 3 maximum
// normalised queue depth. CSIGTagTypes is the number that a tag can name.
const (
	CSIGTypes    = 4
	CSIGTagTypes = 16
)

// CSIGMethod is how available bandwidth is measured (docs/csig.md, Meters).
type CSIGMethod string

// The methods.
const (
	CSIGRaw  CSIGMethod = "raw"
	CSIGEWMA CSIGMethod = "ewma"
	CSIGDRE  CSIGMethod = "dre"
)

// CSIGAction is what an egress port does with tags of a type. The values are those of the register PORT_ACTIONS.
type CSIGAction uint8

// The actions.
const (
	CSIGPass CSIGAction = iota
	CSIGStrip
	CSIGUpdate
)

// CSIGPort is what software writes for one port.
type CSIGPort struct {
	Trusted      bool
	CapacityKbps uint64
	Actions      [CSIGTagTypes]CSIGAction
	Compact      [CSIGTypes]uint16 // locators of compact tags, by type
	Expanded     [CSIGTypes]uint16 // locators of expanded tags, by type
}

// CSIGQuantizer codes values of expanded tags; a step of 0: the type has none.
type CSIGQuantizer struct{ Base, Step uint64 }
