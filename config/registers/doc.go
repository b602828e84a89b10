// Package registers has the register maps of designs: the tables of docs/csig.md and docs/int.md as data, and that of an
// engine, which follows from its law. It is the one place that knows an address. Register blocks, drivers and documents
// are made from it, and co-simulation writes through it.
//
// New, NewINT and NewNIC give the map of a configuration, Program and ProgramINT the writes that set a switch up as its
// configuration says.
package registers
