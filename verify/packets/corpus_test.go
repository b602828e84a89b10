package packets_test

// The corpus holds packets for switches: every placement of a CSIG tag (draft-ravi-ippm-csig-00 section 4.1), every
// malformed tag, INT records, and inner packets that a protocol analyser dissects as valid.
//
// Each packet carries what it was built from (offset and fields of its tag), so that a device can be checked without
// the parser that its model uses. The corpus is deterministic: equal options give equal packets.

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/hdlpkg/hpccgen/telemetry"
)

// corpusOptions describe the network.
type corpusOptions struct {
	Seed  uint64
	Tags  telemetry.Tags // Decrypted: SecTAGs with E or C hide nothing
	Split telemetry.CSIGSplit
}

// corpusCase is a packet and what it was built from.
type corpusCase struct {
	Name      string
	Data      []byte
	Find      telemetry.Find     // what a device must find
	At        int                // first byte of the tag, with FindTag and FindTruncated
	Size      telemetry.CSIGSize // of the tag
	Tag       telemetry.CSIG     // its fields, with FindTag
	Stacked   bool               // another CSIG TPID follows the tag
	Ambiguous bool               // another layer-2 tag follows, or the packet ends inside the tag or its TPID
	Clean     bool               // an analyser reports no problem, with the tag or without
}

// corpusCases returns the whole corpus.
func corpusCases(o corpusOptions) ([]corpusCase, error) {
	b := &corpusBuilder{corpusOptions: o, frameMaker: &frameMaker{rng: rand.New(rand.NewPCG(o.Seed, 0x43534947))}}
	for _, size := range []telemetry.CSIGSize{telemetry.CSIGCompact, telemetry.CSIGExpanded} {
		if o.Tags.TPID(size) == 0 {
			continue
		}
		b.placements(size)
		b.types(size)
		b.alignments(size)
		b.jumbo(size)
		b.stacked(size)
		b.garbage(size)
		b.cut(size)
	}
	b.untagged()
	b.hidden()
	b.runts()
	b.ambiguous()
	return b.cases, b.err
}

// corpusData is the packets alone.
func corpusData(cases []corpusCase) [][]byte {
	list := make([][]byte, len(cases))
	for i := range cases {
		list[i] = cases[i].Data
	}
	return list
}

// corpusBuilder collects cases.
type corpusBuilder struct {
	corpusOptions
	*frameMaker
	cases []corpusCase
	turn  int // of the choices made in turn
}

// next advances the choices made in turn.
func (b *corpusBuilder) next() int { b.turn++; return b.turn }

// tag is a tag of a type: a value near one end of its range half of the time, so that some are replaced and some
// stay; reserved bits and locator of any value.
func (b *corpusBuilder) tag(size telemetry.CSIGSize, signal int) telemetry.CSIG {
	l := b.Split.Layout(size)
	t := telemetry.CSIG{
		Type: uint8(signal), Locator: uint16(b.rng.Uint32N(1 << l.Locator)), Reserved: uint8(b.rng.Uint32N(1 << l.Reserved)),
		Value: b.rng.Uint32N(1 << l.Value), Keep: l.Keep > 0 && b.rng.Uint32N(4) == 0,
	}
	switch b.next() % 4 {
	case 0:
		t.Value >>= l.Value - 2
	case 1:
		t.Value = 1<<l.Value - 1
	}
	return t
}

// signal is a type for a tag: one with a signal three times of four.
func (b *corpusBuilder) signal(size telemetry.CSIGSize) int {
	if b.next()%4 == 0 {
		return b.rng.IntN(b.typeCount(size))
	}
	return b.rng.IntN(4)
}

// typeCount is the number of signal types that a tag can name.
func (b *corpusBuilder) typeCount(size telemetry.CSIGSize) int { return 1 << b.Split.Layout(size).Type }

