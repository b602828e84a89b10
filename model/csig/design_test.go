package csig_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/csig"
	"github.com/hdlpkg/hpccgen/telemetry"
)

// The presets are devices: the model has the values of the file.
func TestPresets(t *testing.T) {
	for name, want := range map[string]struct{ ports, dataBits, timeBits int }{"csig-64p": {64, 512, 48},
		"csig-4p": {4, 64, 40}} {
		d, err := config.LoadDesign(name)
		require.NoError(t, err)
		c, ok := d.(*config.CSIG)
		require.True(t, ok)
		cfg := csig.FromConfig(c)
		require.NoError(t, cfg.Check())
		assert.Len(t, cfg.Port, want.ports)
		assert.Equal(t, want.timeBits, cfg.Widths.Time)
		assert.Equal(t, want.dataBits, c.DataBits)
		r := newRig(t, c, timing).program()
		device := newDevice(t, cfg)
		for signal := range uint8(5) {
			pkt := compactPacket(t, signal, 46)
			_, ev := device.Process(pkt, meta)
			assert.Equal(t, describe(ev), describe(r.ask(signal)), name)
		}
	}
}

// Every field of a design arrives in its place.
func TestFromConfig(t *testing.T) {
	c := &config.CSIG{
		Ports: 2, TimeBits: 41, ByteBits: 30, FracBits: 3, RecipBits: 20, RatioBits: 14, QlenBits: 22,
		UEC: true, CompactTPID: 0x9900, ExpandedTPID: 0x9901, VLANTPIDs: []uint16{0x9100}, Decrypted: true,
		Method: config.CSIGDRE, TimeShift: 11, GapShift: 2, TickShift: 9, DecayShift: 4, WindowNs: 5000, OverheadBytes: 20,
		Port: []config.CSIGPort{{Trusted: true, CapacityKbps: 10e6}, {
			CapacityKbps: 40e6, Actions: [config.CSIGTagTypes]config.CSIGAction{config.CSIGUpdate, 4: config.CSIGStrip},
			Compact: [config.CSIGTypes]uint16{1, 2, 3, 4}, Expanded: [config.CSIGTypes]uint16{5, 6, 7, 8},
		}},
		Bounds:    [config.CSIGTypes][]uint64{2: {0, 9}},
		Quantizer: [config.CSIGTypes]config.CSIGQuantizer{1: {Base: 3, Step: 2}},
	}
	assert.Equal(t, csig.Config{
		Widths: csig.Widths{Time: 41, Bytes: 30, Frac: 3, Recip: 20, Ratio: 14, Qlen: 22},
		Tags:   telemetry.Tags{Compact: 0x9900, Expanded: 0x9901, VLAN: []uint16{0x9100}, Decrypted: true},
		Split:  telemetry.CSIGUEC,
		Estimate: csig.Estimate{
			Method: csig.DRE, Window: 5000, TimeShift: 11, GapShift: 2, TickShift: 9, DecayShift: 4, Overhead: 20,
		},
		Port: []csig.Port{{Trusted: true, Capacity: 10e6}, {
			Capacity: 40e6, Action: [csig.MaxTypes]csig.Action{csig.Update, 4: csig.Strip},
			Locator: [csig.Types]csig.Locator{{Compact: 1, Expanded: 5}, {Compact: 2, Expanded: 6},
				{Compact: 3, Expanded: 7}, {Compact: 4, Expanded: 8}},
		}},
		Bounds:   [csig.Types][]uint64{2: {0, 9}},
		Quantize: [csig.Types]csig.Quantizer{1: {Base: 3, Step: 2}},
	}, csig.FromConfig(c))
}

// A type without a table passes tags of that size.
func TestNoTable(t *testing.T) {
	cfg := csig.DefaultConfig(2, 100e6)
	cfg.Bounds[2], cfg.Quantize[1] = nil, csig.Quantizer{}
	d := newDevice(t, cfg)
	for signal := range uint8(3) {
		for _, size := range sizes {
			want := csig.Kept // the tag's value 0 is the smallest
			if signal == telemetry.CSIGMaxPD {
				want = csig.Updated
			}
			if signal == 2 && size == telemetry.CSIGCompact || signal == 1 && size == telemetry.CSIGExpanded {
				want = csig.Passed
			}
			in := tagged(t, packet("", 60), telemetry.CSIG{Type: signal}, size, telemetry.CSIGIETF)
			out, ev := d.Process(in, meta)
			assert.Equal(t, want, ev.Status, "type %d %s", signal, size)
			if want == csig.Passed {
				assertUntouched(t, in, out)
			}
		}
	}
	require.NoError(t, d.SetBounds(2, []uint64{0, 5}))
	_, ev := d.Process(compactPacket(t, 2, 46), meta)
	assert.Equal(t, csig.Updated, ev.Status)
}

