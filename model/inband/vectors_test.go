package inband_test

import (
	"bytes"
	"encoding/binary"
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

var update = flag.Bool("update", false, "rewrite testdata/int/packets.csv")

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
	if check := r.l4() + 6; f == config.INTHPCC || f == config.INTMD {
		for port := range 2 {
			all[fmt.Sprintf("checksum 0 behind port %d", 3-2*port)] = zeroChecksum(vectorDevice(t, f, reserved,
				3-2*port), pkt, check, vectorMeta(3*port, 3-2*port))
		}
	}
	return all
}

// vectorMeta is where and when the packet of a row passes.
func vectorMeta(ingress, egress int) inband.Meta {
	return inband.Meta{IngressPort: ingress, EgressPort: egress, IngressNs: 12_345_678_901_234,
		EgressNs: 12_345_678_919_234, QlenBytes: 1_000_079}
}

// zeroChecksum is a packet with a UDP checksum, at byte check, that becomes 0 in a device.
func zeroChecksum(d *inband.Device, pkt []byte, check int, m inband.Meta) []byte {
	const start = 0x1234
	pkt = bytes.Clone(pkt)
	binary.BigEndian.PutUint16(pkt[check:], start)
	out, _ := d.Process(pkt, m)
	// A checksum rises, modulo 65,535, by the words removed from the packet less those inserted.
	up := int(binary.BigEndian.Uint16(out[check:])) - start
	binary.BigEndian.PutUint16(pkt[check:], uint16((2*0xffff-up-1)%0xffff+1))
	return pkt
}

func vectors(t testing.TB) [][]string {
	rows := [][]string{{"name", "format", "ingress_port", "egress_port", "ingress_ns", "egress_ns", "qlen_bytes", "in",
		"status", "out"}}
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
				m := vectorMeta(ports[0], ports[1])
				out, ev := vectorDevice(t, format, reserved, ports[1]).Process(packets[name], m)
				rows = append(rows, []string{name, f, strconv.Itoa(m.IngressPort), strconv.Itoa(m.EgressPort),
					strconv.FormatUint(m.IngressNs, 10), strconv.FormatUint(m.EgressNs, 10), strconv.FormatUint(m.QlenBytes, 10),
					hex.EncodeToString(packets[name]), ev.Status.String(), hex.EncodeToString(out)})
			}
		}
	}
	return rows
}

// What is made to end with a UDP checksum of 0 leaves with ffff.
func TestZeroChecksum(t *testing.T) {
	for _, x := range []struct {
		f        config.INTFormat
		reserved bool
	}{{config.INTHPCC, false}, {config.INTHPCC, true}, {config.INTMD, false}} {
		pkt := vectorPackets(t, x.f, x.reserved)["checksum 0 behind port 3"]
		r := fresh(x.f)
		check := r.l4() + 6
		before := binary.BigEndian.Uint16(pkt[check:])
		require.Greater(t, before, uint16(1))
		out, ev := vectorDevice(t, x.f, x.reserved, 3).Process(pkt, vectorMeta(0, 3))
		require.Equal(t, inband.Inserted, ev.Status)
		assert.Equal(t, uint16(0xffff), binary.BigEndian.Uint16(out[check:]))
		binary.BigEndian.PutUint16(pkt[check:], before+1) // modulo 65,535
		out, _ = vectorDevice(t, x.f, x.reserved, 3).Process(pkt, vectorMeta(0, 3))
		assert.Equal(t, uint16(1), binary.BigEndian.Uint16(out[check:]))
	}
}

// The model reproduces the committed vectors; they cover every status.
func TestVectors(t *testing.T) {
	rows := vectors(t)
	var b bytes.Buffer
	require.NoError(t, csv.NewWriter(&b).WriteAll(rows))
	if *update {
		require.NoError(t, os.WriteFile(vectorFile, b.Bytes(), 0o644))
	}
	want, err := os.ReadFile(vectorFile)
	require.NoError(t, err)
	assert.True(t, bytes.Equal(want, b.Bytes()),
		"the model differs from %s; if that is meant, run: go test ./model/inband -update", vectorFile)
	seen := map[string]int{}
	for _, row := range rows[1:] {
		seen[row[8]]++
	}
	for s := inband.Plain; s <= inband.NoPort; s++ {
		assert.NotZero(t, seen[s.String()], s)
	}
}
