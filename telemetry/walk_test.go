package telemetry_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hdlpkg/hpccgen/telemetry"
)

const (
	macs    = "020000000001 020000000002"
	vlanQ   = "8100 0064"
	vlanAD  = "88a8 00c8"
	secTAG  = "88e5 00 00 00000001"
	secSCI  = "88e5 20 00 00000001 0200000000020001"
	compact = "88b5 0f80"
	wide    = "88b6 0000 0fffff00"
	ip      = "0800 4500"
)

// The placements of draft section 4.1, in its words.
var placements = []struct{ name, tags string }{
	{"ARPA", ""},
	{"802.1q", vlanQ},
	{"802.1ad", vlanAD + vlanQ},
	{"802.1ad tunnel", vlanAD + vlanAD + vlanQ + vlanQ},
	{"802.1ae", secTAG + vlanQ},
	{"802.1ae with SCI", secSCI + vlanQ},
	{"802.1ae alone", secTAG},
	{"SecTAG behind a VLAN tag", vlanQ + secTAG},
	{"four VLAN tags and a SecTAG with SCI", secSCI + vlanAD + vlanAD + vlanQ + vlanQ},
}

func TestWalkPlacements(t *testing.T) {
	tags := telemetry.DefaultTags()
	for _, p := range placements {
		before := len(unhex(t, macs+p.tags))
		for tag, size := range map[string]telemetry.CSIGSize{compact: telemetry.CSIGCompact, wide: telemetry.CSIGExpanded} {
			pkt := unhex(t, macs+p.tags+tag+ip)
			got := tags.Walk(pkt)
			assert.Equal(t, telemetry.FindTag, got.Find, "%s, %s", p.name, size)
			assert.Equal(t, before, got.Offset, "%s, %s", p.name, size)
			assert.Equal(t, size, got.Size)
			assert.False(t, got.Stacked)
			// Section 4.1: the offset does not depend on what follows.
			assert.Equal(t, got, tags.Walk(append(pkt[:before+size.Len():before+size.Len()], 0x88, 0x47, 1, 2, 3)))
		}
		got := tags.Walk(unhex(t, macs+p.tags+ip))
		assert.Equal(t, telemetry.FindNone, got.Find, "%s, untagged", p.name)
		assert.Equal(t, before, got.Offset, "%s, untagged", p.name)
	}
}

// A packet cut at every byte: short before the TPID is whole, truncated until the tag is, found from then on.
func TestWalkCutAnywhere(t *testing.T) {
	tags := telemetry.DefaultTags()
	for _, p := range placements {
		before := len(unhex(t, macs+p.tags))
		for tag, size := range map[string]telemetry.CSIGSize{compact: telemetry.CSIGCompact, wide: telemetry.CSIGExpanded} {
			pkt := unhex(t, macs+p.tags+tag+ip)
			for n := range len(pkt) + 1 {
				want := telemetry.FindTag
				switch {
				case n < before+telemetry.CSIGTPIDLen:
					want = telemetry.FindShort
				case n < before+size.Len():
					want = telemetry.FindTruncated
				}
				assert.Equal(t, want, tags.Walk(slices.Clip(pkt[:n])).Find, "%s %s cut to %d bytes", p.name, size, n)
			}
		}
	}
}

func TestWalkEnds(t *testing.T) {
	tags := telemetry.DefaultTags()
	for _, c := range []struct {
		name, pkt string
		want      telemetry.Find
	}{
		{"a fifth VLAN tag", vlanQ + vlanQ + vlanQ + vlanQ + vlanQ + compact + ip, telemetry.FindNone},
		{"a second SecTAG", secTAG + secTAG + compact + ip, telemetry.FindNone},
		{"encrypted (E and C)", "88e5 0c 00 00000001" + compact + ip, telemetry.FindHidden},
		{"changed text (C)", "88e5 04 00 00000001" + compact + ip, telemetry.FindHidden},
		{"unknown version of MACsec (V)", "88e5 80 00 00000001" + compact + ip, telemetry.FindHidden},
		{"behind an EtherType", "0800" + compact + ip, telemetry.FindNone},
		{"802.3 length", "0004" + compact, telemetry.FindNone},
		{"tag last, nothing behind", compact, telemetry.FindTag},
	} {
		assert.Equal(t, c.want, tags.Walk(unhex(t, macs+c.pkt)).Find, c.name)
	}
	tags.Decrypted = true
	assert.Equal(t, telemetry.FindTag, tags.Walk(unhex(t, macs+"88e5 0c 00 00000001"+compact+ip)).Find)
	assert.Equal(t, telemetry.FindHidden, tags.Walk(unhex(t, macs+"88e5 8c 00 00000001"+compact+ip)).Find)
	assert.True(t, tags.Walk(unhex(t, macs+compact+wide+ip)).Stacked)
	assert.True(t, tags.Walk(unhex(t, macs+wide+compact+ip)).Stacked)
}

