// Package block runs the blocks of rtlgen/lib, each standing alone, in lockstep with reference
// functions: those of the golden model for arithmetic, plain queues for streams.
//
// Many blocks share one bench, a module that brings out the ports of all of them, so that one build and
// one run check them together. Every output is compared in every cycle in which it means something; valid
// outputs always.
package block
