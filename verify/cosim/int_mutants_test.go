package cosim_test

import (
	"errors"
	"flag"
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/internal/toolchain"
	"github.com/hdlpkg/hpccgen/verify/cosim"
	"github.com/hdlpkg/hpccgen/verify/inband"
	"github.com/hdlpkg/hpccgen/verify/mutate"
)

var intMutants = flag.Int("int-mutants", 0, "mutants of each format; without it a few of one format")

// Of sources with one bit changed nearly all are told from the model. Those that are not are listed: faults of speed
// or area, and cases that the traffic does not reach.
func TestINTMutants(t *testing.T) {
	for _, name := range []string{"yosys", "verilator"} {
		if _, err := exec.LookPath(name); err != nil {
			if os.Getenv("CI") == "true" {
				t.Fatal(err)
			}
			t.Skip(err)
		}
	}
	for _, f := range []config.INTFormat{config.INTHPCC, config.INTMD, config.INTIFA, config.INTIOAM} {
		n := *intMutants
		if n == 0 && f != config.INTHPCC {
			continue
		}
		n = max(n, 8)
		t.Run(string(f), func(t *testing.T) {
			c := cosim.SmallSource(f)
			target, err := inband.Generate(c, true)
			require.NoError(t, err)
			all, err := mutate.New(mutate.Subject{Name: string(f), Top: target.Design.Top, Taps: true, Scope: "*"}, n, 1)
			if missing := (toolchain.Missing{}); errors.As(err, &missing) {
				t.Skip(err)
			}
			require.NoError(t, err)
			judge := func(open mutate.Opener) (string, error) {
				rep, err := cosim.RunDesign(c, cosim.Options{Engine: "verilator", Cycles: 100_000, Seed: 8,
					NoShrink: true, Open: open})
				if err != nil || rep.Divergence == nil {
					return "", err
				}
				return rep.Divergence.Signal, nil
			}
			tally, err := all.Run(judge, nil)
			require.NoError(t, err)
			t.Log(tally)
			total, caught, _ := tally.Counts()
			assert.GreaterOrEqual(t, 10*caught, 6*total) // few mutants say little; of many at least 8 of 10 are caught
		})
	}
}
