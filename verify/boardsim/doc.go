// Package boardsim simulates a board: the link core, or the whole board top, with its serial line connected to a host.
// The line is driven and sampled bit by bit.
package boardsim
