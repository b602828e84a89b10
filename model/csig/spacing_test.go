package csig_test

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/model/csig"
)

// averages are an EWMA and a DRE with a time constant of 2^17 ns, on ports of 1G.
func averages(ports int) []csig.Config {
	var list []csig.Config
	for _, est := range []csig.Estimate{
		{Method: csig.EWMA, TimeShift: 17, GapShift: 9}, {Method: csig.DRE, TickShift: 13, DecayShift: 4},
	} {
		cfg := csig.DefaultConfig(ports, 1e6)
		cfg.Estimate = est
		cfg.Estimate.Overhead = csig.WireOverhead
		list = append(list, cfg)
	}
	return list
}

// free is the bandwidth that the last of so many packets of 1,500 bytes, spacing ns apart, finds free.
func free(d *csig.Device, from, spacing uint64, packets int) (abw uint64) {
	for i := range uint64(packets) {
		_, ev := d.Process(packet("", 1486), csig.Meta{EgressNs: from + i*spacing})
		abw = ev.Signals.ABW
	}
	return abw
}

// After a pause of many averaging times a port is idle, however it was before.
func TestIdleAfterPause(t *testing.T) {
	for _, cfg := range averages(1) {
		for _, burst := range []int{1, 2, 1000} {
			d := newDevice(t, cfg)
			free(d, 1<<20, 12_192, burst)
			assert.EqualValues(t, 1e6, free(d, 1<<40, 0, 1), "%s, %d packets before", cfg.Estimate.Method, burst)
		}
	}
}

// An EWMA shows the rate of a steady flow, whatever the spacing: from back to back to more than ten averaging times.
func TestSteadySpacing(t *testing.T) {
	cfg := averages(1)[0]
	for spacing, want := range map[uint64]uint64{
		12_192: 0, 24_384: 500_000, 100_000: 878_080, 131_072: 906_982, 1_000_000: 987_808, 1_400_000: 991_291,
	} {
		assert.InDelta(t, want, free(newDevice(t, cfg), 1<<20, spacing, 200), 1, "%d ns", spacing)
	}
}

// A port that is alone on the device shows what it shows among many.
func TestAloneAsAmongMany(t *testing.T) {
	for i := range averages(1) {
		alone, many := newDevice(t, averages(1)[i]), newDevice(t, averages(256)[i])
		now := uint64(1 << 20)
		for n := range 400 {
			now += uint64(6_096 + n%7*5_000)
			_, a := alone.Process(packet("", 1486), csig.Meta{EgressNs: now})
			for p := range 255 {
				if n%9 == p%9 {
					many.Process(packet("", 1000), csig.Meta{EgressPort: p + 1, EgressNs: now})
				}
			}
			_, b := many.Process(packet("", 1486), csig.Meta{EgressNs: now})
			if !assert.Equal(t, b.Signals.ABW, a.Signals.ABW, "packet %d", n) {
				break
			}
		}
	}
}

// What is shown is within its bound of the exact average at every packet, for every spacing from back to back to
// beyond ten averaging times, on the first and the last of 1 to 256 ports; that of an EWMA within its bound of the
// rate.
func TestSpacingsWithinBounds(t *testing.T) {
	const averaging = 1 << 17
	for _, ports := range []int{1, 2, 5, 64, 256} {
		for _, spacing := range []uint64{
			12_192, 50_001, averaging, 3 * averaging, 1_000_000, 10 * averaging, 31 * averaging,
		} {
			for _, cfg := range averages(ports) {
				d := newDevice(t, cfg)
				watched := map[int]*exact{0: {cfg: &cfg}, ports - 1: {cfg: &cfg}}
				start, last := uint64(1<<20), uint64(0)
				for now := start; now < start+max(30*averaging, 3*spacing); now += spacing {
					for port, e := range watched {
						e.advance(now)
						_, ev := d.Process(packet("", 1486), csig.Meta{EgressPort: port, EgressNs: now})
						problem := offBandwidth(&cfg, &ev.Signals, 1e6, e.used([2]uint64{}))
						require.Empty(t, problem, "%s, port %d of %d, every %d ns", cfg.Estimate.Method, port, ports, spacing)
						e.count(now, 1524)
						last = ev.Signals.ABW
					}
					for port := 1; port < ports-1; port += 7 {
						d.Process(packet("", 1000), csig.Meta{EgressPort: port, EgressNs: now + 1000})
					}
				}
				if rate := rat(1524*8e6, spacing); cfg.Estimate.Method == csig.EWMA {
					bound := add(boundsOf(&cfg, 1e6, new(big.Rat), rate).abw, rat(1, 1e6)) // less than e^-27 of 1 Gbit/s is missing
					require.Empty(t, off("ABW", last, sub(rat(1e6, 1), rate), bound), "%d ports, every %d ns", ports, spacing)
				}
			}
		}
	}
}

