package csig_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hdlpkg/hpccgen/config/registers"
	"github.com/hdlpkg/hpccgen/model/csig"
)

// Reset in the middle of anything: packets, a table that is begun, an access. Afterwards the device is as new, whatever
// went before: it gives what another gives that has never been reset, cycle by cycle.
func TestResetInFlight(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		c := anyDesign(rt)
		c.AsyncReset = rapid.Bool().Draw(rt, "async")
		g := anyTiming(rt)
		r := newRig(t, c, g).program()
		r.idle, r.stall = sometimes(rt, "idle"), sometimes(rt, "stall")
		for _, p := range anyTraffic(rt, c, 20) {
			r.send(p.bytes, p.meta)
		}
		r.cycles(rapid.IntRange(0, 60).Draw(rt, "before"))
		if c.CompactTPID != 0 && rapid.Bool().Draw(rt, "table begun") {
			r.write(registers.BucketStart, 1)
			r.write(registers.BucketPush, 0)
			if rapid.Bool().Draw(rt, "on its way") {
				r.startWrite(registers.BucketCommit, 0)
			}
		} else if rapid.Bool().Draw(rt, "access") {
			r.startWrite(registers.PortTrust, 1)
		}
		r.cycles(rapid.IntRange(0, 40).Draw(rt, "until"))
		reset := rapid.IntRange(1, 3).Draw(rt, "reset")
		for n := range reset {
			r.in.Rst = true
			r.cycle()
			if n > 0 || c.AsyncReset {
				require.False(rt, r.out.Valid || r.out.Ready)
				require.Zero(rt, r.out.Bus)
			}
		}
		// What was on offer is withdrawn.
		r.in = csig.Inputs{Bus: csig.BusInputs{BReady: true, RReady: true}}
		r.source, r.got, r.partial, r.answers = nil, nil, nil, nil
		r.idle, r.stall = sometimes(rt, "idle after"), sometimes(rt, "stall after")

		fresh := newRig(t, c, g)
		idle, stall := r.idle, r.stall
		var idles, stalls []bool
		r.idle = func() bool { idles = append(idles, idle()); return idles[len(idles)-1] }
		r.stall = func() bool { stalls = append(stalls, stall()); return stalls[len(stalls)-1] }
		next := func(list *[]bool) func() bool {
			return func() bool { v := (*list)[0]; *list = (*list)[1:]; return v }
		}
		fresh.idle, fresh.stall = next(&idles), next(&stalls)
		traffic := anyTraffic(rt, c, 10)
		run := func(r *rig) {
			for _, p := range traffic[:5] {
				r.send(p.bytes, p.meta)
			}
			r.program()
			r.settle()
			for _, p := range traffic[5:] {
				r.send(p.bytes, p.meta)
			}
			r.settle()
			for port := range c.Ports {
				for s := csig.Untagged; s < csig.NoPort; s++ {
					r.count(port, s)
				}
			}
		}
		offset := r.m.Now()
		run(r)
		run(fresh)
		require.Equal(rt, fresh.m.NoPort(), r.m.NoPort())
		for i := range r.got {
			r.got[i].at -= offset
		}
		for i := range r.answers {
			r.answers[i].acted -= offset
			r.answers[i].at -= offset
		}
		require.Equal(rt, fresh.got, r.got)
		require.Equal(rt, fresh.answers, r.answers)
	})
}

// A table that is begun, or on its way, is forgotten.
func TestResetForgetsTables(t *testing.T) {
	sweep := timing
	sweep.Sweep = 1
	reset := func(r *rig) {
		r.in.Rst = true
		r.cycle()
		r.in.Rst = false
	}
	r := newRig(t, design(2, 512), sweep)
	r.must(registers.BucketStart, 2)
	r.must(registers.BucketPush, 0)
	reset(r)
	require.True(t, r.write(registers.BucketPush, 0))
	require.True(t, r.write(registers.BucketCommit, 0))

	r = newRig(t, design(2, 512), sweep)
	r.must(registers.BucketStart, 2)
	r.must(registers.BucketPush, 0)
	r.startWrite(registers.BucketCommit, 0)
	r.cycles(4)
	reset(r)
	r.must(registers.BucketStart, 2)
	r.must(registers.BucketPush, 0)
	r.cycles(40) // in which the table would have changed
	writes, err := registers.Program(r.cfg)
	require.NoError(t, err)
	for _, w := range writes {
		if w.Offset < registers.BucketStart {
			r.must(w.Offset, w.Data)
		}
	}
	require.Equal(t, csig.Passed, r.ask(2).Status)
	r.must(registers.BucketCommit, 0)
	require.Equal(t, csig.Kept, r.ask(2).Status)
}
