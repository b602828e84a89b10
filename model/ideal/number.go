package ideal

import "math/big"

// Number is an arithmetic in which the procedure runs.
type Number[N any] interface {
	Add(N) N
	Sub(N) N
	Mul(N) N
	Div(N) N // the divisor is never 0
	Cmp(N) int
	Of(*big.Rat) N // the number nearest to r; the receiver does not matter
	Uint(uint64) N // likewise, the integer
	Float() float64
}

// Float is double precision: fast.
type Float float64

// Add is f+g.
func (f Float) Add(g Float) Float { return f + g }

// Sub is f-g.
func (f Float) Sub(g Float) Float { return f - g }

// Mul is f*g.
func (f Float) Mul(g Float) Float { return f * g }

// Div is f/g.
func (f Float) Div(g Float) Float { return f / g }

// Cmp is -1, 0 or +1 as f is below, equal to or above g.
func (f Float) Cmp(g Float) int {
	switch {
	case f < g:
		return -1
	case f > g:
		return 1
	}
	return 0
}

// Of is the double nearest to r.
func (Float) Of(r *big.Rat) Float {
	f, _ := r.Float64()
	return Float(f)
}

// Uint is the double nearest to x.
func (Float) Uint(x uint64) Float { return Float(x) }

// Float is f.
func (f Float) Float() float64 { return float64(f) }

// Exact is a rational number: no error at all. Numerators and denominators grow with every step, so
// that it suits single steps from a given state.
type Exact struct{ r *big.Rat }

// NewExact is the number r, which must not change afterwards.
func NewExact(r *big.Rat) Exact { return Exact{r} }

// Rat is e as a rational, not to be changed. The zero value of Exact is 0.
func (e Exact) Rat() *big.Rat {
	if e.r == nil {
		return new(big.Rat)
	}
	return e.r
}

// Add is e+g.
func (e Exact) Add(g Exact) Exact { return Exact{new(big.Rat).Add(e.Rat(), g.Rat())} }

// Sub is e-g.
func (e Exact) Sub(g Exact) Exact { return Exact{new(big.Rat).Sub(e.Rat(), g.Rat())} }

// Mul is e*g.
func (e Exact) Mul(g Exact) Exact { return Exact{new(big.Rat).Mul(e.Rat(), g.Rat())} }

// Div is e/g.
func (e Exact) Div(g Exact) Exact { return Exact{new(big.Rat).Quo(e.Rat(), g.Rat())} }

// Cmp is -1, 0 or +1 as e is below, equal to or above g.
func (e Exact) Cmp(g Exact) int { return e.Rat().Cmp(g.Rat()) }

// Of is r.
func (Exact) Of(r *big.Rat) Exact { return Exact{r} }

// Uint is x.
func (Exact) Uint(x uint64) Exact { return Exact{new(big.Rat).SetUint64(x)} }

// Float is the double nearest to e.
func (e Exact) Float() float64 {
	f, _ := e.Rat().Float64()
	return f
}
