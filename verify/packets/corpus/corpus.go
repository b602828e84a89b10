package corpus

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"

	"github.com/hdlpkg/hpccgen/telemetry"
)

// Options say what the network is like.
type Options struct {
	Seed  uint64
	Tags  telemetry.Tags // Decrypted: SecTAGs with E or C hide nothing
	Split telemetry.CSIGSplit
}

// Case is a packet with what it was made of.
type Case struct {
	Name    string
	Data    []byte
	Find    telemetry.Find     // what a device finds
	At      int                // first byte of the tag, with FindTag and FindTruncated
	Size    telemetry.CSIGSize // of the tag
	Tag     telemetry.CSIG     // what it says, with FindTag
	Stacked bool               // another CSIG TPID follows the tag
	Clean   bool               // an analyser has nothing to say about it, whether its tag is there or not
}

// Cases is the whole corpus.
func Cases(o Options) ([]Case, error) {
	b := &builder{Options: o, maker: &maker{rng: rand.New(rand.NewPCG(o.Seed, 0x43534947))}}
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
	return b.cases, b.err
}

// Data is the packets alone.
func Data(cases []Case) [][]byte {
	list := make([][]byte, len(cases))
	for i := range cases {
		list[i] = cases[i].Data
	}
	return list
}

// builder collects cases.
type builder struct {
	Options
	*maker
	cases []Case
	turn  int // of what is taken in turn
}

// next counts up what is taken in turn.
func (b *builder) next() int { b.turn++; return b.turn }

