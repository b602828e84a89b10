// Package timing defines the records that hold the timing of a generated design, in cycles. The generator composes
// them, the golden model takes them as data, and manifest.json shows them, so that no number of cycles is stated on
// both sides.
//
// The records are data; docs/architecture.md, docs/csig.md and docs/int.md define their meaning.
package timing
