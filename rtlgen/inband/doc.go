// Package inband generates int_source, the pipeline of a switch that inserts HPCC telemetry records into transit
// packets. It is written from docs/int.md, independently of the golden model.
//
// int_header gathers a packet's header, and int_parse decides from it whether the packet gets a record. int_tx counts
// bytes and reports those sent before the packet. The record and the changed header words are assembled, and int_editor
// inserts them into the packet, which has waited in a FIFO.
package inband
