// Package hpcc generates HPCC++ for the frame of rtlgen/engine: from the telemetry of each acknowledgement to the
// flow's window and pacing rate (draft-an-ccwg-hpcc-00, section 4; docs/numeric.md).
//
//	hpcc_nic        the frame: streams in and out, issue, context memories, output FIFO, counters
//	  hpcc_core     per-ACK logic
//	    hpcc_flow       stored context against the ACK: first, path changed, idle, commit
//	    hpcc_records    differences of the telemetry counters
//	      hop_record    one hop; one for each, in parallel
//	    hpcc_hop        u' of a hop; one for each hop, or one for all
//	      hop_divider
//	    hpcc_average    tau, alpha, U
//	    hpcc_window     eta/U, W, stage, R
//	      quotient_divider
//
// In serial order, with the slotted frame, blocks of the same names are folded into an interval: the files serial_*.go
// and slotted.go. Their plan (planSerial) is the schedule.
package hpcc
