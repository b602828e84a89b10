// Package block runs single blocks of rtlgen/lib in lockstep with reference functions: those of the golden model for
// arithmetic, plain queues for streams.
//
// Many blocks share one bench, a module that exports the ports of all of them, so that one build and one run check them
// together. Every output is compared in every cycle in which it is defined; valid outputs always.
package block
