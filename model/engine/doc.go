// Package engine is the frame of a congestion-control engine: all that is the same for every law, bit-exact and
// cycle-accurate. It is written from docs/architecture.md and knows nothing of the generator.
//
// A Law holds the arithmetic: what an event does to the context of its flow. Model puts tables and the contexts of all
// flows around a law and takes one operation after the other. Clocked puts streams, issue, latency and back-pressure
// around a Model.
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
// A package of a law gives names to the instances: hpcc.Clocked is Clocked over these seven types.
package engine
