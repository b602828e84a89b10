package packets_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/verify/engine"
	"github.com/hdlpkg/hpccgen/verify/packets"
)

// edited changes one output of an engine, from a cycle on.
type edited struct {
	engine.Engine
	port string
	from int
	edit func(v []uint64)
	at   int
}

func (e *edited) Run(cycles int, in, out []uint64) error {
	err := e.Engine.Run(cycles, in, out)
	l := e.Layout()
	for _, s := range l.Outputs {
		for c := 0; s.Name == e.port && c < cycles; c++ {
			if e.at+c >= e.from {
				at := c*l.OutWords + s.Offset
				e.edit(out[at : at+s.Words])
			}
		}
	}
	e.at += cycles
	return err
}

// TestFaultsShow puts faults into the design's way; each must end in an error, without output, or in other bytes.
func TestFaultsShow(t *testing.T) {
	c := newSwitch(t, nil)
	_, all := traffic(t, c, 5)
	list := all[600:660]
	want, err := packets.RunPackets(c, list, packets.Options{})
	require.NoError(t, err)
	right, err := packets.RunPackets(c, list, packets.Options{Engine: "go"})
	require.NoError(t, err)
	same(t, want, right)
	path := write(t, "in.pcap", captureText(t, list))

	set := func(n uint64) func([]uint64) { return func(v []uint64) { v[0] = n } }
	flip := func(bit int) func([]uint64) { return func(v []uint64) { v[0] ^= 1 << bit } }
	late := int(right.Cycles) - 11*8*8 // when the counters are read
	for _, f := range []struct {
		name string
		port string
		from int
		edit func([]uint64)
		want string // of the error; "": other bytes
	}{
		{"no answer on the bus", "s_axil_bvalid", 0, set(0), "write of 0x1 to register 0x40: no answer in 256 cycles"},
		{"request never taken", "s_axil_awready", 0, set(0), "s_axil_awready and s_axil_wready differ in cycle"},
		{"an answer too early", "s_axil_bvalid", 0, set(1),
			"write of 0x1 to register 0x40: an answer before the request was taken"},
		{"refused", "s_axil_bresp", 0, set(2), "write of 0x1 to register 0x40: the answer is an error (response 2, cycle"},
		{"not ready", "s_axis_tready", 0, set(0), "s_axis_tready is low in cycle"},
		{"packets lost", "m_axis_tvalid", 0, set(0), "60 packets are missing after cycle"},
		{"packets doubled", "m_axis_tlast", 0, set(1), "come out; it has"},
		{"for another port", "m_axis_tuser", 0, flip(0), ": it comes out for port"},
		{"no such status", "m_axis_tuser", 0, func(v []uint64) { v[0] |= 0xf << 4 }, ": there is no status 15"},
		{"a hole in the last beat", "m_axis_tkeep", 0, func(v []uint64) { v[0] = 0x5 },
			"m_axis_tkeep of its last beat is 0x5: not ones from bit 0 on"},
		{"packets never end", "m_axis_tlast", 0, set(0), "come out; it has"},
		{"another status", "m_axis_tuser", 0, func(v []uint64) { v[0] &^= 0xf << 4 }, "the counter untagged of port"},
		{"a count too many", "s_axil_rdata", late, func(v []uint64) { v[0]++ }, "the counter "},
		{"a bit of the data", "m_axis_tdata", 0, flip(40), ""},
	} {
		t.Run(f.name, func(t *testing.T) {
			o := packets.Options{Pcap: path, Engine: "go", Out: temp(t, "out.pcap")}
			o.Open = func(name string, d engine.Design, eo engine.Options) (engine.Engine, error) {
				e, err := engine.Open(name, d, eo)
				return &edited{Engine: e, port: f.port, from: f.from, edit: f.edit}, err
			}
			if f.want == "" {
				rep, err := packets.RunPackets(c, list, o)
				require.NoError(t, err)
				assert.NotEqual(t, output(t, want), output(t, rep))
				return
			}
			_, err := packets.RunPackets(c, list, o)
			require.ErrorContains(t, err, f.want)
			_, err = packets.Run(c, o)
			require.Error(t, err)
			_, err = os.Stat(o.Out)
			assert.ErrorIs(t, err, os.ErrNotExist)
		})
	}
}
