// Package csig is the golden model of a network with CSIG tags, packet by packet: integers, bit-exact. Device
// is a transit device (draft-ravi-ippm-csig-00 section 4.4.2), Sender and Receiver are the hosts (4.4.1, 4.4.3). It
// is written from docs/csig.md, which has every format and rounding, and knows nothing of the generator.
package csig
