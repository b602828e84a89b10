package csig_test

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hdlpkg/hpccgen/model/csig"
	"github.com/hdlpkg/hpccgen/telemetry"
)

// meta is a packet from port 0 to port 1 that took 18 us and found a queue of 125 kB, 10 us at 100G.
var meta = csig.Meta{EgressPort: 1, IngressNs: 1_000_000, EgressNs: 1_018_000, QlenBytes: 125_000}

// device is one of two ports at 100G; port 1 is configured by edit. An idle link: ABW is 100G.
func device(t testing.TB, split telemetry.CSIGSplit, edit func(*csig.Port)) *csig.Device {
	cfg := csig.DefaultConfig(2, 100e6)
	cfg.Split = split
	p := &cfg.Port[1]
	p.Action = csig.UpdateAll(true)
	for t := range p.Locator {
		p.Locator[t] = csig.Locator{Compact: uint16(40 + t), Expanded: uint16(4000 + t)}
	}
	edit(p)
	return newDevice(t, cfg)
}

func asIs(*csig.Port) {}

// local are the codes of meta's packet by type: Appendix A's buckets, quanta of 8 Mbit/s, 2^-20, 128 ns.
var local = map[telemetry.CSIGSize][csig.Types]uint32{
	telemetry.CSIGCompact:  {7, 7, 1, 1},
	telemetry.CSIGExpanded: {12500, 1<<20 - 1, 18000 / 128, 10000 / 128},
}

// everyTag calls f for every placement, size, split and type.
func everyTag(f func(name, before string, size telemetry.CSIGSize, split telemetry.CSIGSplit, signal uint8)) {
	for name, before := range placements {
		for _, size := range sizes {
			for _, split := range splits {
				for signal := range uint8(1 << split.Layout(size).Type) {
					f(fmt.Sprintf("%s, %s %s, type %d", name, size, split, signal), before, size, split, signal)
				}
			}
		}
	}
}

// Sections 4.1.3.3 (MUST update LM with S; MUST NOT alter LM without) and 5.5.1 (MUST be the LM of port and type):
// value and locator change together, and nothing else does, reserved bits included.
func TestUpdate(t *testing.T) {
	everyTag(func(name, before string, size telemetry.CSIGSize, split telemetry.CSIGSplit, signal uint8) {
		if signal >= csig.Types {
			return
		}
		d := device(t, split, asIs)
		l := split.Layout(size)
		code := local[size][signal]
		worse, better := code+1, code-1 // worse: the device's code replaces it
		if !csig.IsMin(signal) {
			worse, better = better, worse
		}
		if code == 1<<20-1 { // an idle link's whole capacity is the largest code
			worse, better = code, code-1
		}
		for _, value := range []uint32{worse, code, better} {
			tag := telemetry.CSIG{Type: signal, Value: value, Locator: 3, Reserved: uint8(1<<l.Reserved - 1)}
			in := tagged(t, packet(before, 60), tag, size, split)
			copied := slices.Clone(in)
			out, ev := d.Process(in, meta)
			assert.Equal(t, copied, in, "%s: the input is not written to", name)
			if value == worse && worse != code {
				tag.Value, tag.Locator = code, uint16(40+signal)
				if size == telemetry.CSIGExpanded {
					tag.Locator = uint16(4000) + uint16(signal)
				}
				assert.Equal(t, csig.Updated, ev.Status, name)
			} else {
				assert.Equal(t, csig.Kept, ev.Status, name)
			}
			assert.Equal(t, tagged(t, packet(before, 60), tag, size, split), out, "%s, S %d", name, value)
			assert.Equal(t, code, ev.Code, name)
		}
	})
}

// Section 4.4.2 (i) and (iii), and the errata on 5.4.2.3: a maximum is replaced by a larger value.
func TestMaximumIsNotMinimum(t *testing.T) {
	d := device(t, telemetry.CSIGIETF, asIs)
	for value, want := range map[uint32]uint32{0: 1, 1: 1, 7: 7} {
		out, _ := d.Process(tagged(t, packet("", 60), telemetry.CSIG{Type: telemetry.CSIGMaxPD, Value: value},
			telemetry.CSIGCompact, telemetry.CSIGIETF), meta)
		assert.Equal(t, want, tagOf(t, out, telemetry.CSIGIETF).Value)
	}
}

