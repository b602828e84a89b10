package registers

// Offsets of the registers in bytes. A register is 32 bits.
const (
	ID      = 0x000
	Version = 0x004
	Shape   = 0x008
	HashLo  = 0x010
	HashHi  = 0x014
	NoPort  = 0x018

	PortTrust      = 0x040
	PortCapacity   = 0x044
	PortRatio      = 0x048
	PortRatioShift = 0x04c
	PortDepth      = 0x050
	PortDepthShift = 0x054
	PortActions    = 0x058
	PortCommit     = 0x070

	EstimateWindow   = 0x080
	EstimateFactor   = 0x084
	EstimateShift    = 0x088
	EstimateOverhead = 0x08c
	EstimateCommit   = 0x09c

	BucketStart  = 0x0a0
	BucketPush   = 0x0a4
	BucketCommit = 0x0a8

	QuantizerBase   = 0x0b0
	QuantizerStep   = 0x0b4
	QuantizerCommit = 0x0b8

	Count       = 0x1000 // of egress port 0; CountStride a port, 4 a status
	CountStride = 64
)

// What identifies the device and the map.
const (
	IDValue      = 0x43534947 // "CSIG"
	VersionValue = 1
)

// AddressBits is the width of the interface's addresses.
const AddressBits = 16

// PortLocator is the offset of the locators of a port for tags of signal type t, 0 to 7. They lie in a row, but for type
// 4, whose place PORT_COMMIT has.
func PortLocator(t int) uint32 {
	if t == 4 {
		return 0x05c
	}
	return 0x060 + 4*uint32(t)
}

// Counter is the offset of the counter of packets of an egress port with a status other than StatusNoPort, or of
// StatusStacked.
func Counter(port int, s Status) uint32 {
	return Count + CountStride*uint32(port) + 4*uint32(s)
}
