package csig_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/config/registers"
	"github.com/hdlpkg/hpccgen/model/csig"
)

// busWave draws the interface, a character a cycle: a is awready and wready, b is bvalid, r is arready, d is rvalid.
func busWave(r *rig, cycles int, each func(cycle int, in *csig.BusInputs)) string {
	var b strings.Builder
	for n := range cycles {
		each(n, &r.in.Bus)
		r.cycle()
		c := byte('.')
		for _, v := range []struct {
			on bool
			c  byte
		}{{r.out.Bus.AWReady, 'a'}, {r.out.Bus.WReady, 'a'}, {r.out.Bus.BValid, 'b'}, {r.out.Bus.ARReady, 'r'}, {r.out.Bus.RValid, 'd'}} {
			if v.on {
				require.True(r.t, c == '.' || c == v.c, "more than one thing at a time")
				c = v.c
			}
		}
		b.WriteByte(c)
	}
	return b.String()
}

// Ready in the cycle after an access is chosen, the answer from the fifth cycle after on, until it is taken; then the interface is idle for a cycle
// before the next.
func TestBusTiming(t *testing.T) {
	fresh := func() *rig {
		r := newRig(t, design(2, 512), timing)
		r.cycles(timing.Sweep)
		return r
	}
	write := func(in *csig.BusInputs) {
		in.AWValid, in.WValid, in.AWAddr, in.WStrb = true, true, registers.PortCapacity, 15
	}
	read := func(in *csig.BusInputs) { in.ARValid, in.ARAddr = true, registers.ID }
	t.Run("write", func(t *testing.T) {
		assert.Equal(t, ".a...b....", busWave(fresh(), 10, func(n int, in *csig.BusInputs) {
			if n == 0 {
				write(in)
			}
		}))
	})
	t.Run("read", func(t *testing.T) {
		assert.Equal(t, ".r...d....", busWave(fresh(), 10, func(n int, in *csig.BusInputs) {
			if n == 0 {
				read(in)
			}
		}))
	})
	t.Run("answers wait", func(t *testing.T) {
		assert.Equal(t, ".a...bbb.r...ddd..", busWave(fresh(), 18, func(n int, in *csig.BusInputs) {
			in.BReady, in.RReady = n == 7, n == 15
			switch n {
			case 0:
				write(in)
			case 8:
				read(in)
			}
		}))
	})
	t.Run("a write goes first, then they alternate", func(t *testing.T) {
		assert.Equal(t, ".a...b.r...d.a...b.r...d.", busWave(fresh(), 25, func(_ int, in *csig.BusInputs) {
			read(in)
			write(in)
		}))
	})
	t.Run("a kind alone goes back to back, and the other then goes first", func(t *testing.T) {
		assert.Equal(t, ".a...b.a...b.r...d.r...d.a...b.", busWave(fresh(), 31, func(n int, in *csig.BusInputs) {
			if n < 7 || n >= 20 {
				write(in)
			}
			if n >= 8 && n < 24 {
				read(in)
			}
		}))
	})
	t.Run("a write needs address and data", func(t *testing.T) {
		assert.Equal(t, "....a...b.", busWave(fresh(), 10, func(n int, in *csig.BusInputs) {
			switch n {
			case 0:
				write(in)
				in.WValid = false
			case 3:
				in.WValid = true
			}
		}))
	})
	t.Run("a valid that is withdrawn makes no access, and does not count as the last one", func(t *testing.T) {
		r := fresh()
		in, wave := &r.in.Bus, ""
		for n := range 20 {
			switch n {
			case 0:
				write(in)
			case 6: // the write was the last access: the read goes first
				read(in)
				write(in)
			case 7:
				in.ARValid = false
			case 8:
				read(in)
			case 15:
				in.WValid = false
			}
			r.m.Cycle(&r.in, &r.out)
			out := &r.out.Bus
			in.AWValid, in.WValid = in.AWValid && !out.AWReady, in.WValid && !out.WReady
			in.ARValid = in.ARValid && !out.ARReady
			wave += map[[4]bool]string{{}: ".", {true}: "a", {1: true}: "b", {2: true}: "r", {3: true}: "d"}[[4]bool{
				out.AWReady, out.BValid, out.ARReady, out.RValid}]
		}
		assert.Equal(t, ".a...b.r.r...d.a....", wave)
	})
	t.Run("not before the counters are cleared", func(t *testing.T) {
		r := newRig(t, design(2, 512), timing)
		got := busWave(r, timing.Sweep+6, func(n int, in *csig.BusInputs) {
			if n == 0 {
				read(in)
			}
		})
		assert.Equal(t, strings.Repeat(".", timing.Sweep)+".r...d", got)
	})
	for n := 1; n <= csig.Buckets; n++ {
		r := fresh()
		r.must(registers.BucketStart, 1)
		for range n {
			r.must(registers.BucketPush, 0)
		}
		r.startWrite(registers.BucketCommit, 0)
		a := r.finish()
		assert.EqualValues(t, 68-n, a.at-a.acted, "%d bounds", n)
		assert.False(t, a.slverr)
		r.startWrite(registers.BucketCommit, 0)
		a = r.finish()
		assert.EqualValues(t, 3, a.at-a.acted)
		assert.True(t, a.slverr)
	}
}