// add appends a packet with a tag.
func (b *corpusBuilder) add(f corpusFrame, size telemetry.CSIGSize, t telemetry.CSIG) *corpusCase {
	fields, err := t.Append(binary.BigEndian.AppendUint16(nil, b.Tags.TPID(size)), size, b.Split)
	b.note(err)
	stacked := len(f.tag) > 0
	f.tag = append(fields, f.tag...)
	data, at := b.bytes(&f)
	b.cases = append(b.cases, corpusCase{
		Name: fmt.Sprintf("%s, %s type %d", f.name, size, t.Type), Data: data, Find: telemetry.FindTag, At: at,
		Size: size, Tag: t, Stacked: stacked, Ambiguous: stacked, Clean: !f.dirty,
	})
	return &b.cases[len(b.cases)-1]
}

// plain appends a packet in which no tag is to be found.
func (b *corpusBuilder) plain(f corpusFrame, find telemetry.Find) *corpusCase {
	data, _ := b.bytes(&f)
	b.cases = append(b.cases, corpusCase{Name: f.name, Data: data, Find: find, Clean: !f.dirty})
	return &b.cases[len(b.cases)-1]
}

func (b *corpusBuilder) inner() inner { return inners[b.next()%len(inners)] }

// random sizes of data, small ones more often.
func (b *corpusBuilder) size() int { return int(b.rng.Uint32N(1 << (3 + b.rng.Uint32N(7)))) }

func (b *corpusBuilder) placements(size telemetry.CSIGSize) {
	for i, p := range placements(b.Tags.VLAN) {
		b.add(corpusFrame{name: fmt.Sprintf("placement %d", i), headers: p, inner: b.inner(), size: b.size()}, size,
			b.tag(size, b.signal(size)))
	}
}

// types has every type with the ends of the value's range, and some values between.
func (b *corpusBuilder) types(size telemetry.CSIGSize) {
	last := uint32(1)<<b.Split.Layout(size).Value - 1
	for signal := range b.typeCount(size) {
		for _, v := range []uint32{0, 1, last / 2, last - 1, last} {
			t := b.tag(size, signal)
			t.Value = v
			b.add(corpusFrame{name: fmt.Sprintf("value %d", v), inner: b.inner(), size: b.size()}, size, t)
		}
		for range 8 {
			b.add(corpusFrame{name: "value", inner: b.inner(), size: b.size()}, size, b.tag(size, signal))
		}
	}
}

// alignments adds every number of bytes after the tag that a beat of 64 bytes can end with.
func (b *corpusBuilder) alignments(size telemetry.CSIGSize) {
	for n := range 70 {
		b.add(corpusFrame{name: fmt.Sprintf("%d bytes of data", n), inner: inners[n%2], size: n}, size,
			b.tag(size, b.signal(size)))
	}
}

func (b *corpusBuilder) jumbo(size telemetry.CSIGSize) {
	vlan := []header{{vlan: b.Tags.VLAN[0]}}
	for i, n := range []int{1400, 8900, 9558, 9600, 9601, 15_000} {
		b.add(corpusFrame{name: fmt.Sprintf("jumbo, %d bytes of data", n), headers: vlan[:i%2], inner: inners[i%4],
			size: n}, size, b.tag(size, i%b.typeCount(size)))
	}
	// More than any length field or counter holds.
	c := b.add(corpusFrame{name: "66,000 bytes", inner: inners[0], size: 65_000, dirty: true}, size, b.tag(size, 0))
	c.Data = append(c.Data, b.random(66_000-len(c.Data))...)
}

// stacked adds a second tag after the first, in violation of section 4.1.
func (b *corpusBuilder) stacked(size telemetry.CSIGSize) {
	for _, second := range []telemetry.CSIGSize{telemetry.CSIGCompact, telemetry.CSIGExpanded} {
		if b.Tags.TPID(second) == 0 {
			continue
		}
		for signal := range b.typeCount(size) {
			t := b.tag(second, signal%8)
			tag, err := t.Append(binary.BigEndian.AppendUint16(nil, b.Tags.TPID(second)), second, b.Split)
			b.note(err)
			b.add(corpusFrame{name: "stacked", tag: tag, inner: b.inner(), size: b.size()}, size, b.tag(size, signal))
			if signal == 0 { // the second TPID ends the packet, or is cut
				b.add(corpusFrame{name: "stacked, ends with the second TPID", tag: tag[:2], open: true, dirty: true},
					size, b.tag(size, signal))
				cut := b.add(corpusFrame{name: "stacked, second TPID cut", tag: tag[:1], open: true, dirty: true}, size,
					b.tag(size, signal))
				cut.Stacked, cut.Ambiguous = false, b.padded(tag[0])
			}
		}
	}
}

