package packets_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/verify/packets"
)

var update = flag.Bool("update", false, "rewrite testdata/packets")

const sampleFolder = "../../testdata/packets"

func sample(name string) string { return filepath.Join(sampleFolder, name) }

// sampleSwitch is the switch of the sample.
func sampleSwitch(t testing.TB) *config.CSIG {
	t.Helper()
	d, err := config.LoadDesign(sample("switch.yaml"))
	require.NoError(t, err)
	return d.(*config.CSIG)
}

// metaText is a meta file for packets in the order of the capture.
func metaText(list []packets.Packet) []byte {
	var b strings.Builder
	b.WriteString(metaHeader)
	for _, p := range list {
		fmt.Fprintf(&b, "%d,%d,%d,%d,%d,%d\n", p.Number, p.IngressPort, p.EgressPort, p.IngressNs, p.EgressNs, p.QlenBytes)
	}
	return []byte(b.String())
}

// captureText is a capture of packets that nothing has happened to, each at the time when it came in.
func captureText(t testing.TB, list []packets.Packet) []byte {
	t.Helper()
	in, same := make([]packets.Packet, len(list)), make([]packets.Result, len(list))
	for i, p := range list {
		in[i], same[i] = packets.Packet{Meta: packets.Meta{EgressNs: p.IngressNs}}, packets.Result{Data: p.Data}
	}
	b, err := packets.FormatCapture(in, same)
	require.NoError(t, err)
	return b
}

// writeSample makes the sample: every fifth packet of the corpus, long ones left out.
func writeSample(t *testing.T) {
	c := sampleSwitch(t)
	cases, err := corpusCases(corpusOptions{Seed: 2026, Tags: tags(c), Split: split(c)})
	require.NoError(t, err)
	var some []corpusCase
	for i := range cases {
		if i%5 == 0 && len(cases[i].Data) < 400 {
			some = append(some, cases[i])
		}
	}
	list := corpusTraffic{Seed: 2026, Ports: c.Ports, Start: start, Window: c.WindowNs}.Pass(corpusData(some))
	require.NoError(t, os.WriteFile(sample("in.pcap"), captureText(t, list), 0o666))
	require.NoError(t, os.WriteFile(sample("meta.csv"), metaText(list), 0o666))
	_, err = packets.Run(c, packets.Options{Pcap: sample("in.pcap"), Meta: sample("meta.csv"), Out: sample("out.pcap")})
	require.NoError(t, err)
}

// TestSample replays the committed packets on the golden model and on the Go interpreter of the design: what leaves
// is the committed file.
func TestSample(t *testing.T) {
	if *update {
		writeSample(t)
	}
	want, err := os.ReadFile(sample("out.pcap"))
	require.NoError(t, err)
	for _, e := range []string{"model", "go"} {
		out := temp(t, "out.pcap")
		rep, err := packets.Run(sampleSwitch(t), packets.Options{Pcap: sample("in.pcap"), Meta: sample("meta.csv"),
			Engine: e, Out: out})
		require.NoError(t, err)
		got, err := os.ReadFile(out)
		require.NoError(t, err)
		assert.True(t, string(want) == string(got), e)
		for _, s := range rep.Order {
			assert.NotZero(t, rep.Statuses[s], "%s: no packet is %s", e, s)
		}
		if e == "model" {
			t.Logf("%d packets: %v", rep.Packets, rep.Statuses)
		}
	}
	size := int64(0)
	list, err := os.ReadDir(sampleFolder)
	require.NoError(t, err)
	for _, f := range list {
		info, err := f.Info()
		require.NoError(t, err)
		size += info.Size()
	}
	assert.Less(t, size, int64(200_000), "the folder stays small")
}
