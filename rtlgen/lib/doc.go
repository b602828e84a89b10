// Package lib holds the building blocks of the generated designs: self-aligning pipelines, multipliers, dividers, the
// moving average, compare trees, saturating arithmetic, register slices, FIFOs and delay lines.
//
// Blocks with a fixed latency and an initiation interval carry both as data of their module ([vgen.Module.Latency],
// [vgen.Module.Interval]); a module that instantiates them aligns by these numbers and never by a constant of its own.
// The arithmetic of each block is that of docs/numeric.md.
package lib
