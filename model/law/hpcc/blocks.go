package hpcc

import (
	"math/bits"
	"slices"

	"github.com/hdlpkg/hpccgen/model/wide"
)

// The functions of this file are the blocks of the datapath, each on its own, so that a block that
// stands alone can be compared with the very function that the engine's model uses.

// HopInflight is u' = sat(rhu(qmin * invBT / 2^cut) + busy), with busy the time quotient u2 and limit the
// largest value of the format of U (draft, line 5).
func HopInflight(qmin, invBT uint64, cut int, busy, limit uint64) uint64 {
	queue := wide.Mul(qmin, invBT).Round(cut)
	return queue.Add(wide.From(busy)).Sat(limit)
}

// MaxHop is the first hop with the largest u' (draft, line 6: strictly greater, so that a tie keeps the
// earlier hop). Hops that are not valid take no part; at least one is.
func MaxHop(u []uint64, valid []bool) (arg int, top uint64) {
	arg = slices.Index(valid, true)
	for i, x := range u {
		if valid[i] && x > u[arg] {
			arg = i
		}
	}
	return arg, u[arg]
}

// EWMA is avg + rhu(alpha * (u - avg) / 2^frac), for alpha up to 2^frac (draft, line 9). The result lies
// between avg and u.
func EWMA(avg, u, alpha uint64, frac int) uint64 {
	if u >= avg {
		return avg + wide.Mul(alpha, u-avg).Round(frac).Lo
	}
	// rhu(-p/2^n) = -floor((p + 2^(n-1) - 1) / 2^n): halves go up, which is towards zero here.
	p := wide.Mul(alpha, avg-u)
	down := p.Rsh(frac).Lo
	if frac > 0 && p.Rsh(frac-1).Lo&1 == 1 && !onlyBit(p, frac-1) {
		down++
	}
	return avg - down
}

// onlyBit reports whether bit n is the only one set among bits n to 0 of p.
func onlyBit(p wide.Uint128, n int) bool {
	return trailingZeros(p) >= n
}

func trailingZeros(p wide.Uint128) int {
	if p.Lo != 0 {
		return bits.TrailingZeros64(p.Lo)
	}
	return 64 + bits.TrailingZeros64(p.Hi)
}

// Alpha is tau/T in a format with frac fraction bits, from 1/T in a format with cut more of them
// (draft, line 8: tau is limited to T).
func Alpha(tau, t, invT uint64, cut, frac int) uint64 {
	one := uint64(1) << frac
	if tau >= t {
		return one
	}
	return wide.Mul(tau, invT).Round(cut).Sat(one)
}

// StageStep is the stage counter (draft, lines 12 to 19): a multiplicative step when U has reached eta or
// stage has reached maxStage, and the stage that a commit stores, which stays at limit.
func StageStep(u, eta uint64, stage, maxStage, limit uint32) (multiply bool, next uint32) {
	if u >= eta || stage >= maxStage {
		return true, 0
	}
	return false, min(stage+1, limit)
}

// Clamp says where a window lay against its limits.
type Clamp uint8

// The outcomes of MulAddClamp.
const (
	Inside  Clamp = iota
	Raised        // below the minimum
	Lowered       // above the maximum
)

// MulAddClamp is rhu(x * y / 2^frac) + add, exact, then limited to [low, high]; the lower limit is
// tested first (draft, lines 13 and 17, with W_min and W_max).
func MulAddClamp(x, y uint64, frac int, add, low, high uint64) (uint64, Clamp) {
	w := wide.Mul(x, y).Round(frac).Add(wide.From(add))
	switch {
	case w.Cmp(wide.From(low)) < 0:
		return low, Raised
	case w.Cmp(wide.From(high)) > 0:
		return high, Lowered
	}
	return w.Lo, Inside
}

// MulAddSat is sat(rhu(x * y / 2^frac) + add) with the largest value limit.
func MulAddSat(x, y uint64, frac int, add, limit uint64) uint64 {
	return wide.Mul(x, y).Round(frac).Add(wide.From(add)).Sat(limit)
}
