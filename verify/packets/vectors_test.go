package packets_test

import (
	"encoding/csv"
	"encoding/hex"
	"fmt"
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
	"github.com/hdlpkg/hpccgen/verify/engine"
	"github.com/hdlpkg/hpccgen/verify/packets"
)

// vector is a row of testdata/int/packets.csv.
type vector struct {
	name, status string
	packet       packets.Packet
	out          []byte
}

// readVectors are the rows that have a packet, by format.
func readVectors(t *testing.T) map[string][]vector {
	f, err := os.Open("../../testdata/int/packets.csv")
	require.NoError(t, err)
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	require.NoError(t, err)
	all := map[string][]vector{}
	for _, row := range rows[1:] {
		number := func(i int) uint64 {
			n, err := strconv.ParseUint(row[i], 10, 64)
			require.NoError(t, err)
			return n
		}
		in, err := hex.DecodeString(row[7])
		require.NoError(t, err)
		if len(in) == 0 {
			continue // a stream has no packet without bytes
		}
		out, err := hex.DecodeString(row[9])
		require.NoError(t, err)
		p := packets.Packet{Data: in, Meta: packets.Meta{
			IngressPort: int(number(2)), EgressPort: int(number(3)), IngressNs: number(4), EgressNs: number(5),
			QlenBytes: number(6),
		}}
		all[row[1]] = append(all[row[1]], vector{row[0], row[8], p, out})
	}
	return all
}

// vectorSource is the device of testdata/int/README.md.
func vectorSource(format string, bits int) *config.INT {
	f := config.INTFormat(format)
	if format == "hpcc_reserved" {
		f = config.INTHPCC
	}
	c := &config.INT{
		Name: "int_vectors", Hash: "0123456789abcdef", Ports: 4, DataBits: bits, Format: f,
		Reserved: format == "hpcc_reserved", TimeBits: 48, QlenBits: 32, QlenUnit: 80,
		TxUnit: 128, MaxHops: 5, TxBit: 12, Order: config.IOAMByBit, VLANTPIDs: []uint16{0x8100, 0x88a8}, Node: 0x5a7,
		OverheadBytes: 24,
	}
	switch f {
	case config.INTHPCC, config.INTMD:
		c.Match = 4791
	case config.INTIFA:
		c.Match, c.Space = 253, 3
	case config.INTIOAM:
		c.Space = 0xbeef
	}
	for i := range uint8(4) {
		c.Port = append(c.Port, config.INTPort{Enabled: i != 2, MTU: 9000, RateCode: i + 3})
	}
	c.Port[1].MTU = 150
	return c
}

// kept is an engine that stays open for the next row, which starts with a reset.
type kept struct{ engine.Engine }

func (kept) Close() error { return nil }

// differing sends each row on its own through a source, in the state that the row is about, and returns those that come
// out otherwise.
func differing(t *testing.T, format string, bits int, rows []vector, name string, open packets.Opener) (list []string) {
	c := vectorSource(format, bits)
	var e engine.Engine
	keep := func(name string, d engine.Design, o engine.Options) (engine.Engine, error) {
		if e == nil {
			var err error
			if e, err = open(name, d, o); err != nil {
				return nil, err
			}
			t.Cleanup(func() { assert.NoError(t, e.Close()) })
		}
		return kept{e}, nil
	}
	for i := range rows {
		v := &rows[i]
		before := packets.Packet{Data: make([]byte, 1000), Meta: packets.Meta{EgressPort: v.packet.EgressPort}}
		rep, err := packets.RunPackets(c, []packets.Packet{before, before, before, v.packet},
			packets.Options{Engine: name, Open: keep})
		require.NoError(t, err, v.name)
		got := &rep.Results[3]
		if s := rep.Order[got.Status]; s != v.status || string(got.Data) != string(v.out) {
			list = append(list, fmt.Sprintf("%s, port %d to %d: %s, the row has %s\n in %x\nout %x\nrow %x", v.name,
				v.packet.IngressPort, v.packet.EgressPort, s, v.status, v.packet.Data, got.Data, v.out))
		}
	}
	return list
}

// TestVectorsOnHardware sends all rows of testdata/int/packets.csv through the model and the generated sources.
func TestVectorsOnHardware(t *testing.T) {
	all := readVectors(t)
	widths := map[string]int{"hpcc": 512, "hpcc_reserved": 64, "ifa": 256, "int_md": 128, "ioam": 64}
	require.Len(t, all, len(widths))
	for _, name := range []string{"model", "go", "verilator"} {
		for format, bits := range widths {
			t.Run(name+"/"+format, func(t *testing.T) {
				if name == "verilator" {
					needs(t, "verilator", "g++")
				}
				assert.Empty(t, differing(t, format, bits, all[format], name, engine.Open))
				t.Logf("%d rows", len(all[format]))
			})
		}
	}
}

// TestVectorsSeeChecksumZero sends them through a source that lets a UDP checksum of 0 stay: the rows that are made for
// it differ, and no others.
func TestVectorsSeeChecksumZero(t *testing.T) {
	stays := vgen.Fault{Name: "UDP checksum 0 stays", Module: "int_source", At: "udp_checksum_s*", Change: vgen.Left}
	list := differing(t, "hpcc", 64, readVectors(t)["hpcc"], "go", engine.Faulty([]vgen.Fault{stays}, 1))
	require.Len(t, list, 2)
	assert.Contains(t, list[0], "checksum 0 behind port 1, port 3 to 1: inserted")
	assert.Contains(t, list[1], "checksum 0 behind port 3, port 0 to 3: inserted")
}
