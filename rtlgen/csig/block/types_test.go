package block

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// Each query of a type's number agrees with the type's row.
func TestTypes(t *testing.T) {
	holds := func(s vgen.Signal) bool {
		v, fixed := s.IsConst()
		require.True(t, fixed)
		return v.Sign() > 0
	}
	for n, row := range SignalTypes {
		kind := vgen.Const(KindBits, uint64(n))
		assert.Equal(t, row.maximum, holds(isMaximum(kind)), row.Name)
		assert.Equal(t, row.maximum, strings.HasPrefix(row.Name, "max"), row.Name)
		for _, s := range []Source{NoSource, Metered, Queued} {
			assert.Equal(t, row.source == s, holds(HasSource(kind, s)), row.Name)
		}
		for _, b := range []Base{NoBase, Capacity, One, Delay} {
			assert.Equal(t, row.base == b, holds(HasBase(kind, b)), row.Name)
		}
		for _, f := range []Factor{NoFactor, EstimateFactor, PortRatio, PortDepth} {
			assert.Equal(t, row.factor == f, holds(HasFactor(kind, f)), row.Name)
		}
		if row.factor == PortRatio || row.factor == PortDepth {
			assert.Equal(t, row.factor == PortDepth, holds(OfDepth(kind)), row.Name)
		}
	}
	assert.Equal(t, "0 and 1", numbers(func(s SignalType) bool { return !s.maximum }))
}