// Section 6.1: devices MUST be capable of removing the tag, configured per egress port; all tags are then removed, and
// nothing else. Sections 6.3.1, 6.3.2 and 6.5 demand it towards devices that discard tagged packets and at the boundary
// of the domain.
func TestStrip(t *testing.T) {
	everyTag(func(name, before string, size telemetry.CSIGSize, split telemetry.CSIGSplit, signal uint8) {
		d := device(t, split, func(p *csig.Port) { p.Action = csig.StripAll() })
		tag := telemetry.CSIG{Type: signal, Value: 1, Keep: split == telemetry.CSIGUEC}
		out, ev := d.Process(tagged(t, packet(before, 60), tag, size, split), meta)
		assert.Equal(t, packet(before, 60), out, name)
		assert.Equal(t, csig.Stripped, ev.Status, name)
	})
}

// Section 9: a tag from an ingress port without trust is removed, whatever the egress port would do.
func TestDistrust(t *testing.T) {
	everyTag(func(name, before string, size telemetry.CSIGSize, split telemetry.CSIGSplit, signal uint8) {
		cfg := csig.DefaultConfig(2, 100e6)
		cfg.Split = split
		cfg.Port[0].Trusted = false
		out, ev := newDevice(t, cfg).Process(tagged(t, packet(before, 60), telemetry.CSIG{Type: signal}, size, split), meta)
		assert.Equal(t, packet(before, 60), out, name)
		assert.Equal(t, csig.Distrusted, ev.Status, name)
	})
}

// Sections 5.3.3 and 5.4.2.3: values MUST be compressed to S, with 32 buckets configurable for each signal. Every code
// of every type results, and one more or one less at its boundaries.
func TestThirtyTwoBuckets(t *testing.T) {
	d := device(t, telemetry.CSIGIETF, asIs)
	for signal, value := range [csig.Types]uint64{100e6, 1 << 24, 18_000, 10_000} {
		for code := range uint64(csig.Buckets) {
			bounds := make([]uint64, csig.Buckets)
			for i := range uint64(csig.Buckets - 1) { // bounds around the value, the code's own at it
				bounds[i+1] = value + i + 1 - code
			}
			require.NoError(t, d.SetBounds(signal, bounds))
			_, ev := d.Process(tagged(t, packet("", 0), telemetry.CSIG{Type: uint8(signal)}, telemetry.CSIGCompact,
				telemetry.CSIGIETF), meta)
			require.Equal(t, value, ev.Signals.Of(uint8(signal)))
			require.EqualValues(t, code, ev.Code, "type %d", signal)
			if code > 0 {
				bounds[code]++
				require.NoError(t, d.SetBounds(signal, bounds))
				_, ev = d.Process(tagged(t, packet("", 0), telemetry.CSIG{Type: uint8(signal)}, telemetry.CSIGCompact,
					telemetry.CSIGIETF), meta)
				require.EqualValues(t, code-1, ev.Code, "type %d", signal)
			}
		}
	}
}

// Sections 6.2.2 and 6.3.2: pass-through leaves the tag intact; types that the device does not know are never updated.
func TestPassThrough(t *testing.T) {
	everyTag(func(name, before string, size telemetry.CSIGSize, split telemetry.CSIGSplit, signal uint8) {
		d := device(t, split, func(p *csig.Port) {
			if signal < csig.Types {
				p.Action[signal] = csig.Pass
			}
		})
		in := tagged(t, packet(before, 60), telemetry.CSIG{Type: signal, Value: 31, Locator: 1}, size, split)
		out, ev := d.Process(in, meta)
		assert.Equal(t, csig.Passed, ev.Status, name)
		assertUntouched(t, in, out)
	})
}

