package vgen_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

func vcdOf(t *testing.T, cycles int) string {
	t.Helper()
	m := vgen.NewModule("top", "")
	x := m.Input("x", 2, "")
	sub := vgen.NewModule("stage", "")
	sub.Assign(sub.Output("q", 2, ""), sub.RegNext("d_q", sub.Input("d", 2, "")))
	u := m.Instance("u_stage", sub)
	m.Assign(u.Port("d"), x)
	m.Assign(m.Output("y", 2, ""), u.Port("q"))
	s, err := vgen.NewSim(m)
	require.NoError(t, err)
	var b bytes.Buffer
	d := vgen.NewVCD(&b, s)
	for i := range cycles {
		s.Set("x", uint64(i/2%4))
		d.Record()
		s.Step()
	}
	require.NoError(t, d.Close())
	return b.String()
}

func TestVCD(t *testing.T) {
	assert.Equal(t, `$timescale 1ns $end
$scope module top $end
$var wire 1 " clk $end
$var wire 1 # rst $end
$var wire 2 $ x [1:0] $end
$var wire 2 % y [1:0] $end
$scope module u_stage $end
$var wire 1 " clk $end
$var wire 1 # rst $end
$var wire 2 % q [1:0] $end
$var wire 2 $ d [1:0] $end
$var wire 2 % d_q [1:0] $end
$upscope $end
$upscope $end
$enddefinitions $end
#0
1"
0#
b0 $
b0 %
#5
0"
#10
1"
#15
0"
#20
1"
b1 $
#25
0"
#30
1"
b1 %
#35
0"
#40
`, vcdOf(t, 4))
}

type failingWriter struct{}

func (failingWriter) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestVCDReportsAFailedWrite(t *testing.T) {
	s, err := vgen.NewSim(lane(8))
	require.NoError(t, err)
	d := vgen.NewVCD(failingWriter{}, s)
	for range 2000 {
		d.Record()
		s.Set("d", s.Get("d")^1)
		s.Step()
	}
	assert.EqualError(t, d.Close(), "disk full")
}

func TestWaves(t *testing.T) {
	s, err := vgen.NewSim(lane(16))
	require.NoError(t, err)
	w := vgen.NewWaves(s, "clk", "rst", "en", "d", "b_q")
	for i, d := range []uint64{1, 0xbeef, 0xbeef, 2, 2} {
		s.Set("rst", uint64(i)&1)
		s.Set("en", uint64(i/2)&1)
		s.Set("d", d)
		w.Record()
		s.Step()
	}
	require.NoError(t, s.Err())
	assert.Equal(t, `┌Signals─┐┌Waves─────────────────────────┐
│clk     ││┌──┐  ┌──┐  ┌──┐  ┌──┐  ┌──┐  │
│        ││┘  └──┘  └──┘  └──┘  └──┘  └──│
│rst     ││      ┌─────┐     ┌─────┐     │
│        ││──────┘     └─────┘     └─────│
│en      ││            ┌───────────┐     │
│        ││────────────┘           └─────│
│        ││──────┬───────────┬───────────│
│d       ││ 1    │beef       │2          │
│        ││──────┴───────────┴───────────│
│        ││──────────────────┬───────────│
│b_q     ││ 0                │beef       │
│        ││──────────────────┴───────────│
└────────┘└──────────────────────────────┘
`, w.String())
	assert.Contains(t, vgen.NewWaves(s).String(), "Signals")
}
