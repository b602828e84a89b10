// Package wide is the microarchitecture of csig_switch that decides on a packet a cycle. The places of its pipeline
// registers are data: block.Places.
package wide