// Every register: its value after reset, the bits it keeps, and that illegal accesses get an error and change nothing.
func TestRegisterMap(t *testing.T) {
	for name, edit := range map[string]func(*config.CSIG){
		"all":         func(*config.CSIG) {},
		"no compact":  func(c *config.CSIG) { c.CompactTPID = 0 },
		"no expanded": func(c *config.CSIG) { c.ExpandedTPID = 0 },
		"UEC":         func(c *config.CSIG) { c.UEC = true },
		"EWMA":        func(c *config.CSIG) { c.Method = config.CSIGEWMA },
	} {
		t.Run(name, func(t *testing.T) {
			c := design(3, 128)
			edit(c)
			compact, expanded := uint32(0x7f), uint32(0xffff)
			if c.UEC {
				compact, expanded = 0x3f, 0x7fff
			}
			if c.CompactTPID == 0 {
				compact = 0
			}
			if c.ExpandedTPID == 0 {
				expanded = 0
			}
			readOnly := map[uint32]uint32{0: 0x43534947, 4: 1, 8: 16<<16 | 3, 0x10: 0x89abcdef, 0x14: 0x01234567, 0x18: 0}
			kept := map[uint32]uint32{ // bits
				0x40: 1, 0x44: 1<<32 - 1, 0x48: 1<<32 - 1, 0x4c: 63, 0x50: 1<<32 - 1, 0x54: 63, 0x58: 1<<32 - 1,
				0x84: 1<<32 - 1, 0x88: 63, 0x8c: 255,
			}
			for n := range uint32(4) {
				kept[0x60+4*n] = expanded<<16 | compact
			}
			if c.Method == config.CSIGRaw {
				kept[0x80] = 1<<32 - 1
			}
			writeOnly := map[uint32]bool{0x70: true, 0x9c: true}
			if c.CompactTPID != 0 {
				writeOnly[0xa0], writeOnly[0xa4], writeOnly[0xa8] = true, true, true
			}
			if c.ExpandedTPID != 0 {
				kept[0xb0], kept[0xb4], writeOnly[0xb8] = 1<<32-1, 1<<32-1, true
			}
			for port := range uint32(3) {
				for _, s := range []uint32{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 15} {
					readOnly[0x1000+64*port+4*s] = 0
				}
			}
			r := newRig(t, c, timing)
			addresses := []uint32{1, 2, 3, 0x41, 0x1002, 0xffc, 0x10c0, 0x10fc, 0x2000, 0x8040, 0xfffc, 0xffff}
			for a := uint32(0); a < 0x110; a += 4 {
				addresses = append(addresses, a, 0x1000+a)
			}
			for _, a := range addresses {
				value, slverr := r.read(a)
				want, ro := readOnly[a]
				mask, rw := kept[a]
				if rw && a == 0x8c {
					want = 24
				}
				require.Equal(t, !ro && !rw, slverr, "read of %#x", a)
				require.Equal(t, want, value, "read of %#x", a)
				if writeOnly[a] {
					continue
				}
				require.Equal(t, !rw, r.write(a, 0xffffffff), "write to %#x", a)
				if rw {
					value, _ = r.read(a)
					require.Equal(t, mask, value)
					for strobes := range uint8(15) {
						r.startWrite(a, 0)
						r.in.Bus.WStrb = strobes
						require.True(t, r.finish().slverr)
					}
					value, _ = r.read(a)
					require.Equal(t, mask, value, "written with strobes missing: %#x", a)
				}
			}
		})
	}
}

