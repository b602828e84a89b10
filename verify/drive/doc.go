// Package drive is the one loop in which verification runs a design. Inputs are made for a batch of cycles, an engine
// runs the batch, and its outputs are judged: Run, over a Work. Random co-simulation, traces, packets and single
// blocks differ in the Work that they bring and in nothing else.
//
// # Lockstep
//
// A Leg is the Work of a comparison with a golden model. The model (a Side) runs ahead, in closed loop with its
// stimulus, and gives the inputs and the expected outputs of each cycle. Every output is compared in every cycle in
// which it means something (the payload of a stream while its valid is high, bytes while tkeep has them), and each
// named tap at the cycle that the model says. The first cycle with a difference ends the run.
//
// # Campaigns
//
// Compare runs a Subject, the part that depends on the kind of design, with one or several seeds. After a difference
// it replays the episode of the stimulus in which that happened, cuts the stimulus down for as long as a difference
// remains, locates the difference in pipeline order, and writes a waveform.
package drive