// The action is per egress port and per signal type.
func TestActionOfPortAndType(t *testing.T) {
	cfg := csig.DefaultConfig(3, 100e6)
	cfg.Port[1].Action = csig.StripAll()
	cfg.Port[2].Action[telemetry.CSIGMinABW] = csig.Strip
	cfg.Port[2].Action[7] = csig.Strip
	d := newDevice(t, cfg)
	for _, c := range []struct {
		port   int
		signal uint8
		want   csig.Status
	}{
		{0, 0, csig.Updated}, {1, 0, csig.Stripped}, {2, 0, csig.Stripped}, {2, 1, csig.Updated}, {2, 7, csig.Stripped},
		{2, 6, csig.Passed}, {0, 7, csig.Passed},
	} {
		m := meta
		m.EgressPort = c.port
		_, ev := d.Process(tagged(t, packet("", 60), telemetry.CSIG{Type: c.signal, Value: 31}, telemetry.CSIGCompact,
			telemetry.CSIGIETF), m)
		assert.Equal(t, c.want, ev.Status, "port %d type %d", c.port, c.signal)
	}
	assert.EqualValues(t, 1, d.Counters(0).By[csig.Updated])
	assert.EqualValues(t, 2, d.Counters(2).By[csig.Stripped])
	assert.EqualValues(t, 1, d.Counters(2).By[csig.Passed])
}

// UEC's d bit: a tag that has it is not updated.
func TestKeepBit(t *testing.T) {
	for _, size := range sizes {
		d := device(t, telemetry.CSIGUEC, asIs)
		for keep, want := range map[bool]csig.Status{true: csig.Held, false: csig.Updated} {
			in := tagged(t, packet("", 60), telemetry.CSIG{Type: 2, Locator: 1, Keep: keep}, size, telemetry.CSIGUEC)
			out, ev := d.Process(in, meta)
			assert.Equal(t, want, ev.Status)
			assert.Equal(t, !keep, !bytes.Equal(in, out))
			assert.Equal(t, keep, tagOf(t, out, telemetry.CSIGUEC).Keep)
		}
	}
}

// untouched reports whether a packet left unchanged: the same bytes at the same place.
func untouched(in, out []byte) bool {
	return len(in) == len(out) && (len(in) == 0 || &in[0] == &out[0])
}

func assertUntouched(t testing.TB, in, out []byte) {
	t.Helper()
	assert.True(t, untouched(in, out), "the packet has changed")
}

// Section 4.4.2: devices MUST NOT add tags. Packets without one leave bit for bit, and so do those that end inside
// theirs, but where tags are to be stripped.
func TestUntouched(t *testing.T) {
	for name, before := range placements {
		for _, size := range sizes {
			whole := tagged(t, packet(before, 0), telemetry.CSIG{}, size, telemetry.CSIGIETF)
			end := len(whole) - 2 // of the tag: only an EtherType follows
			for n := range end {
				for _, strip := range []bool{false, true} {
					d := device(t, telemetry.CSIGIETF, func(p *csig.Port) {
						if strip {
							p.Action = csig.StripAll()
						}
					})
					in := slices.Clone(whole[:n])
					out, ev := d.Process(in, meta)
					want := csig.Short
					if n >= end-size.Len()+2 {
						want = csig.Truncated
					}
					if strip && want == csig.Truncated {
						want = csig.Dropped
						assert.Nil(t, out)
					} else {
						assertUntouched(t, in, out)
					}
					assert.Equal(t, want, ev.Status, "%s %s cut to %d bytes", name, size, n)
					assert.EqualValues(t, 1, d.Counters(1).By[want])
				}
			}
		}
		in := packet(before, 9000)
		out, ev := device(t, telemetry.CSIGIETF, asIs).Process(in, meta)
		assert.Equal(t, csig.Untagged, ev.Status, name)
		assertUntouched(t, in, out)
	}
	hidden := append(packet("88e5 0c 00 00000001", 0), 0x88, 0xb5, 0, 0)
	out, ev := device(t, telemetry.CSIGIETF, asIs).Process(hidden, meta)
	assert.Equal(t, csig.Hidden, ev.Status)
	assertUntouched(t, hidden, out)
}

// A tag whose last byte is the packet's is a whole tag.
func TestTagAtTheEnd(t *testing.T) {
	for _, size := range sizes {
		whole := tagged(t, packet("", 0), telemetry.CSIG{Type: 2}, size, telemetry.CSIGIETF)
		in := whole[:len(whole)-2]
		out, ev := device(t, telemetry.CSIGIETF, asIs).Process(in, meta)
		assert.Equal(t, csig.Updated, ev.Status)
		assert.Len(t, out, len(in))
		out, ev = device(t, telemetry.CSIGIETF, func(p *csig.Port) { p.Action = csig.StripAll() }).Process(in, meta)
		assert.Equal(t, csig.Stripped, ev.Status)
		assert.Equal(t, in[:12], out)
	}
}

