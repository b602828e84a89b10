package packets_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/telemetry"
	"github.com/hdlpkg/hpccgen/verify/packets"
)

// newSource is an INT source of six ports that differ in all that a port can be.
func newSource(f config.INTFormat, edit func(*config.INT)) *config.INT {
	c := &config.INT{
		Name: "mixed_source", Hash: "0123456789abcdef", Ports: 6, DataBits: 64, Format: f, TimeBits: 48, QlenBits: 32,
		QlenUnit: 80, TxUnit: 128, MaxHops: 5, TxBit: 12,
		Order: config.IOAMByBit, VLANTPIDs: []uint16{0x8100, 0x88a8}, Node: 0x5a7, OverheadBytes: 24,
	}
	switch f {
	case config.INTHPCC, config.INTMD:
		c.Match = 49160 // no one's, so that an analyser does not look for RoCE
	case config.INTIFA:
		c.Match, c.Space = 253, 3
	case config.INTIOAM:
		c.Space = 0xbeef
	}
	if edit != nil {
		edit(c)
	}
	for i := range c.Ports {
		c.Port = append(c.Port, config.INTPort{Enabled: i != 4, MTU: []uint16{9000, 1500, 65535, 4096, 9000, 600}[i],
			RateCode: uint8(2*i + 1)})
	}
	return c
}

// sources are the INT sources that the corpus passes.
var sources = []struct {
	name   string
	format config.INTFormat
	edit   func(*config.INT)
}{
	{"hpcc 64", config.INTHPCC, nil},
	{"hpcc 512 reserved", config.INTHPCC, func(c *config.INT) { c.Reserved, c.DataBits, c.MaxHops = true, 512, 8 }},
	{"int_md 128", config.INTMD, func(c *config.INT) { c.DataBits, c.TxUnit, c.QlenUnit = 128, 1, 1 }},
	{"int_md 512", config.INTMD, func(c *config.INT) { c.DataBits, c.Node = 512, 0xfedcba98 }},
	{"ifa 64", config.INTIFA, func(c *config.INT) { c.TimeBits, c.Ports = 40, 5 }},
	{"ifa 256", config.INTIFA, func(c *config.INT) { c.DataBits = 256 }},
	{"ioam 64", config.INTIOAM, nil},
	{"ioam 512 figure", config.INTIOAM, func(c *config.INT) {
		c.DataBits, c.Order, c.TxBit, c.AsyncReset = 512,
			config.IOAMFigure, 21, true
	}},
}

// intTraffic is the corpus for an INT source, in the order in which it leaves.
func intTraffic(t testing.TB, c *config.INT, seed uint64) ([]intCase, []packets.Packet) {
	t.Helper()
	cases, err := intCases(seed, c)
	require.NoError(t, err)
	list := corpusTraffic{Seed: seed, Ports: c.Ports, Start: start, Window: 20_000}.Pass(intData(cases))
	packets.InOrder(list)
	require.NoError(t, zeroChecksums(c, cases, list))
	return cases, list
}

func recordLen(c *config.INT) int {
	return map[config.INTFormat]int{config.INTHPCC: 8, config.INTIFA: 32, config.INTMD: 24, config.INTIOAM: 20}[c.Format]
}

// record holds the fields that the records of all formats have.
type record struct{ node, tx, qlen, time uint64 }

// readRecord decodes the record at the start of b.
func readRecord(c *config.INT, b []byte) (r record, err error) {
	switch c.Format {
	case config.INTHPCC: // only nHop and pathID are the whole header's
		var h telemetry.HPCC
		_, err = h.Decode(append([]byte{0x10, 0}, b[:8]...))
		r = record{0, uint64(h.Hop[0].TxBytes), uint64(h.Hop[0].Qlen), uint64(h.Hop[0].TS)}
	case config.INTIFA:
		var h telemetry.IFAHop
		_, err = h.Decode(b)
		r = record{uint64(h.DeviceID), uint64(h.TxBytes), uint64(h.Qlen), h.EgressNs()}
	case config.INTMD:
		var h telemetry.INTHop
		_, err = h.Decode(b, telemetry.INTHPCC)
		r = record{uint64(h.NodeID), uint64(h.TxUtil), uint64(h.Occupancy), h.EgressTS}
	case config.INTIOAM:
		order := telemetry.IOAMByBit
		if c.Order == config.IOAMFigure {
			order = telemetry.IOAMFigure
		}
		var h telemetry.IOAMHop
		_, err = h.Decode(b, order)
		r = record{uint64(h.NodeID), uint64(h.TxBytes), uint64(h.Qlen), uint64(h.TS)}
	}
	return r, err
}

// recordBits are the widths of tx, qlen and time in a record.
func recordBits(c *config.INT) (tx, qlen, time int) {
	switch c.Format {
	case config.INTHPCC:
		return 20, 16, 24
	case config.INTIFA:
		return 32, 16, 0
	case config.INTMD:
		return 32, 24, c.TimeBits
	}
	return 32, 32, 32
}

