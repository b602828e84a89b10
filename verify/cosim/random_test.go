package cosim

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/config/configtest"
	"github.com/hdlpkg/hpccgen/verify/csig"
	"github.com/hdlpkg/hpccgen/verify/inband"
	"github.com/hdlpkg/hpccgen/verify/law"
	"github.com/hdlpkg/hpccgen/verify/stimulus"
)

// TestRandomDesigns compares designs that are drawn from all that a file can say: 200 of every kind with
// HPCCGEN_LONG=1, one in twenty of them with Verilator too, otherwise the first that are not large.
func TestRandomDesigns(t *testing.T) {
	n, large := 4, int64(20_000)
	if os.Getenv("HPCCGEN_LONG") != "" {
		needs(t, "verilator", "g++")
		n, large = 200, 1<<40
	}
	for _, kind := range append(config.Laws(), config.KindCSIG, config.KindINT) {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			set := configtest.New(kind, 1)
			for i, done := 0, 0; done < n; i++ {
				d := set.Next()
				cycles, err := cyclesFor(d.Design)
				if err == nil && cycles > large {
					continue
				}
				done++
				t.Run(fmt.Sprint(i), func(t *testing.T) {
					defer func() {
						if t.Failed() {
							t.Logf("the design:\n%s", d.YAML)
						}
					}()
					require.NoError(t, err)
					o := Options{Engine: "go", Cycles: cycles, Seed: uint64(i), NoShrink: true}
					compareRandom(t, d.Design, o)
					if n == 200 && i%20 == 0 {
						o.Engine, o.Cycles = "verilator", 10*cycles
						compareRandom(t, d.Design, o)
					}
				})
			}
		})
	}
}

func compareRandom(t *testing.T, d config.Design, o Options) {
	t.Helper()
	rep, err := RunDesign(d, o)
	require.NoError(t, err)
	if d := rep.Divergence; d != nil {
		t.Errorf("%s: %s is %s, the model says %s, cycle %d of seed %d; also %v\n%s%s\n%s\n%s",
			rep.Engine, d.Path, d.Actual, d.Expected, d.Cycle, d.Seed, d.Also,
			d.Ack, d.Packet, d.Result, strings.Join(d.Inputs, "\n"))
	}
	assert.Positive(t, rep.Acks+rep.Packets, "nothing was compared")
	t.Logf("%s: %d cycles, %d ACKs, %d packets, %.0f cycles/s",
		rep.Engine, rep.Cycles, rep.Acks, rep.Packets, rep.CyclesPerSecond)
}

// cyclesFor is how long a design runs: until its memories are cleared and its software has written most, and some
// thousand cycles more.
func cyclesFor(d config.Design) (int64, error) {
	const cycles = 4000
	switch c := d.(type) {
	case config.EngineDesign:
		e, err := law.Of(c)
		if err != nil {
			return 0, err
		}
		t, err := e.Timing()
		return int64(t.Clearing() + 24*stimulus.WriteCycles(t) + cycles*min(t.Interval, 4)), err
	case *config.CSIG:
		target, err := csig.Generate(c, false)
		if err != nil {
			return 0, err
		}
		return int64(target.Sweep + 6*(12*c.Ports+160) + cycles), nil
	case *config.INT:
		target, err := inband.Generate(c, true)
		if err != nil {
			return 0, err
		}
		return int64(target.Sweep + 10*4*min(c.Ports, 50) + cycles), nil
	}
	return 0, fmt.Errorf("no design of kind %s", d.DesignKind())
}

// TestManyFractionBits runs an engine whose 1/B has more fraction bits than the time that a link takes leaves in a
// word.
func TestManyFractionBits(t *testing.T) {
	c, err := config.Load("testdata/fractions.yaml")
	require.NoError(t, err)
	require.Greater(t, c.Formats.InvB.Frac, 53)
	check(t, c, Options{Engine: "go", Cycles: 40_000, Seed: 3, NoShrink: true})
}
