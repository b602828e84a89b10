package csig_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/model/csig"
	"github.com/hdlpkg/hpccgen/telemetry"
)

// Illegal values are refused, and the message names legal ones.
func TestCheck(t *testing.T) {
	for _, c := range []struct {
		edit func(*csig.Config)
		want string
	}{
		{func(c *csig.Config) { c.Port = nil }, "csig: no ports"},
		{func(c *csig.Config) { c.Widths.Time = 31 }, "csig: width of time is 31, legal are 32 to 64"},
		{func(c *csig.Config) { c.Widths.Bytes = 41 }, "csig: width of byte counts is 41, legal are 16 to 40"},
		{func(c *csig.Config) { c.Widths.Recip = 25 },
			"csig: width of factors is 25, legal are 28 to 32: 4 to 8 bits more than the fraction of ABW/C, so that its factor has a shift of 0 to 63"},
		{func(c *csig.Config) { c.Estimate.Window = 999 },
			"csig: window is 999 ns, legal are 1000 to 1000000000 (1 us to 1 s)"},
		{func(c *csig.Config) { c.Estimate = csig.Estimate{Method: csig.EWMA} },
			"csig: shift of the EWMA's time constant is 0, legal are 10 to 30"},
		{func(c *csig.Config) { c.Estimate = csig.Estimate{Method: csig.EWMA, TimeShift: 10, GapShift: 10} },
			"csig: shift of the EWMA's shortest update is 10, legal are 0 to 9"},
		{func(c *csig.Config) { c.Estimate = csig.Estimate{Method: csig.DRE, TickShift: 10} },
			"csig: shift of the DRE's decay is 0, legal are 1 to 6"},
		{func(c *csig.Config) { c.Estimate = csig.Estimate{Method: csig.DRE, TickShift: 8, DecayShift: 1} },
			"csig: shift of the DRE's time constant, tick and decay together, is 9, legal are 10 to 30"},
		{func(c *csig.Config) { c.Estimate.Method = 3 }, "csig: method(3) is no method, legal are raw, ewma, dre"},
		{func(c *csig.Config) { c.Estimate.Overhead = 256 }, "csig: overhead is 256 bytes a packet, legal are 0 to 255"},
		{func(c *csig.Config) { c.Tags.Expanded = c.Tags.Compact },
			"tags: the TPID of expanded CSIG is 0x88b5, as is that of compact CSIG; they must differ"},
		{func(c *csig.Config) { c.Port[1].Capacity = 0 }, "csig: port 1: capacity is 0 kbit/s, legal are 1000 to 4294967295"},
		{func(c *csig.Config) { c.Port[1].Action[4] = csig.Update },
			"csig: port 1: type 4: update, but there is no such signal; legal are pass and strip"},
		{func(c *csig.Config) { c.Port[0].Action[15] = 3 },
			"csig: port 0: type 15: action(3) is no action, legal are pass, strip, update"},
		{func(c *csig.Config) { c.Port[0].Locator[2].Compact = 128 },
			"csig: port 0: type 2: compact locator is 128, the largest value of its 7 bits is 127"},
		{func(c *csig.Config) { c.Split, c.Port[0].Locator[2].Expanded = telemetry.CSIGUEC, 0x8000 },
			"csig: port 0: type 2: expanded locator is 32768, the largest value of its 15 bits is 32767"},
		{func(c *csig.Config) { c.Bounds[1] = make([]uint64, 33) }, "csig: type 1: 33 buckets, legal are 1 to 32"},
		{func(c *csig.Config) { c.Bounds[1] = []uint64{1} },
			"csig: type 1: the first lower bound is 1, want 0: every value must have a bucket"},
		{func(c *csig.Config) { c.Bounds[3] = []uint64{0, 7, 6} }, "csig: type 3: lower bound 2 is 6, below the 7 before it"},
		{func(c *csig.Config) { c.Bounds[3] = []uint64{0, 1 << 32} },
			"csig: type 3: lower bound 1 is 4294967296, the largest value is 4294967295"},
		{func(c *csig.Config) { c.Quantize[2] = csig.Quantizer{Base: 1} },
			"csig: type 2: the quantizer's step is 0, legal are 1 to 4294967295"},
		{func(c *csig.Config) { c.Quantize[2].Base = 1 << 32 },
			"csig: type 2: the quantizer's base is 4294967296, legal are 0 to 4294967295"},
	} {
		cfg := csig.DefaultConfig(2, 100e6)
		require.NoError(t, cfg.Check())
		c.edit(&cfg)
		_, err := csig.New(cfg)
		require.EqualError(t, err, c.want)
	}
	cfg := csig.DefaultConfig(2, 100e6)
	cfg.Quantize[0], cfg.Bounds[2] = csig.Quantizer{Base: 7}, []uint64{5, 4}
	require.EqualError(t, cfg.Check(), "csig: type 0: the quantizer's step is 0, legal are 1 to 4294967295\n"+
		"csig: type 2: the first lower bound is 5, want 0: every value must have a bucket\ncsig: type 2: lower bound 1 is 4, below the 5 before it")
}

