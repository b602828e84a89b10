// Package transit makes input for csig_switch (docs/csig.md, Hardware): seeded, deterministic, constrained-random
// packets with the corner cases of tags, lengths, times and queues, crossed with idle and back-pressure patterns, and
// register traffic while packets are in flight.
//
// A Generator plays episodes. An episode starts with a reset, which may find anything under way, writes some or all of
// what software must write first, and then goes through phases; a phase has a mix of packets, a way in which time
// passes, and patterns for each stream. Nothing that happens in an episode depends on an earlier one, so that any
// episode can be replayed and shrunk alone (Script).
//
// The generator runs closed loop with the golden model: its ready signals tell when to go on, and its decisions tell
// where the local codes are, so that packets carry values next to them.
//
// A Binding places the model's ports in the words of a design's layout.
package transit
