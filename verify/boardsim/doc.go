// Package boardsim is a board without silicon: the link core, or the whole board top, in simulation, with its serial
// line given to a host. The line is driven and sampled bit by bit.
package boardsim
