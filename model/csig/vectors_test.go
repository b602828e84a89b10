package csig_test

import (
	"bytes"
	"encoding/csv"
	"encoding/hex"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/model/csig"
	"github.com/hdlpkg/hpccgen/telemetry"
)

var update = flag.Bool("update", false, "rewrite testdata/csig/packets.csv")

const vectorFile = "../../testdata/csig/packets.csv"

// vectorDevice has a port for each thing that can happen: egress 1 updates, 2 passes, 3 strips; ingress 0 is trusted, 4
// is not.
func vectorDevice(t testing.TB, split telemetry.CSIGSplit) *csig.Device {
	cfg := csig.DefaultConfig(5, 100e6)
	cfg.Split = split
	for i := range cfg.Port {
		p := &cfg.Port[i]
		p.Action = csig.UpdateAll(true)
		for t := range p.Locator {
			p.Locator[t] = csig.Locator{Compact: uint16(10*i + t), Expanded: uint16(1000*i + t)}
		}
	}
	cfg.Port[2].Action = [csig.MaxTypes]csig.Action{}
	cfg.Port[3].Action = csig.StripAll()
	cfg.Port[4].Trusted = false
	return newDevice(t, cfg)
}

// vectorPackets is every placement of section 4.1 with both sizes and types 0 to 4, cut tags, garbage after a TPID,
// stacks too deep, runts.
func vectorPackets(t testing.TB, split telemetry.CSIGSplit) map[string][]byte {
	all := map[string][]byte{
		"empty": {}, "one byte": {2}, "addresses only": packet("", 0)[:12],
		"fifth VLAN tag":    packet("81000001 81000002 81000003 81000004 81000005 88b54001", 20),
		"second SecTAG":     packet("88e5000000000001 88e5000000000001 88b54001", 20),
		"encrypted":         packet("88e50c0000000001 88b54001", 20),
		"length and TPID":   append(packet("", 0)[:12], unhex("0004 88b54001")...),
		"TPID and garbage":  append(packet("", 0)[:12], unhex("88b5 ffff ffff ffff ffff")...),
		"stacked":           packet("88b54001 88b54001", 20),
		"stacked, expanded": packet("88b6000040000100 88b54001", 20),
	}
	// The deepest tag, followed by the last two bytes that the walk reads: a TPID, and almost a TPID.
	deepest := append(packet(placements["tunnel and SCI"], 0), unhex("000040000100 88b6")...)
	deepest[44], deepest[45] = 0x88, 0xb6
	all["stacked, deepest"] = deepest
	all["stacked, deepest, cut"] = deepest[:53]
	for name, before := range placements {
		all[name+" untagged"] = packet(before, 46)
		for _, size := range sizes {
			whole := tagged(t, packet(before, 0), telemetry.CSIG{Type: 2}, size, split)
			all[fmt.Sprintf("%s %s at the end", name, size)] = whole[:len(whole)-2]
			all[fmt.Sprintf("%s %s cut", name, size)] = whole[:len(whole)-3]
			l := split.Layout(size)
			for signal := range uint8(5) {
				tag := telemetry.CSIG{Type: signal, Value: 1<<l.Value - 1, Locator: 1<<l.Locator - 1,
					Reserved: uint8(1<<l.Reserved - 1)}
				if signal >= 2 {
					tag.Value = 0
				}
				all[fmt.Sprintf("%s %s type %d", name, size, signal)] = tagged(t, packet(before, 46), tag, size, split)
			}
			if split == telemetry.CSIGUEC {
				all[fmt.Sprintf("%s %s d", name, size)] = tagged(t, packet(before, 46),
					telemetry.CSIG{Type: 2, Keep: true}, size, split)
			}
		}
	}
	return all
}

var vectorColumns = []string{"name", "split", "ingress_port", "egress_port", "ingress_ns", "egress_ns", "qlen_bytes",
	"in", "status", "out"}

func vectors(t testing.TB) [][]string {
	rows := [][]string{vectorColumns}
	for _, split := range splits {
		packets := vectorPackets(t, split)
		for _, name := range slices.Sorted(maps.Keys(packets)) {
			for _, ports := range [][2]int{{0, 1}, {0, 2}, {0, 3}, {4, 1}} {
				m := csig.Meta{IngressPort: ports[0], EgressPort: ports[1], IngressNs: 1_000_000, EgressNs: 1_018_000,
					QlenBytes: 125_000}
				out, ev := vectorDevice(t, split).Process(packets[name], m)
				rows = append(rows, []string{name, split.String(), strconv.Itoa(m.IngressPort), strconv.Itoa(m.EgressPort),
					strconv.FormatUint(m.IngressNs, 10), strconv.FormatUint(m.EgressNs, 10), strconv.FormatUint(m.QlenBytes, 10),
					hex.EncodeToString(packets[name]), ev.Status.String(), hex.EncodeToString(out)})
			}
		}
	}
	return rows
}

// The model reproduces the committed vectors; they cover every status but no_port.
func TestVectors(t *testing.T) {
	rows := vectors(t)
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	require.NoError(t, w.WriteAll(rows))
	if *update {
		require.NoError(t, os.WriteFile(vectorFile, b.Bytes(), 0o644))
	}
	want, err := os.ReadFile(vectorFile)
	require.NoError(t, err)
	assert.True(t, bytes.Equal(want, b.Bytes()),
		"the model differs from %s; if that is meant, run: go test ./model/csig -update", vectorFile)
	seen := map[string]int{}
	for _, row := range rows[1:] {
		seen[row[8]]++
	}
	for s := csig.Untagged; s < csig.NoPort; s++ {
		assert.NotZero(t, seen[s.String()], s)
	}
}

// Packets of a public deployment: TPID 0x9900, no VLAN tags, the draft's split, seven thresholds for ABW/C. Its chip
// sets the first bit of S and has the bucket in the others.
func TestPublicDeployment(t *testing.T) {
	cfg := csig.DefaultConfig(3, 200e6)
	cfg.Tags = telemetry.Tags{Compact: 0x9900}
	cfg.Port[1].Action = [csig.MaxTypes]csig.Action{}
	cfg.Port[2].Action = csig.StripAll()
	cfg.Port[0].Locator[telemetry.CSIGMinABWC].Compact = 0x42
	cfg.Bounds[telemetry.CSIGMinABWC] = []uint64{0}
	for _, percent := range []uint64{5, 10, 25, 40, 55, 70, 85} {
		cfg.Bounds[telemetry.CSIGMinABWC] = append(cfg.Bounds[telemetry.CSIGMinABWC], (percent<<cfg.Widths.Ratio+99)/100)
	}
	d := newDevice(t, cfg)
	for _, wire := range []string{"99002b85", "99002842"} {
		in := packet(wire, 46)
		out, ev := d.Process(in, csig.Meta{EgressPort: 1})
		assert.Equal(t, csig.Passed, ev.Status)
		assertUntouched(t, in, out)
		out, _ = d.Process(in, csig.Meta{EgressPort: 2})
		assert.Equal(t, packet("", 46), out)
		out, _ = d.Process(in, csig.Meta{EgressPort: 0})
		assert.Equal(t, packet("990023c2", 46), out, "idle: bucket 7, locator 0x42")
	}
	assert.Equal(t, telemetry.CSIG{Type: 1, Value: 0x17, Locator: 5}, func() telemetry.CSIG {
		_, ev := d.Process(packet("99002b85", 46), csig.Meta{EgressPort: 1})
		return ev.Tag
	}())
}
