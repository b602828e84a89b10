package block

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/csig"
)

// meterShape is a configuration with the parameters that meters depend on.
func meterShape(method config.CSIGMethod, ports, data, time, bytes, frac, shift1, shift2 int) config.CSIG {
	return config.CSIG{Method: method, Ports: ports, DataBits: data, Deep: data > 64, TimeBits: time, ByteBits: bytes,
		FracBits: frac, TimeShift: shift1, GapShift: shift2, TickShift: shift1, DecayShift: shift2}
}

func meters() []config.CSIG {
	raw := func(ports, data, time, bytes int) config.CSIG {
		return meterShape(config.CSIGRaw, ports, data, time, bytes, 0, 0, 0)
	}
	ewma := func(ports, data, time, bytes, frac, shift, gap int) config.CSIG {
		return meterShape(config.CSIGEWMA, ports, data, time, bytes, frac, shift, gap)
	}
	dre := func(ports, data, time, bytes, frac, tick, decay int) config.CSIG {
		return meterShape(config.CSIGDRE, ports, data, time, bytes, frac, tick, decay)
	}
	return []config.CSIG{
		ewma(64, 512, 48, 40, 16, 17, 7), ewma(4, 64, 40, 24, 0, 20, 10), ewma(1, 64, 32, 16, 0, 10, 0),
		ewma(2, 64, 64, 40, 16, 30, 29), ewma(20, 128, 32, 17, 5, 30, 0),
		dre(64, 512, 48, 40, 16, 12, 5), dre(4, 64, 40, 24, 0, 13, 4), dre(1, 64, 32, 16, 0, 29, 1),
		dre(2, 64, 64, 40, 16, 4, 6), dre(20, 128, 32, 17, 5, 9, 1), dre(17, 64, 33, 18, 16, 24, 6),
		raw(64, 512, 48, 40), raw(4, 64, 40, 24), raw(1, 64, 32, 16), raw(2, 128, 64, 17), raw(3, 256, 33, 18),
		raw(256, 512, 64, 40), raw(5, 64, 48, 32),
	}
}

func TestMeters(t *testing.T) {
	for _, e := range engines {
		t.Run(e, func(t *testing.T) {
			var units []*Unit
			for i, c := range meters() {
				units = append(units, Meter(fmt.Sprintf("meter%d_%s", i, c.Method), c))
			}
			cycles := int64(200_000)
			if e == "go" || testing.Short() {
				cycles = 20_000
			}
			run(t, units, Options{Engine: e, Cycles: cycles, Seed: 1, Resets: true})
		})
	}
}

// The plain meter agrees with the golden model on the same packets.
func TestPlainMeterIsTheGoldenModels(t *testing.T) {
	for i, c := range meters() {
		t.Run(fmt.Sprintf("%d_%s", i, c.Method), func(t *testing.T) {
			r := rand.New(rand.NewPCG(uint64(i), 5))
			methods := map[config.CSIGMethod]csig.Method{config.CSIGRaw: csig.Raw, config.CSIGEWMA: csig.EWMA,
				config.CSIGDRE: csig.DRE}
			cfg := csig.DefaultConfig(c.Ports, 100_000_000)
			cfg.Widths.Time, cfg.Widths.Bytes, cfg.Widths.Frac = c.TimeBits, c.ByteBits, c.FracBits
			cfg.Estimate = csig.Estimate{Method: methods[c.Method], TimeShift: c.TimeShift, GapShift: c.GapShift,
				TickShift: c.TickShift, DecayShift: c.DecayShift,
				Window: 1000 + r.Uint64N(1e6), Overhead: r.Uint64N(256)}
			golden, err := csig.New(cfg)
			require.NoError(t, err)
			d := &meterDriver{ref: newPlainMeter(&c, cfg.Estimate.Window)}
			packet := make([]byte, 65_535)
			for n := range 20_000 {
				op := d.draw(r)
				op.advance, op.count = true, true
				length := max(min(op.bytes, 65_535), 60)
				op.bytes = length + cfg.Estimate.Overhead
				d.ref.do(op)
				golden.Process(packet[:length], csig.Meta{EgressPort: op.port, EgressNs: op.now})
				d.now = op.now
				p := d.ref.ports[op.port]
				require.Equal(t, golden.Meter(op.port),
					csig.Meter{Seen: p.seen, Time: p.time, Pending: p.pending, Value: p.value,
						Phase: p.phase}, "packet %d, %+v", n, op)
			}
		})
	}
}
