// Package cosim runs a generated design and the golden model side by side and compares them cycle by cycle:
// every output in every cycle (the payload of a stream while its valid is high, bytes while tkeep has them), and the named taps of
// every ACK that reacts or packet that is compared, at its issue or header cycle plus the tap's latency.
//
// The model runs ahead, closed loop with the stimulus, and fills batches of input words and expected
// output words. The engine runs whole batches open loop on another core, and a third goroutine compares. The
// first difference ends the run. Then the episode of the stimulus in which it happened is replayed and cut down
// as long as a difference remains, the difference is located in pipeline order, and a waveform is written.
//
// What a kind of design brings is a subject: frame (how to run it, where outputs and taps lie), golden model with a source of stimulus, and a
// script that can be cut. There is one for HPCC++ engines (nic.go) and one for switches (switch.go), which differ in model and source
// only (csig.go, int.go).
//
// Block does the same for a block of the library that has a fixed latency and no back-pressure.
package cosim
