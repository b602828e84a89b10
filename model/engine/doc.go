// Package engine is the frame of a congestion-control engine: everything that is the same for every law, bit-exact and
// cycle-accurate. It is written from docs/architecture.md, independently of the generator.
//
// A Law holds the arithmetic: the effect of an event on the context of its flow. Model adds tables and the contexts of
// all flows and processes one operation after the other. Clocked adds streams, issue, latency and back-pressure to a
// Model.
//
// The type parameters are the types of a law, always in this order:
//
//	E  event on stream s              hpcc.Ack
//	C  context of a flow              hpcc.Context
//	W  context write on stream cw     hpcc.ContextWrite
//	D  context data on stream cd      hpcc.ContextData
//	R  decision on stream m           hpcc.Result
//	T  tables that software writes    hpcc.Tables
//	P  taps, the intermediate values  hpcc.Taps
//
// A law's package names its instances: hpcc.Clocked is Clocked over these seven types.
package engine