// Sections 6.1, 6.3.2 and 9: where tags are removed, the next device finds no tag in the packets that leave: not after
// the tag, nor after more layer-2 tags than the walk reads. Elsewhere the same packets pass unchanged, by their first
// tag.
func TestNothingTaggedLeaves(t *testing.T) {
	vlan, secTAG := "8100 0064", "88e5 00 00 00000001"
	compact, expanded := "88b5 4000", "88b6 0000 20000000"
	for name, c := range map[string]struct {
		before  string
		leaves  bool // without its tag, or as it is
		stacked bool
	}{
		"one tag":                          {before: compact, leaves: true},
		"two tags":                         {before: compact + compact, stacked: true},
		"an expanded one behind a compact": {before: compact + expanded, stacked: true},
		"a compact one behind an expanded": {before: expanded + compact, stacked: true},
		"three tags":                       {before: compact + expanded + compact, stacked: true},
		"a tag, a VLAN tag, a tag":         {before: compact + vlan + compact},
		"a tag, a SecTAG, a tag":           {before: expanded + secTAG + compact},
		"a tag behind four VLAN tags":      {before: vlan + vlan + vlan + vlan + compact, leaves: true},
		"two tags behind four VLAN tags":   {before: vlan + vlan + vlan + vlan + compact + compact, stacked: true},
		"a tag behind five VLAN tags":      {before: vlan + vlan + vlan + vlan + vlan + compact},
		"a tag, and the fifth VLAN tag":    {before: vlan + vlan + vlan + vlan + expanded + vlan + compact},
		"a tag behind two SecTAGs":         {before: secTAG + secTAG + compact},
		"a tag behind all and a VLAN tag": {before: vlan + vlan + vlan + vlan +
			"88e5 20 00 00000001 0200000000020001" + vlan + compact},
		"two tags behind as much as can be": {before: vlan + vlan + vlan + vlan +
			"88e5 20 00 00000001 0200000000020001" + expanded + expanded, stacked: true},
		"encrypted":                             {before: "88e5 0c 00 00000001" + compact, leaves: true},
		"untagged, behind a SecTAG and a VLAN":  {before: secTAG + vlan, leaves: true},
		"untagged, behind more than is read":    {before: vlan + vlan + vlan + vlan + vlan},
		"a TPID of neither, behind a whole tag": {before: compact + "9100 0000", leaves: true},
	} {
		for _, where := range []string{"strips", "strips some other type", "not trusted", "as it is"} {
			cfg := csig.DefaultConfig(2, 100e6)
			tags := cfg.Tags
			switch where {
			case "strips":
				cfg.Port[1].Action = csig.StripAll()
			case "strips some other type":
				cfg.Port[1].Action[9] = csig.Strip
			case "not trusted":
				cfg.Port[0].Trusted = false
			}
			d := newDevice(t, cfg)
			in := packet(c.before, 60)
			first := tags.Walk(in)
			removes := where == "strips" || where == "not trusted"
			drops := !c.leaves && (removes || where == "strips some other type" && first.Find != telemetry.FindTag)
			idle := d.Meter(1)
			for range 2 { // the first packet of a port starts its meter
				idle = d.Meter(1)
				out, ev := d.Process(in, meta)
				switch {
				case drops:
					require.Equal(t, csig.Dropped, ev.Status, "%s, %s", name, where)
					require.Nil(t, out)
				case removes && first.Find == telemetry.FindTag:
					require.Equal(t, slices.Concat(in[:first.Offset], in[first.Offset+first.Size.Len():]), out, "%s, %s", name, where)
				default:
					require.Len(t, out, len(in), "%s, %s", name, where)
				}
				if removes && out != nil {
					next := tags.Walk(out)
					require.NotContains(t, []telemetry.Find{telemetry.FindTag, telemetry.FindTruncated}, next.Find,
						"%s, %s", name, where)
				}
			}
			by := d.Counters(1).By[csig.Dropped]
			if drops {
				assert.EqualValues(t, 2, by)
				assert.Equal(t, idle.Pending, d.Meter(1).Pending, "bytes of a packet that is dropped do not count")
			} else {
				assert.Zero(t, by)
				assert.Greater(t, d.Meter(1).Pending, idle.Pending)
			}
			assert.Equal(t, c.stacked, d.Counters(1).Stacked == 2, "%s, %s", name, where)
		}
	}
}

