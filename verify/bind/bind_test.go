package bind

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

type inner struct {
	TS, PathID uint64
	RateCode   uint8
}

type sample struct {
	Rst bool
	S   struct {
		Valid bool
		inner
	}
	CD struct {
		Valid   bool
		Payload struct {
			Hop   [2]inner
			Count uint32
			Index int
			Addr  uint16
		}
	}
	CDReady bool
	Data    [4]byte
}

var sampleTable = Table{Owner: "the sample", Doc: "this test", Inputs: []Port{
	At("rst", 1), At("s_valid", 1), At("s_ts", 64), At("s_path_id", 0), At("s_rate_code", 3),
	At("cd_valid", 1), At("cd_hop0_ts", 20), At("cd_hop1_path_id", 7), At("cd_count", 32), At("cd_number", 5),
	At("cd_addr", 16), At("cd_ready", 1),
}}

// Fields are found by their names; what has no port stays as it is.
func TestRecord(t *testing.T) {
	l := sampleTable.Layout()
	require.NoError(t, sampleTable.Check(l))
	rename := func(path string) string {
		if path == "cd_index" {
			return "cd_number"
		}
		return path
	}
	r := New[sample](l.Inputs, false, rename)
	assert.Empty(t, r.Unbound)
	assert.Equal(t, []string{"cd_number"}, New[sample](l.Inputs, false, nil).Unbound)
	var v, back sample
	v.Rst, v.CDReady = true, true
	v.S.Valid, v.S.TS, v.S.PathID, v.S.RateCode = true, ^uint64(0), 9, 13
	c := &v.CD.Payload
	c.Hop[0].TS, c.Hop[1].PathID, c.Count, c.Index, c.Addr = 1<<20+5, 77, 1<<31, 17, 0xfedc
	words := make([]uint64, l.InWords)
	r.Put(words, &v)
	assert.Equal(t, []uint64{1, 1, ^uint64(0), 5, 0, 5, 77, 1 << 31, 17, 0xfedc, 1}, words, "cut to the ports")
	back.S.PathID = 4
	r.Get(words, &back)
	v.S.PathID, v.S.RateCode, c.Hop[0].TS = 4, 5, 5
	assert.Equal(t, v, back)

	clear(words)
	guarded := New[sample](l.Inputs, true, rename)
	guarded.Put(words, &v)
	assert.Equal(t, []uint64{1, 1, ^uint64(0), 5, 0, 0, 0, 0, 0, 0, 0}, words, "cd_valid is low")
}

// Ports that are missing, of another width or unknown are named.
func TestCheck(t *testing.T) {
	l := sampleTable.Layout()
	l.Inputs[1].Name, l.Inputs[3].Width = "s_valued", 4
	assert.EqualError(t, sampleTable.Check(l), "input port s_valued is not one of the sample's (this test)\n"+
		"input port s_rate_code has 4 bits; the configuration gives 3\ninput port s_valid (1 bits) is missing")
	assert.Equal(t, vgen.Slot{}, Find(l.Inputs, "s_valid"))
}
