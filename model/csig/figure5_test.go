package csig_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/model/csig"
	"github.com/hdlpkg/hpccgen/telemetry"
)

// The path of the draft's Figure 5: ToR, aggregation, core, aggregation, ToR.
var figure5 = []struct{ capacityG, abwG, delayUs uint64 }{
	{800, 100, 10}, {100, 95, 3}, {100, 70, 18}, {100, 90, 5}, {40, 20, 8},
}

// In ns: the window, and when the load starts.
const (
	figure5Window = 1000
	figure5Start  = 100_000
)

// figure5Device is one switch of the path whose egress port has just had the figure's load for one window.
func figure5Device(t *testing.T, hop int, edit func(*csig.Config)) *csig.Device {
	f := figure5[hop]
	cfg := csig.DefaultConfig(2, f.capacityG*1e6)
	cfg.Estimate.Window = figure5Window
	for t := range csig.Types {
		cfg.Port[1].Locator[t] = csig.Locator{Compact: uint16(16*t + hop + 1), Expanded: uint16(256*t + hop + 1)}
	}
	edit(&cfg)
	d := newDevice(t, cfg)
	for left := (f.capacityG - f.abwG) * figure5Window / 8; left > 0; { // bytes on the wire
		n := min(left, 1250)
		_, ev := d.Process(packet("", int(n-csig.WireOverhead-14)), csig.Meta{EgressPort: 1, EgressNs: figure5Start,
			IngressNs: figure5Start})
		require.Equal(t, csig.Untagged, ev.Status)
		left -= n
	}
	return d
}

// walkFigure5 sends one packet from sender to receiver and returns its tag there.
func walkFigure5(t *testing.T, signal uint8, size telemetry.CSIGSize, split telemetry.CSIGSplit,
	edit func(*csig.Config)) telemetry.CSIG {
	sender := csig.Sender{Tags: telemetry.DefaultTags(), Split: split, Size: size, Types: []uint8{signal}}
	pkt, err := sender.Insert(packet("81000064", 100))
	require.NoError(t, err)
	for hop, f := range figure5 {
		d := figure5Device(t, hop, func(c *csig.Config) { c.Split = split; edit(c) })
		var ev csig.Event
		now := uint64(figure5Start + figure5Window)
		pkt, ev = d.Process(pkt, csig.Meta{EgressPort: 1, IngressNs: now - f.delayUs*1000, EgressNs: now})
		require.Equal(t, f.abwG*1e6, ev.Signals.ABW)
		require.Equal(t, f.delayUs*1000, ev.Signals.PD)
	}
	receiver := csig.Receiver{Tags: telemetry.DefaultTags(), Split: split}
	out, tag, ok := receiver.Receive(pkt)
	require.True(t, ok)
	assert.Equal(t, packet("81000064", 100), out, "the receiver has the packet that the sender started with")
	return tag
}

// The underlined bottlenecks of Figure 5: 20G at the last hop, 12.5% at the first, 18 us at the third.
func TestFigure5(t *testing.T) {
	fine := func(c *csig.Config) {
		for b := range uint64(csig.Buckets) {
			c.Bounds[telemetry.CSIGMinABW] = append(c.Bounds[telemetry.CSIGMinABW][:b:b], b*5e6)
			c.Bounds[telemetry.CSIGMinABWC] = append(c.Bounds[telemetry.CSIGMinABWC][:b:b], b<<c.Widths.Ratio/32)
			c.Bounds[telemetry.CSIGMaxPD] = append(c.Bounds[telemetry.CSIGMaxPD][:b:b], b*1000)
		}
	}
	for _, split := range splits {
		for _, c := range []struct {
			signal            uint8
			hop               uint16
			compact, expanded uint32
		}{
			{telemetry.CSIGMinABW, 5, 4, 20_000_000 / 8000},
			{telemetry.CSIGMinABWC, 1, 4, 1 << 17},
			{telemetry.CSIGMaxPD, 3, 18, 18000 / 128},
		} {
			got := walkFigure5(t, c.signal, telemetry.CSIGCompact, split, fine)
			assert.Equal(t, telemetry.CSIG{Type: c.signal, Value: c.compact, Locator: 16*uint16(c.signal) + c.hop}, got,
				"%s compact type %d", split, c.signal)
			got = walkFigure5(t, c.signal, telemetry.CSIGExpanded, split, fine)
			assert.Equal(t, telemetry.CSIG{Type: c.signal, Value: c.expanded, Locator: 256*uint16(c.signal) + c.hop},
				got, "%s expanded type %d", split, c.signal)
		}
	}
}

// With the buckets of Appendix A the values are the table's rows. 10 us and 18 us share one: the locator is then that
// of the first.
func TestFigure5AppendixA(t *testing.T) {
	for signal, want := range []struct {
		code uint32
		hop  uint16
	}{{4, 5}, {3, 1}, {1, 1}} {
		got := walkFigure5(t, uint8(signal), telemetry.CSIGCompact, telemetry.CSIGIETF, func(*csig.Config) {})
		assert.Equal(t, want.code, got.Value, "type %d", signal)
		assert.Equal(t, 16*uint16(signal)+want.hop, got.Locator, "type %d", signal)
	}
}
