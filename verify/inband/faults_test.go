package inband_test

import (
	"bytes"
	"errors"
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/toolchain"
	"github.com/hdlpkg/hpccgen/verify/engine"
	"github.com/hdlpkg/hpccgen/verify/inband"
)

// faults are changes of the Verilog that show in rare packets only.
var faults = []struct {
	name     string
	format   config.INTFormat
	old, new string // new of a regular expression that is in the design once
}{
	{"", config.INTHPCC, `\bfragment_s3 <=`, "fragment_s3 <="}, // none
	{"UDP checksum 0 stays", config.INTHPCC, `(udp_checksum_s\d+ <= udp_folded_s\d+) \| .*;`, "$1;"},
	{"UDP checksum 0 stays", config.INTMD, `(udp_checksum_s\d+ <= udp_folded_s\d+) \| .*;`, "$1;"},
	{"MF ignored", config.INTHPCC, `(fragment_s3 <= \|l2_half4_s2)\[13:0\];`, "$1[12:0];"},
	{"MF ignored", config.INTMD, `(fragment_s3 <= \|l2_half4_s2)\[13:0\];`, "$1[12:0];"},
	{"MF ignored", config.INTIFA, `(fragment_s3 <= \|l2_half4_s2)\[13:0\];`, "$1[12:0];"},
	{"last bit of the offset ignored", config.INTHPCC, `(fragment_s3 <= \|l2_half4_s2)\[13:0\];`, "$1[13:1];"},
	{"first bit of the offset ignored", config.INTHPCC, `fragment_s3 <= \|l2_half4_s2\[13:0\];`, "fragment_s3 <= |{l2_half4_s2[13], l2_half4_s2[11:0]};"},
}

// faulty starts a design with a fault in Verilator.
func faulty(t *testing.T, old, new string) func(string, engine.Design, engine.Options) (engine.Engine, error) {
	return func(name string, d engine.Design, o engine.Options) (engine.Engine, error) {
		s, err := d.Source()
		if err != nil {
			return nil, err
		}
		pattern, places := regexp.MustCompile(old), 0
		for i := range s.Files {
			f := &s.Files[i]
			places += len(pattern.FindAll(f.Text, -1))
			f.Text = pattern.ReplaceAll(bytes.Clone(f.Text), []byte(new))
		}
		require.Equal(t, 1, places, old)
		return engine.OpenSource(name, s, o)
	}
}

// Each fault is seen within 100,000 cycles, of every seed.
func TestFaultsAreSeen(t *testing.T) {
	for _, f := range faults {
		t.Run(string(f.format)+" "+f.name, func(t *testing.T) {
			for seed := range uint64(3) {
				res, err := inband.Run(smallSource(f.format), inband.Options{Engine: "verilator", Cycles: 100_000, Seed: seed, Resets: true, Open: faulty(t, f.old, f.new)})
				if missing := (toolchain.Missing{}); errors.As(err, &missing) && os.Getenv("CI") != "true" {
					t.Skip(err)
				}
				require.NoError(t, err)
				t.Log(res.Different)
				assert.Equal(t, f.name != "", res.Different != "")
			}
		})
	}
}