// Tables can be written while packets pass. An illegal one is refused, and the old one stays.
func TestSet(t *testing.T) {
	cfg := csig.DefaultConfig(2, 100e6)
	d := newDevice(t, cfg)
	code := func(signal uint8, size telemetry.CSIGSize) uint32 {
		tag := telemetry.CSIG{Type: signal, Value: csig.Initial(signal, size)}
		out, _ := d.Process(tagged(t, packet("", 60), tag, size, telemetry.CSIGIETF), meta)
		return tagOf(t, out, telemetry.CSIGIETF).Value
	}
	require.EqualValues(t, 1, code(2, telemetry.CSIGCompact))
	require.Error(t, d.SetBounds(2, []uint64{0, 5, 4}))
	require.Error(t, d.SetBounds(2, nil))
	require.EqualError(t, d.SetBounds(4, []uint64{0}), "csig: type 4 has no signal, legal are 0 to 3")
	require.EqualValues(t, 1, code(2, telemetry.CSIGCompact))
	table := []uint64{0, 1, 2, 18000}
	require.NoError(t, d.SetBounds(2, table))
	table[3] = 0
	require.EqualValues(t, 3, code(2, telemetry.CSIGCompact))
	require.Error(t, d.SetQuantizer(2, csig.Quantizer{}))
	require.EqualError(t, d.SetQuantizer(-1, csig.Quantizer{Step: 1}), "csig: type -1 has no signal, legal are 0 to 3")
	require.EqualValues(t, 18000/128, code(2, telemetry.CSIGExpanded))
	require.NoError(t, d.SetQuantizer(2, csig.Quantizer{Base: 8000, Step: 3}))
	require.EqualValues(t, 10000/3, code(2, telemetry.CSIGExpanded))

	port := cfg.Port[1]
	port.Capacity = 0
	require.Error(t, d.SetPort(1, port))
	require.EqualError(t, d.SetPort(2, port), "csig: port 2, legal are 0 to 1")
	require.EqualValues(t, 7, code(0, telemetry.CSIGCompact))
	port.Capacity = 2e6
	require.NoError(t, d.SetPort(1, port))
	require.EqualValues(t, 1, code(0, telemetry.CSIGCompact))
	require.Error(t, d.SetEstimate(csig.Estimate{}))
	require.NotZero(t, d.Meter(1))
	require.NoError(t, d.SetEstimate(csig.Estimate{Method: csig.DRE, TickShift: 10, DecayShift: 3}))
	require.Zero(t, d.Meter(1))
	assert.EqualValues(t, 1, code(0, telemetry.CSIGCompact))
}

// The device keeps its own copy of the configuration.
func TestConfigIsCopied(t *testing.T) {
	cfg := csig.DefaultConfig(2, 100e6)
	d := newDevice(t, cfg)
	cfg.Port[0].Trusted, cfg.Port[1].Action = false, csig.StripAll()
	cfg.Bounds[2][1], cfg.Tags.VLAN[0] = 0, 1
	out, ev := d.Process(tagged(t, packet("81000001", 60), telemetry.CSIG{Type: 2}, telemetry.CSIGCompact,
		telemetry.CSIGIETF), meta)
	assert.Equal(t, csig.Updated, ev.Status)
	assert.EqualValues(t, 1, tagOf(t, out, telemetry.CSIGIETF).Value)
}
