// Package transit is the frame of a packet pipeline: what csig_switch and int_source have in common, whatever they read
// or write in a packet.
//
// Packets come on s_axis in the order in which they leave, and wait in a FIFO. Beside them their headers are captured
// and decided on, in a pipeline that cannot stop. An editor joins packets and decisions. Software reaches the registers
// through an AXI4-Lite slave, and reads packet counters there.
//
//	tuser.go      layout of s_axis_tuser and m_axis_tuser
//	shape.go      sizes of a pipeline, and the widths of its ports
//	stream.go     the outer ports
//	header.go     first beat, header and length of a packet
//	wait.go       where packets and decisions wait for an editor that stops
//	flow.go       the same for an editor that never stops; pace.go takes the beats
//	editor.go     what a stopping editor takes
//	bus.go        the AXI4-Lite slave and the packet counters, with package axil
//	registers.go  a register file, made from the map in config/registers
//	tally.go      memories of sums: packet and byte counters
package transit
