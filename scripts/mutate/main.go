// Command mutate lets yosys change one bit of a design at a time and counts the changes that the comparison notices: N
// mutants of hpcc_core, of csig_switch and of each divider. What is not noticed is listed, with a proof where there is
// one that the change changes nothing.
package main

import (
	"flag"
	"fmt"
	"os"
	"time"

	"github.com/hdlpkg/hpccgen/verify/mutate"
)

func main() {
	n := flag.Int("n", 200, "mutants of each subject")
	seed := flag.Uint64("seed", 1, "seed of yosys' choice")
	core := flag.Int64("core-cycles", 60_000, "cycles of lockstep a mutant of hpcc_core or csig_switch")
	divider := flag.Int64("divider-operations", 20_000, "divisions a mutant of a divider")
	limit := flag.Duration("prove", 10*time.Second, "time for the proof that a mutant changes nothing")
	only := flag.String("only", "", "name of the one subject to mutate")
	flag.Parse()
	if err := run(*n, *seed, *core, *divider, *limit, *only); err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

func run(n int, seed uint64, core, divider int64, limit time.Duration, only string) error {
	cases, err := mutate.Cases(core, divider)
	if err != nil {
		return err
	}
	for _, c := range cases {
		if only != "" && c.Subject.Name != only {
			continue
		}
		m, err := mutate.New(c.Subject, n, seed)
		if err != nil {
			return err
		}
		tally, err := m.Run(c.Judge, nil)
		if err != nil {
			return err
		}
		if err := m.Explain(&tally, c.Longer, limit); err != nil {
			return err
		}
		fmt.Println(tally)
	}
	return nil
}
