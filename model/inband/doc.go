// Package inband is the golden model of a switch that records telemetry in passing packets for HPCC: integers,
// bit-exact. Device works packet by packet, Clocked cycle by cycle. It is written from docs/int.md, which has every
// field and rule, and knows nothing of the generator.
package inband
