package inband_test

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

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/inband"
)

var update = flag.Bool("update", false, "write testdata/int/packets.csv anew")

const vectorFile = "../../testdata/int/packets.csv"

// vectorDevice is the device of testdata/int/README.md, as the packet of a row finds it.
func vectorDevice(t testing.TB, f config.INTFormat, reserved bool, egress int) *inband.Device {
	c := settings(f)
	c.Reserved = reserved
	c.Port[1].MTU = 150
	c.Port[2].Enabled = false
	d := device(t, c)
	for range 3 {
		d.Process(make([]byte, 1000), inband.Meta{EgressPort: egress})
	}
	return d
}

func vectorPackets(t testing.TB, f config.INTFormat, reserved bool) map[string][]byte {
	all := map[string][]byte{"empty": {}, "addresses": make([]byte, 12)}
	for name, r := range surroundings(f) {
		if reserved {
			r.reserved = 5
		}
		all[name] = r.bytes()
	}
	for _, x := range rules[f] {
		r := fresh(f)
		if reserved {
			r.reserved = 5
		}
		if x.make != nil {
			x.make(&r)
		}
		pkt := r.bytes()
		if x.damage != nil {
			x.damage(pkt, &r)
		}
		all["rule: "+x.name] = pkt
	}
	r := fresh(f)
	if reserved {
		r.reserved = 5
	}
	pkt := r.bytes()
	_, ev := vectorDevice(t, f, reserved, 0).Process(pkt, inband.Meta{})
	require.Equal(t, inband.Inserted, ev.Status)
	for _, by := range []int{-1, 0, 1, 20} {
		all[fmt.Sprintf("cut at %+d", by)] = pkt[:ev.At+by]
	}
	return all
}

func vectors(t testing.TB) [][]string {
	rows := [][]string{{"name", "format", "ingress_port", "egress_port", "ingress_ns", "egress_ns", "qlen_bytes", "in", "status", "out"}}
	for _, f := range []string{"hpcc", "hpcc_reserved", "ifa", "int_md", "ioam"} {
		format, reserved := config.INTFormat(f), f == "hpcc_reserved"
		if reserved {
			format = config.INTHPCC
		}
		packets := vectorPackets(t, format, reserved)
		for _, name := range slices.Sorted(maps.Keys(packets)) {
			for _, ports := range [][2]int{{0, 3}, {3, 1}, {0, 2}, {4, 0}} {
				if ports[1] == 2 && name != "IPv6" || ports[0] == 4 && name != "padding" {
					continue
				}
				m := inband.Meta{IngressPort: ports[0], EgressPort: ports[1], IngressNs: 12_345_678_901_234, EgressNs: 12_345_678_919_234, QlenBytes: 1_000_079}
				out, ev := vectorDevice(t, format, reserved, ports[1]).Process(packets[name], m)
				rows = append(rows, []string{name, f, strconv.Itoa(m.IngressPort), strconv.Itoa(m.EgressPort),
					strconv.FormatUint(m.IngressNs, 10), strconv.FormatUint(m.EgressNs, 10), strconv.FormatUint(m.QlenBytes, 10),
					hex.EncodeToString(packets[name]), ev.Status.String(), hex.EncodeToString(out)})
			}
		}
	}
	return rows
}

// The committed vectors are what the model does; every status is among them.
func TestVectors(t *testing.T) {
	rows := vectors(t)
	var b bytes.Buffer
	require.NoError(t, csv.NewWriter(&b).WriteAll(rows))
	if *update {
		require.NoError(t, os.WriteFile(vectorFile, b.Bytes(), 0o644))
	}
	want, err := os.ReadFile(vectorFile)
	require.NoError(t, err)
	assert.True(t, bytes.Equal(want, b.Bytes()), "the model differs from %s; if that is meant, run: go test ./model/inband -update", vectorFile)
	seen := map[string]int{}
	for _, row := range rows[1:] {
		seen[row[8]]++
	}
	for s := inband.Plain; s <= inband.NoPort; s++ {
		assert.NotZero(t, seen[s.String()], s)
	}
}
