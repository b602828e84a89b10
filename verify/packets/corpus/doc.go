// Package corpus makes packets for switches: every placement of a CSIG tag (draft-ravi-ippm-csig-00 section 4.1), everything that can be wrong
// with one, and inner packets that a protocol analyser takes for real.
//
// A packet comes with what it was made of (where its tag is, what the tag says), so that what a device did with it can be checked without
// asking the parser that the device's model uses. All is deterministic: equal options give equal packets.
package corpus
