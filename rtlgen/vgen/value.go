package vgen

import (
	"math/big"
	"strconv"
)

// ones is 2^w - 1.
func ones(w int) *big.Int {
	v := new(big.Int).Lsh(big.NewInt(1), uint(w))
	return v.Sub(v, big.NewInt(1))
}

// signedValue reads the w bits of v in two's complement.
func signedValue(v *big.Int, w int) *big.Int {
	if v.Bit(w-1) == 0 {
		return v
	}
	return new(big.Int).Sub(v, new(big.Int).Lsh(big.NewInt(1), uint(w)))
}

// literal is a sized Verilog literal, decimal while that is easy to read, as a number of nanoseconds is.
func literal(width int, v *big.Int) string {
	w := strconv.Itoa(width)
	switch {
	case width == 1:
		return "1'b" + v.String()
	case v.BitLen() <= 16 || v.BitLen() <= 32 && v.Uint64()%1000 == 0:
		return w + "'d" + v.String()
	default:
		return w + "'h" + v.Text(16)
	}
}

// signedLiteral is a literal of a value in two's complement.
func signedLiteral(width int, v *big.Int) string {
	sign := ""
	if v = signedValue(v, width); v.Sign() < 0 {
		sign, v = "-", new(big.Int).Neg(v)
	}
	return sign + strconv.Itoa(width) + "'sd" + v.String()
}

// evalNode computes an operator whose operands are all constants. It is the plain
// definition of every operator; the interpreter is written separately, for speed,
// and is tested against it.
func evalNode(n *node) *big.Int {
	args := make([]*big.Int, len(n.args))
	for i, a := range n.args {
		args[i] = a.fixed()
	}
	return evalOp(n, args)
}

func evalOp(n *node, args []*big.Int) *big.Int {
	mod := func(v *big.Int) *big.Int { return new(big.Int).And(v, ones(n.width)) }
	truth := func(b bool) *big.Int {
		if b {
			return big.NewInt(1)
		}
		return new(big.Int)
	}
	a := args[0]
	wa := n.args[0].width
	var b *big.Int
	if len(args) > 1 {
		b = args[1]
	}
	order := func() int {
		if opTable[n.op].signed {
			return signedValue(a, wa).Cmp(signedValue(b, wa))
		}
		return a.Cmp(b)
	}
	distance := func() uint {
		if !b.IsInt64() || b.Int64() > int64(wa) {
			return uint(wa)
		}
		return uint(b.Int64())
	}
	switch n.op {
	case opBuf, opWire, opZext:
		return a
	case opAdd:
		return mod(new(big.Int).Add(a, b))
	case opSub:
		return mod(new(big.Int).Sub(a, b))
	case opMul:
		return new(big.Int).Mul(a, b)
	case opMulS:
		return mod(new(big.Int).Mul(signedValue(a, wa), signedValue(b, n.args[1].width)))
	case opAnd:
		return new(big.Int).And(a, b)
	case opOr:
		return new(big.Int).Or(a, b)
	case opXor:
		return new(big.Int).Xor(a, b)
	case opNot:
		return new(big.Int).Xor(a, ones(n.width))
	case opEq:
		return truth(a.Cmp(b) == 0)
	case opNe:
		return truth(a.Cmp(b) != 0)
	case opLt, opLtS:
		return truth(order() < 0)
	case opLe, opLeS:
		return truth(order() <= 0)
	case opGt, opGtS:
		return truth(order() > 0)
	case opGe, opGeS:
		return truth(order() >= 0)
	case opShl:
		return mod(new(big.Int).Lsh(a, uint(n.p0)))
	case opShr:
		return new(big.Int).Rsh(a, uint(n.p0))
	case opSra:
		return mod(new(big.Int).Rsh(signedValue(a, wa), uint(n.p0)))
	case opShlBy:
		return mod(new(big.Int).Lsh(a, distance()))
	case opShrBy:
		return new(big.Int).Rsh(a, distance())
	case opSraBy:
		return mod(new(big.Int).Rsh(signedValue(a, wa), distance()))
	case opSlice:
		return mod(new(big.Int).Rsh(a, uint(n.p1)))
	case opCat:
		v := new(big.Int)
		for i, part := range args {
			v.Lsh(v, uint(n.args[i].width)).Or(v, part)
		}
		return v
	case opRepeat:
		v := new(big.Int)
		for range n.p0 {
			v.Lsh(v, uint(wa)).Or(v, a)
		}
		return v
	case opSext:
		return mod(signedValue(a, wa))
	case opAny:
		return truth(a.Sign() != 0)
	case opAll:
		return truth(a.Cmp(ones(wa)) == 0)
	case opParity:
		p := uint(0)
		for i := range wa {
			p ^= a.Bit(i)
		}
		return truth(p == 1)
	case opMux:
		if a.Sign() != 0 {
			return args[1]
		}
		return args[2]
	case opSelect:
		if a.IsInt64() && a.Int64() < int64(len(args)-2) {
			return args[2+a.Int64()]
		}
		return args[1]
	}
	return new(big.Int)
}
