// Package explore goes through the space of an engine's designs: kinds of dividers, precisions, hops side by side or
// one after the other. Of each point it takes the proven bound of the error in W, the cells and the clock that
// synthesis reaches, and with the clock the ACKs a second; and it says which points no other beats.
//
// A point is a configuration of its own, checked in full (config.NIC.Vary). What cannot work is part of the result,
// with the configuration's own words. What is measured is kept, point by point, in a file beside the result: a run that
// was interrupted goes on where it stopped, and what another version of a tool or of the generator has measured is
// measured again.
package explore
