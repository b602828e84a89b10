package registers

import (
	"math/bits"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
)

// device is what software sees of a device: it takes writes by the rules of docs/csig.md, Registers.
type device struct {
	t         testing.TB
	c         *config.CSIG
	m         *Map
	staged    map[uint32]uint32
	ports     map[int]config.CSIGPort
	estimates []map[uint32]uint32
	begun     int // type; -1: no table
	table     []uint64
	bounds    [config.CSIGTypes][]uint64
	quantizer [config.CSIGTypes]config.CSIGQuantizer
}

func newDevice(t testing.TB, c *config.CSIG) *device {
	return &device{t: t, c: c, m: New(c), staged: map[uint32]uint32{}, ports: map[int]config.CSIGPort{}, begun: -1}
}

func (d *device) write(w Write) {
	t, c := d.t, d.c
	r, _, found := d.m.At(w.Offset)
	require.True(t, found, "%#x", w.Offset)
	require.True(t, r.Writable(), r.Name)
	mantissa := func(at uint32) {
		require.Equal(t, c.RecipBits, bits.Len32(d.staged[at]), "%#x", at)
	}
	switch w.Offset {
	case PortCommit:
		require.Less(t, w.Data, uint32(c.Ports))
		require.GreaterOrEqual(t, d.staged[PortCapacity], uint32(1000))
		mantissa(PortRatio)
		mantissa(PortDepth)
		p := config.CSIGPort{Trusted: d.staged[PortTrust]&1 == 1, CapacityKbps: uint64(d.staged[PortCapacity])}
		for n := range p.Actions {
			p.Actions[n] = config.CSIGAction(d.staged[PortActions] >> (2 * n) & 3)
			require.True(t, p.Actions[n] < config.CSIGUpdate || p.Actions[n] == config.CSIGUpdate && n < config.CSIGTypes)
		}
		for n := range config.CSIGTypes {
			l := d.staged[PortLocator(n)]
			p.Compact[n], p.Expanded[n] = uint16(l), uint16(l>>16)
		}
		d.ports[int(w.Data)] = p
	case EstimateCommit:
		mantissa(EstimateFactor)
		if c.Method == config.CSIGRaw {
			require.GreaterOrEqual(t, d.staged[EstimateWindow], uint32(1000))
			require.LessOrEqual(t, d.staged[EstimateWindow], uint32(1e9))
		}
		taken := map[uint32]uint32{}
		for at, v := range d.staged {
			taken[at] = v
		}
		d.estimates = append(d.estimates, taken)
	case BucketStart:
		require.Less(t, w.Data, uint32(config.CSIGTypes))
		d.begun, d.table = int(w.Data), nil
	case BucketPush:
		require.GreaterOrEqual(t, d.begun, 0)
		if len(d.table) == 0 {
			require.Zero(t, w.Data)
		} else {
			require.GreaterOrEqual(t, uint64(w.Data), d.table[len(d.table)-1])
		}
		d.table = append(d.table, uint64(w.Data))
		require.LessOrEqual(t, len(d.table), 32)
	case BucketCommit:
		require.NotEmpty(t, d.table)
		d.bounds[d.begun], d.begun, d.table = d.table, -1, nil
	case QuantizerCommit:
		require.Less(t, w.Data, uint32(config.CSIGTypes))
		require.NotZero(t, d.staged[QuantizerStep])
		d.quantizer[w.Data] = config.CSIGQuantizer{Base: uint64(d.staged[QuantizerBase]),
			Step: uint64(d.staged[QuantizerStep])}
	default:
		require.Equal(t, ReadWrite, r.Access, r.Name)
		require.Zero(t, w.Data&^r.Mask(), "%s: %#x", r.Name, w.Data)
		d.staged[w.Offset] = w.Data
	}
}

// After the program a device is what its configuration says, and no write is refused.
func TestProgram(t *testing.T) {
	for _, text := range []string{
		"",
		"ports: 4\nwidths: {bytes: 24, fraction: 0, reciprocal: 18, ratio: 14}\nport_defaults: {capacity: 1G}\n",
		"tags: {compact: none}\nquantizers: {max_delay: {step: none}, min_abw: {base: 1G, step: 1M}}\nbandwidth: {method: ewma, time_shift: 20}\n",
		"tags: {expanded: none, split: uec}\nbuckets: {max_queue: none, min_abwc: [0, 0%, 50%]}\nbandwidth: {method: dre, overhead: 4B}\n",
		"ports: 256\nport_defaults: {locator: {compact: low_bits}}\nport_overrides:\n" +
			"  - {ports: 17, capacity: 4294967295k, trusted: false, actions: {min_abw: strip, others: strip}, locator: {compact: [127, 0, port, 5], expanded: 65535}}\n",
	} {
		c := parse(t, text)
		writes, err := Program(c)
		require.NoError(t, err)
		d := newDevice(t, c)
		for _, w := range writes {
			d.write(w)
		}
		assert.Equal(t, c.Bounds, d.bounds)
		assert.Equal(t, c.Quantizer, d.quantizer)
		assert.Len(t, d.ports, c.Ports)
		for i, p := range c.Port {
			assert.Equal(t, p, d.ports[i])
		}
		require.Len(t, d.estimates, 1)
		e := d.estimates[0]
		f, err := c.EstimateFactor()
		require.NoError(t, err)
		assert.Equal(t, []uint64{f.Mantissa, uint64(f.Shift), c.OverheadBytes, c.WindowNs},
			[]uint64{uint64(e[EstimateFactor]), uint64(e[EstimateShift]), uint64(e[EstimateOverhead]),
				uint64(e[EstimateWindow])})
	}
}

// A device made by hand whose capacity is beyond the limits has no program.
func TestProgramWithoutFactor(t *testing.T) {
	c := parse(t, "")
	c.Port[3].CapacityKbps = 0
	_, err := Program(c)
	assert.ErrorContains(t, err, "port 3, factor Ratio: ")
}
