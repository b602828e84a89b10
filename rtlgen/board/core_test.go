package board

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCoreBuilds(t *testing.T) {
	for _, s := range []Shape{
		{InBits: 599, OutBits: 364, Divisor: 12, Idle: IdleBits},
		{InBits: 2, OutBits: 1, Divisor: 4, Idle: 4},
		{InBits: 8 * MaxPort, OutBits: 8 * MaxPort, Divisor: 694, Idle: IdleBits},
		{InBits: 262, OutBits: 123, Divisor: 80, Idle: IdleBits},
		{InBits: 40, OutBits: 257, Divisor: 80, Idle: IdleBits},
	} {
		_, err := Core(s)
		require.NoError(t, err)
	}
}
