// Package folded is the microarchitecture of csig_switch for small FPGAs: it decides on a packet in eight cycles, with
// one memory for all registers, one for all bounds, and a multiplier made of adders (docs/csig.md, Folding).
package folded
