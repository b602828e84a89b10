// Package packets runs captured packets through a switch: a pcap file in, a pcap file out, on the golden model or on
// the generated design.
//
// A capture (pcap or pcapng, Ethernet, gzip or not) holds whole packets without FCS. A second file, of CSV rows, says
// for each packet where and when it arrived and left and how deep the queue was; without it all packets leave port 0 at
// their capture time, without delay and with an empty queue. Both are read strictly and completely before anything
// runs; an error names the file and the packet or row.
//
// The packets pass the device in the order in which they leave (equal times: in that of the capture). Every
// device takes packets through the same code and gives them to the same writer, so the output bytes depend
// only on the device.
//
// A design is programmed over its register bus from the configuration, fed beat by beat, and asked for its counters
// over the same bus. Its counters must agree with the statuses of the packets.
package packets
