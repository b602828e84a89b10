package config

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func parseINT(t testing.TB, text string) *INT {
	t.Helper()
	d, err := ParseDesign("f.yaml", []byte(text))
	require.NoError(t, err)
	return d.(*INT)
}

// everyINTKey are files that together give each key a value of its own.
var everyINTKey = map[INTFormat]string{
	INTHPCC: `design: int
name: every
module_prefix: p_
reset: async_low
ports: 5
stream_bits: 128
format: hpcc
reserved: true
max_hops: 7
timestamps: {bits: 41}
queue: {bits: 31, unit: 208B}
tx: {unit: 64B, overhead: 20B}
vlan: [0x8100, 0x9100, 0x88a8]
udp_port: 4000
node: 4095
port_defaults: {enabled: false, mtu: 1500, rate_code: 2}
port_overrides:
  - {ports: 1-3, enabled: true, rate_code: 15}
  - {ports: 2, mtu: 65535}
`,
	INTMD:   "design: int\nports: 1\nformat: int_md\nudp_port: 5000\nnode: 4294967295\n",
	INTIFA:  "design: int\nports: 1\nformat: ifa\nprotocol: 131\nlns: 15\nnode: 1048575\n",
	INTIOAM: "design: int\nports: 1\nformat: ioam\ntrace: {tx_bit: 21, order: figure, namespace: 65535}\nnode: 16777215\n",
}

func TestEveryINTKey(t *testing.T) {
	off, on := INTPort{false, 1500, 2}, INTPort{true, 1500, 15}
	base := INT{Name: "int_switch", Prefix: "int_switch_", Ports: 1, DataBits: 512, TimeBits: 48, QlenBits: 32,
		QlenUnit: 80, TxUnit: 128, OverheadBytes: 24,
		VLANTPIDs: []uint16{0x8100, 0x88a8}, Port: []INTPort{{true, 9000, 0}}}
	md, ifa, ioam := base, base, base
	md.Format, md.Match, md.Node = INTMD, 5000, 1<<32-1
	md.TimeBits, ifa.TimeBits = 64, 64
	ifa.Format, ifa.Match, ifa.Space, ifa.Node = INTIFA, 131, 15, 1<<20-1
	ioam.Format, ioam.TxBit, ioam.Order, ioam.Space, ioam.Node = INTIOAM, 21, IOAMFigure, 65535, 1<<24-1
	for format, want := range map[INTFormat]INT{
		INTHPCC: {
			Name: "every", Prefix: "p_", AsyncReset: true, Ports: 5, DataBits: 128, Format: INTHPCC, TimeBits: 41,
			QlenBits: 31, QlenUnit: 208, TxUnit: 64,
			MaxHops: 7, Reserved: true, VLANTPIDs: []uint16{0x8100, 0x9100, 0x88a8}, Node: 4095, Match: 4000, OverheadBytes: 20,
			Port: []INTPort{off, on, {true, 65535, 15}, on, off},
		},
		INTMD: md, INTIFA: ifa, INTIOAM: ioam,
	} {
		c := parseINT(t, everyINTKey[format])
		want.Hash = c.Hash
		assert.Equal(t, &want, c)
		assert.Empty(t, validate(t, []byte(everyINTKey[format])), "the schema accepts it")
		assert.Empty(t, validate(t, c.Canonical()))
	}
}

func TestINTPreset(t *testing.T) {
	d, err := LoadDesign("int-switch")
	require.NoError(t, err)
	assert.Equal(t, []any{KindINT, "int_switch", "int_switch_", false}, []any{d.DesignKind(), d.DesignName(),
		d.ModulePrefix(), d.ResetAsync()})
	assert.Equal(t, d, parseINT(t, "design: int\n"), "a file of one line is the preset")
	c := d.(*INT)
	assert.Equal(t, []any{INTHPCC, 32, 512, 5, false, uint16(49791), uint32(1)}, []any{c.Format, c.Ports, c.DataBits,
		c.MaxHops, c.Reserved, c.Match, c.Node})
}

