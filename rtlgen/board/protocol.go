package board

// The constants of the protocol of docs/board-link.md that both sides need.
const (
	ProtocolVersion = 1

	FrameStart  = 0xa5
	HeaderBytes = 5 // start, length, sequence, kind
	CheckBytes  = 4
	IdleBits    = 14 // a line is idle after 1 << IdleBits bit times

	KindHello       = 0x01
	KindRun         = 0x02
	KindHelloAnswer = 0x81
	KindRunAnswer   = 0x82
	KindRefused     = 0xc0 // and the reason

	ReasonDamaged  = 1
	ReasonLong     = 2
	ReasonKind     = 3
	ReasonSession  = 4
	ReasonSequence = 5

	OpRun     = 0x80 // and the number of cycles
	OpAddress = 0x40 // bit 8 of the address
	MaxRun    = 0x7f // cycles of one operation
	MaxBytes  = 0x3f // bytes of one operation

	FlagTaps   = 1 // in Hello
	HelloBytes = 32

	// MaxPort limits a board's inputs, and its outputs, in bytes: an address has 9 bits, and the address after the last
	// byte is needed too.
	MaxPort = 511
)

// checkResidue is the value of the CRC register, without the final exclusive or, after a correct frame.
const checkResidue = 0xdebb20e3
