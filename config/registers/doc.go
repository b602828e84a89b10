// Package registers holds the register maps of the switch designs: the tables of docs/csig.md and docs/int.md as data.
// It is the only place that knows an address. Register blocks, drivers and documents are generated from it, and
// co-simulation writes through it.
//
// New and NewINT return the map of a configuration, Program and ProgramINT the writes that set a device up for its
// configuration.
package registers
