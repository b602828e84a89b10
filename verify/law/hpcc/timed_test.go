package hpcc

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/verify/engine"
	"github.com/hdlpkg/hpccgen/verify/replay"
)

// arrivals is a trace of flows and times in ns, with telemetry that makes sense.
func arrivals(t *testing.T, rows ...[2]int) string {
	trace := oneHop
	for i, r := range rows {
		ns := 1000 + 10*i
		trace += fmt.Sprintf("%d,%d,%d,%d,1,100000000000,%d,%d,0\n", r[1], r[0], 1000*i, 60_000+1000*i, ns, i)
	}
	return files(t, trace, flowsText)
}

// Waits that follow from the distance of ACKs of one flow: 10 cycles with nic-line, 10 ns each at 100 MHz.
func TestTimedWaits(t *testing.T) {
	cfg := preset(t, "nic-line")
	l, err := New(cfg)
	require.NoError(t, err)
	timing, err := l.Timing()
	require.NoError(t, err)
	apart := float64(timing.Hazard+1) * 10
	for _, c := range []struct {
		name     string
		clock    replay.Clock
		rows     [][2]int
		max      float64
		row      int
		delayed  int
		queue    int
		medianNs float64
	}{
		{"far apart", replay.Clock{MHz: 100, Compress: 1}, [][2]int{{0, 0}, {0, 1000}, {0, 2000}}, 0, 0, 0, 1, 0},
		{"at once", replay.Clock{MHz: 100, Compress: 1}, [][2]int{{0, 0}, {0, 0}, {0, 0}}, 2 * apart, 3, 2, 3, apart},
		{"30 ns apart", replay.Clock{MHz: 100, Compress: 1}, [][2]int{{0, 0}, {0, 30}, {0, 60}}, 2*apart - 60, 3, 2, 2,
			apart - 30},
		{"compressed", replay.Clock{MHz: 100, Compress: 2}, [][2]int{{0, 0}, {0, 60}, {0, 120}}, 2*apart - 60, 3, 2, 2,
			apart - 30},
		{"engines of their own", replay.Clock{MHz: 100, Compress: 1}, [][2]int{{0, 0}, {0, 30}, {7, 30}, {7, 1030}},
			apart - 30, 2, 1, 1, 0},
		{"one engine: the other flow waits behind", replay.Clock{MHz: 100, Compress: 1, Shared: true},
			[][2]int{{0, 0}, {0, 30}, {7, 30}, {7, 1030}}, apart - 20, 3, 2, 2, 0},
	} {
		path := arrivals(t, c.rows...)
		for _, name := range []string{"model", "go"} {
			rep, err := replayed(cfg, replay.Options{Trace: path, Engine: name, Timed: &c.clock})
			require.NoError(t, err, c.name)
			w := rep.Waits
			about := fmt.Sprintf("%s on %s: %+v", c.name, name, *w)
			assert.InDelta(t, c.max, w.MaxNs, 0.01, about)
			assert.Equal(t, c.row, w.MaxRow, about)
			assert.Equal(t, c.delayed, w.Delayed, about)
			assert.InDelta(t, c.medianNs, w.MedianNs, 0.01, about)
			assert.Equal(t, c.queue, w.Queue, about)
			assert.Zero(t, w.Lost, about)
		}
	}
}

// A timed replay gives the bytes of every other replay, on each engine, and the same waits.
func TestTimedGivesTheSameBytes(t *testing.T) {
	for _, c := range []struct {
		preset, trace string
		limit         int
	}{{"nic-line", "a_incast2_mi5", 3000}, {"nic-serial", "s_solo_mi0", 300}} {
		cfg := preset(t, c.preset)
		o := replay.Options{Trace: tracePath(c.trace), Limit: c.limit}
		want := output(t, cfg, o)
		var waits *replay.Waits
		for _, shared := range []bool{false, true} {
			for _, name := range []string{"model", "go"} {
				o.Engine, o.Timed = name, &replay.Clock{MHz: 150, Compress: 4, Shared: shared}
				assert.True(t, output(t, cfg, o) == want, "%s, %s, %t", c.preset, name, shared)
				rep, err := replayed(cfg, o)
				require.NoError(t, err)
				if name == "go" {
					assert.Equal(t, waits, rep.Waits)
				}
				waits = rep.Waits
			}
		}
	}
}

// A design whose s_ready or m_valid comes in another cycle than the model's is no measure of anything.
func TestTimedDesignMustAgree(t *testing.T) {
	cfg := preset(t, "nic-line")
	path := arrivals(t, [2]int{0, 0}, [2]int{0, 7}, [2]int{0, 14}, [2]int{0, 21}, [2]int{0, 28}, [2]int{0, 35}, [2]int{0, 42})
	for port, says := range map[string]string{"s_ready": "s_ready is ", "m_valid": "m_valid is "} {
		_, err := replayed(cfg, replay.Options{Trace: path, Engine: "go", Timed: &replay.Clock{MHz: 150, Compress: 1},
			Open: func(name string, d engine.Design, o engine.Options) (engine.Engine, error) {
				e, err := engine.Open(name, d, o)
				return flipped{e, port}, err
			}})
		assert.ErrorContains(t, err, says)
	}
}

// flipped turns a port of an engine over in every cycle.
type flipped struct {
	engine.Engine
	port string
}

func (f flipped) Run(cycles int, in, out []uint64) error {
	err := f.Engine.Run(cycles, in, out)
	for _, slot := range f.Layout().Outputs {
		for c := range cycles {
			if slot.Name == f.port {
				out[c*f.Layout().OutWords+slot.Offset] ^= 1
			}
		}
	}
	return err
}
