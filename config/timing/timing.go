// Package timing has the records in which a generated design says when it does what, in cycles. The generator composes
// them, the golden model takes them as data, and manifest.json shows them: so no number of cycles stands on both sides.
//
// The records are data, and what they mean is in the documents: docs/architecture.md, docs/csig.md and docs/int.md.
package timing