// staged holds the writes before a legal commit.
type staged map[uint32]uint32

func (s staged) with(offset, data uint32) staged {
	out := staged{offset: data}
	for o, d := range s {
		if o != offset {
			out[o] = d
		}
	}
	return out
}

// Each rule of PORT_COMMIT, ESTIMATE_COMMIT and QUANTIZER_COMMIT: at the limit and one beyond.
func TestCommitRules(t *testing.T) {
	c := design(3, 512)
	c.RecipBits, c.RatioBits = 30, 24
	port := staged{
		registers.PortTrust: 1, registers.PortCapacity: 1000, registers.PortRatio: 1 << 29, registers.PortRatioShift: 63,
		registers.PortDepth: 1<<30 - 1, registers.PortDepthShift: 0, registers.PortActions: 0b01010101_01010101_01010101_10101010,
	}
	estimate := staged{registers.EstimateWindow: 1000, registers.EstimateFactor: 1 << 29, registers.EstimateShift: 9, registers.EstimateOverhead: 255}
	quantizer := staged{registers.QuantizerBase: 1<<32 - 1, registers.QuantizerStep: 1}
	for _, x := range []struct {
		name   string
		regs   staged
		commit uint32
		data   uint32
		slverr bool
	}{
		{"port", port, registers.PortCommit, 2, false},
		{"no such port", port, registers.PortCommit, 3, true},
		{"no such port in the upper bits", port, registers.PortCommit, 1 << 31, true},
		{"capacity", port.with(registers.PortCapacity, 999), registers.PortCommit, 0, true},
		{"largest capacity", port.with(registers.PortCapacity, 1<<32-1), registers.PortCommit, 0, false},
		{"ratio a bit short", port.with(registers.PortRatio, 1<<29-1), registers.PortCommit, 0, true},
		{"ratio a bit long", port.with(registers.PortRatio, 1<<30), registers.PortCommit, 0, true},
		{"ratio none", port.with(registers.PortRatio, 0), registers.PortCommit, 0, true},
		{"depth a bit short", port.with(registers.PortDepth, 1<<29-1), registers.PortCommit, 0, true},
		{"depth with a bit above", port.with(registers.PortDepth, 1<<31|1<<29), registers.PortCommit, 0, true},
		{"action 3", port.with(registers.PortActions, 3), registers.PortCommit, 0, true},
		{"action 3 of the last type", port.with(registers.PortActions, 3<<30), registers.PortCommit, 0, true},
		{"update of type 3", port.with(registers.PortActions, 2<<6), registers.PortCommit, 0, false},
		{"update of type 4", port.with(registers.PortActions, 2<<8), registers.PortCommit, 0, true},
		{"update of type 15", port.with(registers.PortActions, 2<<30), registers.PortCommit, 0, true},
		{"estimate", estimate, registers.EstimateCommit, 77, false},
		{"window too small", estimate.with(registers.EstimateWindow, 999), registers.EstimateCommit, 0, true},
		{"largest window", estimate.with(registers.EstimateWindow, 1e9), registers.EstimateCommit, 0, false},
		{"window too large", estimate.with(registers.EstimateWindow, 1e9+1), registers.EstimateCommit, 0, true},
		{"window with a bit above", estimate.with(registers.EstimateWindow, 1<<31|1000), registers.EstimateCommit, 0, true},
		{"factor a bit short", estimate.with(registers.EstimateFactor, 1<<29-1), registers.EstimateCommit, 0, true},
		{"factor a bit long", estimate.with(registers.EstimateFactor, 1<<30), registers.EstimateCommit, 0, true},
		{"quantizer", quantizer, registers.QuantizerCommit, 3, false},
		{"no such type", quantizer, registers.QuantizerCommit, 4, true},
		{"step 0", quantizer.with(registers.QuantizerStep, 0), registers.QuantizerCommit, 0, true},
	} {
		r := newRig(t, c, timing)
		for o, d := range x.regs {
			r.must(o, d)
		}
		require.Equal(t, x.slverr, r.write(x.commit, x.data), x.name)
		r.startWrite(x.commit, x.data)
		r.in.Bus.WStrb = 14
		require.True(t, r.finish().slverr, "%s, strobes", x.name)
		for o, d := range x.regs { // a commit leaves the staged values
			value, _ := r.read(o)
			require.Equal(t, d, value, x.name)
		}
	}
}

