// Package aimd is the golden model of a window that grows by addition and shrinks by half: the smallest law that an
// engine can have. It is written from its numeric contract, docs/aimd.md.
package aimd
