package mutate

import (
	"fmt"
	"runtime"
	"strings"
	"sync"

	"github.com/hdlpkg/hpccgen/verify/engine"
)

// Opener is the hook with which a comparison starts an engine.
type Opener = func(string, engine.Design, engine.Options) (engine.Engine, error)

// Judge compares the engine that open starts with the reference, and describes the first difference; "" if they agree.
type Judge func(open Opener) (difference string, err error)

// Outcome is the outcome of a mutant.
type Outcome struct {
	Mutation
	Caught string // where the comparison saw it; "" when it did not
	Proven string // the proof that it changes nothing; "" if there is none
}

// Tally is the outcome of all mutants of a subject.
type Tally struct {
	Name     string
	Outcomes []Outcome
}

// Counts returns the numbers of mutants, of those caught, and of those proven equivalent.
func (t Tally) Counts() (total, caught, proven int) {
	for _, o := range t.Outcomes {
		switch {
		case o.Caught != "":
			caught++
		case o.Proven != "":
			proven++
		}
	}
	return len(t.Outcomes), caught, proven
}

// Holes are the mutants that were neither caught nor proven equivalent.
func (t Tally) Holes() []Outcome {
	var list []Outcome
	for _, o := range t.Outcomes {
		if o.Caught == "" && o.Proven == "" {
			list = append(list, o)
		}
	}
	return list
}

func (t Tally) String() string {
	total, caught, proven := t.Counts()
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d mutants, %d caught, %d proven to change nothing, %d neither", t.Name, total, caught, proven,
		total-caught-proven)
	for _, o := range t.Outcomes {
		if o.Caught == "" {
			fmt.Fprintf(&b, "\n  %s", o.Mutation)
			if o.Proven != "" {
				fmt.Fprintf(&b, ": %s", o.Proven)
			}
		}
	}
	return b.String()
}

// Run judges the netlist without a change, which must agree, and then every mutant, on all processors.
func (m *Mutants) Run(judge Judge, progress func(done int)) (Tally, error) {
	t := Tally{Name: m.Subject.Name, Outcomes: make([]Outcome, len(m.List))}
	switch difference, err := judge(m.Open(0)); {
	case err != nil:
		return t, err
	case difference != "":
		return t, fmt.Errorf("%s: the netlist differs without a change: %s", m.Subject.Name, difference)
	}
	var lock sync.Mutex
	done := 0
	err := parallel(len(m.List), func(i int) error {
		o := &t.Outcomes[i]
		o.Mutation = m.List[i]
		var err error
		if o.Caught, err = judge(m.Open(o.Number)); err != nil {
			return fmt.Errorf("%s, mutant %d: %w", m.Subject.Name, o.Number, err)
		}
		lock.Lock()
		defer lock.Unlock()
		done++
		if progress != nil {
			progress(done)
		}
		return nil
	})
	return t, err
}

// parallel calls do for 0 to n-1 on all processors and returns the first failure in that order.
func parallel(n int, do func(i int) error) error {
	work := make(chan int)
	errs := make([]error, n)
	var wait sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wait.Go(func() {
			for i := range work {
				errs[i] = do(i)
			}
		})
	}
	for i := range n {
		work <- i
	}
	close(work)
	wait.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
