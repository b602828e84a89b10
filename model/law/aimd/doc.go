// Package aimd is the golden model of the smallest law that an engine can have: additive increase and multiplicative
// decrease of a window. It is written from its numeric contract, docs/aimd.md.
package aimd
