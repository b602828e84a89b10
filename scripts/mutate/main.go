// Command mutate counts the one-bit mutants, made by yosys, that the comparison detects: N mutants of hpcc_core, of
// csig_switch and of each divider. The others are listed, with a note if they are proven equivalent.
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