// An impossible device is refused, and the message names legal values.
func TestNewClocked(t *testing.T) {
	for _, c := range []struct {
		edit func(*config.CSIG, *csig.Timing)
		want string
	}{
		{func(c *config.CSIG, _ *csig.Timing) { c.Ports = 0 }, "csig: number of ports is 0, legal are 1 to 256"},
		{func(c *config.CSIG, _ *csig.Timing) { c.DataBits = 32 },
			"csig: width of packet streams is 32, legal are 64, 128, 256 and 512"},
		{func(c *config.CSIG, _ *csig.Timing) { c.TimeBits = 65 }, "csig: width of time is 65, legal are 32 to 64"},
		{func(c *config.CSIG, _ *csig.Timing) { c.Method, c.DecayShift = config.CSIGDRE, 7 },
			"csig: shift of the DRE's decay is 7, legal are 1 to 6"},
		{func(c *config.CSIG, _ *csig.Timing) { c.CompactTPID = 0x8100 },
			"tags: the TPID of VLAN 0 is 0x8100, as is that of compact CSIG; they must differ"},
		{func(_ *config.CSIG, g *csig.Timing) { g.Lookup = 0 }, "csig: timing: lookup is 0, must be at least 1"},
		{func(_ *config.CSIG, g *csig.Timing) { g.Meter = 0 },
			"csig: timing: meter is 0, earlier than lookup, 1: a stripped tag does not count"},
		{func(_ *config.CSIG, g *csig.Timing) { g.Scale = 2 },
			"csig: timing: scale is 2, earlier than meter, 3: it scales what the meter has"},
		{func(_ *config.CSIG, g *csig.Timing) { g.Code = 8 },
			"csig: timing: code is 8, earlier than scale, 9: it codes what has been scaled"},
		{func(_ *config.CSIG, g *csig.Timing) { g.Count = 13 },
			"csig: timing: count is 13, earlier than code, 14: it counts what the comparison says"},
		{func(_ *config.CSIG, g *csig.Timing) { g.Decision = 13 },
			"csig: timing: decision is 13, earlier than code, 14: it is the comparison's"},
		{func(c *config.CSIG, g *csig.Timing) { c.DataBits, g.Credits = 64, 6 },
			"csig: timing: credits are 6, must be at least the 7 beats of 8 bytes that a decision takes"},
		{func(_ *config.CSIG, g *csig.Timing) { g.Act = 1 }, "csig: timing: act is 1, must be at least 2"},
		{func(_ *config.CSIG, g *csig.Timing) { g.Answer = 0 }, "csig: timing: answer is 0, must be at least 1"},
		{func(_ *config.CSIG, g *csig.Timing) { g.Sweep = 0 }, "csig: timing: sweep is 0, must be at least 1"},
	} {
		cfg, g := design(2, 512), timing
		c.edit(cfg, &g)
		_, err := csig.NewClocked(cfg, g)
		require.EqualError(t, err, c.want)
	}
}

// What s_axis_tuser has no bits for is cut; ports that the bits can name and the device does not have are no_port.
func TestMetaIsCut(t *testing.T) {
	c := design(5, 512) // 3 bits
	c.QlenBits = 16
	r := newRig(t, c, timing).program()
	var ev csig.Event
	r.m.OnDecision = func(_ int64, e *csig.Event) { ev = *e }
	pkt := compactPacket(t, 3, 46)
	r.send(pkt, csig.Meta{IngressPort: 8, EgressPort: 9, IngressNs: 1<<48 + 5, EgressNs: 12, QlenBytes: 1<<16 + 100})
	r.drain(1)
	assert.Equal(t, csig.Kept, ev.Status)
	assert.EqualValues(t, 7, ev.Signals.PD)
	assert.EqualValues(t, 8, ev.Signals.NQD)
	assert.Equal(t, 1, r.got[0].port)
	r.send(pkt, csig.Meta{IngressPort: 1, EgressPort: 15})
	r.send(pkt, csig.Meta{IngressPort: 5, EgressPort: 1})
	r.drain(3)
	for i, port := range []int{7, 1} {
		assert.Equal(t, csig.NoPort, r.got[1+i].status)
		assert.Equal(t, port, r.got[1+i].port)
		assert.Equal(t, pkt, r.got[1+i].bytes)
	}
	assert.EqualValues(t, 2, r.m.NoPort())
}
