// Package telemetry encodes and decodes the wire formats of in-band telemetry: the HPCC header of the
// SIGCOMM 2019 paper and of its simulator, the HPCC++ profiles of IFA 2.0, INT-MD v2.1 and IOAM, and CSIG
// tags. Walk finds the CSIG tag among the tags of layer 2.
//
// In the bit tables bit 0 is the most significant bit of the first byte on the wire. Decode methods read
// from the start of their argument and return how many bytes they took; AppendBinary methods append and
// return the longer slice. Neither allocates, as long as the slice has room and nothing is wrong. Errors are of type
// *Error: they name the format, what is wrong, and at which byte.
//
// Decoding keeps reserved bits only where a device must hand them on unchanged (CSIG); elsewhere they are
// ignored, and zero when encoding.
package telemetry
