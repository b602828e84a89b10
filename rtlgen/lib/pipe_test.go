package lib_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// A delay is that of a value, not of its name: two values of one name are never confused. Their
// registers cannot both have the name, and the check says so.
func TestPipeTellsValuesOfOneNameApart(t *testing.T) {
	build := func(second string) error {
		m := vgen.NewModule("names", "Two values")
		p := lib.NewPipe(m)
		a := p.Value("v", 0, m.Input("a", 4, "one"))
		b := p.Value(second, 0, m.Input("b", 4, "another"))
		x, y := p.At(a, 2), p.At(b, 2)
		assert.Equal(t, x, p.At(a, 2), "a delay is built once")
		assert.NotEqual(t, x, y)
		m.Assign(m.Output("x", 4, "one"), x)
		m.Assign(m.Output("y", 4, "another"), y)
		return vgen.Check(m)
	}
	require.NoError(t, build("w"))
	assert.ErrorContains(t, build("v"), `"v_s1"`)
}

func TestDividerOfUnknownKind(t *testing.T) {
	shape := lib.DividerShape{NumBits: 8, DenBits: 8, QuotBits: 8}
	for _, kind := range []config.DividerKind{"", "restoring"} {
		assert.ErrorContains(t, vgen.Check(lib.Divider("divider", config.Divider{Kind: kind}, shape, lib.Square(18))),
			"divider of kind")
	}
	good := config.Divider{Kind: config.RestoringPipelined}
	assert.NoError(t, vgen.Check(lib.Divider("divider", good, shape, lib.Square(18))))
}
