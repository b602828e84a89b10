// Package formal proves properties of emitted Verilog with Yosys and an SMT solver.
//
// Properties are immediate assertions and assumptions of a wrapper, a module in plain Verilog around the design under
// proof: a test samples, a proof covers all inputs. Bounded model checking begins with the states that the wrapper's
// initial assumptions allow; induction shows that a property holds for ever. Both begin from registers and memories
// with any contents, as the hardware does, so a wrapper that needs a reset assumes one.
package formal
