package inband

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/config/registers"
	"github.com/hdlpkg/hpccgen/model/inband"
	"github.com/hdlpkg/hpccgen/verify/drive"
	"github.com/hdlpkg/hpccgen/verify/stimulus/timeline"
	"github.com/hdlpkg/hpccgen/verify/stimulus/transit"
)

func design(f config.INTFormat, bits, ports int) config.INT {
	c := config.INT{
		Name: "int_test", Hash: "0123456789abcdef", Ports: ports, DataBits: bits, Format: f, TimeBits: 48, QlenBits: 32,
		QlenUnit: 80, TxUnit: 128,
		MaxHops: 5, TxBit: 12, Order: config.IOAMByBit, VLANTPIDs: []uint16{0x8100, 0x88a8}, Node: 0x5a7,
		OverheadBytes: 24, Port: make([]config.INTPort, ports),
	}
	switch f {
	case config.INTIFA:
		c.Match, c.Space = 253, 3
	case config.INTIOAM:
		c.Space = 0xbeef
	default:
		c.Match = 4791
	}
	for i := range c.Port {
		c.Port[i] = config.INTPort{Enabled: i != 2, MTU: 9000, RateCode: uint8(i & 15)}
		if i == 1 {
			c.Port[i].MTU = 160
		}
	}
	return c
}

// Without back pressure a beat leaves in each cycle.
func TestThroughput(t *testing.T) {
	for _, f := range []config.INTFormat{config.INTHPCC, config.INTMD, config.INTIFA, config.INTIOAM} {
		for _, bits := range []int{64, 512} {
			c := design(f, bits, 4)
			s, err := NewSubject(&c, false)
			require.NoError(t, err)
			var d *device
			open := s.Open
			s.Open = func(side *transit.Side) (transit.Device, error) {
				opened, err := open(side)
				d = opened.(*device)
				return opened, err
			}
			_, err = s.Random(1)
			require.NoError(t, err)
			const cycles = 20_000
			script := &transit.Script{Cycles: cycles, Width: bits / 8, Resets: []timeline.Span{{From: 0, To: 2}}}
			for _, w := range registers.ProgramINT(&c) {
				op := transit.Write{Addr: uint16(w.Offset), Data: w.Data, Strb: transit.AllStrobes}
				script.Writes = append(script.Writes, timeline.At[transit.Write]{Cycle: 2, Op: op})
			}
			for beats := 0; beats < cycles; {
				var p transit.Packet
				d.Packet(&p)
				beats += (len(p.Bytes) + bits/8 - 1) / (bits / 8)
				script.Packets = append(script.Packets, timeline.At[transit.Packet]{Cycle: 2, Op: p})
			}
			side, err := s.Play(script)
			require.NoError(t, err)
			beats := 0
			drive.NewLeg(s.Frame(), side, "").RunTo(cycles, func(cycle int64, _, want []uint64) {
				var out inband.Outputs
				if s.Binding.Outputs(want, &out); out.Valid && cycle >= cycles/2 {
					beats++
				}
			})
			assert.Equal(t, cycles/2, beats, "%s, %d bits", f, bits)
		}
	}
}

// Deviations of the model are detected. Cycle counts are checked by TestEveryNumberOfTimingIsHeld of verify/cosim.
func TestINTDifferencesAreSeen(t *testing.T) {
	for name, change := range map[string]func(*config.INT){
		"qlen unit": func(c *config.INT) { c.QlenUnit++ },
		"tx unit":   func(c *config.INT) { c.TxUnit *= 2 },
		"hops":      func(c *config.INT) { c.MaxHops-- },
		"reserved":  func(c *config.INT) { c.Reserved = true },
		"VLAN":      func(c *config.INT) { c.VLANTPIDs = c.VLANTPIDs[:1] },
		"hash":      func(c *config.INT) { c.Hash = "0123456789abcdee" },
		"bit of tx": func(c *config.INT) { c.TxBit++ },
		"order":     func(c *config.INT) { c.Order = config.IOAMFigure },
	} {
		t.Run(name, func(t *testing.T) {
			f := config.INTHPCC
			if name == "bit of tx" || name == "order" {
				f = config.INTIOAM
			}
			c := design(f, 128, 4)
			other := c
			change(&other)
			s, err := newSubject(&c, &other, false)
			require.NoError(t, err)
			// it ends with the first difference
			rep, err := drive.Compare(s, c.Name, c.Hash, drive.Options{Engine: "go", Cycles: 400_000, Seed: 3, NoShrink: true})
			require.NoError(t, err)
			assert.NotZero(t, rep.Mismatches)
		})
	}
}

// TestFirstINTTap holds that a report names the value that is wrong first, not the output in which it shows.
func TestFirstINTTap(t *testing.T) {
	for tap, change := range map[string]func(c *config.INT){
		"qlen":   func(c *config.INT) { c.QlenUnit++ },
		"tx":     func(c *config.INT) { c.TxUnit *= 2 },
		"status": func(c *config.INT) { c.VLANTPIDs = c.VLANTPIDs[:1] },
	} {
		cfg := design(config.INTHPCC, 128, 3)
		other := cfg
		change(&other)
		s, err := newSubject(&cfg, &other, true)
		require.NoError(t, err)
		rep, err := drive.Compare(s, cfg.Name, cfg.Hash, drive.Options{Engine: "go", Cycles: 50_000, Seed: 1, NoShrink: true})
		require.NoError(t, err)
		require.NotNil(t, rep.Divergence, tap)
		assert.True(t, rep.Divergence.Tap, tap)
		assert.Contains(t, rep.Divergence.Path, tap)
		assert.NotEmpty(t, rep.Divergence.Packet)
	}
}
