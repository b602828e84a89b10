// Package cosim compares generated designs with their golden models on random stimulus, over the loop of package drive.
// What each kind of design brings to that loop (drive.Subject) is in verify/stimulus and verify/law, for engines, and in
// verify/stimulus/transit, verify/csig and verify/inband, for switches. Faults that it must notice are Mutants.
package cosim