// sourceChecker checks an INT source against the parts that packets were built from.
type sourceChecker struct {
	c  *config.INT
	tx []uint64 // bytes on the wire, by port
}

// check describes the error in a result: "" when there is none.
func (s *sourceChecker) check(k *intCase, p *packets.Packet, out []byte, status string) string {
	c, in := s.c, p.Data
	if p.IngressPort >= c.Ports || p.EgressPort >= c.Ports {
		if status != "no_port" || !bytes.Equal(in, out) {
			return "it is of no port"
		}
		return ""
	}
	before := s.tx[p.EgressPort]
	s.tx[p.EgressPort] += uint64(max(min(len(in), 65535)+len(out)-len(in), 60)) + c.OverheadBytes // padded by the MAC
	port, length := &c.Port[p.EgressPort], recordLen(c)
	grows := c.Format != config.INTIOAM && !c.Reserved
	switch {
	case !port.Enabled && (status != "off" || !bytes.Equal(in, out)):
		return "the port is off"
	case !port.Enabled:
		return ""
	case status != "inserted":
		if k.Fits && status != "mtu" {
			return "no record, though it fits"
		}
		if status == "mtu" && (!grows || s.ipLen(k, in)+length <= int(port.MTU)) {
			return "no record, though the MTU allows it"
		}
		// E, M and Overflow are single bits.
		changed := 0
		for i := range in {
			if len(out) == len(in) && out[i] != in[i] {
				changed++
			}
		}
		if len(out) != len(in) || changed > 3 || changed > 0 &&
			!(c.Format == config.INTMD && (status == "mtu" || status == "hops") || c.Format == config.INTIOAM &&
				status == "full") {
			return "changed without a record"
		}
		return ""
	case !k.Fits:
		return "" // flipped bits may leave a packet in order; the engines' agreement speaks for these
	}
	rest := in[k.At:]
	if !grows {
		rest = rest[length:]
		if len(out) != len(in) {
			return "it grew"
		}
	} else if len(out) != len(in)+length {
		return "it did not grow by a record"
	}
	if !bytes.Equal(out[k.At+length:], rest) || !bytes.Equal(out[:12], in[:12]) {
		return "something behind or far in front of the record changed"
	}
	if grows && s.ipLen(k, out) != s.ipLen(k, in)+length {
		return "the IP header has a wrong length"
	}
	got, err := readRecord(c, out[k.At:])
	if err != nil {
		return err.Error()
	}
	txBits, qlenBits, timeBits := recordBits(c)
	want := record{
		node: uint64(c.Node), tx: before / uint64(c.TxUnit) & (1<<txBits - 1), time: p.EgressNs & (1<<timeBits - 1),
		qlen: min(min(p.QlenBytes, 1<<c.QlenBits-1)/uint64(c.QlenUnit), 1<<qlenBits-1),
	}
	if c.Format == config.INTHPCC {
		want.node = 0
	}
	if c.Format == config.INTIFA { // seconds and nanoseconds are those of the device's clock
		clock := uint64(1)<<c.TimeBits - 1
		in, stay := p.IngressNs&clock, uint64(0)
		if p.EgressNs >= p.IngressNs {
			stay = p.EgressNs - p.IngressNs
		}
		want.time = in/1e9&(1<<20-1)*1e9 + in%1e9 + stay
		got.time %= 1 << 62
	}
	if got != want {
		return fmt.Sprintf("the record is %+v instead of %+v", got, want)
	}
	return ""
}

// ipLen is the length of the IP packet as its header has it.
func (s *sourceChecker) ipLen(k *intCase, b []byte) int {
	if b[k.L3]>>4 == 6 {
		return 40 + int(binary.BigEndian.Uint16(b[k.L3+4:]))
	}
	return int(binary.BigEndian.Uint16(b[k.L3+2:]))
}

func checkSource(t *testing.T, c *config.INT, cases []intCase, rep *packets.Replayed) {
	t.Helper()
	s := &sourceChecker{c, make([]uint64, c.Ports)}
	for i := range rep.Results {
		p, r := &rep.Sent[i], &rep.Results[i]
		k := &cases[p.Number-1]
		if m := s.check(k, p, r.Data, rep.Order[r.Status]); m != "" {
			t.Fatalf("packet %d (%s), port %d to %d, %s: %s\n in %x\nout %x", p.Number, k.Name, p.IngressPort,
				p.EgressPort, rep.Order[r.Status], m, p.Data, r.Data)
		}
	}
}

// zeroed counts the packets that got a record and for which a UDP checksum of 0 is written as ffff.
func zeroed(t *testing.T, cases []intCase, rep *packets.Replayed) (n int) {
	for i := range rep.Results {
		r, k := &rep.Results[i], &cases[rep.Sent[i].Number-1]
		if !k.Zero || rep.Order[r.Status] != "inserted" {
			continue
		}
		n++
		assert.Equal(t, uint16(0xffff), binary.BigEndian.Uint16(r.Data[k.UDPChecksum():]), k.Name)
	}
	return n
}

