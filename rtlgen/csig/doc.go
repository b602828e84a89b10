// Package csig generates csig_switch, the telemetry pipeline of a switch: it finds the CSIG tag of each packet,
// computes the signals of the egress port, compares and replaces, strips, and counts. What it computes, bit for bit and
// cycle for cycle, is in docs/csig.md.
//
// Packets run through a FIFO while what is to happen to them is decided beside it, in a pipeline that cannot stop:
// csig_header gathers the first 54 bytes, csig_walk finds the tag, csig_lookup reads what software has written for the
// port, csig_meter measures bandwidth, csig_signal computes the signal of the tag's type, csig_bucketizer and
// csig_quantizer code it, csig_compare decides. csig_editor joins packets and decisions.
//
// What all packet pipelines have in common is in rtlgen/transit. What stands beside the packets is a microarchitecture:
// wide or folded, of blocks from block and meter.
package csig
