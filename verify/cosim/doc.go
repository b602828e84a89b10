// Package cosim compares generated designs with their golden models on random stimulus, over the loop of package drive.
// Each design type's contribution to that loop (drive.Subject) is in verify/stimulus and verify/law for engines, and in
// verify/stimulus/transit, verify/csig and verify/inband for switches. Mutants are faults that it must detect.
package cosim
