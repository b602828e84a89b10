package packets

import (
	"container/heap"
	"errors"
	"fmt"
	"io"

	"github.com/hdlpkg/hpccgen/verify/source"
)

// DefaultWindow is how many bytes of packets are held to put them into the order in which they leave.
const DefaultWindow = 64 << 20

// held is the size of a packet in the window besides its bytes.
const held = 128

// departures gives the packets of a capture in the order in which they leave, from the start as often as is needed.
type departures struct {
	pcap, meta *source.File // meta may be nil
	window     int64
}

func openDepartures(pcap, meta string, window int64) (*departures, error) {
	if window <= 0 {
		window = DefaultWindow
	}
	d := &departures{window: window}
	var err error
	if d.pcap, err = source.Open(pcap); err != nil {
		return nil, err
	}
	if meta != "" {
		if d.meta, err = source.Open(meta); err != nil {
			return nil, errors.Join(err, d.pcap.Close())
		}
	}
	return d, nil
}

func (d *departures) close() error {
	err := d.pcap.Close()
	if d.meta != nil {
		err = errors.Join(err, d.meta.Close())
	}
	return err
}

// start begins with the first packet. A function from before is void. The packets come as they leave, equal times in
// the order of the capture; io.EOF follows the last one.
func (d *departures) start() (func() (*Packet, error), error) {
	captured, err := openCapture(d.pcap)
	if err != nil {
		return nil, err
	}
	q := &reorder{departures: d, captured: captured}
	if d.meta != nil {
		q.meta, err = openMeta(d.meta)
	}
	return q.next, err
}

// reorder holds packets until the window is full.
type reorder struct {
	*departures
	captured func() (Captured, error)
	meta     *metaFile
	ordered  []*Packet // each leaves no earlier than the one before it: most packets of most captures
	heap     byEgress  // the others
	bytes    int64
	read     int // packets
	ended    bool
	last     *Packet
}

func (q *reorder) next() (*Packet, error) {
	for !q.ended && (q.bytes <= q.window || q.first() == nil) {
		p, err := q.take()
		if err == io.EOF {
			q.ended = true
			if q.meta != nil {
				if err := q.meta.end(q.read); err != nil {
					return nil, err
				}
			}
			break
		}
		if err != nil {
			return nil, err
		}
		if n := len(q.ordered); n == 0 || q.ordered[n-1].EgressNs <= p.EgressNs {
			q.ordered = append(q.ordered, p)
		} else {
			heap.Push(&q.heap, p)
		}
		q.bytes += int64(len(p.Data)) + held
	}
	p := q.first()
	switch {
	case p == nil:
		return nil, io.EOF
	case len(q.heap) > 0 && p == q.heap[0]:
		heap.Pop(&q.heap)
	default:
		q.ordered[0] = nil
		q.ordered = q.ordered[1:]
	}
	q.bytes -= int64(len(p.Data)) + held
	if q.last != nil && p.EgressNs < q.last.EgressNs {
		return nil, &Error{File: q.pcap.Name, Where: fmt.Sprintf("packet %d", p.Number), Reason: fmt.Sprintf(
			"it leaves at %d ns, before packet %d at %d ns, but comes more than %d MiB of packets behind it; "+
				"bring the capture into the order in which the packets leave, or widen the window (--window)",
			p.EgressNs, q.last.Number, q.last.EgressNs, q.window>>20)}
	}
	q.last = p
	return p, nil
}

// first is the packet that leaves first of those that are held; nil when there is none.
func (q *reorder) first() *Packet {
	switch {
	case len(q.ordered) == 0 && len(q.heap) == 0:
		return nil
	case len(q.ordered) == 0 || len(q.heap) > 0 && before(q.heap[0], q.ordered[0]):
		return q.heap[0]
	}
	return q.ordered[0]
}

// take reads the next packet of the capture.
func (q *reorder) take() (*Packet, error) {
	c, err := q.captured()
	if err != nil {
		return nil, err
	}
	q.read++
	p := &Packet{Number: q.read, Data: c.Data, Meta: Meta{IngressNs: c.Ns, EgressNs: c.Ns}}
	if q.meta == nil {
		if c.Untimed {
			return nil, &Error{File: q.pcap.Name, Where: fmt.Sprintf("packet %d", q.read),
				Reason: "the file gives no time for it; say with --meta when it left"}
		}
		return p, nil
	}
	p.Meta, err = q.meta.of(uint64(q.read))
	return p, err
}

// before reports whether a packet leaves before another; equal times in the order of the capture.
func before(a, b *Packet) bool {
	if a.EgressNs != b.EgressNs {
		return a.EgressNs < b.EgressNs
	}
	return a.Number < b.Number
}

// byEgress is a heap of packets, the one that leaves first first.
type byEgress []*Packet

func (h byEgress) Len() int           { return len(h) }
func (h byEgress) Less(i, j int) bool { return before(h[i], h[j]) }
func (h byEgress) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *byEgress) Push(x any)        { *h = append(*h, x.(*Packet)) }
func (h *byEgress) Pop() any {
	n := len(*h) - 1
	p := (*h)[n]
	(*h)[n] = nil
	*h = (*h)[:n]
	return p
}
