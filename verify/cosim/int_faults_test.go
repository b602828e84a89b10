package cosim

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
	"github.com/hdlpkg/hpccgen/verify/drive"
	"github.com/hdlpkg/hpccgen/verify/engine"
	"github.com/hdlpkg/hpccgen/verify/inband"
)

// What the faults change.
var (
	zeroChecksum  = fault("UDP checksum 0 stays", "int_source", "udp_checksum_s*", vgen.Left)
	moreFragments = fragmentFault("MF ignored", vgen.Without(13))
	lastOfOffset  = fragmentFault("last bit of the offset ignored", vgen.Without(0))
	firstOfOffset = fragmentFault("first bit of the offset ignored", vgen.Without(12))
)

func fragmentFault(name string, change vgen.Change) vgen.Fault {
	return fault(name, "int_parse", "fragment_s*", vgen.With("l2_half4_s*", change))
}

// intFaults are changes of the design that show in rare packets only.
var intFaults = []struct {
	format config.INTFormat
	list   []vgen.Fault
}{
	{config.INTHPCC, []vgen.Fault{zeroChecksum, moreFragments, lastOfOffset, firstOfOffset}},
	{config.INTMD, []vgen.Fault{zeroChecksum, moreFragments}},
	{config.INTIFA, []vgen.Fault{moreFragments}},
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
						o := Options{Engine: "verilator", Cycles: 100_000, Seed: seed, NoShrink: true, Open: engine.Faulty(f.list, number)}
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
