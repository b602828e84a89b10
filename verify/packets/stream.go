package packets

import (
	"encoding/binary"
	"fmt"
	"math/bits"
)

// stream is a run of packets through a device.
type stream struct {
	*hardware
	packets []Packet
	results []Result
	pace    *pace

	packet, at int   // the beat that goes in next: packet, and byte in it
	cycle      int64 // when
	scheduled  bool  // cycle is known
	offered    []int // cycles of the batch in which a beat is offered

	current []byte // of the packet that comes out
}

func (s *stream) all(progress func(done int)) error {
	for len(s.results) < len(s.packets) {
		start := s.hardware.cycle
		n := s.fill(start)
		if err := s.run(n); err != nil {
			return err
		}
		if err := s.collect(start, n); err != nil {
			return err
		}
		if progress != nil {
			progress(len(s.results))
		}
		if s.packet == len(s.packets) && s.hardware.cycle > s.pace.prev+slack && len(s.results) < len(s.packets) {
			return fmt.Errorf("%d packets are missing after cycle %d; the first is packet %d",
				len(s.packets)-len(s.results), s.hardware.cycle, s.packets[len(s.results)].Number)
		}
	}
	return nil
}

// fill puts the beats of the next batch into the inputs, and says how many cycles it has: fewer at the end.
func (s *stream) fill(start int64) int {
	s.offered = s.offered[:0]
	for c := range batchCycles {
		in := s.set(c)
		if s.packet == len(s.packets) {
			if start+int64(c) > s.pace.prev+slack {
				return c + 1
			}
			continue
		}
		if !s.scheduled {
			data := s.packets[s.packet].Data
			s.cycle = s.pace.next(s.at/s.BeatBytes, (len(data)+s.BeatBytes-1)/s.BeatBytes)
			s.scheduled = true
		}
		if s.cycle == start+int64(c) {
			s.offer(in)
			s.offered = append(s.offered, c)
			s.scheduled = false
		}
	}
	return batchCycles
}

// offer puts the next beat into the inputs of a cycle.
func (s *stream) offer(in []uint64) {
	p, port := &s.packets[s.packet], &s.ports.in
	n := min(s.BeatBytes, len(p.Data)-s.at)
	in[port.valid.Offset] = 1
	putBytes(in[port.data.Offset:], p.Data[s.at:s.at+n])
	in[port.keep.Offset] = ^uint64(0) >> (64 - n)
	if s.at == 0 {
		s.putMeta(in[port.user.Offset:], &p.Meta)
	}
	s.at += n
	if s.at == len(p.Data) {
		in[port.last.Offset] = 1
		s.packet, s.at = s.packet+1, 0
	}
}

// putMeta stores what comes with a packet, from bit 0: ingress port, egress port, ingress time, egress time, queue depth.
// Ports that the device does not have become the largest number, which is always one of them; times go modulo their range, a
// longer queue saturates.
func (s *stream) putMeta(user []uint64, m *Meta) {
	at := 0
	put := func(width int, v uint64) {
		putBits(user, at, width, v)
		at += width
	}
	pb := portBits(s.Ports)
	put(pb, s.portNumber(m.IngressPort))
	put(pb, s.portNumber(m.EgressPort))
	put(s.TimeBits, m.IngressNs)
	put(s.TimeBits, m.EgressNs)
	put(s.QlenBits, min(m.QlenBytes, ^uint64(0)>>(64-s.QlenBits)))
}

func (s *stream) portNumber(port int) uint64 {
	if port >= s.Ports {
		return 1<<portBits(s.Ports) - 1
	}
	return uint64(port)
}

// collect checks that every beat offered was taken, and puts the packets that come out together.
func (s *stream) collect(start int64, n int) error {
	for _, c := range s.offered {
		if s.get(c)[s.ports.in.ready.Offset] == 0 {
			return fmt.Errorf("s_axis_tready is low in cycle %d, where the timing of the design says that it is high", start+int64(c))
		}
	}
	for c := range n {
		out := s.get(c)
		if out[s.ports.out.valid.Offset] == 0 {
			continue
		}
		if err := s.beat(out); err != nil {
			return fmt.Errorf("%w (cycle %d)", err, start+int64(c))
		}
	}
	return nil
}

// beat takes one beat from m_axis.
func (s *stream) beat(out []uint64) error {
	if len(s.results) == len(s.packets) {
		return fmt.Errorf("a beat comes out behind the last packet")
	}
	p, port := &s.packets[len(s.results)], &s.ports.out
	n, last := s.BeatBytes, out[port.last.Offset] != 0
	if last {
		keep := out[port.keep.Offset]
		n = bits.Len64(keep)
		if n == 0 || keep != ^uint64(0)>>(64-n) {
			return fmt.Errorf("packet %d: m_axis_tkeep of its last beat is %#x: not ones from bit 0 on", p.Number, keep)
		}
	}
	s.current = appendBytes(s.current, out[port.data.Offset:], n)
	if most := len(p.Data) + s.Growth*s.BeatBytes; len(s.current) > most {
		return fmt.Errorf("packet %d: more than %d bytes come out; it has %d", p.Number, most, len(p.Data))
	}
	if !last {
		return nil
	}
	user, pb := out[port.user.Offset:], portBits(s.Ports)
	if got, want := getBits(user, 0, pb), s.portNumber(p.EgressPort); got != want {
		return fmt.Errorf("packet %d: it comes out for port %d, not %d", p.Number, got, want)
	}
	status := int(getBits(user, pb, port.user.Width-pb))
	if status >= len(s.statuses) {
		return fmt.Errorf("packet %d: there is no status %d", p.Number, status)
	}
	s.results = append(s.results, Result{Data: s.current, Status: status})
	s.current = nil
	return nil
}

// putBytes stores bytes in words, the first in the lowest bits.
func putBytes(words []uint64, b []byte) {
	for len(b) >= 8 {
		words[0] = binary.LittleEndian.Uint64(b)
		words, b = words[1:], b[8:]
	}
	for i, x := range b {
		words[0] |= uint64(x) << (8 * i)
	}
}

// appendBytes appends n bytes of words.
func appendBytes(b []byte, words []uint64, n int) []byte {
	for ; n >= 8; n -= 8 {
		b = binary.LittleEndian.AppendUint64(b, words[0])
		words = words[1:]
	}
	for i := range n {
		b = append(b, byte(words[0]>>(8*i)))
	}
	return b
}
