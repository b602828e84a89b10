package inband_test

import (
	"errors"
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/toolchain"
	"github.com/hdlpkg/hpccgen/verify/cosim"
	"github.com/hdlpkg/hpccgen/verify/inband"
)

// What the faults change.
var (
	zeroChecksum = cosim.Mutation{
		Name: "UDP checksum 0 stays", Module: "int_source", Pattern: regexp.MustCompile(`(udp_checksum_s\d+ <= udp_folded_s\d+) \| .*;`), Replace: "$1;",
	}
	moreFragments = fragmentFault("MF ignored", "|l2_half4_s2[12:0]")
	lastOfOffset  = fragmentFault("last bit of the offset ignored", "|l2_half4_s2[13:1]")
	firstOfOffset = fragmentFault("first bit of the offset ignored", "|{l2_half4_s2[13], l2_half4_s2[11:0]}")
)

func fragmentFault(name, value string) cosim.Mutation {
	return cosim.Mutation{Name: name, Module: "int_parse", Pattern: regexp.MustCompile(`(fragment_s3 <= )\|l2_half4_s2\[13:0\];`), Replace: "${1}" + value + ";"}
}

// faults are changes of the Verilog that show in rare packets only.
var faults = []struct {
	format config.INTFormat
	list   cosim.Mutants
}{
	{config.INTHPCC, cosim.Mutants{zeroChecksum, moreFragments, lastOfOffset, firstOfOffset}},
	{config.INTMD, cosim.Mutants{zeroChecksum, moreFragments}},
	{config.INTIFA, cosim.Mutants{moreFragments}},
}

// Each fault is seen within 100,000 cycles, of every seed, and without a fault nothing is.
func TestFaultsAreSeen(t *testing.T) {
	for _, f := range faults {
		t.Run(string(f.format), func(t *testing.T) {
			for number := range len(f.list) + 1 {
				name := "none"
				if number > 0 {
					name = f.list[number-1].Name
				}
				t.Run(name, func(t *testing.T) {
					for seed := range uint64(3) {
						res, err := inband.Run(smallSource(f.format), inband.Options{Engine: "verilator", Cycles: 100_000, Seed: seed, Resets: true, Open: f.list.Open(number)})
						if missing := (toolchain.Missing{}); errors.As(err, &missing) && os.Getenv("CI") != "true" {
							t.Skip(err)
						}
						require.NoError(t, err)
						t.Log(res.Different)
						assert.Equal(t, number > 0, res.Different != "")
					}
				})
			}
		})
	}
}
