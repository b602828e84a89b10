package packets

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"slices"

	"github.com/hdlpkg/hpccgen/config"
)

// Load reads a capture with its meta file, "" for none, and puts the packets into the order in which they leave. It
// holds them all; Run does not.
func Load(pcap, meta string) (list []Packet, err error) {
	d, err := openDepartures(pcap, meta, 0)
	if err != nil {
		return nil, err
	}
	err = d.each(func(p *Packet) { list = append(list, *p) })
	if err = errors.Join(err, d.close()); err != nil {
		return nil, err
	}
	return list, nil
}

// InOrder sorts packets by the time at which they leave; equal times keep their order.
func InOrder(list []Packet) {
	slices.SortStableFunc(list, func(a, b Packet) int { return cmp.Compare(a.EgressNs, b.EgressNs) })
}

// Replayed is the result of a replay of packets.
type Replayed struct {
	*Report
	Sent    []Packet // in the order in which they left
	Results []Result // of Sent
}

// RunPackets replays packets that are loaded already, in the order given; Pcap, Meta and Out of o are not used.
func RunPackets(d config.Design, in []Packet, o Options) (*Replayed, error) {
	o.Pcap = ""
	at := 0
	w := &passage{in: func() (*Packet, error) {
		if at == len(in) {
			return nil, io.EOF
		}
		at++
		return &in[at-1], nil
	}}
	out := &Replayed{Sent: in}
	w.out = func(p *Packet, r *Result) error {
		out.Results = append(out.Results, *r)
		return nil
	}
	if o.Progress != nil {
		w.progress = func(done int) { o.Progress(done, len(in)) }
	}
	if err := w.run(d, &o); err != nil {
		return nil, err
	}
	out.Report = w.report
	return out, nil
}

// FormatCapture is the pcap file of packets that left.
func FormatCapture(in []Packet, results []Result) ([]byte, error) {
	var b bytes.Buffer
	w, err := newCaptureWriter(&b)
	for i := range results {
		if err == nil {
			err = w.write(&in[i], &results[i])
		}
	}
	return b.Bytes(), err
}
