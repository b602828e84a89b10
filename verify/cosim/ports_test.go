package cosim

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/config/registers"
	golden "github.com/hdlpkg/hpccgen/model/inband"
	model "github.com/hdlpkg/hpccgen/model/transit"
	"github.com/hdlpkg/hpccgen/verify/csig"
	"github.com/hdlpkg/hpccgen/verify/drive"
	"github.com/hdlpkg/hpccgen/verify/engine"
	"github.com/hdlpkg/hpccgen/verify/inband"
	"github.com/hdlpkg/hpccgen/verify/stimulus/timeline"
	"github.com/hdlpkg/hpccgen/verify/stimulus/transit"
)

// TestCountersOfEveryPort sends packets to every port and reads every port's counter of them, around each number of
// ports at which an address gets a bit wider. Both golden model and design must return what was sent, not only the
// same.
func TestCountersOfEveryPort(t *testing.T) {
	const text = "design: csig\nport_defaults: {locator: {compact: low_bits}}\nports: %d\n"
	for _, c := range []struct {
		name, file string
		status     registers.Status // of a packet without telemetry, after reset
		ports      []int
	}{
		{"folded", text + "stream_bits: 64\npipeline: folded\ntags: {expanded: none}\nbucketizer: search\n",
			registers.StatusUntagged, []int{1, 3, 64, 65, 100, 128, 129, 200, 256}},
		{"full", text + "stream_bits: 64\n", registers.StatusUntagged, []int{1, 65, 200}},
		{"deep", text + "stream_bits: 128\n", registers.StatusUntagged, []int{1, 65, 200}},
		{"int", "design: int\nstream_bits: 64\nports: %d\n", registers.Status(golden.Off), []int{1, 65, 200, 256}},
	} {
		for _, n := range c.ports {
			t.Run(fmt.Sprintf("%s, %d ports", c.name, n), func(t *testing.T) {
				d, err := config.ParseDesign("ports.yaml", fmt.Appendf(nil, c.file, n))
				require.NoError(t, err)
				countEveryPort(t, d, n, c.status)
			})
		}
	}
}

// countEveryPort sends packets to each of n ports, to no two neighbours as many, and reads the counters of their
// status.
func countEveryPort(t *testing.T, d config.Design, n int, status registers.Status) {
	t.Helper()
	var s *transit.Subject
	var err error
	if c, ok := d.(*config.CSIG); ok {
		s, err = csig.NewSubject(c, false)
	} else {
		s, err = inband.NewSubject(d.(*config.INT), false)
	}
	require.NoError(t, err)
	const cleared = 5000 // cycles after which the counters of 256 ports are
	script := &transit.Script{Width: s.Width(), Resets: []timeline.Span{{From: 0, To: 2}}}
	var want []uint64
	for port := range n {
		count := 1 + (port+port/64)%3
		want = append(want, uint64(count))
		packet := transit.Packet{Bytes: make([]byte, 60), Meta: model.Meta{EgressPort: port}}
		packet.Bytes[12], packet.Bytes[13] = 0x88, 0xb7 // local experimental
		for range count {
			script.Packets = append(script.Packets, timeline.At[transit.Packet]{Cycle: cleared, Op: packet})
		}
	}
	read := int64(cleared + 8*len(script.Packets) + 500)
	for port := range n {
		script.Reads = append(script.Reads, timeline.At[uint16]{Cycle: read, Op: uint16(registers.Counter(port, status))})
	}
	script.Cycles = read + 20*int64(n) + 100

	side, err := s.Play(script)
	require.NoError(t, err)
	var got []uint64
	eng, err := openFaulty(func(_ int64, at map[string]int, out []uint64) { // changes nothing: it looks
		if out[at["s_axil_rvalid"]] == 1 {
			got = append(got, out[at["s_axil_rdata"]])
		}
	})("go", s.Frame().Design, engine.Options{})
	require.NoError(t, err)
	run, err := drive.Lockstep(drive.NewLeg(s.Frame(), side, "go"), eng, script.Cycles, nil)
	require.NoError(t, err)
	require.NoError(t, eng.Close())
	for _, diff := range run.First {
		t.Errorf("%+v", diff)
	}
	assert.Equal(t, want, got, "counters in the order of the ports")
}