// garbage adds packets with random bytes after a TPID, and with a tag at the very end.
func (b *corpusBuilder) garbage(size telemetry.CSIGSize) {
	for i := range 64 {
		tag := b.random(size.FieldsLen())
		var t telemetry.CSIG
		if _, err := t.Decode(tag, size, b.Split); err != nil {
			b.note(err)
		}
		f := corpusFrame{name: "garbage behind the TPID", open: true, dirty: true, headers: b.somewhere()}
		c := b.add(f, size, t)
		c.Data = append(c.Data, b.random(i)...)
		b.again(c)
	}
	for range 4 {
		for signal := range b.typeCount(size) {
			b.add(corpusFrame{name: "at the end", open: true, dirty: true, headers: b.somewhere()}, size, b.tag(size, signal))
		}
	}
}

// padded reports whether a byte followed by a zero of the MAC's padding is a CSIG TPID.
func (b *corpusBuilder) padded(last byte) bool {
	return slices.Contains([]uint16{b.Tags.Compact, b.Tags.Expanded}, uint16(last)<<8) && last != 0
}

// again updates a case whose random bytes may have become another TPID.
func (b *corpusBuilder) again(c *corpusCase) {
	if end := c.At + c.Size.Len(); len(c.Data) == end+1 {
		c.Ambiguous = b.padded(c.Data[end])
	}
	if end := c.At + c.Size.Len(); len(c.Data) >= end+2 {
		next := binary.BigEndian.Uint16(c.Data[end:])
		c.Stacked = next != 0 && (next == b.Tags.Compact || next == b.Tags.Expanded)
		c.Ambiguous = c.Stacked || next == macsecType || slices.Contains(b.Tags.VLAN, next)
	}
}

func (b *corpusBuilder) somewhere() []header {
	list := placements(b.Tags.VLAN)
	return list[b.rng.IntN(len(list))]
}

// cut adds packets that end at each of their bytes up to the end of the tag.
func (b *corpusBuilder) cut(size telemetry.CSIGSize) {
	v := b.Tags.VLAN
	for _, p := range [][]header{
		nil, {{vlan: v[0]}}, {{vlan: v[len(v)-1]}, {secTAG: sectag{sci: true}}, {vlan: v[0]}, {vlan: v[0]}, {vlan: v[0]}},
	} {
		whole := *b.add(corpusFrame{name: "cut", headers: p, open: true, dirty: true}, size, b.tag(size, b.signal(size)))
		for n := 1; n < len(whole.Data); n++ {
			c := corpusCase{Name: fmt.Sprintf("%s at byte %d", whole.Name, n), Data: whole.Data[:n], Find: telemetry.FindShort}
			if n >= whole.At+2 {
				c.Find, c.At, c.Size, c.Ambiguous = telemetry.FindTruncated, whole.At, size, true
			}
			if n == whole.At+1 {
				c.Ambiguous = b.padded(whole.Data[whole.At])
			}
			b.cases = append(b.cases, c)
		}
	}
}

// untagged adds packets whose layer 2 has no tag, up to the longest possible.
func (b *corpusBuilder) untagged() {
	v := b.Tags.VLAN
	for _, p := range placements(v) {
		b.plain(corpusFrame{name: "untagged", headers: p, inner: b.inner(), size: b.size()}, telemetry.FindNone)
	}
	five := []header{{vlan: v[0]}, {vlan: v[0]}, {vlan: v[0]}, {vlan: v[0]}, {vlan: v[0]}}
	for range 4 {
		size, t := b.anyTag()
		b.plain(corpusFrame{name: "behind a fifth VLAN tag", headers: five, tag: b.encoded(size, t), inner: b.inner(),
			size: b.size()}, telemetry.FindNone).Ambiguous = true
		two := []header{{secTAG: sectag{}}, {secTAG: sectag{}}}
		b.plain(corpusFrame{name: "behind a second SecTAG", headers: two, tag: b.encoded(size, t), inner: b.inner(),
			size: b.size(), dirty: true}, telemetry.FindNone).Ambiguous = true
	}
	for _, n := range []int{0, 1, 1000, 9600, 15_000} {
		b.plain(corpusFrame{name: fmt.Sprintf("untagged, %d bytes of data", n), inner: inners[n%2], size: n},
			telemetry.FindNone)
	}
}

