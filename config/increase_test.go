package config

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
)

// 100 flows at 100 Gbit/s over 13 us share the headroom of 5%: 81.25 bytes each, the paper's 80 B.
func TestFairIncreaseOfThePaper(t *testing.T) {
	w := FairIncrease(big.NewRat(162500, 1), big.NewRat(95, 100), 100)
	require.Equal(t, "81.25", w.FloatString(2))
	require.Zero(t, FairIncrease(big.NewRat(162500, 1), big.NewRat(1, 1), 0).Sign())
}
