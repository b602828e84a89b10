// Package inband is the golden model of a switch that inserts HPCC telemetry records into transit packets, bit-exact in
// integers. Device works packet by packet, Clocked cycle by cycle. It is written from docs/int.md, which defines every
// field and rule, independently of the generator.
package inband