// hidden adds tags hidden by a SecTAG before them: of another version, or of encrypted or changed data.
func (b *corpusBuilder) hidden() {
	for _, bits := range []byte{0x80, 0x08, 0x04, 0x0c, 0x8c} {
		for _, sci := range []bool{false, true} {
			for _, vlans := range [][]header{nil, {{vlan: b.Tags.VLAN[0]}}} {
				size, t := b.anyTag()
				h := append(append([]header{}, vlans...), header{secTAG: sectag{sci, bits}})
				if bits&0x80 == 0 && b.Tags.Decrypted {
					b.add(corpusFrame{name: "decrypted", headers: h, inner: b.inner(), size: b.size(), dirty: true}, size, t)
					continue
				}
				b.plain(corpusFrame{name: "hidden", headers: h, tag: b.encoded(size, t), inner: b.inner(),
					size: b.size(), dirty: true}, telemetry.FindHidden)
			}
		}
	}
}

// ambiguous adds packets with another layer-2 tag, and a CSIG tag after it, following the tag or the end of the walk.
func (b *corpusBuilder) ambiguous() {
	v := b.Tags.VLAN
	vlan := binary.BigEndian.AppendUint16(binary.BigEndian.AppendUint16(nil, v[0]), 100)
	four := []header{{vlan: v[0]}, {vlan: v[0]}, {vlan: v[0]}, {vlan: v[0]}}
	full := append(slices.Clone(four), header{secTAG: sectag{sci: true}})
	for i, more := range [][]byte{vlan, b.secTAG(nil, sectag{}), b.secTAG(nil, sectag{bits: 0x0c})} {
		for _, headers := range [][]header{nil, four, full} {
			for signal := range 4 {
				size, t := b.anyTag()
				second, t2 := b.anyTag()
				t.Type = uint8(signal)
				f := corpusFrame{name: fmt.Sprintf("another layer-2 tag after the tag, %d", i), headers: headers,
					inner: b.inner(), size: b.size(), dirty: true}
				f.tag = slices.Concat(more, b.encoded(second, t2))
				b.add(f, size, t).Stacked = false
			}
		}
	}
	for _, headers := range [][]header{append(slices.Clone(full), header{vlan: v[0]}),
		append(slices.Clone(full), header{secTAG: sectag{}})} {
		for range 4 {
			size, t := b.anyTag()
			b.plain(corpusFrame{name: "after the end of the walk", headers: headers, tag: b.encoded(size, t),
				inner: b.inner(), size: b.size(), dirty: true}, telemetry.FindNone).Ambiguous = true
			b.plain(corpusFrame{name: "untagged, a layer-2 tag ends the walk", headers: headers, inner: b.inner(),
				size: b.size(), dirty: true}, telemetry.FindNone).Ambiguous = true
		}
	}
}

// anyTag returns a tag of any size and type.
func (b *corpusBuilder) anyTag() (telemetry.CSIGSize, telemetry.CSIG) {
	size := telemetry.CSIGSize(b.rng.Uint32N(2))
	if b.Tags.TPID(size) == 0 {
		size = 1 - size
	}
	return size, b.tag(size, b.rng.IntN(b.typeCount(size)))
}

func (b *corpusBuilder) encoded(size telemetry.CSIGSize, t telemetry.CSIG) []byte {
	out, err := t.Append(binary.BigEndian.AppendUint16(nil, b.Tags.TPID(size)), size, b.Split)
	b.note(err)
	return out
}

// runts adds packets of every length up to the smallest corpusFrame, with an invalid layer 2.
func (b *corpusBuilder) runts() {
	for n := 1; n < 60; n++ {
		c := corpusCase{Name: fmt.Sprintf("runt of %d bytes", n), Data: b.random(n), Find: telemetry.FindShort}
		if n >= telemetry.MACsLen+2 {
			c.Find = telemetry.FindNone
			c.Data[12], c.Data[13] = 0x08, 0x00
		}
		b.cases = append(b.cases, c)
	}
}
