// Package transit generates the frame of a packet pipeline: what csig_switch and int_source have in common, independent
// of what they read or write in a packet.
//
// Packets arrive on s_axis in egress order and wait in a FIFO. In parallel, a pipeline that cannot stall captures their
// headers and decides on them. An editor joins packets and decisions. Software accesses the registers through an
// AXI4-Lite slave, packet counters included.
//
//	tuser.go      layout of s_axis_tuser and m_axis_tuser
//	shape.go      sizes of a pipeline, and the widths of its ports
//	stream.go     the outer ports
//	header.go     first beat, header and length of a packet
//	wait.go       buffers of packets and decisions, for an editor that stalls
//	flow.go       the same for an editor that never stalls; pace.go takes the beats
//	editor.go     inputs of a stalling editor
//	bus.go        the AXI4-Lite slave (package axil) and the packet counters
//	registers.go  a register file, made from the map in config/registers
//	tally.go      memories of sums: packet and byte counters
package transit