// A packet is ambiguous when another layer-2 tag, whole or cut, follows where the walk ends.
func TestWalkAmbiguous(t *testing.T) {
	tags := telemetry.DefaultTags()
	four := vlanQ + vlanQ + vlanAD + vlanAD
	for name, c := range map[string]struct {
		pkt  string
		want bool
	}{
		"untagged": {ip, false}, "tagged": {compact + ip, false}, "tag at the end": {wide, false},
		"a byte behind the tag": {compact + "88", false},
		"two tags":              {compact + wide + ip, true}, "a TPID behind the tag": {wide + "88b5", true},
		"a VLAN tag behind": {compact + vlanQ + ip, true}, "a SecTAG behind": {wide + secTAG + ip, true},
		"an encrypted one": {compact + "88e5 0c", true},
		"cut in the tag":   {wide[:10], true}, "cut before": {"88", false}, "four VLAN tags": {four + ip, false},
		"five":                 {four + vlanQ + ip, true},
		"five, one to the end": {four + "8100", true}, "two SecTAGs": {secTAG + vlanQ + secSCI + ip, true},
		"two, cut":                               {secTAG + "88e5", true},
		"hidden":                                 {"88e5 0c 00 00000001" + compact + ip, false},
		"tag behind a SecTAG and four VLAN tags": {four + secSCI + wide + ip, false},
	} {
		assert.Equal(t, c.want, tags.Walk(unhex(t, macs+c.pkt)).Ambiguous, name)
	}
}

// TPIDs are configuration: a public deployment has 0x9900 and no expanded tags.
func TestWalkConfiguredTPID(t *testing.T) {
	tags := telemetry.Tags{Compact: 0x9900, VLAN: []uint16{0x8100}}
	require.NoError(t, tags.Check())
	assert.Equal(t, telemetry.FindTag, tags.Walk(unhex(t, macs+"9900 2b85"+ip)).Find)
	assert.Equal(t, telemetry.FindNone, tags.Walk(unhex(t, macs+compact+ip)).Find)
	assert.Equal(t, telemetry.FindNone, tags.Walk(unhex(t, macs+vlanAD+"9900 2b85"+ip)).Find)
	assert.Equal(t, telemetry.FindNone, tags.Walk(unhex(t, macs+"0000 0000"+ip)).Find, "TPID 0 is none")
}

func TestTagsCheck(t *testing.T) {
	ok := telemetry.DefaultTags()
	require.NoError(t, ok.Check())
	for _, c := range []struct {
		tags telemetry.Tags
		want string
	}{
		{telemetry.Tags{}, "tags: no TPID for CSIG: give that of compact or of expanded tags, or both"},
		{telemetry.Tags{Compact: 0x9900, Expanded: 0x9900},
			"tags: the TPID of expanded CSIG is 0x9900, as is that of compact CSIG; they must differ"},
		{telemetry.Tags{Compact: 0x8100, VLAN: []uint16{0x8100}},
			"tags: the TPID of VLAN 0 is 0x8100, as is that of compact CSIG; they must differ"},
		{telemetry.Tags{Compact: 0x88e5}, "tags: the TPID of compact CSIG is 0x88e5, as is that of MACsec; they must differ"},
		{telemetry.Tags{Expanded: 0x05ff},
			"tags: the TPID of expanded CSIG is 0x05ff, which is a length; legal are 0x0600 to 0xffff"},
		{telemetry.Tags{Compact: 0x9900, VLAN: []uint16{1, 0x8100, 0x8100}},
			"tags: the TPID of VLAN 0 is 0x0001, which is a length; legal are 0x0600 to 0xffff\n" +
				"tags: the TPID of VLAN 2 is 0x8100, as is that of VLAN 1; they must differ"},
	} {
		require.EqualError(t, c.tags.Check(), c.want)
	}
}

// Stacks of VLAN tags and one SecTAG in any order are walked to their end, when there are no more than four VLAN tags.
func TestWalkAnyStack(t *testing.T) {
	tags := telemetry.DefaultTags()
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOfN(rapid.SampledFrom([]string{vlanQ, vlanAD}), 0, 5).Draw(t, "vlans")
		vlans := len(parts)
		if rapid.Bool().Draw(t, "macsec") {
			parts = slices.Insert(parts, rapid.IntRange(0, len(parts)).Draw(t, "at"),
				rapid.SampledFrom([]string{secTAG, secSCI}).Draw(t, "sectag"))
		}
		text := macs
		for _, p := range parts {
			text += p
		}
		head := hexOf(text)
		got := tags.Walk(append(head, hexOf(compact+ip)...))
		if vlans > telemetry.MaxVLANTags {
			assert.Equal(t, telemetry.FindNone, got.Find)
			return
		}
		assert.Equal(t, telemetry.FindTag, got.Find)
		assert.Equal(t, len(head), got.Offset)
		assert.Equal(t, vlans, got.VLANs)
	})
}

func FuzzWalk(f *testing.F) {
	for _, p := range placements {
		f.Add(hexOf(macs+p.tags+compact+ip), false)
		f.Add(hexOf(macs+p.tags+wide+ip), true)
	}
	f.Fuzz(func(t *testing.T, pkt []byte, decrypted bool) {
		tags := telemetry.DefaultTags()
		tags.Decrypted = decrypted
		p := tags.Walk(pkt)
		switch p.Find {
		case telemetry.FindTag:
			if p.Offset+p.Size.Len() > len(pkt) {
				t.Fatalf("tag at %d ends beyond %d bytes", p.Offset, len(pkt))
			}
		case telemetry.FindTruncated:
			if p.Offset+p.Size.Len() <= len(pkt) || p.Offset+2 > len(pkt) {
				t.Fatalf("tag at %d is not truncated in %d bytes", p.Offset, len(pkt))
			}
		case telemetry.FindNone:
			if p.Offset+2 > len(pkt) {
				t.Fatalf("EtherType at %d is beyond %d bytes", p.Offset, len(pkt))
			}
		}
		if p.Offset > 12+4*4+16 || p.VLANs > 4 {
			t.Fatalf("walked to %d over %d VLAN tags", p.Offset, p.VLANs)
		}
	})
}
