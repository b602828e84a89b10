// Package registers is the register map of a CSIG switch: the table of docs/csig.md as data. It is the one place that knows an
// address. The register block, the drivers and the documents are made from it, and co-simulation writes through it.
//
// New gives the map of a configuration, Program the writes that set a device up as its configuration says.
package registers
