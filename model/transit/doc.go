// Package transit is the golden model of what all packet pipelines of a switch share: input and output streams, packets
// that pass stages a fixed number of cycles after their header or their end, the editor, and the register bus. It is
// written from docs/csig.md and docs/int.md, independently of the generator.
//
// A design embeds Frame, supplies the table of its stages, and is notified of resets and of register reads and writes.
// The type parameter F is the design's own data of a packet in flight.
package transit
