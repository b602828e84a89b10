// Package csig is the golden model of a network with CSIG tags, bit-exact in integers. Device models a transit device
// (draft-ravi-ippm-csig-00 section 4.4.2) packet by packet, Clocked cycle by cycle with its streams and registers.
// Sender and Receiver are the hosts (4.4.1, 4.4.3). It is written from docs/csig.md, which defines every format,
// rounding and cycle, independently of the generator.
package csig
