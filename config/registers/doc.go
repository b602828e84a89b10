// Package registers holds the register maps of designs: the tables of docs/csig.md and docs/int.md as data, and that of
// an engine, which follows from its law. It is the only place that knows an address. Register blocks, drivers and
// documents are generated from it, and co-simulation writes through it.
//
// New, NewINT and NewNIC return the map of a configuration, Program and ProgramINT the writes that set a switch up for
// its configuration.
package registers
