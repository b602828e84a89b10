// Package telemetry encodes and decodes the wire formats of in-band telemetry: the HPCC header of the SIGCOMM 2019
// paper and of its simulator, the HPCC++ profiles of IFA 2.0, INT-MD v2.1 and IOAM, and CSIG tags. Walk finds the CSIG
// tag among the layer 2 tags.
//
// In the bit tables bit 0 is the most significant bit of the first byte on the wire. Decode methods read from the start
// of their argument and return the number of bytes read; AppendBinary methods append and return the extended slice.
// Neither allocates if the slice has room and there is no error. Errors are of type *Error: they name the format, the
// mistake, and the byte.
//
// Decoding keeps reserved bits only where a device must pass them on unchanged (CSIG); elsewhere they are ignored, and
// zero when encoding.
package telemetry
