package engine

import "github.com/hdlpkg/hpccgen/rtlgen/vgen"

// Faulty returns an Options.Open that runs a design with one of several faults, by its number from 1; 0 is the
// unchanged design. All numbers share one build.
func Faulty(faults []vgen.Fault, number int) func(string, Design, Options) (Engine, error) {
	return func(name string, d Design, o Options) (Engine, error) {
		top, err := vgen.Mutants(d.Top, faults)
		if err != nil {
			return nil, err
		}
		plain := vgen.NewLayout(d.Top, d.Taps)
		d.Top = top
		e, err := Open(name, d, o)
		if err != nil {
			return nil, err
		}
		return Selected(e, &plain, uint64(number)), nil
	}
}
