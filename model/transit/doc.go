// Package transit is the golden model of what all packet pipelines of a switch share: the streams in and out, packets
// that pass stages a fixed number of cycles after their header or their end, the editor, and the register bus. It is
// written from docs/csig.md and docs/int.md and knows nothing of the generator.
//
// A design embeds Frame, gives it the table of its stages, and is told of resets and of what software reads and writes.
// The type parameter F is the design's state of a packet in flight.
package transit
