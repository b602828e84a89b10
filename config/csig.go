package config

// CSIG is a validated configuration of a switch's CSIG pipeline: what the generator builds and what the golden model
// computes (docs/csig.md). It is the result of LoadDesign or ParseDesign; a value made by hand is not checked.
type CSIG struct {
	Name   string `key:"name"` // design name, a Verilog identifier
	Hash   string // 16 hexadecimal digits over the canonical form of the configuration
	Prefix string `key:"module_prefix"` // begins the name of every module; may be empty

	AsyncReset bool `key:"reset"` // rst_n, asynchronous and active low, instead of rst

	Ports    int `key:"ports"`       // ports that share the pipeline, 1 to 256
	DataBits int `key:"stream_bits"` // of the packet stream: 64, 128, 256 or 512

	// Blocks take eight cycles for a packet, and packets take as long at the input: docs/csig.md, Folding.
	Folded bool `key:"pipeline"`

	// Registers stand where only the clock of a large FPGA needs them, too.
	Deep bool `key:"depth"`

	Multiplier Multiplier `key:"multiplier"` // of the target

	// Widths in bits: docs/csig.md, Widths.
	TimeBits  int `key:"widths.time"`
	ByteBits  int `key:"widths.bytes"`
	FracBits  int `key:"widths.fraction"`
	RecipBits int `key:"widths.reciprocal"`
	RatioBits int `key:"widths.ratio"`
	QlenBits  int `key:"widths.queue"`

	UEC          bool     `key:"tags.split"`    // field split of UEC 1.1 instead of that of draft-ravi-ippm-csig-00
	CompactTPID  uint16   `key:"tags.compact"`  // 0: the device knows no compact tags
	ExpandedTPID uint16   `key:"tags.expanded"` // 0: the device knows no expanded tags
	VLANTPIDs    []uint16 `key:"tags.vlan"`     // of VLAN tags, 1 to 4 of them
	// SecTAGs with E or C hide nothing: protection has been removed upstream.
	Decrypted     bool       `key:"tags.decrypted"`
	BucketSearch  bool       `key:"bucketizer"` // binary search over memories instead of one comparator a bucket
	Method        CSIGMethod `key:"bandwidth.method"`
	TimeShift     int        `key:"bandwidth.time_shift"`  // EWMA: the time constant is 2^TimeShift ns
	GapShift      int        `key:"bandwidth.gap_shift"`   // EWMA: updates are at least 2^GapShift ns apart
	TickShift     int        `key:"bandwidth.tick_shift"`  // DRE: a tick is 2^TickShift ns
	DecayShift    int        `key:"bandwidth.decay_shift"` // DRE: a tick takes 2^-DecayShift
	WindowNs      uint64     `key:"bandwidth.window"`
	OverheadBytes uint64     `key:"bandwidth.overhead"` // on the wire beyond the bytes that the device sees

	// What software writes first. These are data for drivers, co-simulation and replays; they change nothing in the RTL.
	Port      []CSIGPort          `key:"port_overrides"` // one for each port
	Bounds    [CSIGTypes][]uint64 // lower bounds of each type's buckets; empty: the type has no table
	Quantizer [CSIGTypes]CSIGQuantizer
}

// CSIGTypes is the number of signal types with a signal: 0 minimum ABW, 1 minimum ABW/C, 2 maximum per-hop delay, 3
// maximum normalised queue depth. CSIGTagTypes is the number that a tag can name.
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
	Trusted      bool                     `key:"trusted"`
	CapacityKbps uint64                   `key:"capacity"`
	Actions      [CSIGTagTypes]CSIGAction `key:"actions"`
	Compact      [CSIGTypes]uint16        // locators of compact tags, by type
	Expanded     [CSIGTypes]uint16        // locators of expanded tags, by type
}

// CSIGQuantizer codes values of expanded tags; a step of 0: the type has none.
type CSIGQuantizer struct{ Base, Step uint64 }
