package mutate

import "testing"

// Mutants of the meters and coders of the CSIG switch are caught by the comparisons with their references.
func TestMutantsOfCSIGBlocks(t *testing.T) {
	needTools(t)
	for _, c := range CSIGCases(60_000) {
		t.Run(c.Subject.Name, func(t *testing.T) { hunt(t, c) })
	}
}
