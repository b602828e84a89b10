// Package stimulus verifies the engine of a law: it makes input (seeded, deterministic, constrained-random sequences
// with corner cases, crossed with idle and back-pressure patterns), runs the golden model beside it, and places both in
// the words of the generated design. A Law supplies the law's specifics; the packages verify/law/NAME make one.
//
// A Generator plays episodes. An episode starts with a reset, programs tables and contexts during initialisation, and
// then sends events of a few hot and many other flows, mixed with the corner cases named in Bins, context reads and
// writes, and table writes in flight. An episode does not depend on earlier ones, so that any episode can be replayed
// and shrunk alone (Script).
//
// Streams follow the rules of valid and ready: a payload stays until it is taken. The generator therefore runs closed
// loop with the golden model, whose ready signals control it; the resulting words are replayed open loop on the design
// under test. If the design's ready differs, that is a mismatch of an output like any other.
//
// A Binding places the model's ports in the words of a design's layout.
package stimulus
