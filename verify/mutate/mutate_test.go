package mutate

import (
	"flag"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/internal/toolchain"
)

// The full run is make mutate, or go test ./verify/mutate -run TestMutants -mutants 200 -v -timeout 2h.
var (
	mutants = flag.Int("mutants", 24, "mutants of each design")
	seed    = flag.Uint64("mutant-seed", 1, "choice of the mutants")
	limit   = flag.Duration("proof-time", 10*time.Second, "time to prove that a mutant changes nothing")
)

// needTools skips a test without yosys or Verilator; in CI that is a failure.
func needTools(t *testing.T) {
	for _, s := range toolchain.All() {
		switch s.Name {
		case "yosys", "verilator", "g++":
			if !s.Found {
				if os.Getenv("CI") == "true" {
					t.Fatalf("%s is missing: %s", s.Name, s.Install)
				}
				t.Skipf("skipped: %s is missing: %s", s.Name, s.Install)
			}
		}
	}
}

// Mutants of every divider, of hpcc_core and of csig_switch are caught by the comparisons that the project relies on,
// or are proven equivalent; the others are printed, and must be few.
func TestMutants(t *testing.T) {
	needTools(t)
	cases, err := Cases(60_000, 20_000)
	require.NoError(t, err)
	for _, c := range cases {
		t.Run(c.Subject.Name, func(t *testing.T) {
			if c.Subject.Name == FoldedSwitch && os.Getenv("HPCCGEN_LONG") == "" {
				t.Skip("skipped: its blocks have mutants of their own in verify/block; make mutate runs it")
			}
			hunt(t, c)
		})
	}
}

func hunt(t *testing.T, c Case) {
	begin := time.Now()
	m, err := New(c.Subject, *mutants, *seed)
	require.NoError(t, err)
	require.Equal(t, *mutants, len(m.List)+m.Impossible)
	tally, err := m.Run(c.Judge, nil)
	require.NoError(t, err)
	full, large := *mutants >= 100, c.Subject.Name == "hpcc_core" || c.Subject.Name == "csig_switch"
	if full || !large { // the gates of the large ones take long to make
		require.NoError(t, m.Explain(&tally, c.Longer, *limit))
	}
	t.Logf("%v\n%v", tally, time.Since(begin).Round(time.Second))
	total, caught, proven := tally.Counts()
	if full {
		assert.LessOrEqual(t, (total-caught-proven)*100, 5*total,
			"too many mutants are neither caught nor proven to change nothing")
	}
	// Many bits are constant or unused: their mutants cannot be detected.
	assert.GreaterOrEqual(t, caught*100, 70*total, "too few mutants are caught")
}

// A comparison that detects nothing is exposed: the mutants of a divider survive, and cannot be proven equivalent.
func TestBlindComparison(t *testing.T) {
	needTools(t)
	c, err := dividerCase(Dividers[1], 1)
	require.NoError(t, err)
	m, err := New(c.Subject, 6, 1)
	require.NoError(t, err)
	blind := func(Opener) (string, error) { return "", nil }
	tally, err := m.Run(blind, nil)
	require.NoError(t, err)
	require.NoError(t, m.Explain(&tally, blind, 2*time.Second))
	total, caught, proven := tally.Counts()
	assert.Equal(t, 6, total)
	assert.Zero(t, caught)
	assert.Less(t, proven, 3)
	assert.Len(t, tally.Holes(), total-proven)
}

// A netlist that differs from the reference without any change is an error, not a catch.
func TestBrokenNetlist(t *testing.T) {
	needTools(t)
	c, err := dividerCase(Dividers[1], 100)
	require.NoError(t, err)
	m, err := New(c.Subject, 4, 1)
	require.NoError(t, err)
	_, err = m.Run(func(Opener) (string, error) { return "m_quot", nil }, nil)
	assert.EqualError(t, err, "restoring_pipelined: the netlist differs without a change: m_quot")
}

// The enable of a read port without a clock is not an input in hardware; that of a write port is.
func TestPossibleMutations(t *testing.T) {
	read := "mutate -ctrl mutation_select 5 13 -mode const0 -module bench -cell $flatten\\u0.$memrd$\\bound2$b.v:122$59 -port EN -portbit 0 -src b.v:122.31-122.37\n"
	write := "mutate -ctrl mutation_select 5 14 -mode cnot1 -module bench -cell $flatten\\u0.$auto$proc_memwr.cc:45:proc_memwr$230 -port EN -portbit 7 -ctrlbit 9\n"
	address := "mutate -ctrl mutation_select 5 15 -mode inv -module bench -cell $flatten\\u0.$memrd$\\bound2$b.v:122$59 -port ADDR -portbit 0\n"
	left := possible([]byte(read + write + address))
	assert.Equal(t, write+address, string(left))
	list, err := parse(left)
	require.NoError(t, err)
	require.Len(t, list, 2)
	assert.Equal(t, []int{14, 15}, []int{list[0].Number, list[1].Number}, "numbers are those that select them")
	for _, bad := range []string{"mutate -mode inv -module bench -port A", "mutate -mode inv -ctrl mutation_select 5",
		"mutate -ctrl mutation_select 5 none -mode inv"} {
		_, err = parse([]byte(bad + "\n"))
		assert.EqualError(t, err, "yosys gives no number in: "+bad)
	}
}
