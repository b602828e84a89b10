// Package inband generates int_source, the pipeline of a switch that records telemetry in passing packets for HPCC. It
// is written from docs/int.md and knows nothing of the golden model.
//
// A packet's header is gathered (int_header) and read (int_parse), which decides whether it gets a record; int_tx
// counts bytes and says what has left before; the record and the changed words of the headers are put together, and
// int_editor works them into the packet, which has waited in a FIFO.
package inband
