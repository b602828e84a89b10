package cosim

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/verify/drive"
	"github.com/hdlpkg/hpccgen/verify/inband"
)

// What the faults change.
var (
	zeroChecksum = Mutation{
		Name: "UDP checksum 0 stays", Module: "int_source",
		Pattern: regexp.MustCompile(`(udp_checksum_s\d+ <= udp_folded_s\d+) \| .*;`), Replace: "$1;",
	}
	moreFragments = fragmentFault("MF ignored", "|l2_half4_s2[12:0]")
	lastOfOffset  = fragmentFault("last bit of the offset ignored", "|l2_half4_s2[13:1]")
	firstOfOffset = fragmentFault("first bit of the offset ignored", "|{l2_half4_s2[13], l2_half4_s2[11:0]}")
)

func fragmentFault(name, value string) Mutation {
	return Mutation{Name: name, Module: "int_parse",
		Pattern: regexp.MustCompile(`(fragment_s3 <= )\|l2_half4_s2\[13:0\];`), Replace: "${1}" + value + ";"}
}

// intFaults are changes of the Verilog that show in rare packets only.
var intFaults = []struct {
	format config.INTFormat
	list   Mutants
}{
	{config.INTHPCC, Mutants{zeroChecksum, moreFragments, lastOfOffset, firstOfOffset}},
	{config.INTMD, Mutants{zeroChecksum, moreFragments}},
	{config.INTIFA, Mutants{moreFragments}},
}

// Each fault is seen within 100,000 cycles, of every seed, and without a fault nothing is.
func TestINTFaultsAreSeen(t *testing.T) {
	needs(t, "verilator", "g++")
	for _, f := range intFaults {
		t.Run(string(f.format), func(t *testing.T) {
			for number := range len(f.list) + 1 {
				name := "none"
				if number > 0 {
					name = f.list[number-1].Name
				}
				t.Run(name, func(t *testing.T) {
					for seed := range uint64(3) {
						o := Options{Engine: "verilator", Cycles: 100_000, Seed: seed, NoShrink: true, Open: f.list.Open(number)}
						s, err := inband.NewSubject(SmallSource(f.format), false)
						require.NoError(t, err)
						rep, err := drive.Compare(s, "int_small", "", o)
						require.NoError(t, err)
						assert.Equal(t, number > 0, rep.Mismatches > 0)
					}
				})
			}
		})
	}
}

// SmallSource is a source with every part of the large ones.
func SmallSource(f config.INTFormat) *config.INT {
	c := &config.INT{
		Name: "int_small", Hash: "0123456789abcdef", Ports: 3, DataBits: 64, Format: f, TimeBits: 40, QlenBits: 24,
		QlenUnit: 80, TxUnit: 128,
		MaxHops: 3, TxBit: 12, Order: config.IOAMByBit, VLANTPIDs: []uint16{0x8100, 0x88a8}, Node: 0x5a7, OverheadBytes: 24,
		Port: []config.INTPort{{Enabled: true, MTU: 9000, RateCode: 5}, {Enabled: true, MTU: 160, RateCode: 10}, {MTU: 1500}},
	}
	switch f {
	case config.INTIFA:
		c.Match, c.Space = 253, 3
	case config.INTIOAM:
		c.Space = 0xbeef
	default:
		c.Match = 4791
	}
	return c
}
