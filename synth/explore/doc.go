// Package explore sweeps the design space of an engine: divider kinds, precisions, parallel or serial order of the
// hops. For each point it determines the proven bound of the error in W, the cells and clock from synthesis, and from
// the clock the ACKs a second; and it marks the Pareto front.
//
// A point is a configuration of its own, checked in full (config.NIC.Vary). Impossible points are part of the result,
// with the configuration's message. Measurements are stored, point by point, in a file beside the result: an
// interrupted run resumes where it stopped, and measurements by another version of a tool or of the generator are
// repeated.
package explore
