// Package transit makes input for packet pipelines (docs/csig.md, Hardware): seeded, deterministic, constrained-random
// packets, crossed with idle and back-pressure patterns, and register traffic while packets are in flight. It has what
// all of them share; verify/csig and verify/inband bring what a packet is, what software writes, and what must have
// been reached (Device).
//
// A Generator plays episodes. An episode starts with a reset, which may find anything under way, writes some or all of
// what software must write first, and then runs phases; a phase has a mix of packets, and patterns for each
// stream. Nothing that happens in an episode depends on an earlier one, so that any episode can be replayed and shrunk
// alone (Script).
//
// The generator runs closed loop with the golden model: its ready signals pace the streams, and its decisions tell
// what packets are worth sending.
//
// A Binding places the model's ports in the words of a design's layout.
package transit
