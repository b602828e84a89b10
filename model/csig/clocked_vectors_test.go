package csig_test

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/csig"
	"github.com/hdlpkg/hpccgen/telemetry"
)

// vectorsDiffer sends every vector packet through a clocked model and through a packet-level one, in one go, and tells
// where they differ first; "" when they do not.
func vectorsDiffer(t *testing.T, clocked, device *config.CSIG, split telemetry.CSIGSplit) string {
	t.Helper()
	d := newDevice(t, csig.FromConfig(device))
	r := newRig(t, clocked, timing).program()
	var want []delivered
	packets := vectorPackets(t, split)
	for n, name := range slices.Sorted(maps.Keys(packets)) {
		pkt := packets[name]
		if len(pkt) == 0 {
			continue
		}
		for _, ports := range [][2]int{{0, 1}, {0, 2}, {0, 3}, {4, 1}} {
			now := 1_000_000 + 1000*uint64(n)
			m := csig.Meta{IngressPort: ports[0], EgressPort: ports[1], IngressNs: now - 18_000, EgressNs: now,
				QlenBytes: 125_000}
			out, ev := d.Process(pkt, m)
			if ev.Status != csig.Dropped {
				want = append(want, delivered{bytes: out, port: ports[1], status: ev.Status})
			}
			r.send(pkt, m)
		}
	}
	r.settle()
	if len(r.got) != len(want) {
		return fmt.Sprintf("%d packets leave, want %d", len(r.got), len(want))
	}
	for i, w := range want {
		if g := r.got[i]; g.port != w.port || g.status != w.status || !bytes.Equal(g.bytes, w.bytes) {
			return fmt.Sprintf("packet %d: port %d %s %x, want port %d %s %x", i, g.port, g.status, g.bytes, w.port,
				w.status, w.bytes)
		}
	}
	for port := range clocked.Ports {
		if g, w := r.m.Counters(port), d.Counters(port); g != w {
			return fmt.Sprintf("counters of port %d: %v, want %v", port, g, w)
		}
		if g, w := r.m.Meter(port), d.Meter(port); g != w {
			return fmt.Sprintf("meter of port %d: %v, want %v", port, g, w)
		}
	}
	return ""
}

func vectorDesign(dataBits int, split telemetry.CSIGSplit) *config.CSIG {
	c := design(5, dataBits)
	c.UEC = split == telemetry.CSIGUEC
	return c
}

// Every vector packet at every width, with every method.
func TestClockedVectors(t *testing.T) {
	for _, dataBits := range []int{64, 128, 256, 512} {
		for _, split := range splits {
			for _, method := range []config.CSIGMethod{config.CSIGRaw, config.CSIGEWMA, config.CSIGDRE} {
				c := vectorDesign(dataBits, split)
				c.Method = method
				require.Empty(t, vectorsDiffer(t, c, c, split), "%d bits, %s, %s", dataBits, split, method)
			}
		}
	}
}

// The comparison notices a difference in any one thing that a design says.
func TestVectorsNotice(t *testing.T) {
	for name, edit := range map[string]func(*config.CSIG){
		"compact TPID":     func(c *config.CSIG) { c.CompactTPID = 0x9900 },
		"expanded TPID":    func(c *config.CSIG) { c.ExpandedTPID = 0 },
		"VLAN TPIDs":       func(c *config.CSIG) { c.VLANTPIDs = c.VLANTPIDs[:1] },
		"decrypted":        func(c *config.CSIG) { c.Decrypted = true },
		"split":            func(c *config.CSIG) { c.UEC = false },
		"method":           func(c *config.CSIG) { c.Method = config.CSIGDRE },
		"window":           func(c *config.CSIG) { c.WindowNs++ },
		"overhead":         func(c *config.CSIG) { c.OverheadBytes-- },
		"capacity":         func(c *config.CSIG) { c.Port[1].CapacityKbps /= 2 },
		"trust":            func(c *config.CSIG) { c.Port[4].Trusted = true },
		"action":           func(c *config.CSIG) { c.Port[1].Actions[3] = config.CSIGPass },
		"action of type 4": func(c *config.CSIG) { c.Port[1].Actions[4] = config.CSIGStrip },
		"compact locator":  func(c *config.CSIG) { c.Port[1].Compact[2]++ },
		"expanded locator": func(c *config.CSIG) { c.Port[1].Expanded[0]++ },
		"a bound":          func(c *config.CSIG) { c.Bounds[3] = []uint64{0, 10_001} },
		"no bounds":        func(c *config.CSIG) { c.Bounds[0] = nil },
		"step":             func(c *config.CSIG) { c.Quantizer[2].Step-- },
		"base":             func(c *config.CSIG) { c.Quantizer[3].Base = 1000 },
		"no quantizer":     func(c *config.CSIG) { c.Quantizer[1] = config.CSIGQuantizer{} },
	} {
		other := vectorDesign(512, telemetry.CSIGUEC)
		edit(other)
		assert.NotEmpty(t, vectorsDiffer(t, vectorDesign(512, telemetry.CSIGUEC), other, telemetry.CSIGUEC), name)
	}
}
