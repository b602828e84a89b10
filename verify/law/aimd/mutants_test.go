package aimd_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/verify/mutate"
)

// One-bit mutants of the law's pipeline are noticed, but for bits that are constant or not used.
func TestMutants(t *testing.T) {
	c, err := mutate.DesignCase("aimd", `
design: nic
law: aimd
flows: 5
profiles: 2
sequence_bits: 24
clock_bits: 60
counter_bits: 8
formats: {window: UQ12.2, inv_t: UQ-3.12, rate: UQ8.4}
`, "u_core", 30_000)
	require.NoError(t, err)
	m, err := mutate.New(c.Subject, 40, 1)
	require.NoError(t, err)
	tally, err := m.Run(c.Judge, nil)
	require.NoError(t, err)
	t.Log(tally)
	total, caught, _ := tally.Counts()
	assert.GreaterOrEqual(t, caught*100, 70*total, "too few mutants are caught")
}
