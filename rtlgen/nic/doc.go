// Package nic generates the HPCC++ engine of a NIC: from the telemetry of each acknowledgement to the
// flow's window and pacing rate (draft-an-ccwg-hpcc-00, section 4; docs/numeric.md).
//
// The engine is one pipeline of fixed latency. Operations (acknowledgements, context reads and writes,
// table writes) enter it in order and meet the state they use at the stage where they use it:
//
//	hpcc_nic        streams in and out, issue, context memories, output FIFO, counters
//	  hpcc_core     per-ACK logic
//	    hpcc_flow       stored context against the ACK: first, path changed, idle, commit
//	    hpcc_records    differences of the telemetry counters
//	    hpcc_hop        u' of a hop; one for each hop, or one for all
//	      hop_divider
//	    hpcc_average    tau, alpha, U
//	    hpcc_window     eta/U, W, stage, R
//	      quotient_divider
//
// With one lane for all hops the engine has a frame of its own, and blocks of the same names that fold what
// they do into an interval: the files serial_*.go, from buildSerial on.
package nic
