package packets_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/verify/packets"
)

// mixes are orders of packets that a pipeline may find hard.
var mixes = []struct {
	name string
	// whether a packet of the corpus goes in, given the lengths of those that are in
	pick func(rng *rand.Rand, lengths []int) bool
}{
	{"short ones", func(_ *rand.Rand, l []int) bool { return l[len(l)-1] <= 64 }},
	{"all", func(*rand.Rand, []int) bool { return true }},
	{"long after short", func(_ *rand.Rand, l []int) bool {
		return len(l) < 2 || (l[len(l)-2] < 100) != (l[len(l)-1] < 100)
	}},
	{"few", func(rng *rand.Rand, _ []int) bool { return rng.IntN(20) == 0 }},
}

// mixed takes packets of a corpus at random, as a mix has them.
func mixed(seed uint64, mix int, from [][]byte, count int) [][]byte {
	rng := rand.New(rand.NewPCG(seed, uint64(mix)))
	var list [][]byte
	var lengths []int
	for range 200 * count {
		b := from[rng.IntN(len(from))]
		if len(b) > 3000 || !mixes[mix].pick(rng, append(lengths, len(b))) {
			continue
		}
		list, lengths = append(list, b), append(lengths, len(b))
		if len(list) == count {
			break
		}
	}
	return list
}

// TestMixes sends mixes of packets through designs as fast as the pace lets them: that every beat is taken when it is
// offered is checked there.
func TestMixes(t *testing.T) {
	strip := func(c *config.CSIG) { c.DataBits, c.Deep = 64, false }
	wide := func(c *config.CSIG) { c.DataBits, c.Deep = 512, true }
	for mix := range mixes {
		t.Run(mixes[mix].name, func(t *testing.T) {
			for seed := range uint64(2) {
				for i, edit := range []func(*config.CSIG){strip, wide} {
					c := newSwitch(t, edit)
					for p := range c.Port { // every tag goes
						for s := range c.Port[p].Actions {
							c.Port[p].Actions[s] = config.CSIGStrip
						}
					}
					cases, err := corpusCases(corpusOptions{Seed: seed, Tags: tags(c), Split: split(c)})
					require.NoError(t, err)
					run(t, fmt.Sprintf("csig %d, seed %d", i, seed), c, corpusTraffic{Seed: seed, Ports: c.Ports,
						Start: start, Window: c.WindowNs}.Pass(mixed(seed, mix, corpusData(cases), 300)))
				}
				for _, d := range sources {
					c := newSource(d.format, d.edit)
					for p := range c.Port {
						c.Port[p].Enabled = true
					}
					cases, err := intCases(seed, c)
					require.NoError(t, err)
					run(t, fmt.Sprintf("%s, seed %d", d.name, seed), c, corpusTraffic{Seed: seed, Ports: c.Ports,
						Start: start, Window: 1000}.Pass(mixed(seed, mix, intData(cases), 300)))
				}
			}
		})
	}
}

func run(t *testing.T, name string, d config.Design, list []packets.Packet) {
	t.Helper()
	packets.InOrder(list)
	require.NotEmpty(t, list)
	want, err := packets.RunPackets(d, list, packets.Options{})
	require.NoError(t, err)
	got, err := packets.RunPackets(d, list, packets.Options{Engine: "go"})
	require.NoError(t, err, name)
	same(t, want, got)
}

// TestPresets sends the corpus through the presets.
func TestPresets(t *testing.T) {
	for _, name := range []string{"csig-4p", "csig-64p", "int-switch"} {
		t.Run(name, func(t *testing.T) {
			d, err := config.LoadDesign(name)
			require.NoError(t, err)
			var list []packets.Packet
			switch c := d.(type) {
			case *config.CSIG:
				_, list = traffic(t, c, 21)
			case *config.INT:
				_, list = intTraffic(t, c, 21)
			}
			want, err := packets.RunPackets(d, list, packets.Options{})
			require.NoError(t, err)
			for _, e := range engines[:2] {
				t.Run(e.name, func(t *testing.T) {
					needs(t, e.tools...)
					got, err := packets.RunPackets(d, list, packets.Options{Engine: e.name})
					require.NoError(t, err)
					same(t, want, got)
					assert.Equal(t, d.DesignHash(), got.ConfigHash)
					t.Logf("%d packets, %d bytes, %d cycles: %.0f packets/s", got.Packets, got.BytesIn, got.Cycles,
						got.PacketsPerSecond)
				})
			}
		})
	}
}
