// Package packets runs captured packets through a switch: a pcap file in, a pcap file out, on the golden model or on
// the generated design.
//
// A capture (pcap or pcapng, Ethernet, optionally gzip) holds whole packets without FCS. A second file, of CSV rows,
// gives for each packet the ports, the times of arrival and departure, and the queue length; without it all packets
// leave port 0 at their capture time, without delay and with an empty queue. Both are read strictly and completely
// before anything runs; an error names the file and the packet or row.
//
// The packets go through the device in egress order (equal times: in capture order). Every device takes packets through
// the same code and gives them to the same writer, so the output bytes depend only on the device.
//
// A design is programmed over its register bus from the configuration, fed beat by beat, and its counters are read over
// the same bus. They must agree with its decisions on the packets.
package packets
