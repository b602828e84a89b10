// Package csig generates csig_switch, the telemetry pipeline of a switch: it finds the CSIG tag of each packet,
// computes the signals of the egress port, compares and replaces, strips, and counts. docs/csig.md is its contract, bit
// for bit and cycle for cycle.
//
// Packets wait in a FIFO while a parallel pipeline that cannot stall decides on them: csig_header gathers the first 54
// bytes, csig_walk finds the tag, csig_lookup reads the port's settings, csig_meter measures bandwidth, csig_signal
// computes the signal of the tag's type, csig_bucketizer and csig_quantizer code it, csig_compare decides. csig_editor
// joins packets and decisions.
//
// The parts common to all packet pipelines are in rtlgen/transit. The decision pipeline is a microarchitecture, wide or
// folded, built from packages block and meter.
package csig
