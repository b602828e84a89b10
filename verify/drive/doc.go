// Package drive is the only loop in which verification runs a design: inputs are made for a batch of cycles, an engine
// runs the batch, and the outputs are judged (Run, over a Work). Random co-simulation, traces, packets and single
// blocks differ only in their Work.
//
// # Lockstep
//
// A Leg is the Work of a comparison with a golden model. The model (a Side) runs ahead, in closed loop with its
// stimulus, and supplies the inputs of each cycle and the expected outputs. Every output is compared in every cycle in
// which it is defined (the payload of a stream while its valid is high, bytes that tkeep marks), and each named tap at
// the cycle that the model gives. The first cycle with a difference ends the run.
//
// # Campaigns
//
// Compare runs a Subject, the contribution of a design type, with one or several seeds. After a difference it replays
// the stimulus episode in which that happened, shrinks the stimulus while a difference remains, locates the difference
// in pipeline order, and writes a waveform.
package drive