// The rules of bucket tables: what starts one, what discards it, and that the table in use survives every error.
func TestBucketRules(t *testing.T) {
	const start, push, commit = registers.BucketStart, registers.BucketPush, registers.BucketCommit
	type step struct {
		offset, data uint32
		slverr       bool
	}
	ok := func(offset, data uint32) step { return step{offset, data, false} }
	bad := func(offset, data uint32) step { return step{offset, data, true} }
	full := []step{ok(start, 2)}
	for i := range uint32(csig.Buckets) {
		full = append(full, ok(push, i/2))
	}
	for name, steps := range map[string][]step{
		"nothing begun":                    {bad(push, 0), bad(commit, 0)},
		"empty":                            {ok(start, 2), bad(commit, 0), bad(push, 0)},
		"no such type":                     {bad(start, 4), bad(push, 0), bad(commit, 0)},
		"no such type in the upper bits":   {bad(start, 1<<31|2)},
		"a bad start ends the table begun": {ok(start, 2), ok(push, 0), bad(start, 4), bad(push, 0), bad(commit, 0)},
		"first bound is not 0":             {ok(start, 2), bad(push, 1), bad(push, 0), bad(commit, 0)},
		"decreases":                        {ok(start, 2), ok(push, 0), ok(push, 7), bad(push, 6), bad(push, 8), bad(commit, 0)},
		"33 bounds":                        append(append([]step{}, full...), bad(push, 100), bad(commit, 0)),
		"starts anew after an error":       {ok(start, 2), bad(push, 1), ok(start, 3), ok(push, 0), ok(commit, 0)},
		"starts anew":                      {ok(start, 2), ok(push, 0), ok(push, 5), ok(start, 3), ok(push, 0), ok(commit, 0)},
		"nothing is begun after a commit":  {ok(start, 3), ok(push, 0), ok(commit, 0), bad(push, 0), bad(commit, 0)},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, design(2, 512), timing).program()
			for i, s := range steps {
				require.Equal(t, s.slverr, r.write(s.offset, s.data), "step %d", i)
			}
			require.EqualValues(t, 1, r.ask(2).Code, "the table of type 2 is in use as before") // 18 us
		})
	}
	t.Run("32 bounds", func(t *testing.T) {
		r := newRig(t, design(2, 512), timing).program()
		for _, s := range append(full, ok(commit, 0)) {
			require.Equal(t, s.slverr, r.write(s.offset, s.data))
		}
		require.EqualValues(t, 31, r.ask(2).Code)
	})
	t.Run("missing strobes leave the table begun", func(t *testing.T) {
		r := newRig(t, design(2, 512), timing).program()
		r.must(start, 2)
		r.must(push, 0)
		for _, o := range []uint32{start, push, commit} {
			r.startWrite(o, 4)
			r.in.Bus.WStrb = 7
			require.True(t, r.finish().slverr)
		}
		r.must(push, 9)
		r.must(commit, 0)
		require.EqualValues(t, 1, r.ask(2).Code)
	})
}

