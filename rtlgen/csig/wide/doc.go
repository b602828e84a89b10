// Package wide is the microarchitecture of csig_switch that decides on a packet a cycle. Where its registers stand is
// data: block.Places.
package wide
