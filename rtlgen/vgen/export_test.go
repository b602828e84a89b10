package vgen

import "math/big"

// EvalBig evaluates an expression over input ports with the plain definition of the
// operators, for comparison with the interpreter and with the RTL.
func EvalBig(s Signal, inputs map[string]*big.Int) *big.Int {
	memo := map[*node]*big.Int{}
	var visit func(n *node) *big.Int
	visit = func(n *node) *big.Int {
		if v, ok := memo[n]; ok {
			return v
		}
		var v *big.Int
		switch n.op {
		case opConst:
			v = n.val
		case opInput:
			v = inputs[n.name]
		default:
			args := make([]*big.Int, len(n.args))
			for i, a := range n.args {
				args[i] = visit(a)
			}
			v = evalOp(n, args)
		}
		memo[n] = v
		return v
	}
	return visit(s.n)
}