// TestSourcesOnModel checks the golden model of an INT source on the corpus, packet by packet, and that
// it reaches all that can happen.
func TestSourcesOnModel(t *testing.T) {
	for _, d := range sources {
		t.Run(d.name, func(t *testing.T) {
			c := newSource(d.format, d.edit)
			cases, list := intTraffic(t, c, 1)
			rep, err := packets.RunPackets(c, list, packets.Options{})
			require.NoError(t, err)
			checkSource(t, c, cases, rep)
			if c.Format == config.INTHPCC || c.Format == config.INTMD {
				assert.Greater(t, zeroed(t, cases, rep), 4)
			}
			t.Logf("%d packets, %d bytes in, %d out: %v", rep.Packets, rep.BytesIn, rep.BytesOut, rep.Statuses)
			never := map[string]bool{
				"fragment": c.Format == config.INTIOAM, "foreign": c.Format == config.INTHPCC,
				"mtu":  c.Reserved || c.Format == config.INTIOAM,
				"hops": c.Format == config.INTIOAM, "full": c.Format == config.INTHPCC,
			}
			for _, s := range rep.Order {
				assert.Equal(t, never[s], rep.Statuses[s] == 0, "%s: %d", s, rep.Statuses[s])
			}
		})
	}
}

// TestTsharkReadsRecords has an analyser read packets with the records of an INT source: lengths and checksums are
// right.
func TestTsharkReadsRecords(t *testing.T) {
	needs(t, "tshark")
	for _, d := range sources {
		t.Run(d.name, func(t *testing.T) {
			c := newSource(d.format, d.edit)
			cases, list := intTraffic(t, c, 3)
			before := tshark(t, captureText(t, list))
			rep, err := packets.RunPackets(c, list, packets.Options{})
			require.NoError(t, err)
			after := tshark(t, output(t, rep))
			require.Len(t, after, len(list))
			inserted := 0
			for i, p := range rep.Sent {
				if k := &cases[p.Number-1]; k.Clean {
					assert.Empty(t, before[i].expert, "packet %d (%s), before: %x", p.Number, k.Name, p.Data)
					assert.Empty(t, after[i].expert, "packet %d (%s), after: %x", p.Number, k.Name, rep.Results[i].Data)
					if rep.Order[rep.Results[i].Status] == "inserted" {
						inserted++
					}
				}
			}
			assert.Greater(t, inserted, 50)
		})
	}
}

// TestFiveHops sends a packet through five INT sources in a row: the host reads five records of its header, first hop
// first.
func TestFiveHops(t *testing.T) {
	for _, e := range []string{"model", "go", "verilator"} {
		t.Run(e, func(t *testing.T) {
			if e == "verilator" {
				needs(t, "verilator", "g++")
			}
			first := newSource(config.INTHPCC, nil)
			cases, err := intCases(1, first)
			require.NoError(t, err)
			var probe intCase // without records so far
			for _, k := range cases {
				if k.Fits && k.Clean && k.Data[k.At-2]>>4 == 0 {
					probe = k
					break
				}
			}
			require.NotEmpty(t, probe.Data)
			at, now := probe.At-2, uint64(start)
			data, path := probe.Data, binary.BigEndian.Uint16(probe.Data[at:])&0xfff
			var want [5]telemetry.HPCCHop
			for hop := range 5 {
				c := newSource(config.INTHPCC, func(c *config.INT) { c.Node = uint32(0x111 * (hop + 1)) })
				path ^= uint16(c.Node)
				load := 1000 * (hop + 1) // bytes that left the port before
				now += 10_000
				list := []packets.Packet{{Number: 1, Data: make([]byte, load-24),
					Meta: packets.Meta{EgressPort: hop % 4, EgressNs: now}}}
				now += 500
				list = append(list, packets.Packet{Number: 2, Data: data, Meta: packets.Meta{EgressPort: hop % 4,
					IngressNs: now - 100, EgressNs: now, QlenBytes: uint64(800 * hop)}})
				rep, err := packets.RunPackets(c, list, packets.Options{Engine: e})
				require.NoError(t, err)
				require.Equal(t, 1, rep.Statuses["inserted"])
				data = rep.Results[1].Data
				want[hop] = telemetry.HPCCHop{Rate: c.Port[hop%4].RateCode, TS: uint32(now & 0xffffff),
					TxBytes: uint32(load / 128), Qlen: uint32(10 * hop)}
			}
			var got telemetry.HPCC
			_, err = got.Decode(data[at:])
			require.NoError(t, err)
			assert.Equal(t, 5, got.NHop)
			assert.Equal(t, path, got.PathID)
			assert.Equal(t, want, [5]telemetry.HPCCHop(got.Hop[:5]))
			assert.Equal(t, probe.Data[probe.At:], data[at+2+40:], "what the host sent")
		})
	}
}