func TestINTMessages(t *testing.T) {
	const start = "design: int\n"
	for _, c := range []struct{ name, text, want string }{
		{"key of another format", start + "format: ifa\nmax_hops: 3\ntrace: {tx_bit: 12}\nudp_port: 1\n",
			"f.yaml:3:11: max_hops is given, with format: ifa; legal: with format: hpcc; reason: a format has its own parameters only; nearest: leave it out\n" +
				"f.yaml:4:1: trace is given, with format: ifa; legal: with format: ioam; reason: a format has its own parameters only; nearest: leave it out\n" +
				"f.yaml:5:11: udp_port is given, with format: ifa; legal: with format: hpcc or int_md; reason: a format has its own parameters only; nearest: leave it out"},
		{"key of another format, by default", start + "lns: 1\n",
			"f.yaml:2:6: lns is given, with format: hpcc by default; legal: with format: ifa; reason: a format has its own parameters only; nearest: leave it out"},
		{"format", start + "format: intmd\n",
			"f.yaml:2:9: format is \"intmd\"; legal: hpcc, ifa, int_md or ioam; nearest: int_md"},
		{"unit", start + "tx: {unit: 96B}\n",
			"f.yaml:2:12: tx.unit is 96 bytes; legal: a power of two, 1B to 65536B; reason: the counter's low bits are what a unit has; nearest: 64B"},
		{"fraction of a byte", start + "queue: {unit: 1.5B}\n",
			"f.yaml:2:15: queue.unit is 1.5 bytes; legal: a whole number of bytes; reason: the engine counts in whole units; nearest: 2B"},
		{"unit that no queue reaches", start + "queue: {bits: 8, unit: 256B}\n",
			"f.yaml:2:24: queue.unit is 256 bytes, with queue.bits 8; legal: 1B to 255B; reason: no queue that the width can tell reaches one unit: qLen would always be 0; nearest: 255B"},
		{"another such unit", start + "queue: {bits: 12, unit: 4096B}\n",
			"f.yaml:2:25: queue.unit is 4096 bytes, with queue.bits 12; legal: 1B to 4095B; reason: no queue that the width can tell reaches one unit: qLen would always be 0; nearest: 4095B"},
		{"node", start + "node: 4096\n",
			"f.yaml:2:7: node is 4096, with format: hpcc by default; legal: 0 to 4095; reason: records of this format have 12 bits for it; nearest: 4095"},
		{"hops", start + "max_hops: 16\n",
			"f.yaml:2:11: max_hops is 16; legal: an integer, 1 to 15; reason: nHop has 4 bits; nearest: 15"},
		{"VLAN", start + "vlan: [0x8100, 0x0800, 0x86dd, 0x8100]\n",
			"f.yaml:2:16: vlan[1] is 0x0800, the EtherType of IPv4; legal: a TPID of VLAN tags; reason: the device must tell tags apart\n" +
				"f.yaml:2:24: vlan[2] is 0x86dd, the EtherType of IPv6; legal: a TPID of VLAN tags; reason: the device must tell tags apart\n" +
				"f.yaml:2:32: vlan[3] is 0x8100, as is vlan[0]; legal: a TPID of VLAN tags; reason: the device must tell tags apart"},
		{"port", start + "ports: 4\nport_overrides: [{ports: 4, mtu: 65536}]\n",
			"f.yaml:3:26: port_overrides[0].ports is 4, with 4 ports; legal: 0 to 3; reason: ports are counted from 0; nearest: 3\n" +
				"f.yaml:3:34: port_overrides[0].mtu is 65536; legal: an integer, 0 to 65535; reason: the length fields of IP have 16 bits; nearest: 65535"},
	} {
		t.Run(c.name, func(t *testing.T) { assert.Equal(t, c.want, parseText(c.text)) })
	}
}

// Different configurations have different hashes.
func TestINTHash(t *testing.T) {
	seen := map[string]string{}
	for _, format := range []INTFormat{INTHPCC, INTMD, INTIFA, INTIOAM} {
		for _, change := range [][2]string{
			{"", ""}, {"name: every", "name: other"}, {": p_", ": q_"}, {"async_low", "sync"}, {"ports: 5", "ports: 6"},
			{"128", "256"}, {"reserved: true", "reserved: false"}, {"max_hops: 7", "max_hops: 8"},
			{"bits: 41", "bits: 42"}, {"bits: 31", "bits: 32"}, {"208B", "209B"}, {"64B", "32B"}, {"20B", "21B"},
			{"0x9100", "0x9200"}, {"udp_port: 4000", "udp_port: 4001"}, {"node: 4095", "node: 4094"},
			{"mtu: 1500", "mtu: 1501"}, {"rate_code: 2", "rate_code: 3"}, {"enabled: false", "enabled: true"},
			{"ports: 1-3", "ports: 1-4"}, {"mtu: 65535", "mtu: 65534"},
			{"udp_port: 5000", "udp_port: 5001"}, {"protocol: 131", "protocol: 253"}, {"lns: 15", "lns: 14"},
			{"tx_bit: 21", "tx_bit: 20"}, {"figure", "by_bit"}, {"namespace: 65535", "namespace: 1"},
		} {
			text := strings.Replace(everyINTKey[format], change[0], change[1], 1)
			if text == everyINTKey[format] && change[0] != "" {
				continue
			}
			c := parseINT(t, text)
			assert.NotContains(t, seen, c.Hash, "%s and %s", change[1], seen[c.Hash])
			seen[c.Hash] = string(format) + " " + change[1]
		}
	}
	assert.Greater(t, len(seen), 25)
}
