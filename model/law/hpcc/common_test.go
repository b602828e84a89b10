package hpcc_test

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/law/hpcc"
)

// typicalProfile has T = 8192 ns and windows for 100 Gbit/s.
func typicalProfile() config.Profile {
	return config.Profile{
		BaseRTTNs: 8192, Eta: big.NewRat(95, 100), MaxStage: 5, Fast: true,
		WAI: big.NewRat(80, 1), WMin: big.NewRat(1000, 1), WMax: big.NewRat(102400, 1),
	}
}

// line is a copy of the preset nic-line with link identifiers, for a test to change.
func line(tb testing.TB) *config.NIC {
	cfg := *load(tb, "nic-line")
	cfg.Telemetry.LinkIDBits = 8
	return &cfg
}

// rig is a model with profile 0 typical, profile 1 the same without fast reaction, rate code 1 known, and flow 0 open
// with telemetry stored at time 1000: hops at timestamps 1000+i.
type rig struct {
	*hpcc.Model
	cfg *config.NIC
}

const rigFlow = 0

func newRig(tb testing.TB, cfg *config.NIC) *rig {
	tb.Helper()
	m, err := hpcc.New(cfg)
	require.NoError(tb, err)
	tables, flows := program(tb, cfg, 1)
	slow := typicalProfile()
	slow.Fast = false
	more, err := cfg.ProfileEntries(1, slow)
	require.NoError(tb, err)
	queue, err := cfg.QueueEntry(1, 1, 100e9, 1, slow)
	require.NoError(tb, err)
	for _, w := range append(append(tables, more...), queue) {
		m.WriteTable(w)
	}
	for _, w := range flows {
		m.WriteContext(w)
	}
	r := &rig{m, cfg}
	first := r.Event(rigAck(0))
	require.Equal(tb, hpcc.KindFirst, first.Kind)
	return r
}

// rigAck is an ACK over the rig's three-hop path, dt ticks after the stored telemetry, for a sequence number that
// commits.
func rigAck(dt uint64) hpcc.Ack {
	a := hpcc.Ack{Flow: rigFlow, AckSeq: 5000, SndNxt: 4000, Now: 1000 + dt, Nhop: 3, PathID: 7}
	if dt > 0 {
		a.SndNxt = 9000
	}
	for h := range 3 {
		a.Hop[h] = hpcc.Record{LinkID: uint32(h) + 1, RateCode: 1, TS: 1000 + uint64(h) + dt, Tx: 50 + dt/16,
			Qlen: uint32(10 * h)}
	}
	return a
}