// A packet that ends in the middle of what may be a TPID is padded with zeros by the MAC: where the second byte of a
// TPID is 0, that makes a tag.
func TestPaddingMakesNoTag(t *testing.T) {
	secTAG, vlan := "88e5 00 00 00000001", "8100 0064"
	for _, tags := range []telemetry.Tags{
		{Compact: 0x9900, Expanded: 0x88b6, VLAN: []uint16{0x8100, 0x9100}},
		{Compact: 0x88b5, Expanded: 0x9900, VLAN: []uint16{0x8100, 0x9100}},
		{Compact: 0x9900, VLAN: []uint16{0x8100}}, {Expanded: 0x9900, VLAN: []uint16{0x8100}},
	} {
		compact, expanded := "", ""
		if tags.Compact != 0 {
			compact = fmt.Sprintf("%04x 4000", tags.Compact)
		}
		if tags.Expanded != 0 {
			expanded = fmt.Sprintf("%04x 0000 20000000", tags.Expanded)
		}
		for _, before := range []string{
			"", compact, expanded, vlan, vlan + vlan + vlan + vlan, secTAG, secTAG + compact, vlan + vlan + vlan + vlan + expanded,
		} {
			for _, end := range []string{"", "99", "88", "91", "00", "9900"} {
				for _, trusted := range []bool{true, false} {
					cfg := csig.DefaultConfig(2, 100e6)
					cfg.Tags = tags
					cfg.Port[0].Trusted = trusted
					cfg.Port[1].Action = csig.StripAll()
					in := unhex("020000000001 020000000002" + before + end)
					out, ev := newDevice(t, cfg).Process(in, meta)
					padded := append(slices.Clone(out), make([]byte, 60)...)[:60]
					assert.NotEqual(t, telemetry.FindTag, tags.Walk(padded).Find, "%s %s of %v: %v", before, end, tags, ev.Status)
					assert.Equal(t, end == "99" || end == "9900", ev.Status == csig.Dropped, "%s %s of %v", before, end, tags)
				}
			}
		}
	}
}

func TestNoPort(t *testing.T) {
	d := device(t, telemetry.CSIGIETF, asIs)
	in := tagged(t, packet("", 60), telemetry.CSIG{}, telemetry.CSIGCompact, telemetry.CSIGIETF)
	for _, m := range []csig.Meta{{EgressPort: 2}, {EgressPort: -1}, {IngressPort: 2}, {IngressPort: -1}} {
		out, ev := d.Process(in, m)
		assert.Equal(t, csig.NoPort, ev.Status)
		assertUntouched(t, in, out)
	}
	assert.EqualValues(t, 4, d.NoPort())
}

// Section 6.3.2: compact and expanded tags, and packets without, may be used together on the same network.
func TestMixedSizes(t *testing.T) {
	d := device(t, telemetry.CSIGIETF, asIs)
	for range 3 {
		for _, size := range sizes {
			out, ev := d.Process(tagged(t, packet("", 60), telemetry.CSIG{Type: 2}, size, telemetry.CSIGIETF), meta)
			require.Equal(t, csig.Updated, ev.Status)
			assert.Equal(t, local[size][2], tagOf(t, out, telemetry.CSIGIETF).Value)
		}
		_, ev := d.Process(packet("", 60), meta)
		require.Equal(t, csig.Untagged, ev.Status)
	}
}

