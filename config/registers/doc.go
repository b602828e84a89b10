// Package registers has the register maps of the switch designs: the tables of docs/csig.md and docs/int.md as data. It
// is the one place that knows an address. Register blocks, drivers and documents are made from it, and co-simulation
// writes through it.
//
// New and NewINT give the map of a configuration, Program and ProgramINT the writes that set a device up as its
// configuration says.
package registers
