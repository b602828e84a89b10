package hpcc_test

import (
	"fmt"
	"math/big"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/law/hpcc"
)

// Two ACKs of a flow on one 100 Gbit/s link that carries 90% and queues 8,000 bytes.
func Example() {
	cfg, err := config.Load("nic-line")
	if err != nil {
		panic(err)
	}
	m, err := hpcc.New(cfg)
	if err != nil {
		panic(err)
	}
	profile := config.Profile{
		BaseRTTNs: 8000, Eta: big.NewRat(95, 100), MaxStage: 0, Fast: true,
		WAI: big.NewRat(50, 1), WMin: big.NewRat(1000, 1), WMax: big.NewRat(100000, 1),
	}
	entries, err := cfg.ProfileEntries(0, profile)
	if err != nil {
		panic(err)
	}
	rate, err := cfg.RateEntry(5, 100e9, 1) // rate code 5
	if err != nil {
		panic(err)
	}
	queue, err := cfg.QueueEntry(5, 0, 100e9, 1, profile)
	if err != nil {
		panic(err)
	}
	for _, e := range append(entries, rate, queue) {
		m.WriteTable(e)
	}
	window, _ := cfg.Formats.Window.Raw(big.NewRat(100000, 1))
	m.WriteContext(hpcc.ContextWrite{
		Flow: 7, Mask: hpcc.MaskProfile | hpcc.MaskU | hpcc.MaskWc | hpcc.MaskW | hpcc.MaskStage | hpcc.MaskStart,
		U: 1 << cfg.Formats.U.Frac, Wc: window.Uint64(), W: window.Uint64(),
	})

	// 352 units of 128 bytes in 4,000 ns; 100 units of 80 bytes in the queue.
	for _, a := range []hpcc.Ack{
		{Flow: 7, AckSeq: 1000, SndNxt: 50000, Now: 20000, Nhop: 1, Hop: [8]hpcc.Record{{RateCode: 5, TS: 10000, Tx: 500, Qlen: 100}}},
		{Flow: 7, AckSeq: 51000, SndNxt: 90000, Now: 24000, Nhop: 1, Hop: [8]hpcc.Record{{RateCode: 5, TS: 14000, Tx: 852, Qlen: 100}}},
	} {
		r := m.Event(a)
		u := cfg.Formats.U.Value(new(big.Int).SetUint64(r.U))
		w := cfg.Formats.Window.Value(new(big.Int).SetUint64(r.W))
		fmt.Println(r.Kind, r.Status, "U", u.FloatString(4), "W", w.FloatString(1))
	}
	// Output:
	// first first U 1.0000 W 100000.0
	// update ok U 0.9906 W 95955.3
}