// Any path of devices: the tag has the smallest or largest code on the path, and the locator of the first device that
// has it; only value and locator differ from the packet sent.
func TestPathIsMinimumOrMaximum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		split := rapid.SampledFrom(splits).Draw(t, "split")
		size := rapid.SampledFrom(sizes).Draw(t, "size")
		signal := rapid.Uint8Range(0, csig.Types-1).Draw(t, "type")
		hops := rapid.IntRange(1, 6).Draw(t, "hops")
		sender := csig.Sender{Tags: telemetry.DefaultTags(), Split: split, Size: size, Types: []uint8{signal}}
		sent, err := sender.Insert(packet(rapid.SampledFrom([]string{"", "81000001"}).Draw(t, "placement"), 40))
		require.NoError(t, err)
		best, where := csig.Initial(signal, size), -1
		pkt := sent
		for hop := range hops {
			cfg := csig.DefaultConfig(1, rapid.SampledFrom([]uint64{10e6, 25e6, 40e6, 100e6, 400e6}).Draw(t, "capacity"))
			cfg.Split = split
			cfg.Estimate.Window = 1000
			cfg.Port[0].Action = csig.UpdateAll(true)
			for s := range cfg.Port[0].Locator {
				cfg.Port[0].Locator[s] = csig.Locator{Compact: uint16(hop + 1), Expanded: uint16(hop + 1)}
			}
			d, err := csig.New(cfg)
			require.NoError(t, err)
			load := rapid.IntRange(0, 3000).Draw(t, "load")
			d.Process(packet("", load), csig.Meta{})
			m := csig.Meta{EgressNs: 1000, QlenBytes: rapid.Uint64Range(0, 1<<20).Draw(t, "queue")}
			m.IngressNs = m.EgressNs - rapid.Uint64Range(0, 3_000_000).Draw(t, "delay")
			var ev csig.Event
			pkt, ev = d.Process(pkt, m)
			if csig.Replaces(signal, ev.Code, best) {
				best, where = ev.Code, hop
			}
		}
		tag, was := tagOf(t, pkt, split), tagOf(t, sent, split)
		require.Equal(t, best, tag.Value)
		require.Equal(t, uint16(where+1), tag.Locator)
		was.Value, was.Locator = tag.Value, tag.Locator
		require.Equal(t, was, tag)
		at := telemetry.DefaultTags()
		p := at.Walk(pkt)
		require.Equal(t, sent[:p.Offset+2], pkt[:p.Offset+2])
		require.Equal(t, sent[p.Offset+size.Len():], pkt[p.Offset+size.Len():])
	})
}

// Whatever arrives, the device changes no more than the status says.
func FuzzProcess(f *testing.F) {
	for _, before := range placements {
		f.Add(packet(before, 20), uint8(0), uint64(5))
		f.Add(append(packet(before, 0)[:len(unhex(before))+12], 0x88, 0xb5, 0x40, 0x01, 0x08, 0x00), uint8(1), uint64(1000))
		f.Add(append(packet(before, 0)[:len(unhex(before))+12], 0x88, 0xb6, 0, 0, 0x20, 0, 0, 7), uint8(2), uint64(1000))
	}
	f.Fuzz(func(t *testing.T, pkt []byte, kind uint8, delay uint64) {
		d := device(t, splits[kind&1], func(p *csig.Port) {
			if kind&2 != 0 {
				p.Action = csig.StripAll()
			}
		})
		in := slices.Clone(pkt)
		out, ev := d.Process(pkt, csig.Meta{EgressPort: 1, EgressNs: 1 << 40, IngressNs: 1<<40 - delay, QlenBytes: delay})
		require.Equal(t, in, pkt)
		n := ev.Place.Size.Len()
		switch ev.Status {
		case csig.Updated:
			require.Len(t, out, len(in))
			require.Equal(t, in[:ev.Place.Offset+2], out[:ev.Place.Offset+2])
			require.Equal(t, in[ev.Place.Offset+n:], out[ev.Place.Offset+n:])
			require.NotEqual(t, in, out)
		case csig.Stripped:
			require.Equal(t, in, slices.Insert(slices.Clone(out), ev.Place.Offset, in[ev.Place.Offset:ev.Place.Offset+n]...))
		default:
			require.True(t, untouched(pkt, out))
		}
	})
}

// The check for untouched packets notices a changed byte, a copy and a cut.
func TestUntouchedNotices(t *testing.T) {
	in := []byte{1, 2, 3}
	assert.True(t, untouched(in, in))
	assert.False(t, untouched(in, slices.Clone(in)))
	assert.False(t, untouched(in, in[:2]))
	assert.False(t, untouched(in, []byte{1, 2, 4}))
}
