package mutate

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// twoRegisters is the circuit y = r1, r1' = x, r2' = x xor select, z = r2, with inputs x and select.
const twoRegisters = `aag 7 2 2 2 3
2
4
6 2
8 15
6
8
10 2 5
12 3 4
14 11 13
i0 x
i1 select
o0 y
o1 z
c
`

func outputsDiffer(outputs ...int) func(b *builder, one, two func(int) uint32) uint32 {
	return func(b *builder, one, two func(int) uint32) uint32 {
		bad := uint32(0)
		for _, o := range outputs {
			bad = b.or(bad, b.differ(one(o), two(o)))
		}
		return bad
	}
}

func TestComparisonOfCircuits(t *testing.T) {
	a, err := readAIG(strings.NewReader(twoRegisters))
	require.NoError(t, err)
	assert.Equal(t, []string{"x", "select"}, a.inputs)
	assert.Equal(t, []string{"y", "z"}, a.names)
	zero, one := map[int]uint32{1: 0}, map[int]uint32{1: 1}

	c := compare(a, zero, one, outputsDiffer(0))
	require.NoError(t, c.settle(c.sameGates))
	assert.Zero(t, c.bad(), "y does not depend on select")
	assert.Equal(t, []bool{true, false}, c.equal)

	c = compare(a, zero, one, outputsDiffer(0, 1))
	require.NoError(t, c.settle(c.sameGates))
	assert.NotZero(t, c.bad(), "z does")
	m := c.miter()
	assert.Len(t, m.next, 2, "r2 twice; r1 is shared, and no output differs by it")

	c = compare(a, zero, zero, outputsDiffer(0, 1))
	require.NoError(t, c.settle(c.sameGates))
	assert.Zero(t, c.bad())
	assert.Equal(t, []bool{true, true}, c.equal)
}

func TestBinaryForm(t *testing.T) {
	a := &aig{inputs: []string{"x", "y"}, next: []uint32{8}, gates: [][2]uint32{{2, 5}}, outputs: []uint32{7},
		names: []string{"o"}}
	assert.Equal(t, "aig 4 2 1 1 1\n8\n7\n\x03\x03", string(a.binary()))
	wide := &aig{inputs: make([]string, 200), gates: [][2]uint32{{2, 4}}, outputs: []uint32{402}}
	assert.Equal(t, "aig 201 200 0 1 1\n402\n\x8e\x03\x02", string(wide.binary()))
}

func TestGatesFold(t *testing.T) {
	b := &builder{first: 3, seen: map[[2]uint32]uint32{}}
	assert.EqualValues(t, 0, b.and(0, 4))
	assert.EqualValues(t, 4, b.and(4, 1))
	assert.EqualValues(t, 4, b.and(4, 4))
	assert.EqualValues(t, 0, b.and(4, 5))
	assert.Equal(t, b.and(2, 4), b.and(4, 2))
	assert.Len(t, b.gates, 1)
	assert.EqualValues(t, 0, b.differ(2, 2))
	assert.EqualValues(t, 1, b.differ(2, 3))
}

func TestCircuitsThatCannotBeRead(t *testing.T) {
	for _, text := range []string{"", "aig 1 1 0 0 0\n", "aag 1 1 0 0 0\n4\n", "aag 2 1 0 0 1\n2\n",
		"aag 2 1 1 0 0\n2\nx\n"} {
		_, err := readAIG(strings.NewReader(text))
		assert.Error(t, err, "%q", text)
	}
}