// A port that slept for half the range of its time or more is idle, with every method, while other ports are awake; so
// is a device that no packet passed for less than three quarters of the range.
func TestSleepers(t *testing.T) {
	const half = 1 << 31
	for _, cfg := range append(averages(2), csig.DefaultConfig(2, 1e6)) {
		cfg.Widths.Time = 32
		for _, slept := range []uint64{half/4 + 1, half - 1, half, half + half/4, 2*half - 1, 3 * half} {
			d := newDevice(t, cfg)
			start := uint64(1 << 20)
			free(d, start, 12_192, 100)
			for now := start; now < start+slept; now += 1 << 28 {
				d.Process(packet("", 1000), csig.Meta{EgressPort: 1, EgressNs: now})
			}
			assert.EqualValues(t, 1e6, free(d, start+slept+2_000_000, 0, 1), "%s after %d ns", cfg.Estimate.Method, slept)
			if alone := newDevice(t, cfg); slept < half+half/2 {
				free(alone, start, 12_192, 100)
				abw := free(alone, start+slept+2_000_000, 0, 1)
				assert.EqualValues(t, 1e6, abw, "%s alone after %d ns", cfg.Estimate.Method, slept)
			}
		}
	}
}

// A device that no packet passes for longer may show its previous value, but for a quarter of the range at
// most.
func TestLongSleepOfAll(t *testing.T) {
	const eighth = 1 << 29
	shown := 0 // idle times after which a port shows an outdated value
	for _, cfg := range append(averages(2), csig.DefaultConfig(2, 1e6)) {
		cfg.Widths.Time = 32
		for slept := uint64(6 * eighth); slept < 24*eighth; slept += eighth/2 + 12_345 {
			d := newDevice(t, cfg)
			start := uint64(3*eighth + eighth/2)
			free(d, start, 12_192, 100)
			if free(d, start+slept, 0, 1) < 1e6 {
				shown++
			}
			awake := start + slept
			for now := awake; now < awake+2*eighth; now += 1 << 24 {
				free(d, now, 0, 1)
			}
			assert.EqualValues(t, 1e6, free(d, awake+2*eighth+1<<24, 0, 1), "%s after %d ns", cfg.Estimate.Method, slept)
		}
	}
	assert.Positive(t, shown, "or the page could promise more")
}

// Time that runs back a little between ports forgets none of them.
func TestBackAcrossSection(t *testing.T) {
	cfg := averages(2)[1]
	d := newDevice(t, cfg)
	const border = 1 << 45
	for i := range uint64(10) {
		for port, now := range []uint64{border - 5000 + 1000*i, border - 5500 + 1000*i} {
			d.Process(packet("", 1486), csig.Meta{EgressPort: port, EgressNs: now})
		}
	}
	for port := range 2 {
		_, ev := d.Process(packet("", 50), csig.Meta{EgressPort: port, EgressNs: border + 5000})
		assert.Less(t, ev.Signals.ABW, uint64(400_000), "ten packets in ten us")
	}
}
