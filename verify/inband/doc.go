// Package inband runs a generated int_source and its golden model side by side, cycle by cycle: random packets of the
// source's format, whole, damaged and cut, in random weather, with software that reads and writes registers meanwhile.
package inband