// ask sends a packet of meta's with a compact tag of a type to port 1, and answers what became of it.
func (r *rig) ask(signal uint8) csig.Event {
	r.t.Helper()
	var got csig.Event
	r.m.OnDecision = func(_ int64, ev *csig.Event) { got = *ev }
	r.send(compactPacket(r.t, signal, 46), meta)
	r.drain(len(r.got) + 1)
	return got
}

// Any accesses with any handshakes: none is lost, a valid stays until it is taken, and its payload with it.
func TestBusProtocol(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		c := design(2, 64)
		r := newRig(t, c, timing)
		r.cycles(timing.Sweep)
		slow := []func() bool{sometimes(rt, "aw"), sometimes(rt, "w"), sometimes(rt, "ar"), sometimes(rt, "b"), sometimes(rt, "r")}
		started, answered := [2]int{}, [2]int{}
		var before csig.BusOutputs
		var in csig.BusInputs
		addr := rapid.SampledFrom([]uint16{registers.ID, registers.PortCapacity, registers.PortCommit, registers.BucketStart, registers.BucketPush, registers.BucketCommit, 0x1000, 0x3000})
		for n := range 300 {
			if !in.AWValid && !slow[0]() {
				in.AWValid, in.AWAddr = true, addr.Draw(rt, "write to")
			}
			if !in.WValid && !slow[1]() {
				in.WValid, in.WData, in.WStrb = true, rapid.Uint32Range(0, 3).Draw(rt, "data"), 15
			}
			if !in.ARValid && !slow[2]() {
				in.ARValid, in.ARAddr = true, addr.Draw(rt, "read of")
			}
			bready, rready := in.BReady, in.RReady
			in.BReady, in.RReady = !slow[3](), !slow[4]()
			r.in.Bus = in
			r.m.Cycle(&r.in, &r.out)
			out := r.out.Bus
			if before.BValid && !bready || before.RValid && !rready {
				require.Equal(rt, before, out, "cycle %d", n)
			}
			require.Equal(rt, out.AWReady, out.WReady)
			if out.AWReady {
				require.True(rt, in.AWValid && in.WValid)
				in.AWValid, in.WValid = false, false
				started[0]++
			}
			if out.ARReady {
				require.True(rt, in.ARValid)
				in.ARValid = false
				started[1]++
			}
			if out.BValid && in.BReady {
				answered[0]++
			}
			if out.RValid && in.RReady {
				answered[1]++
			}
			for i := range started {
				require.LessOrEqual(rt, answered[i], started[i])
			}
			require.LessOrEqual(rt, started[0]+started[1]-answered[0]-answered[1], 1, "one at a time")
			if out.RError {
				require.Zero(rt, out.RData)
			}
			before = out
		}
	})
}

func ExampleClocked() {
	c := design(4, 512)
	m, err := csig.NewClocked(c, timing)
	if err != nil {
		fmt.Println(err)
		return
	}
	var in csig.Inputs
	var out csig.Outputs
	in.Bus = csig.BusInputs{ARValid: true, ARAddr: registers.ID, RReady: true}
	for !out.Bus.RValid {
		m.Cycle(&in, &out)
	}
	fmt.Printf("%#x in cycle %d\n", out.Bus.RData, m.Now()-1)
	// Output: 0x43534947 in cycle 69
}
