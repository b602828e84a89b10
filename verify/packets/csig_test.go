package packets_test

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/telemetry"
	"github.com/hdlpkg/hpccgen/verify/packets"
)

// designs are the switches that the corpus passes.
var designs = []struct {
	name string
	edit func(*config.CSIG)
}{
	{"ietf 64", nil},
	{"uec 64", func(c *config.CSIG) { c.UEC, c.BucketSearch = true, true }},
	{"uec 128 ewma", func(c *config.CSIG) {
		c.UEC, c.DataBits, c.Method, c.TimeShift, c.GapShift, c.FracBits = true, 128, config.CSIGEWMA, 14, 8, 4
	}},
	{"ietf 256 dre decrypted", func(c *config.CSIG) {
		c.DataBits, c.Method, c.TickShift, c.DecayShift, c.Decrypted = 256, config.CSIGDRE, 9, 4, true
	}},
	{"ietf 512 wide", func(c *config.CSIG) {
		c.DataBits, c.TimeBits, c.ByteBits, c.RecipBits, c.RatioBits, c.QlenBits = 512, 48, 40, 32, 24, 32
		c.Ports = 16
	}},
	{"compact only, one VLAN TPID", func(c *config.CSIG) {
		c.ExpandedTPID, c.CompactTPID, c.VLANTPIDs = 0, 0x9900,
			[]uint16{0x9100}
	}},
	{"folded, uec", func(c *config.CSIG) { c.ExpandedTPID, c.UEC, c.BucketSearch, c.Folded = 0, true, true, true }},
	{"expanded only, asynchronous reset", func(c *config.CSIG) {
		c.CompactTPID, c.ExpandedTPID, c.AsyncReset = 0,
			0xccdd, true
	}},
}

// expect describes the error in a switch's treatment of a packet, from the parts of the packet and the
// configuration says: "" when nothing is. It asks neither the model nor the walk that the model uses.
func expect(c *config.CSIG, k *corpusCase, p *packets.Packet, r *packets.Result, status string) string {
	in, out := p.Data, r.Data
	same := bytes.Equal(in, out)
	must := func(want string, changed bool) string {
		if status != want {
			return fmt.Sprintf("status %s instead of %s", status, want)
		}
		if same == changed {
			return fmt.Sprintf("changed: %v", !same)
		}
		return ""
	}
	stripped := func(want string) string {
		if m := must(want, true); m != "" {
			return m
		}
		if !bytes.Equal(out, slices.Concat(in[:k.At], in[k.At+k.Size.Len():])) {
			return "it is not the packet without its tag"
		}
		return ""
	}
	absent := p.IngressPort >= c.Ports || p.EgressPort >= c.Ports
	if drops := k.Ambiguous && !absent && mustNotLeave(c, k, p); drops || r.Dropped {
		if drops != r.Dropped || len(out) > 0 {
			return fmt.Sprintf("dropped: %v, with %d bytes", r.Dropped, len(out))
		}
		return must("dropped", true)
	}
	switch {
	case absent:
		return must("no_port", false)
	case k.Find == telemetry.FindNone:
		return must("untagged", false)
	case k.Find != telemetry.FindTag:
		return must(k.Find.String(), false)
	case !c.Port[p.IngressPort].Trusted:
		return stripped("distrusted")
	}
	port := &c.Port[p.EgressPort]
	switch port.Actions[k.Tag.Type] {
	case config.CSIGStrip:
		return stripped("stripped")
	case config.CSIGPass:
		return must("passed", false)
	}
	if k.Tag.Keep {
		return must("held", false)
	}
	if status == "kept" {
		return must("kept", false)
	}
	if m := must("updated", true); m != "" {
		return m
	}
	at, end := k.At+2, k.At+k.Size.Len()
	if len(out) != len(in) || !bytes.Equal(out[:at], in[:at]) || !bytes.Equal(out[end:], in[end:]) {
		return "something outside of the tag's fields changed"
	}
	want, got := k.Tag, telemetry.CSIG{}
	want.Locator = port.Expanded[want.Type]
	if k.Size == telemetry.CSIGCompact {
		want.Locator = port.Compact[want.Type]
	}
	if _, err := got.Decode(out[at:], k.Size, split(c)); err != nil {
		return err.Error()
	}
	if want.Type < 2 && got.Value >= want.Value || want.Type >= 2 && got.Value <= want.Value {
		return fmt.Sprintf("value %d replaced by %d", want.Value, got.Value)
	}
	if want.Value = got.Value; got != want {
		return fmt.Sprintf("the tag is %+v instead of %+v", got, want)
	}
	return ""
}

// mustNotLeave reports whether an ambiguous packet must be dropped: its tag, or any that it may hold, is to be removed.
func mustNotLeave(c *config.CSIG, k *corpusCase, p *packets.Packet) bool {
	actions := c.Port[p.EgressPort].Actions[:]
	if k.Find == telemetry.FindTag {
		actions = actions[k.Tag.Type:][:1]
	}
	return !c.Port[p.IngressPort].Trusted || slices.Contains(actions, config.CSIGStrip)
}

// checkAll checks every packet of a replay, and that the counters say the same.
func checkAll(t *testing.T, c *config.CSIG, cases []corpusCase, rep *packets.Replayed) {
	t.Helper()
	require.Len(t, rep.Results, len(rep.Sent))
	stackedBy := make([]uint64, c.Ports)
	for i := range rep.Results {
		p, r := &rep.Sent[i], &rep.Results[i]
		k := &cases[p.Number-1]
		status := rep.Order[r.Status]
		if m := expect(c, k, p, r, status); m != "" {
			t.Fatalf("packet %d (%s), port %d to %d: %s\n in %x\nout %x", p.Number, k.Name, p.IngressPort, p.EgressPort,
				m, p.Data, r.Data)
		}
		if k.Stacked && status != "no_port" {
			stackedBy[p.EgressPort]++
		}
	}
	for port, n := range stackedBy {
		assert.Equal(t, n, rep.Ports[port].Counters["stacked"], "stacked, port %d", port)
	}
	assert.Equal(t, uint64(rep.Statuses["no_port"]), rep.Counters["no_port"])
}

// TestCorpusOnModel checks the golden model on the corpus, packet by packet, and that the corpus reaches
// all that can happen.
func TestCorpusOnModel(t *testing.T) {
	for _, d := range designs {
		t.Run(d.name, func(t *testing.T) {
			c := newSwitch(t, d.edit)
			cases, list := traffic(t, c, 1)
			rep, err := packets.RunPackets(c, list, packets.Options{})
			require.NoError(t, err)
			checkAll(t, c, cases, rep)
			t.Logf("%d packets, %d bytes: %v", rep.Packets, rep.BytesIn, rep.Statuses)
			for _, s := range rep.Order {
				if s == "held" && !c.UEC {
					continue
				}
				assert.NotZero(t, rep.Statuses[s], s)
			}
			stackedBy := uint64(0)
			for _, p := range rep.Ports {
				stackedBy += p.Counters["stacked"]
			}
			assert.NotZero(t, stackedBy)
		})
	}
}
