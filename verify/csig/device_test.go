package csig

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/csig"
	"github.com/hdlpkg/hpccgen/telemetry"
	"github.com/hdlpkg/hpccgen/verify/drive"
	"github.com/hdlpkg/hpccgen/verify/stimulus/transit"
)

// timing is a possible timing of a design; the stimulus must not depend on the figures.
func timing(c *config.CSIG) csig.Timing {
	sweep := 16
	for sweep < 16*c.Ports {
		sweep *= 2
	}
	g := csig.Timing{
		Lookup: 5, Meter: 7, Scale: 13, Code: 22, Count: 46, Stacked: 46, Decision: 48,
		Commit: 1, CommitAnswer: 3, Buckets: 1, BucketsAnswer: 36, Absent: 1,
	}
	g.Spacing, g.Credits, g.Sweep = 1, 64, sweep
	if c.Folded {
		g.Spacing, g.Stacked, g.Commit, g.CommitAnswer = 8, 48, 18, 28
	}
	g.Offer, g.Return, g.Enter, g.Leave, g.Act, g.Answer = 3, 1, 1, 1, 2, 3
	return g
}

func parse(t testing.TB, text string) *config.CSIG {
	t.Helper()
	d, err := config.ParseDesign("test.yaml", []byte(text))
	require.NoError(t, err)
	return d.(*config.CSIG)
}

func preset(t testing.TB, name string) *config.CSIG {
	t.Helper()
	d, err := config.LoadDesign(name)
	require.NoError(t, err)
	return d.(*config.CSIG)
}

// exercised returns the coverage that the generator of a seed reaches in the golden model.
func exercised(t testing.TB, cfg *config.CSIG, seed uint64, cycles int64) *transit.Coverage {
	t.Helper()
	s, err := NewSubject(cfg, false)
	require.NoError(t, err)
	figures := timing(cfg)
	*s.Timing.(*csig.Timing), s.Transit, s.Decision = figures, figures.Transit, figures.Decision
	side, err := s.Random(seed)
	require.NoError(t, err)
	drive.NewLeg(s.Frame(), side, "").RunTo(cycles, nil)
	return &side.(*transit.Side).Coverage
}

const smallUEC = `
design: csig
name: csig_uec
ports: 5
stream_bits: 128
widths: {time: 32, bytes: 16, fraction: 0, reciprocal: 18, ratio: 14, queue: 20}
tags: {split: uec}
bandwidth: {method: raw, window: 4us}
port_defaults: {capacity: 10G}
`

func TestEveryRowIsCovered(t *testing.T) {
	for _, c := range []struct {
		name   string
		cfg    *config.CSIG
		cycles int64
	}{
		{"csig-4p", preset(t, "csig-4p"), 3_000_000},
		{"csig-64p", preset(t, "csig-64p"), 2_000_000},
		{"uec", parse(t, smallUEC), 3_000_000},
	} {
		t.Run(c.name, func(t *testing.T) {
			cov := exercised(t, c.cfg, 1, c.cycles)
			assert.Empty(t, cov.Holes(), "rows never reached; all:\n%s", cov)
			if testing.Verbose() {
				t.Log("\n" + cov.String())
			}
		})
	}
}

// TestPipelineTakesABeatEachCycle requires, for each mix of packets, that a beat is accepted in every cycle in which
// one is offered, as long as the sink is ready, and that no cycles are lost except those freed by a removed tag. A
// folded pipeline does so where all packets have eight beats.
func TestPipelineTakesABeatEachCycle(t *testing.T) {
	full := *preset(t, "csig-4p")
	full.Folded = false
	for name, cfg := range map[string]*config.CSIG{"csig-4p": preset(t, "csig-4p"), "csig-4p, full": &full,
		"csig-64p": preset(t, "csig-64p")} {
		for _, row := range exercised(t, cfg, 2, 600_000).Throughput {
			f := row.Free
			switch row.Mix {
			case "minimum", "imix", "jumbo", "tagged", "one_port", "all_ports":
			case "runts":
				if cfg.Folded { // a beat each, and eight cycles
					assert.InDelta(t, float64(f.Cycles)/8, f.In, float64(f.Cycles)/100, "%s %s", name, row.Mix)
				}
				fallthrough
			default:
				if cfg.Folded {
					continue
				}
			}
			require.Positive(t, f.Cycles, "%s %s", name, row.Mix)
			assert.Equal(t, f.Cycles, f.Offered, "%s %s", name, row.Mix)
			assert.Equal(t, f.Cycles, f.In, "%s %s", name, row.Mix)
			assert.InDelta(t, f.In, f.Out+f.Gone, float64(f.Cycles)/1000+4, "%s %s: %+v", name, row.Mix, f)
		}
	}
}

// TestPlacesAreThoseOfTheDraft counts the tags that the walk finds in generated packets.
func TestPlacesAreThoseOfTheDraft(t *testing.T) {
	cfg := preset(t, "csig-4p")
	s, err := NewSubject(cfg, false)
	require.NoError(t, err)
	var d *device
	open := s.Open
	s.Open = func(side *transit.Side) (transit.Device, error) {
		opened, err := open(side)
		d = opened.(*device)
		return opened, err
	}
	_, err = s.Random(4)
	require.NoError(t, err)
	d.Mix = Tagged
	tags := telemetry.Tags{Compact: cfg.CompactTPID, Expanded: cfg.ExpandedTPID, VLAN: cfg.VLANTPIDs}
	found := map[telemetry.Find]int{}
	for range 20_000 {
		var p transit.Packet
		d.Packet(&p)
		found[tags.Walk(p.Bytes).Find]++
	}
	assert.Greater(t, found[telemetry.FindTag], 15_000)
	assert.Positive(t, found[telemetry.FindHidden])
	assert.Positive(t, found[telemetry.FindNone], "a fifth VLAN tag, a second SecTAG")
	assert.Zero(t, found[telemetry.FindShort])
}