// tag is a tag of a type: a value near one end of its range half of the time, so that some are replaced and some stay; reserved
// bits and locator of any value.
func (b *builder) tag(size telemetry.CSIGSize, signal int) telemetry.CSIG {
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
func (b *builder) signal(size telemetry.CSIGSize) int {
	if b.next()%4 == 0 {
		return b.rng.IntN(b.typeCount(size))
	}
	return b.rng.IntN(4)
}

// typeCount is the number of signal types that a tag can name.
func (b *builder) typeCount(size telemetry.CSIGSize) int { return 1 << b.Split.Layout(size).Type }

// add appends a packet with a tag.
func (b *builder) add(f frame, size telemetry.CSIGSize, t telemetry.CSIG) *Case {
	fields, err := t.Append(binary.BigEndian.AppendUint16(nil, b.Tags.TPID(size)), size, b.Split)
	b.note(err)
	stacked := len(f.tag) > 0
	f.tag = append(fields, f.tag...)
	data, at := b.bytes(&f)
	b.cases = append(b.cases, Case{
		Name: fmt.Sprintf("%s, %s type %d", f.name, size, t.Type), Data: data, Find: telemetry.FindTag, At: at, Size: size, Tag: t, Stacked: stacked, Clean: !f.dirty,
	})
	return &b.cases[len(b.cases)-1]
}

// plain appends a packet in which no tag is to be found.
func (b *builder) plain(f frame, find telemetry.Find) {
	data, _ := b.bytes(&f)
	b.cases = append(b.cases, Case{Name: f.name, Data: data, Find: find, Clean: !f.dirty})
}

func (b *builder) inner() inner { return inners[b.next()%len(inners)] }

// random sizes of data, small ones more often.
func (b *builder) size() int { return int(b.rng.Uint32N(1 << (3 + b.rng.Uint32N(7)))) }

func (b *builder) placements(size telemetry.CSIGSize) {
	for i, p := range placements(b.Tags.VLAN) {
		b.add(frame{name: fmt.Sprintf("placement %d", i), headers: p, inner: b.inner(), size: b.size()}, size, b.tag(size, b.signal(size)))
	}
}

// types has every type with the ends of the value's range, and some values between.
func (b *builder) types(size telemetry.CSIGSize) {
	last := uint32(1)<<b.Split.Layout(size).Value - 1
	for signal := range b.typeCount(size) {
		for _, v := range []uint32{0, 1, last / 2, last - 1, last} {
			t := b.tag(size, signal)
			t.Value = v
			b.add(frame{name: fmt.Sprintf("value %d", v), inner: b.inner(), size: b.size()}, size, t)
		}
		for range 8 {
			b.add(frame{name: "value", inner: b.inner(), size: b.size()}, size, b.tag(size, signal))
		}
	}
}

// alignments has every number of bytes behind the tag that a beat of 64 bytes can end with.
func (b *builder) alignments(size telemetry.CSIGSize) {
	for n := range 70 {
		b.add(frame{name: fmt.Sprintf("%d bytes of data", n), inner: inners[n%2], size: n}, size, b.tag(size, b.signal(size)))
	}
}

func (b *builder) jumbo(size telemetry.CSIGSize) {
	vlan := []header{{vlan: b.Tags.VLAN[0]}}
	for i, n := range []int{1400, 8900, 9558, 9600, 9601, 15_000} {
		b.add(frame{name: fmt.Sprintf("jumbo, %d bytes of data", n), headers: vlan[:i%2], inner: inners[i%4], size: n}, size, b.tag(size, i%b.typeCount(size)))
	}
	// More than any length field or counter holds.
	c := b.add(frame{name: "66,000 bytes", inner: inners[0], size: 65_000, dirty: true}, size, b.tag(size, 0))
	c.Data = append(c.Data, b.random(66_000-len(c.Data))...)
}

// stacked has a second tag behind the first, against section 4.1.
func (b *builder) stacked(size telemetry.CSIGSize) {
	for _, second := range []telemetry.CSIGSize{telemetry.CSIGCompact, telemetry.CSIGExpanded} {
		if b.Tags.TPID(second) == 0 {
			continue
		}
		for signal := range b.typeCount(size) {
			t := b.tag(second, signal%8)
			tag, err := t.Append(binary.BigEndian.AppendUint16(nil, b.Tags.TPID(second)), second, b.Split)
			b.note(err)
			b.add(frame{name: "stacked", tag: tag, inner: b.inner(), size: b.size()}, size, b.tag(size, signal))
			if signal == 0 { // the second TPID ends the packet, or is cut
				b.add(frame{name: "stacked, ends with the second TPID", tag: tag[:2], open: true, dirty: true}, size, b.tag(size, signal))
				b.add(frame{name: "stacked, second TPID cut", tag: tag[:1], open: true, dirty: true}, size, b.tag(size, signal)).Stacked = false
			}
		}
	}
}

// garbage has random bytes behind a TPID, and tags at the very end of a packet.
func (b *builder) garbage(size telemetry.CSIGSize) {
	for i := range 64 {
		tag := b.random(size.FieldsLen())
		var t telemetry.CSIG
		if _, err := t.Decode(tag, size, b.Split); err != nil {
			b.note(err)
		}
		f := frame{name: "garbage behind the TPID", open: true, dirty: true, headers: b.somewhere()}
		c := b.add(f, size, t)
		c.Data = append(c.Data, b.random(i)...)
		b.again(c)
	}
	for range 4 {
		for signal := range b.typeCount(size) {
			b.add(frame{name: "at the end", open: true, dirty: true, headers: b.somewhere()}, size, b.tag(size, signal))
		}
	}
}

// again finds out whether random bytes have become another TPID.
func (b *builder) again(c *Case) {
	if end := c.At + c.Size.Len(); len(c.Data) >= end+2 {
		next := binary.BigEndian.Uint16(c.Data[end:])
		c.Stacked = next != 0 && (next == b.Tags.Compact || next == b.Tags.Expanded)
	}
}

func (b *builder) somewhere() []header {
	list := placements(b.Tags.VLAN)
	return list[b.rng.IntN(len(list))]
}

// cut has packets that end at each of their bytes up to the end of the tag.
func (b *builder) cut(size telemetry.CSIGSize) {
	v := b.Tags.VLAN
	for _, p := range [][]header{
		nil, {{vlan: v[0]}}, {{vlan: v[len(v)-1]}, {secTAG: sectag{sci: true}}, {vlan: v[0]}, {vlan: v[0]}, {vlan: v[0]}},
	} {
		whole := *b.add(frame{name: "cut", headers: p, open: true, dirty: true}, size, b.tag(size, b.signal(size)))
		for n := 1; n < len(whole.Data); n++ {
			c := Case{Name: fmt.Sprintf("%s at byte %d", whole.Name, n), Data: whole.Data[:n], Find: telemetry.FindShort}
			if n >= whole.At+2 {
				c.Find, c.At, c.Size = telemetry.FindTruncated, whole.At, size
			}
			b.cases = append(b.cases, c)
		}
	}
}

// untagged has packets whose layer 2 ends without a tag, the longest possible among them.
func (b *builder) untagged() {
	v := b.Tags.VLAN
	for _, p := range placements(v) {
		b.plain(frame{name: "untagged", headers: p, inner: b.inner(), size: b.size()}, telemetry.FindNone)
	}
	five := []header{{vlan: v[0]}, {vlan: v[0]}, {vlan: v[0]}, {vlan: v[0]}, {vlan: v[0]}}
	for range 4 {
		size, t := b.anyTag()
		b.plain(frame{name: "behind a fifth VLAN tag", headers: five, tag: b.encoded(size, t), inner: b.inner(), size: b.size()}, telemetry.FindNone)
		two := []header{{secTAG: sectag{}}, {secTAG: sectag{}}}
		b.plain(frame{name: "behind a second SecTAG", headers: two, tag: b.encoded(size, t), inner: b.inner(), size: b.size(), dirty: true}, telemetry.FindNone)
	}
	for _, n := range []int{0, 1, 1000, 9600, 15_000} {
		b.plain(frame{name: fmt.Sprintf("untagged, %d bytes of data", n), inner: inners[n%2], size: n}, telemetry.FindNone)
	}
}

// hidden has tags behind SecTAGs that hide them: of another version, or encrypted or changed data.
func (b *builder) hidden() {
	for _, bits := range []byte{0x80, 0x08, 0x04, 0x0c, 0x8c} {
		for _, sci := range []bool{false, true} {
			for _, vlans := range [][]header{nil, {{vlan: b.Tags.VLAN[0]}}} {
				size, t := b.anyTag()
				h := append(append([]header{}, vlans...), header{secTAG: sectag{sci, bits}})
				if bits&0x80 == 0 && b.Tags.Decrypted {
					b.add(frame{name: "decrypted", headers: h, inner: b.inner(), size: b.size(), dirty: true}, size, t)
					continue
				}
				b.plain(frame{name: "hidden", headers: h, tag: b.encoded(size, t), inner: b.inner(), size: b.size(), dirty: true}, telemetry.FindHidden)
			}
		}
	}
}

// anyTag is a tag of any size and type.
func (b *builder) anyTag() (telemetry.CSIGSize, telemetry.CSIG) {
	size := telemetry.CSIGSize(b.rng.Uint32N(2))
	if b.Tags.TPID(size) == 0 {
		size = 1 - size
	}
	return size, b.tag(size, b.rng.IntN(b.typeCount(size)))
}

func (b *builder) encoded(size telemetry.CSIGSize, t telemetry.CSIG) []byte {
	out, err := t.Append(binary.BigEndian.AppendUint16(nil, b.Tags.TPID(size)), size, b.Split)
	b.note(err)
	return out
}

// runts has packets of every length up to the smallest frame, with nothing of layer 2 right.
func (b *builder) runts() {
	for n := 1; n < 60; n++ {
		c := Case{Name: fmt.Sprintf("runt of %d bytes", n), Data: b.random(n), Find: telemetry.FindShort}
		if n >= telemetry.MACsLen+2 {
			c.Find = telemetry.FindNone
			c.Data[12], c.Data[13] = 0x08, 0x00
		}
		b.cases = append(b.cases, c)
	}
}
