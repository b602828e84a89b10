package csig

import "github.com/hdlpkg/hpccgen/telemetry"

// Bucket codes a value for compact tags: the number of lower bounds at or below it, minus one. The first bound is 0.
func Bucket(bounds []uint64, value uint64) uint32 {
	code := uint32(0)
	for i, b := range bounds {
		if b <= value {
			code = uint32(i)
		}
	}
	return code
}

// Code codes a value for expanded tags: (value - base) / step, rounded down, saturating at both ends of 20 bits.
func (q Quantizer) Code(value uint64) uint32 {
	if value < q.Base {
		return 0
	}
	return uint32(min((value-q.Base)/q.Step, 1<<20-1))
}

// Initial is the value that a sender starts a signal type with, all ones for a minimum and 0 for a
// maximum (draft section 4.1.3.2): any device's code replaces it or is equal to it.
func Initial(t uint8, size telemetry.CSIGSize) uint32 {
	if !IsMin(t) {
		return 0
	}
	return 1<<telemetry.CSIGIETF.Layout(size).Value - 1
}

// Replaces reports whether a device's code replaces the one in the packet. Equal codes do not: the first bottleneck
// keeps its locator.
func Replaces(t uint8, local, packet uint32) bool {
	if IsMin(t) {
		return local < packet
	}
	return local > packet
}
