// Package transit makes input for packet pipelines (docs/csig.md, Hardware): seeded, deterministic, constrained-random
// packets, crossed with idle and back-pressure patterns, and register traffic while packets are in flight. It holds the
// common part; verify/csig and verify/inband supply packets, software accesses and coverage bins (Device).
//
// A Generator plays episodes. An episode starts with a reset, at any moment of earlier activity, writes some or all of
// the initial settings, and then goes through phases; a phase has a mix of packets, and patterns for each stream. An
// episode does not depend on earlier ones, so that any episode can be replayed and shrunk alone (Script).
//
// The generator runs closed loop with the golden model, whose ready signals control it and whose decisions determine
// which packets are worth sending.
//
// A Binding places the model's ports in the words of a design's layout.
package transit
