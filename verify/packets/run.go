package packets

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/verify/engine"
)

// Options say what to replay, on what, and where the output goes.
type Options struct {
	Pcap   string // capture
	Meta   string // meta file; "": packets leave port 0 at their capture time, without delay and with an empty queue
	Engine string // model, or a name that engine.Open knows; "": model
	Out    string // pcap file of what left; "": none

	Hardware engine.Hardware // that the engine runs the design on

	CacheDir string                // of the engines' builds; "": theirs
	VCD      string                // waveform of an engine other than the model; "": none
	Step     func(step string)     // told the steps of a build; may be nil
	Progress func(done, total int) // told the packets that are done; may be nil
	Open     Opener                // replaces engine.Open, for tests; may be nil
}

// Opener starts an instance of a design.
type Opener func(name string, d engine.Design, o engine.Options) (engine.Engine, error)

// Load reads a capture with its meta file, "" for none, and puts the packets into the order in which they leave.
func Load(pcap, meta string) ([]Packet, error) {
	captured, err := ReadCapture(pcap)
	if err != nil {
		return nil, err
	}
	list := make([]Packet, len(captured))
	for i := range captured {
		c := &captured[i]
		if meta == "" && c.Untimed {
			return nil, &Error{File: pcap, Where: fmt.Sprintf("packet %d", i+1), Reason: "the file gives no time for it; say with --meta when it left"}
		}
		list[i] = Packet{Number: i + 1, Data: c.Data, Meta: Meta{IngressNs: c.Ns, EgressNs: c.Ns}}
	}
	if meta != "" {
		metas, err := ReadMeta(meta, len(list))
		if err != nil {
			return nil, err
		}
		for i := range list {
			list[i].Meta = metas[i]
		}
	}
	InOrder(list)
	return list, nil
}

// InOrder sorts packets by the time at which they leave; equal times keep their order.
func InOrder(list []Packet) {
	slices.SortStableFunc(list, func(a, b Packet) int { return cmp.Compare(a.EgressNs, b.EgressNs) })
}

// writeOutput writes the packets that left.
func writeOutput(path string, rep *Report) error {
	b, err := FormatCapture(rep.Sent, rep.Results)
	if err != nil {
		return err
	}
	return writeFile(path, b)
}

// replay runs packets in the order given through a device, closes it, and completes the report.
func (r *Report) replay(d Device, in []Packet, progress func(done, total int)) (err error) {
	r.Order, r.Sent, r.Packets = d.Statuses(), in, len(in)
	defer func() {
		if cerr := d.Close(); err == nil {
			err = cerr
		}
	}()
	var tell func(int)
	if progress != nil {
		tell = func(done int) { progress(done, len(in)) }
	}
	start := time.Now()
	if r.Results, err = d.Process(in, tell); err != nil {
		return err
	}
	r.Seconds = time.Since(start).Seconds()
	c, err := d.Counters()
	if err != nil {
		return err
	}
	if err := c.check(r.Order, in, r.Results); err != nil {
		return err
	}
	r.Cycles, r.PacketsPerSecond = d.Cycles(), float64(len(in))/max(r.Seconds, 1e-9)
	r.Counters, r.Ports = c.Device, make([]PortCounters, len(c.Ports))
	for p := range c.Ports {
		r.Ports[p] = PortCounters{p, c.Ports[p]}
	}
	r.Statuses = map[string]int{}
	for i := range r.Results {
		r.Statuses[r.Order[r.Results[i].Status]]++
		r.BytesIn += int64(len(in[i].Data))
		r.BytesOut += int64(len(r.Results[i].Data))
	}
	return nil
}

// Run replays a capture on a switch design. The output file is written only when every packet has left. Errors of the input
// are of type *Error; a tool that an engine lacks is a toolchain.Missing.
func Run(d config.Design, o Options) (*Report, error) {
	in, err := Load(o.Pcap, o.Meta)
	if err != nil {
		return nil, err
	}
	rep, err := RunPackets(d, in, o)
	if err != nil {
		return nil, err
	}
	rep.Pcap = o.Pcap
	if o.Out != "" {
		err = writeOutput(o.Out, rep)
	}
	return rep, err
}

// RunPackets replays packets that are loaded already, in the order given; Pcap, Meta and Out of o are not used.
func RunPackets(d config.Design, in []Packet, o Options) (*Report, error) {
	if o.Engine == "" {
		o.Engine = "model"
	}
	dev, err := open(d, &o)
	if err != nil {
		return nil, err
	}
	rep := &Report{Design: d.DesignName(), ConfigHash: d.DesignHash(), Engine: o.Engine}
	if err := rep.replay(dev, in, o.Progress); err != nil {
		return nil, err
	}
	return rep, nil
}

// open makes the device of a design.
func open(d config.Design, o *Options) (Device, error) {
	switch c := d.(type) {
	case *config.CSIG:
		return openCSIG(c, o)
	case *config.INT:
		return openINT(c, o)
	}
	return nil, fmt.Errorf("%s is a design of kind %s and takes no packets; --pcap and --meta are for switch designs", d.DesignName(), d.DesignKind())
}
