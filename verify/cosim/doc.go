// Package cosim compares generated designs with their golden models on random stimulus, over the loop of package drive.
//
// It has what each kind of design brings to that loop (drive.Subject): HPCC++ engines (nic.go) and switches
// (switch.go), which differ in model and traffic only (csig.go, int.go).
package cosim
