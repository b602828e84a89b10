package inband_test

import (
	"errors"
	"flag"
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/toolchain"
	"github.com/hdlpkg/hpccgen/verify/inband"
	"github.com/hdlpkg/hpccgen/verify/mutate"
)

var mutants = flag.Int("mutants", 0, "mutants of each format; without it a few of one format")

// smallSource is a source with every part of the large ones.
func smallSource(f config.INTFormat) *config.INT {
	c := &config.INT{
		Name: "int_small", Hash: "0123456789abcdef", Ports: 3, DataBits: 64, Format: f, TimeBits: 40, QlenBits: 24, QlenUnit: 80, TxUnit: 128,
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

// Of sources with one bit changed nearly all are told from the model. Those that are not are listed: faults of speed or area, and what the traffic does
// not reach.
func TestMutants(t *testing.T) {
	for _, name := range []string{"yosys", "verilator"} {
		if _, err := exec.LookPath(name); err != nil {
			if os.Getenv("CI") == "true" {
				t.Fatal(err)
			}
			t.Skip(err)
		}
	}
	for _, f := range []config.INTFormat{config.INTHPCC, config.INTMD, config.INTIFA, config.INTIOAM} {
		n := *mutants
		if n == 0 && f != config.INTHPCC {
			continue
		}
		n = max(n, 8)
		t.Run(string(f), func(t *testing.T) {
			c := smallSource(f)
			target, err := inband.NewTarget(c)
			require.NoError(t, err)
			all, err := mutate.New(mutate.Subject{Name: string(f), Top: target.Design.Top, Scope: "*"}, n, 1)
			if missing := (toolchain.Missing{}); errors.As(err, &missing) {
				t.Skip(err)
			}
			require.NoError(t, err)
			judge := func(open mutate.Opener) (string, error) {
				res, err := inband.Run(c, inband.Options{Engine: "verilator", Cycles: 100_000, Seed: 8, Resets: true, Open: open})
				if err != nil {
					return "", err
				}
				return res.Different, nil
			}
			tally, err := all.Run(judge, nil)
			require.NoError(t, err)
			t.Log(tally)
			total, caught, _ := tally.Counts()
			assert.GreaterOrEqual(t, 10*caught, 6*total) // few mutants say little; of many at least 8 of 10 are caught
		})
	}
}
